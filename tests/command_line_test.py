#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as a person or a script meets it: exit codes, streams, messages, files.

command_line_test.py THRONG SHARED SOURCE
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

throng, shared = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
MANNEQUIN = "builtin:mannequin"


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.mkdtemp()
        cls.asset = os.path.join(cls.kept, "mannequin.throng.glb")
        done = subprocess.run([throng, "bake", MANNEQUIN, "-o", cls.asset, "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.report = json.loads(done.stdout)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.kept)

    def setUp(self):
        self.folder = tempfile.mkdtemp()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_throng(self, *arguments, code=0, cache=None):
        # Never the cache of whoever runs the tests.
        surroundings = dict(os.environ, XDG_CACHE_HOME=cache or self.kept)
        done = subprocess.run([throng, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env=surroundings)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done

    def refused(self, *arguments, says):
        """Bad input: exit code 1, nothing on standard output, one line on standard error."""
        done = self.run_throng(*arguments, code=1)
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if not line.startswith("throng: note:")]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(says, lines[0])
        return lines[0]

    # Help and usage

    def test_help_has_examples(self):
        for command in [[], ["bake"], ["inspect"], ["render"], ["pose"], ["graph"]]:
            done = self.run_throng(*command, "--help")
            self.assertIn("Examples:", done.stdout)
            self.assertIn("throng " + (command[0] if command else "bake"), done.stdout)

    def test_wrong_usage_exits_with_2(self):
        for arguments in [[], ["bak"], ["bake"], ["bake", MANNEQUIN, "--fpss", "3"], ["bake", MANNEQUIN, "--fps", "x"],
                          ["pose", MANNEQUIN, "-o", "x.txt"], ["pose", MANNEQUIN, "--time", "nan"],
                          ["pose", MANNEQUIN, "--clip", "a", "--clip-index", "0"],
                          ["render", self.asset], ["render", self.asset, "-o", "x.gif"],
                          ["render", self.asset, "-o", "x.png", "--size", "12"],
                          ["render", self.asset, "-o", "x.png", "--count", "0"],
                          ["render", self.asset, "-o", "x.png", "--view", "fra"],
                          ["render", self.asset, "-o", "x.mp4", "--from", "1e300", "--to", "1e308"],
                          ["render", self.asset, "-o", "x.mp4", "--from", "2", "--to", "1"]]:
            done = self.run_throng(*arguments, code=2)
            self.assertNotEqual(done.stderr, "")
            self.assertTrue(all(c.isprintable() or c == "\n" for c in done.stderr), done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_result_that_cannot_be_printed_is_no_success(self):
        with open("/dev/full", "w") as full:
            for arguments in [["inspect", self.asset, "--json"], ["render", "--list-devices"], ["--help"]]:
                done = subprocess.run([throng, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertTrue(done.stderr.startswith("throng: error:"), done.stderr)

    def test_names_from_files_stay_on_one_line(self):
        evil = "evil\nthrong: error: fake\x1b[31m"
        model = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                 "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]},
                               {"componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]},
                               {"componentType": 5126, "count": 1, "type": "VEC3"}],
                 "animations": [{"name": evil, "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                                 "samplers": [{"input": 1, "output": 2}]}]}
        pathlib.Path(self.folder, "evil.gltf").write_text(json.dumps(model))
        self.refused("pose", "evil.gltf", "--clip", "zz", "-o", "x.obj", says="\\x0athrong: error: fake\\x1b[31m")
        shown = self.run_throng("inspect", "evil.gltf")
        self.assertNotIn("\x1b", shown.stdout + shown.stderr)
        self.assertIn(evil, [clip["name"] for clip in json.loads(self.run_throng("inspect", "evil.gltf", "--json").stdout)["clips"]])

    # Bake

    def test_a_file_of_clips_alone_says_how_to_add_it(self):
        model = {"asset": {"version": "2.0"}, "nodes": [{"name": "hip"}],
                 "accessors": [{"componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]},
                               {"componentType": 5126, "count": 1, "type": "VEC3"}],
                 "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                                 "samplers": [{"input": 0, "output": 1}]}]}
        pathlib.Path(self.folder, "walk.gltf").write_text(json.dumps(model))
        self.refused("bake", "walk.gltf", says="name a model and add this with --clips")

    def test_faults_are_mended_and_counted_unless_it_is_strict(self):
        model = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "children": []}],
                 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                 "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}]}
        pathlib.Path(self.folder, "odd.gltf").write_text(json.dumps(model))
        done = self.run_throng("bake", "odd.gltf", "--json")
        self.assertEqual(json.loads(done.stdout)["repairs"]["faults_mended"], 2)
        self.assertIn("1 declared bounds of accessors are missing or wrong", done.stderr)
        for command in ("bake", "pose", "inspect"):
            self.run_throng(command, "odd.gltf")
            self.refused(command, "--strict", "odd.gltf", says="nodes[0].children is empty; leave it out instead")

    def test_a_small_file_may_not_take_much_memory(self):
        # 5.5 million vertices out of nothing, on 46 nodes.
        model = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}] * 46,
                 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                 "accessors": [{"componentType": 5126, "count": 5500000, "type": "VEC3", "min": [0] * 3, "max": [0] * 3}]}
        pathlib.Path(self.folder, "nothing.gltf").write_text(json.dumps(model))
        self.refused("inspect", "nothing.gltf", says="512 MiB is what a file of")
        model["nodes"] = [{"mesh": 0}]
        model["accessors"][0]["count"] = 30000
        pathlib.Path(self.folder, "little.gltf").write_text(json.dumps(model))
        self.refused("inspect", "--budget", "1", "little.gltf", says="1 MiB is what a file of")
        self.run_throng("inspect", "little.gltf")

    def test_pose_follows_eight_bones_where_it_is_asked_to(self):
        four, eight = (self.run_throng("pose", MANNEQUIN, "--influences", n).stdout for n in ("4", "8"))
        self.assertEqual(four, eight)  # the mannequin has no more than four
        self.run_throng("pose", MANNEQUIN, "--influences", "5", code=2)

    def test_bake_report_has_the_names_that_scripts_use(self):
        report = self.report
        for clip in report["clips"]:
            self.assertGreater(clip["frames"], 0)
            self.assertGreater(clip["rate"], 0)
            # Within a millimetre, the mannequin's hips take 16 bytes a frame and every other bone 8.
            self.assertEqual(clip["encoding"], "local8")
            self.assertEqual(clip["bytes"], clip["frames"] * (report["bones"] + 1) * 8)
            self.assertTrue(clip["name"])
        self.assertEqual(sum(clip["bytes"] for clip in report["clips"]), report["bytes"])
        for where in ["at_frames", "between"]:
            figures = report["error"][where]
            self.assertGreaterEqual(figures["max_mm"], figures["p999_mm"])
            self.assertGreater(figures["p999_mm"], 0.0)
        self.assertLess(report["error"]["at_frames"]["max_mm"], 0.2)
        self.assertEqual(report["file_bytes"], os.path.getsize(self.asset))

    def test_bake_gives_the_same_bytes_for_any_number_of_threads(self):
        for threads in ["1", "3"]:
            self.run_throng("bake", MANNEQUIN, "-o", "again.throng.glb", "--threads", threads)
            again = pathlib.Path(self.folder, "again.throng.glb").read_bytes()
            self.assertEqual(again, pathlib.Path(self.asset).read_bytes())

    def test_bake_refuses_what_is_no_model_and_writes_nothing(self):
        empty = pathlib.Path(self.folder, "empty.glb")
        empty.write_bytes(b"")
        text = pathlib.Path(self.folder, "text.glb")
        text.write_text("hello, I am a text file")
        self.refused("bake", "missing.glb", "-o", "a.throng.glb", says="missing.glb")
        self.refused("bake", self.folder, "-o", "a.throng.glb", says="folder")
        self.refused("bake", empty, "-o", "a.throng.glb", says="empty.glb")
        self.refused("bake", text, "-o", "a.throng.glb", says="text.glb")
        self.assertEqual(sorted(os.listdir(self.folder)), ["empty.glb", "text.glb"])

    def test_bake_that_cannot_write_says_so_and_keeps_the_old_file(self):
        self.refused("bake", MANNEQUIN, "-o", os.path.join(self.folder, "no", "such", "a.throng.glb"), says="cannot write")
        self.refused("bake", MANNEQUIN, "-o", self.folder, says="is a folder")
        old = pathlib.Path(self.folder, "old.throng.glb")
        old.write_bytes(b"old")
        broken = pathlib.Path(self.folder, "broken.glb")
        broken.write_bytes(b"glTF")
        self.refused("bake", broken, "-o", old, says="broken.glb")
        self.assertEqual(old.read_bytes(), b"old")

    def test_bake_refuses_an_asset_and_its_own_model_as_output(self):
        self.refused("bake", self.asset, "-o", "a.throng.glb", says="is a baked asset already")
        model = pathlib.Path(self.folder, "model.gltf")
        model.write_text("{}")
        self.refused("bake", model, "-o", model, says="is the model itself")
        self.assertEqual(model.read_text(), "{}")

    def test_bake_killed_half_way_leaves_the_old_file(self):
        old = pathlib.Path(self.folder, "old.throng.glb")
        old.write_bytes(b"old")
        process = subprocess.Popen([throng, "bake", MANNEQUIN, "-o", str(old)], stdout=subprocess.DEVNULL)
        process.kill()
        process.wait()
        self.assertEqual(old.read_bytes(), b"old")
        self.assertEqual(os.listdir(self.folder), ["old.throng.glb"])

    # Inspect

    def test_inspect_tells_a_model_from_an_asset(self):
        self.assertEqual(json.loads(self.run_throng("inspect", MANNEQUIN, "--json").stdout)["kind"], "model")
        asset = json.loads(self.run_throng("inspect", self.asset, "--json").stdout)
        self.assertEqual(asset["kind"], "asset")
        self.assertEqual(asset["error"], self.report["error"])
        self.assertEqual(asset["clips"], self.report["clips"])
        self.assertIn("walk", self.run_throng("inspect", self.asset).stdout)

    def test_inspect_refuses_an_asset_with_a_byte_changed(self):
        data = bytearray(pathlib.Path(self.asset).read_bytes())
        data[len(data) // 2] ^= 1
        broken = pathlib.Path(self.folder, "broken.throng.glb")
        broken.write_bytes(data)
        self.refused("inspect", broken, says="broken.throng.glb")

    # Pose

    def pose(self, file, *arguments):
        return json.loads(self.run_throng("pose", file, *arguments, "--json").stdout)["parts"]

    def test_pose_of_an_asset_is_that_of_its_model_within_the_reported_error(self):
        error = self.report["error"]
        allowed = max(error["at_frames"]["max_mm"], error["between"]["max_mm"]) / error["mm_per_unit"] + 1e-6
        for index in range(len(self.report["clips"])):
            clip = ["--clip-index", index, "--time", 0.3]
            for model, asset in zip(self.pose(MANNEQUIN, *clip), self.pose(self.asset, *clip), strict=True):
                self.assertEqual((model["node"], model["primitive"]), (asset["node"], asset["primitive"]))
                for a, b in zip(model["positions"], asset["positions"], strict=True):
                    self.assertLessEqual(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5, allowed)

    def test_pose_writes_obj_and_json_with_the_same_vertices(self):
        arguments = ["pose", MANNEQUIN, "--clip", "walk", "--time", 0.25]
        self.run_throng(*arguments, "-o", "pose.obj")
        self.run_throng(*arguments, "-o", "pose.json")
        parts = json.loads(pathlib.Path(self.folder, "pose.json").read_text())["parts"]
        lines = pathlib.Path(self.folder, "pose.obj").read_text().splitlines()
        vertices = [[float(x) for x in line.split()[1:]] for line in lines if line.startswith("v ")]
        self.assertEqual(vertices, [p for part in parts for p in part["positions"]])
        self.assertTrue(any(line.startswith("f ") for line in lines))

    def test_pose_refuses_a_clip_that_is_not_there(self):
        self.assertIn("walk", self.refused("pose", MANNEQUIN, "--clip", "wlak", "-o", "x.obj", says="'wlak'"))
        self.refused("pose", MANNEQUIN, "--clip", "", "-o", "x.obj", says="''")
        self.refused("pose", self.asset, "--clip-index", 99, "-o", "x.obj", says="no clip 99")
        self.assertEqual(os.listdir(self.folder), [])

    # Render

    def test_render_draws_a_picture_of_the_size_and_reports_it(self):
        done = self.run_throng("render", self.asset, "-o", "a.png", "--size", "320x180", "--count", 20, "--json")
        report = json.loads(done.stdout)
        self.assertEqual((report["width"], report["height"], report["instances"]), (320, 180, 20))
        self.assertEqual(report["crowd_draws"], self.report["materials"] + 1, "one for specks")
        header = pathlib.Path(self.folder, "a.png").read_bytes()[:24]
        self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")), (320, 180))

    def test_render_shows_every_frame_of_a_clip_side_by_side(self):
        done = self.run_throng("render", self.asset, "-o", "a.png", "--size", "320x180", "--sheet", "walk", "--json")
        walk = next(clip for clip in self.report["clips"] if clip["name"] == "walk")
        self.assertEqual(json.loads(done.stdout)["instances"], walk["frames"])
        self.refused("render", self.asset, "-o", "b.png", "--sheet", "wlak", says="'wlak'")

    def test_render_takes_one_picture_a_frame(self):
        self.run_throng("render", self.asset, "-o", "f%02d.png", "--size", "64x36", "--count", 2, "--from", 0, "--to", 0.1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["f00.png", "f01.png", "f02.png"])
        self.assertNotEqual(pathlib.Path(self.folder, "f00.png").read_bytes(), pathlib.Path(self.folder, "f02.png").read_bytes())

    def test_render_makes_a_film(self):
        self.run_throng("render", self.asset, "-o", "a.mp4", "--size", "64x36", "--count", 2, "--from", 0, "--to", 0.2)
        self.run_throng("render", self.asset, "-o", "b:c.mp4", "--size", "64x36", "--count", 2, "--from", 0, "--to", 0.2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.mp4", "b:c.mp4"])
        self.assertEqual(pathlib.Path(self.folder, "a.mp4").read_bytes()[4:8], b"ftyp")

    # Graphs

    def graph(self, **changes):
        idle = {"name": "idle", "motion": {"clip": "idle"},
                "transitions": [{"to": "go", "conditions": [{"parameter": "speed", "greater": 0.1}]}]}
        draft = {"name": "walker", "parameters": [{"name": "speed", "type": "float"}, {"name": "jump", "type": "trigger"}],
                 "layers": [{"name": "base", "states": [idle, {"name": "go", "motion": {"clip": "walk"}}]}]}
        pathlib.Path(self.folder, "walker.json").write_text(json.dumps(draft | changes))
        return ["graph", "walker.json", "--model", MANNEQUIN]

    def test_graph_tells_what_is_in_it_and_what_keeps_a_transition(self):
        told = json.loads(self.run_throng(*self.graph(), "--json").stdout)
        self.assertEqual([layer["states"] for layer in told["layers"]], [["idle", "go"]])
        waits = self.run_throng(*self.graph(), "--seconds", "0.5").stdout
        self.assertIn("idle → go: waits (speed > 0.1: it is 0)", waits)
        goes = json.loads(self.run_throng(*self.graph(), "--seconds", "1", "--set", "speed=1", "--json").stdout)
        self.assertEqual(goes["layers"][0]["state"], "go")

    def test_graph_refuses_with_the_place_of_what_is_wrong(self):
        self.refused(*self.graph(layers=[{"name": "base", "states": [{"name": "a", "motion": {"clip": "wlak"}}]}]),
                     says="walker.json: /layers/0/states/0/motion")
        self.refused(*self.graph(laiers=[]), says="laiers")
        self.refused(*self.graph(), "--seconds", "1", "--set", "spede=1", says="'spede'")
        self.refused(*self.graph(), "--seconds", "1", "--set", "jump=1", says="--trigger jump")
        self.run_throng(*self.graph(), "--set", "speed=1", code=2)

    def test_render_lets_a_battle_happen_the_same_way_every_time(self):
        battle = ["render", "--scene", "battle", "--count", "50", "--size", "160x90", "--json"]
        report = json.loads(self.run_throng(*battle, "--time", "0.9", "-o", "still.png").stdout)
        self.assertEqual(report["instances"], 70)  # twenty of them near
        self.assertEqual(report["dispatches"], 1)
        self.assertGreater(report["skinned"], 10)
        self.run_throng(*battle, "-o", "%02d.png", "--from", "0.8", "--to", "1.0", "--fps", "10")
        with open(f"{self.folder}/still.png", "rb") as still, open(f"{self.folder}/01.png", "rb") as second:
            self.assertEqual(still.read(), second.read())
        self.run_throng(*battle, self.asset, "-o", "a.png", code=2)

    def test_a_film_that_cannot_be_written_leaves_nothing(self):
        self.refused("render", self.asset, "-o", "no/such/a.mp4", "--size", "64x36", says="no/such/a.mp4")
        self.refused("render", self.asset, "-o", "a.mp4", "--size", "63x36", says="must be even")
        self.assertEqual(os.listdir(self.folder), [])

    def test_render_says_what_to_do_with_a_model_and_a_device_that_is_not_there(self):
        self.refused("render", MANNEQUIN, "-o", "a.png", says="throng bake")
        self.refused("render", self.asset, "-o", "a.png", "--device", "no such gpu", says="no such gpu")
        self.refused("render", self.asset, "-o", "a.png", "--clip", "wlak", says="'wlak'")
        self.assertEqual(os.listdir(self.folder), [])

    def test_render_keeps_pipelines_in_the_users_cache_folder(self):
        cache = os.path.join(self.folder, "cache")
        os.mkdir(cache)
        picture = ["render", self.asset, "-o", "a.png", "--size", "64x36", "--count", 2]
        self.run_throng(*picture, cache=cache)
        kept = os.listdir(os.path.join(cache, "throng"))
        self.assertEqual(len(kept), 1)
        self.assertRegex(kept[0], r"^pipelines-[a-z0-9-]+\.bin$")
        file = pathlib.Path(cache, "throng", kept[0])
        whole = file.read_bytes()
        self.assertGreater(len(whole), 24)
        file.write_bytes(whole[:-1])
        self.assertEqual(self.run_throng(*picture, cache=cache).stderr, "")
        self.assertGreaterEqual(len(file.read_bytes()), len(whole))
        shutil.rmtree(file.parent)
        file.parent.write_text("in the way")
        self.assertEqual(self.run_throng(*picture, cache=cache).stderr, "")

    def test_render_lists_devices(self):
        devices = json.loads(self.run_throng("render", "--list-devices", "--json").stdout)
        self.assertTrue(devices and devices[0]["name"])

    # Against the outside

    def test_pose_agrees_with_the_independent_reference(self):
        reference = shared / "models" / "REFERENCE.json"
        if not reference.exists():
            self.skipTest("no ../shared")
        files = json.loads(reference.read_text())["files"]
        for file in ["gltf/khronos/Fox/Fox.glb", "gltf/khronos/CesiumMan/CesiumMan.glb"]:
            for entry in files[file]:
                clip = [] if entry["clip_index"] is None else ["--clip-index", entry["clip_index"], "--time", entry["t"]]
                parts = {(p["node"], p["primitive"]): p["positions"] for p in self.pose(shared / "models" / file, *clip)}
                size = sum((a - b) ** 2 for a, b in zip(entry["bbox_max"], entry["bbox_min"])) ** 0.5
                for node, primitive, vertex, *position in entry["verts"]:
                    seen = parts[(node, primitive)][vertex]
                    self.assertLess(sum((a - b) ** 2 for a, b in zip(seen, position)) ** 0.5, 1e-4 * size)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
