#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as a person or a script meets it: exit codes, streams, messages, files.

command_line_test.py THRONG SHARED SOURCE
"""
import base64
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from small_gltf import SmallGltf  # noqa: E402
from throng_program import MANNEQUIN, ThrongTest, main, shared, throng  # noqa: E402


class CommandLine(ThrongTest):
    mannequin = True

    def test_a_result_that_cannot_be_printed_is_no_success(self):
        with open("/dev/full", "w") as full:
            for arguments in [["inspect", self.asset, "--json"], ["render", "--list-devices"], ["--help"]]:
                done = subprocess.run([throng, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertTrue(done.stderr.startswith("throng: error:"), done.stderr)

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
        self.assertIn("1 declared bound of an accessor is missing or wrong", done.stderr)
        for command in ("bake", "pose", "inspect"):
            self.run_throng(command, "odd.gltf")
            self.refused(command, "--strict", "odd.gltf", says="nodes[0].children is empty; leave it out instead")
        graph = self.graph()[:-1] + ["odd.gltf"]
        self.refused(*graph, says="walker.json")  # for what it plays, which the model has not
        self.refused(*graph, "--strict", says="odd.gltf: nodes[0].children is empty; leave it out instead")

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
        self.refused(*self.graph()[:-1], "little.gltf", "--budget", "1", says="1 MiB is what a file of")
        self.refused("bake", "--budget", "16", "little.gltf", says="16 MiB and 0.3 s are what its file may take")
        self.assertIn("no levels of detail", self.run_throng("bake", "--budget", "32", "little.gltf").stderr)
        self.run_throng("inspect", "little.gltf")

    def test_pose_follows_eight_bones_where_it_is_asked_to(self):
        panel = SmallGltf().following([0.25, 0.2, 0.15, 0.15, 0.1, 0.05, 0.05, 0.05])
        panel.clip("lift", "translation", [0, 1], [[0, 0, 0], [0, 4, 0]], node=panel.joints[7]).write(self.path("panel.gltf"))

        def corners(influences):
            told = self.run_throng("pose", "panel.gltf", "--clip", "lift", "--time", 1, "--influences", influences, "--json")
            return json.loads(told.stdout)["parts"][0]["positions"]

        # A twentieth of what the eighth bone does, which four do not know of.
        for influences, lifted in ((8, 0.2), (4, 0.0)):
            for found, rest in zip(corners(influences), [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]):
                for value, wanted in zip(found, [rest[0], rest[1] + lifted, rest[2]]):
                    self.assertAlmostEqual(value, wanted, places=6, msg=f"{influences} influences")
        self.run_throng("pose", MANNEQUIN, "--influences", "5", code=2)

    def test_bake_report_has_the_names_that_scripts_use(self):
        report = self.report
        for clip in report["clips"]:
            self.assertGreater(clip["frames"], 0)
            self.assertGreater(clip["rate"], 0)
            # Within a millimetre: less than half of what 8 bytes for each bone and frame would be.
            self.assertEqual(clip["encoding"], "localv")
            self.assertLess(clip["bytes"], 0.5 * clip["frames"] * report["bones"] * 8)
            self.assertTrue(clip["name"])
        self.assertEqual(sum(clip["bytes"] for clip in report["clips"]), report["bytes"])
        for where in ["at_frames", "between"]:
            figures = report["error"][where]
            self.assertGreaterEqual(figures["max_mm"], figures["p999_mm"])
            self.assertGreater(figures["p999_mm"], 0.0)
        self.assertLess(report["error"]["at_frames"]["max_mm"], 1.0)
        self.assertEqual(report["file_bytes"], os.path.getsize(self.asset))

    def test_bake_gives_the_same_bytes_for_any_number_of_threads(self):
        threads = 1 if os.cpu_count() > 1 else 3  # the asset was baked with as many as there are processors
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

    def test_bake_refuses_an_asset_and_its_own_model_as_output(self):
        self.refused("bake", self.asset, "-o", "a.throng.glb", says="is a baked asset already")
        model = pathlib.Path(self.folder, "model.glb")
        model.write_text("{}")
        self.refused("bake", model, "-o", model, says="is the model itself")
        os.symlink("model.glb", self.path("link.glb"))
        self.refused("bake", model, "-o", "link.glb", says="is the model itself")
        self.assertEqual(model.read_text(), "{}")

    # Inspect

    def test_what_is_read_is_not_written_over(self):
        for name, words in [("a.png", ["render", "--size", "64x36", "--count", "1"]), ("a.obj", ["pose"])]:
            shutil.copy(self.asset, self.path(name))
            os.symlink(name, self.path("link" + name))
            for output in [name, "./" + name, "link" + name]:
                self.refused(words[0], name, *words[1:], "-o", output, says=f"{output}: is ")
            self.assertEqual(self.path(name).read_bytes(), pathlib.Path(self.asset).read_bytes())

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
        for index in range(0, len(self.report["clips"]), 3):
            clip = ["--clip-index", index, "--time", 0.3]
            for model, asset in zip(self.pose(MANNEQUIN, *clip), self.pose(self.asset, *clip), strict=True):
                self.assertEqual((model["node"], model["primitive"]), (asset["node"], asset["primitive"]))
                for a, b in zip(model["positions"], asset["positions"], strict=True):
                    self.assertLessEqual(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5, allowed)

    def test_time_is_the_clip_s_own_for_a_model_and_for_an_asset(self):
        turned = [0, 0, 0.7071068, 0.7071068]
        model = SmallGltf().clip("swing", "rotation", [2, 3], [[0, 0, 0, 1], turned]).write(self.path("m.gltf"))
        self.run_throng("bake", model, "-q")
        seen = set()
        for time in [0, 2.25, 2.75, 9]:  # before it, in it, and after it
            of_model, of_asset = (self.pose(file, "--clip", "swing", "--time", time)[0]["positions"] for file in [model, "m.throng.glb"])
            for a, b in zip(of_model, of_asset, strict=True):
                self.assertLess(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5, 0.002, time)
            seen.add(str(of_model))
        self.assertEqual(len(seen), 4)

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
        walk = next(clip for clip in self.report["clips"] if clip["name"] == "walk")
        sheet = ["render", self.asset, "-o", "a.png", "--sheet", "walk", "--json"]
        done = self.run_throng(*sheet, "--size", "800x450")
        self.assertEqual(json.loads(done.stdout)["instances"], walk["frames"])
        done = self.run_throng(*sheet, "--size", "320x180")
        self.assertIn("a larger --size shows more", done.stderr)
        self.assertLess(json.loads(done.stdout)["instances"], walk["frames"])
        self.run_throng("render", self.asset, self.asset, "-o", "b.png", "--sheet", "walk", code=2)
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
        self.assertGreater(report["near"], 10)
        self.run_throng(*battle, "--shading", "full", "-o", "%02d.png", "--from", "0.8", "--to", "1.0", "--fps", "10")
        with open(f"{self.folder}/still.png", "rb") as still, open(f"{self.folder}/01.png", "rb") as second:
            self.assertEqual(still.read(), second.read())
        report = json.loads(self.run_throng(*battle, self.asset, "-o", "a.png", "--time", "0.1").stdout)
        self.assertEqual(report["instances"], 70)
        self.run_throng(*battle, self.asset, "-o", "a.png", "--clip", "walk", code=2)

    def test_render_bakes_models_and_keeps_what_it_baked(self):
        cache = os.path.join(self.folder, "cache")
        os.mkdir(cache)
        model = SmallGltf().turning("walk").write(self.path("panel.gltf"))
        picture = ["render", model, self.asset, "--size", "64x36", "--count", 4, "--json"]
        report = json.loads(self.run_throng(*picture, "-o", "a.png", cache=cache).stdout)
        self.assertEqual(report["instances"], 4)
        baked = pathlib.Path(cache, "throng", "baked")
        kept = list(baked.iterdir())
        self.assertEqual([file.name[16:] for file in kept], [".throng.glb"])
        self.run_throng(*picture, "-o", "b.png", cache=cache)
        self.assertEqual(list(baked.iterdir()), kept)
        same = [pathlib.Path(self.folder, name).read_bytes() for name in ("a.png", "b.png")]
        self.assertEqual(*same)
        kept[0].write_bytes(b"damaged")
        self.run_throng(*picture, "-o", "c.png", cache=cache)
        self.assertGreater(kept[0].stat().st_size, 1000)
        shutil.rmtree(baked)
        self.run_throng(*picture, "-o", "d.png", "--no-cache", cache=cache)
        self.assertFalse(baked.exists())

    def test_render_warns_as_bake_does_whether_it_baked_now_or_before(self):
        cache = os.path.join(self.folder, "warned")
        os.mkdir(cache)
        ends = [[0, 0, 0, 1], [0, 0, 0.2588, 0.9659], [0, 0, 0, 1], [0, 0, 0.5, 0.866]]
        model = SmallGltf().clip("Walk", "rotation", [0, 0.25, 0.5, 1], ends).write(self.path("ends.gltf"))
        picture = ["render", model, "--size", "64x36", "--count", 1, "-o", "a.png"]
        for _ in range(2):
            self.assertRegex(self.run_throng(*picture, cache=cache).stderr, r"(?s)WARNING: .*'Walk'.*throng bake --once")
        self.assertNotIn("WARNING", self.run_throng(*picture, "--quiet", cache=cache).stderr)

    def test_samples_smooth_edges(self):
        small = ["render", self.asset, "--size", "64x36", "--count", 1]
        self.run_throng(*small, "-o", "usual.png")
        self.run_throng(*small, "-o", "quick.png", "--samples", 1)
        self.assertNotEqual(*(pathlib.Path(self.folder, name).read_bytes() for name in ("usual.png", "quick.png")))
        self.refused(*small, "-o", "a.png", "--samples", "3", says="--samples: '3' is none of: 1, 2, 4, 8", code=2)

    def test_plain_shading_is_another_picture(self):
        small = ["render", self.asset, "--size", "64x36", "--count", 1]
        self.run_throng(*small, "-o", "usual.png")
        self.run_throng(*small, "-o", "plain.png", "--shading", "plain")
        self.assertNotEqual(*(pathlib.Path(self.folder, name).read_bytes() for name in ("usual.png", "plain.png")))
        self.refused(*small, "-o", "a.png", "--shading", "flat", says="--shading: 'flat' is none of: full, plain", code=2)

    def test_films_are_shaded_plainly_where_there_is_no_gpu(self):
        film = ["render", self.asset, "--size", "64x36", "--count", 1, "--fps", 1, "--to", 1]
        devices = json.loads(self.run_throng("render", "--list-devices", "--json").stdout)
        software = all(device["kind"] == "software" for device in devices if not device["unusable"])
        said = self.run_throng(*film, "-o", "auto_%d.png").stderr
        for shading in ("plain", "full"):
            named = self.run_throng(*film, "-o", f"{shading}_%d.png", "--shading", shading).stderr
            self.assertNotIn("no GPU", named)
        drawn = {name: pathlib.Path(self.folder, f"{name}_0.png").read_bytes() for name in ("auto", "plain", "full")}
        self.assertEqual(drawn["auto"], drawn["plain" if software else "full"])
        self.assertNotEqual(drawn["plain"], drawn["full"])
        self.assertEqual("--shading plain" in said, software)

    def test_render_says_which_device_or_clip_is_not_there(self):
        self.refused("render", self.asset, "-o", "a.png", "--device", "no such gpu", says="no such gpu")
        self.refused("render", self.asset, "-o", "a.png", "--clip", "wlak", says="'wlak'")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_crowd_too_large_for_the_device_names_the_encoding_that_needs_less(self):
        if "llvmpipe" not in self.run_throng("render", "--list-devices").stdout:
            self.skipTest("no llvmpipe, which binds 128 MiB at most")
        few = ["--device", "llvmpipe", "--size", "64x36", "-o", "a.png", "--count", "300000"]
        for encoding in ["localv", "q16"]:
            self.run_throng("bake", MANNEQUIN, "--clip", "idle", "--levels", "4", "--encoding", encoding, "-o", encoding + ".glb")
        self.refused("render", "localv.glb", *few,
                     says="which clips in localv and local8 need; bake it with another encoding, as q16")
        self.run_throng("render", "q16.glb", *few)

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

    def test_web_writes_a_page_with_everything_inside(self):
        odd = 'a"<b>&.throng.glb'
        shutil.copy(self.asset, self.path(odd))
        made = subprocess.run([throng, "web", self.path(self.asset), odd, "-o", "page.html", "--json"], capture_output=True, text=True,
                              cwd=self.folder, env=self.surroundings())
        if "built without its page" in made.stderr:
            self.skipTest("this build has no page (THRONG_WEB)")
        told = json.loads(made.stdout)
        page = pathlib.Path(self.path("page.html")).read_text()
        self.assertEqual((told["characters"], told["bytes"], told["replaced"]), (2, len(page.encode()), False))
        self.assertIn("content=\"default-src 'none'; ", page)
        blocks = re.findall(r'<script type="text/plain" class="throng-asset" data-name="([^"]*)">([^<]*)</script>', page)
        # Names without their folders, which are nobody's business.
        self.assertEqual([html.unescape(name) for name, _ in blocks], [pathlib.Path(self.asset).name, odd])
        pathlib.Path(self.path("inside.throng.glb")).write_bytes(base64.b64decode(blocks[1][1], validate=True))
        facts = [json.loads(self.run_throng("inspect", file, "--json").stdout) for file in ("inside.throng.glb", self.asset)]
        self.assertEqual(facts[0]["clips"], facts[1]["clips"])
        self.assertEqual(facts[0]["error"], facts[1]["error"])
        self.refused("web", self.asset, "-o", "page.glb", says="'page.glb' must end in .html or .htm", code=2)
        self.refused("web", "nobody.glb", "-o", "other.html", says="nobody.glb: cannot open")
        self.assertNotIn("other.html", self.files())

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
    main()
