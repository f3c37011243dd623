#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`throng bake` with everything it can be told, and every way to tell it wrong.

bake_command_test.py THRONG SHARED SOURCE
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

throng, shared = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from encodings_of import encodings_of  # noqa: E402
from small_gltf import SmallGltf  # noqa: E402

MANNEQUIN = "builtin:mannequin"
BONES, VERTICES = encodings_of(throng)


class Bake(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.poses = {}  # of models, which do not change within a test

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_throng(self, *arguments, code=0):
        done = subprocess.run([throng, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done

    def bake(self, model, *arguments):
        return json.loads(self.run_throng("bake", model, "-o", "out.throng.glb", "--json", *arguments).stdout)

    def pose(self, file, *arguments):
        parts = json.loads(self.run_throng("pose", file, *arguments, "--json").stdout)["parts"]
        return [p for part in parts for p in part["positions"]]

    def largest_distance(self, model, clip, time):
        """Between the model's own vertices and the asset's, at a time of a clip, in units of the model."""
        where = ["--clip", clip, "--time", time]
        own = (model, clip, time)
        if own not in self.poses:
            self.poses[own] = self.pose(model, *where)
        pairs = zip(self.poses[own], self.pose("out.throng.glb", *where), strict=True)
        return max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in pairs)

    # What a bake can be told

    def test_every_encoding_stays_within_the_error_it_reports(self):
        panel = SmallGltf().turning("swing").write(self.folder / "m.gltf")
        for model, encoding in [(panel, e) for e in BONES + VERTICES] + [(MANNEQUIN, e) for e in ["q8", "v8"]]:
            mode = "bones" if encoding in BONES else "vertices"
            clips = ["--clip", "walk", "--levels", 1] if model == MANNEQUIN else []
            report = self.bake(model, "--mode", mode, "--encoding", encoding, *clips)
            self.assertEqual((report["mode"], report["encoding"]), (mode, encoding))
            for clip in report["clips"]:
                worst = max(clip["error"][where]["max_mm"] for where in ["at_frames", "between"])
                for moment in [0.0, 0.31]:
                    distance = self.largest_distance(model, clip["name"], moment)
                    self.assertLessEqual(distance * report["error"]["mm_per_unit"], worst + 1e-3, (encoding, clip["name"]))

    def test_max_error_is_kept_and_its_price_told(self):
        for bound in ["2mm", "0.1cm"]:
            report = self.bake(MANNEQUIN, "--max-error", bound, "--clip", "walk", "--clip", "idle", "--levels", 1)
            for clip in report["clips"]:
                most = max(clip["error"][where]["max_mm"] for where in ["at_frames", "between"])
                self.assertLessEqual(most, 2.0 if bound == "2mm" else 1.0, clip)
                self.assertIn(clip["encoding"], clip["choice"])
        self.assertLess(report["clips"][0]["bytes"] + report["clips"][1]["bytes"], 200_000)

    def test_clips_are_chosen_by_name_and_pattern_in_the_models_order(self):
        report = self.bake(MANNEQUIN, "--clip", "w*", "--clip", "idle", "--levels", 1)
        everything = [c["name"] for c in json.loads(self.run_throng("inspect", MANNEQUIN, "--json").stdout)["clips"]]
        chosen = [name for name in everything if name.startswith("w") or name == "idle"]
        self.assertGreater(len(chosen), 1)
        self.assertEqual([clip["name"] for clip in report["clips"]], chosen)

    def test_loop_flags_are_guessed_said_and_overridden(self):
        model = SmallGltf().turning("swing").write(self.folder / "m.gltf")
        guessed = self.bake(model)
        self.assertTrue(guessed["clips"][0]["loops"])
        self.assertTrue(any("guessed" in note for note in guessed["notes"]), guessed["notes"])
        told = self.bake(model, "--once", "sw*")
        self.assertFalse(told["clips"][0]["loops"])
        self.assertFalse(any("guessed" in note for note in told["notes"]), told["notes"])
        self.assertEqual(told["clips"][0]["frames"], guessed["clips"][0]["frames"] + 1)

    def test_events_come_from_a_side_file_and_from_extras(self):
        model = SmallGltf().turning("swing", extras={"events": [{"time": 0.25, "name": "left"}]}).write(self.folder / "m.gltf")
        (self.folder / "e.json").write_text(json.dumps(
            {"swing": {"loops": False, "events": [{"time": 0.5, "name": "middle"}, {"frame": 18, "fps": 24, "name": "right"}]}}))
        clip = self.bake(model, "--events", "e.json")["clips"][0]
        self.assertEqual([(e["time"], e["name"]) for e in clip["events"]], [(0.25, "left"), (0.5, "middle"), (0.75, "right")])
        self.assertFalse(clip["loops"])

    def test_groups_of_the_side_file_come_before_guesses_and_those_of_the_command_line_before_both(self):
        model = shared / "models/gltf/kaykit/Knight.glb"
        if not model.exists():
            self.skipTest("no shared/ folder")
        (self.folder / "e.json").write_text(json.dumps(
            {"$groups": {"shield": {"parts": ["Round_Shield", "Badge_Shield"], "optional": True}}}))
        only = ["--clip", "Idle", "--levels", "1", "--events", "e.json"]
        left = ["Rectangle_Shield", "Spike_Shield", "1H_Sword_Offhand"]
        groups = {group["name"]: group["parts"] for group in self.bake(model, *only)["part_groups"]}
        self.assertEqual((groups["shield"][:2], sorted(groups["shield"][2:])), (["Round_Shield", "Badge_Shield"], sorted(left)))
        report = self.bake(model, *only, "--group", "cover?=Spike_Shield|Round_Shield")
        groups = {group["name"]: group["parts"] for group in report["part_groups"]}
        self.assertEqual(groups["cover"][:2], ["Spike_Shield", "Round_Shield"])
        self.assertEqual(len(groups["cover"]), 5)
        self.assertNotIn("shield", groups)
        self.assertTrue(any("'shield' gives way to 'cover'" in note for note in report["notes"]), report["notes"])

    def test_parts_of_an_asset_are_listed_with_their_triangles_as_those_of_its_model_are(self):
        model = shared / "models/gltf/kaykit/Knight.glb"
        if not model.exists():
            self.skipTest("no shared/ folder")
        self.bake(model, "--clip", "Idle", "--levels", "2")
        told = [{part["name"]: part["triangles"] for part in json.loads(self.run_throng("inspect", file, "--json").stdout)["parts"]}
                for file in (model, "out.throng.glb")]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[1]["Knight_Body"], 1052)
        text = self.run_throng("inspect", "out.throng.glb").stdout
        self.assertRegex(text, r"\n  Spike_Shield +420  handslot\.l\n")
        self.assertRegex(text, r"\n  Knight_Body +1,052  –\n")

    def test_clips_from_another_file_are_matched_by_bone_name(self):
        model = SmallGltf().write(self.folder / "m.gltf")
        other = SmallGltf().turning("swing").clip("hop", "translation", [0, 1], [[0, 0, 0], [0, 1, 0]], node=2)
        other.document["nodes"][2]["name"] = "tail"
        other.write(self.folder / "c.gltf")
        report = self.bake(model, "--clips", "c.gltf")
        self.assertEqual([clip["name"] for clip in report["clips"]], ["swing"])  # hop moves nothing of the model
        self.assertTrue(any("tail" in note for note in report["notes"]), report["notes"])

    def test_the_scene_is_chosen_by_name(self):
        small = SmallGltf()
        small.document["nodes"].append({"name": "far", "mesh": 0, "translation": [9, 0, 0]})
        small.document["scenes"].append({"name": "other", "nodes": [3]})
        model = small.write(self.folder / "m.gltf")
        self.assertLess(self.bake(model)["bounds"]["max"][0], 2)
        self.assertGreater(self.bake(model, "--scene", "other")["bounds"]["max"][0], 8)

    def test_root_motion_is_kept_extracted_or_stripped(self):
        small = SmallGltf().clip("go", "translation", [0, 1], [[0, 0, 0], [3, 0.5, 0]], node=0)
        model = small.write(self.folder / "m.gltf")
        kept = self.bake(model)["clips"][0]
        self.assertAlmostEqual(kept["bounds"]["max"][0], 4, places=2)
        self.assertEqual(kept["root_motion"], [])
        extracted = self.bake(model, "--root-motion", "extract")["clips"][0]
        self.assertAlmostEqual(extracted["bounds"]["max"][0], 1, places=2)
        self.assertAlmostEqual(extracted["bounds"]["max"][1], 1.5, places=2)
        self.assertAlmostEqual(extracted["root_motion"][-1][0], 3, places=5)
        stripped = self.bake(model, "--root-motion", "strip")["clips"][0]
        self.assertAlmostEqual(stripped["bounds"]["max"][0], 1, places=2)
        self.assertEqual(stripped["root_motion"], [])

    def test_sockets_are_bones_by_regular_expression(self):
        model = SmallGltf().turning().write(self.folder / "m.gltf")
        self.assertEqual(self.bake(model, "--sockets", "ti.")["sockets"], ["tip"])

    def test_morph_targets_are_baked_in_both_modes(self):
        model = SmallGltf().morphing().write(self.folder / "m.gltf")
        for mode in ["bones", "vertices"]:
            report = self.bake(model, "--mode", mode, "--once", "*")
            self.assertAlmostEqual(report["bounds"]["max"][1], 1.2, places=3)
            self.assertLess(self.largest_distance(model, "smile", 0.5) * report["error"]["mm_per_unit"], 1.0)
            self.assertEqual((len(report["morphs"]["targets"]), report["morphs"]["vertices"]),
                             (1, 2) if mode == "bones" else (0, 0))
        dropped = self.bake(model, "--drop-morphs")
        self.assertAlmostEqual(dropped["bounds"]["max"][1], 1.0, places=3)

    def test_clips_whose_names_and_poses_disagree_are_warned_of_with_the_option_that_settles_it(self):
        def said(clip, *options):
            return self.run_throng("bake", clip.write(self.folder / "model.gltf"), "-o", "a.throng.glb", *options).stderr
        times, still = [0, 0.25, 0.5, 0.75, 1], [0, 0, 0, 1]
        def elsewhere():
            return SmallGltf().clip("Walk", "rotation", times, [still, still, [0, 0, 0.2588, 0.9659], still, [0, 0, 0.5, 0.866]])
        self.assertRegex(said(elsewhere()), r"(?s)WARNING: .*'Walk'.*--once")
        self.assertNotIn("WARNING", said(elsewhere(), "--once", "Walk"))
        leaves = SmallGltf().turning("Walk")
        leaves.document["animations"][0]["samplers"].append(
            {"input": leaves.add([[0], [1]], "SCALAR", bounds=True), "output": leaves.add([[0, 0, 0], [0, 0, 3]], "VEC3")})
        leaves.document["animations"][0]["channels"].append({"sampler": 1, "target": {"node": 0, "path": "translation"}})
        self.assertRegex(said(leaves), r"(?s)WARNING: .*'Walk'.*--root-motion")
        self.assertNotIn("WARNING", said(leaves, "--root-motion", "extract"))
        self.assertRegex(said(SmallGltf().turning("Attack")), r"(?s)WARNING: .*'Attack'.*--loop")
        self.assertNotIn("WARNING", said(SmallGltf().turning("Attack"), "--loop", "Attack"))

    def test_a_bound_out_of_reach_is_warned_of_and_the_best_is_kept(self):
        said = self.run_throng("bake", MANNEQUIN, "--max-error", "0.00001mm", "--clip", "walk", "--levels", 1).stderr
        self.assertRegex(said, r"WARNING: 1 clip is off by more than 1e-05 mm: 'walk' by 0\.\d+ mm .*--max-error")

    def test_the_usual_bake_keeps_a_millimetre_and_warns_of_nothing(self):
        self.assertNotIn("WARNING", self.run_throng("bake", MANNEQUIN).stderr)

    def test_uneven_scale_is_stored_as_rows_without_being_asked(self):
        small = SmallGltf().turning("turn").clip("squash", "scale", [0, 1], [[1, 1, 1], [1.5, 0.5, 1]])
        report = self.bake(small.write(self.folder / "m.gltf"))
        self.assertEqual([clip["encoding"] for clip in report["clips"]], ["localv", "rows"])
        self.assertLess(report["error"]["at_frames"]["max_mm"], 1.0)

    def test_a_clip_of_one_key_is_a_pose(self):
        small = SmallGltf().clip("stand", "translation", [0.5], [[0, 2, 0]])
        clip = self.bake(small.write(self.folder / "m.gltf"))["clips"][0]
        self.assertEqual((clip["frames"], clip["length"]), (1, 0))
        self.assertAlmostEqual(clip["bounds"]["min"][1], 2, places=3)

    def test_layers_take_the_shape_that_is_asked_for(self):
        small = [MANNEQUIN, "--levels", 1, "--atlas-size", 256, "--encoding", "q16"]
        exact = self.bake(*small)["atlas"]
        self.assertLess(exact["width"], 256)
        rounded = self.bake(*small, "--atlas-shape", "power-of-two")["atlas"]
        square = self.bake(*small, "--atlas-shape", "square", "--pack", "tight")["atlas"]
        for side in [rounded["width"], rounded["height"]]:
            self.assertEqual(side & (side - 1), 0)
        self.assertEqual((square["width"], square["height"]), (256, 256))
        self.assertLessEqual(square["layers"], exact["layers"])

    def test_a_large_error_is_loud_unless_a_bound_was_asked_for(self):
        model = SmallGltf().turning("spin", seconds=0.2, keys=4, turns=0.9).write(self.folder / "m.gltf")
        self.assertIn("WARNING", self.run_throng("bake", model, "-o", "a.throng.glb", "--fps", 10).stderr)
        self.assertNotIn("WARNING", self.run_throng("bake", model, "-o", "a.throng.glb", "--max-error", "20mm").stderr)

    def test_linked_textures_are_named_not_embedded(self):
        pixel = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8"
                              "cfc0f01f00050001ff56c72f0d0000000049454e44ae426082")
        (self.folder / "pixel.png").write_bytes(pixel)
        small = SmallGltf()
        small.document["images"] = [{"uri": "pixel.png"}]
        small.document["textures"] = [{"source": 0}]
        small.document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
        small.primitive["material"] = 0
        small.primitive["attributes"]["TEXCOORD_0"] = small.add([[0, 0], [1, 0], [1, 1], [0, 1]], "VEC2")
        model = small.write(self.folder / "m.gltf")
        self.bake(model, "--link-textures")
        asset = (self.folder / "out.throng.glb").read_bytes()
        self.assertIn(b'"uri":"pixel.png"', asset)
        self.assertNotIn(pixel, asset)
        self.run_throng("inspect", "out.throng.glb")
        self.bake(model)
        self.assertIn(pixel, (self.folder / "out.throng.glb").read_bytes())

    def test_bytes_do_not_depend_on_threads(self):
        for settings in [["--max-error", "3mm", "--pack", "tight", "--clip", "idle"], ["--mode", "vertices"]]:
            seen = set()
            for threads in [1, 3]:
                self.run_throng("bake", MANNEQUIN, "-o", "a.throng.glb", "--threads", threads, "--clip", "walk", "--levels", 3,
                                *settings)
                seen.add((self.folder / "a.throng.glb").read_bytes())
            self.assertEqual(len(seen), 1, settings)

    def test_a_bake_interrupted_anywhere_leaves_the_old_file(self):
        old = self.folder / "old.throng.glb"
        old.write_bytes(b"old")
        for wait in [0.0, 0.05, 0.2, 0.5]:
            process = subprocess.Popen([throng, "bake", MANNEQUIN, "-o", str(old), "--mode", "vertices"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            process.terminate()
            if process.wait() == 0:  # it was done before the signal
                old.write_bytes(b"old")
            self.assertEqual(old.read_bytes(), b"old")

    # What it refuses

    def test_every_bad_input_is_refused_in_one_clear_line(self):
        plain = SmallGltf().turning("swing").write(self.folder / "m.gltf")
        squash = SmallGltf().clip("squash", "scale", [0, 1], [[1, 1, 1], [1.5, 0.5, 1]]).write(self.folder / "squash.gltf")
        grow = SmallGltf().clip("grow", "scale", [0, 1], [[1, 1, 1], [2, 2, 2]]).write(self.folder / "grow.gltf")
        stranger = SmallGltf().turning("swing")
        for node, name in zip(stranger.document["nodes"], ["alpha", "beta", "gamma"]):
            node["name"] = name
        stranger.write(self.folder / "stranger.gltf")
        clipless = SmallGltf().write(self.folder / "clipless.gltf")
        shutil.copy(clipless, self.folder / "clipless.glb")
        files = {"bad.json": "{", "list.json": "[]", "who.json": '{"wlak": {"events": []}}',
                 "field.json": '{"swing": {"evnts": []}}', "late.json": '{"swing": {"events": [{"time": 7, "name": "x"}]}}',
                 "cut.fbx": "Kaydara FBX Binary  \0\x1a\0", "old.fbx": "; FBX 5.8.0 project file\nFBXVersion: 5800\n"}
        for name, text in files.items():
            (self.folder / name).write_bytes(text.encode("latin-1"))
        before = sorted(os.listdir(self.folder))
        table = [
            ([plain, "--clip", "wlak"], ["'wlak'", "swing"]),
            ([plain, "--loop", "wlak"], ["'wlak'", "swing"]),
            ([plain, "--loop", "swing", "--once", "s*"], ["swing", "both"]),
            ([plain, "--scene", "nowhere"], ["nowhere", "main"]),
            ([plain, "--clips", "missing.fbx"], ["missing.fbx"]),
            ([plain, "--clips", "stranger.gltf"], ["stranger.gltf", "alpha", "root"]),
            ([plain, "--clips", "clipless.gltf"], ["clipless.gltf", "no clip"]),
            ([plain, "--events", "missing.json"], ["missing.json"]),
            ([plain, "--events", "bad.json"], ["bad.json"]),
            ([plain, "--events", "list.json"], ["list.json"]),
            ([plain, "--events", "who.json"], ["who.json", "/wlak"]),
            ([plain, "--events", "field.json"], ["field.json", "/swing/evnts"]),
            ([plain, "--events", "late.json"], ["late.json", "/swing/events/0"]),
            ([plain, "--sockets", "["], ["'['"]),
            ([plain, "--sockets", "nothing.*"], ["nothing.*", "panel"]),
            ([plain, "--root-motion", "extract", "--root-bone", "rot"], ["'rot'", "root"]),
            ([plain, "--encoding", "v8"], ["v8", "vertices"]),
            ([plain, "--mode", "vertices", "--encoding", "q16"], ["q16", "bone"]),
            ([squash, "--encoding", "q16"], ["squash", "panel", "rows"]),
            ([squash, "--encoding", "local8"], ["squash", "panel", "rows"]),
            ([squash, "--encoding", "localv"], ["squash", "panel", "rows"]),
            ([grow, "--encoding", "q12"], ["grow", "panel", "q16"]),
            ([grow, "--encoding", "q8"], ["grow", "panel", "q16"]),
            ([MANNEQUIN, "--mode", "vertices", "--clip", "walk", "--levels", "1", "--atlas-size", "64"], ["walk", "64 × 64", "raise the atlas size"]),
            ([plain, "--fps", "1000", "--atlas-size", "16", "--encoding", "q16"], ["swing", "frames", "16"]),
            (["cut.fbx"], ["cut.fbx"]),
            (["old.fbx"], ["old.fbx", "5800"]),
            ([plain, "--clips", clipless.replace(".gltf", ".glb"), "-o", clipless.replace(".gltf", ".glb")], ["is read for this bake"]),
        ]
        for arguments, words in table:
            output = [] if "-o" in arguments else ["-o", "x.throng.glb"]
            done = self.run_throng("bake", *arguments, *output, code=1)
            lines = [line for line in done.stderr.splitlines() if not line.startswith("throng: note:")]
            self.assertEqual((done.stdout, len(lines)), ("", 1), f"{arguments}: {done.stderr}")
            self.assertTrue(lines[0].startswith("throng: error: "), lines[0])
            for word in words:
                self.assertIn(word, lines[0], arguments)
            self.assertEqual(sorted(os.listdir(self.folder)), before, arguments)

    def test_wrong_usage_exits_with_2(self):
        for arguments in [["--mode", "bone"], ["--encoding", "q17"], ["--max-error", "0"], ["--max-error", "5 miles"],
                          ["--max-error", "nan"], ["--pack", "loose"], ["--atlas-shape", "round"], ["--atlas-size", "8"],
                          ["--levels", "0"], ["--levels", "11"], ["--root-motion", "maybe"], ["--fps", "0"]]:
            done = self.run_throng("bake", MANNEQUIN, *arguments, code=2)
            self.assertIn(arguments[0], done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    # Real files

    def test_fbx_bakes_with_clips_from_another_file(self):
        body = shared / "models" / "fbx" / "ozz" / "arnaud.fbx"
        if not body.exists():
            self.skipTest("no ../shared")
        report = self.bake(body, "--clips", body.with_name("run.fbx"))
        self.assertGreaterEqual(len(report["clips"]), 1)
        self.assertLess(report["error"]["at_frames"]["max_mm"], 1.0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
