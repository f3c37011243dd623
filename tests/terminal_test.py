#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a person sees: reports, colours, progress, and that nothing from a file gets hold of the terminal.

terminal_test.py THRONG SHARED SOURCE
"""
import array
import json
import os
import pathlib
import re
import shutil
import sys
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from small_gltf import UNSIGNED_INT, SmallGltf  # noqa: E402
from throng_program import MANNEQUIN, ThrongTest, main, shared, visible  # noqa: E402

# One of each kind that must not pass: C0, DEL, C1 as UTF-8, overrides and isolates, separators, the byte order mark.
CONTROLS = "\x07\x1b[31m\x7f\u0080\u0085\u009b31m\u009f\u061c\u200e\u200f\u202a\u202e\u2028\u2029\u2066\u2069\ufeff\U000e0041"
WIDTH = 100
# How long work still takes, as a line of progress ends: "12 s left", "2 min 10 s left", "1 h 5 min left".
LEFT = r"%, \d+ (h|min|s)( \d+ (min|s))? left"


def unseen(text):
    """Characters that do something instead of being seen."""
    return [f"U+{ord(c):04X}" for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs") and c != "\n"]


class Terminal(ThrongTest):
    def evil_model(self):
        model = SmallGltf().turning("clip" + CONTROLS, extras={"events": [{"time": 0.2, "name": "event" + CONTROLS}]})
        for node in model.document["nodes"]:
            node["name"] += CONTROLS
        model.document["meshes"][0]["name"] = "mesh" + CONTROLS
        model.document["materials"] = [{"name": "material" + CONTROLS}]
        model.primitive["material"] = 0
        return model.write(self.path("evil.gltf"))

    def test_control_characters_of_any_kind_stay_in_files(self):
        model = self.evil_model()
        graph = {"name": "graph" + CONTROLS, "parameters": [{"name": "speed" + CONTROLS, "type": "float"}],
                 "layers": [{"name": "layer" + CONTROLS, "states": [{"name": "state" + CONTROLS, "motion": {"clip": "clip" + CONTROLS}}]}]}
        self.path("g.json").write_text(json.dumps(graph))
        bake = ["bake", model, "-o", "a.throng.glb", "--sockets", "tip.*", "--verbose"]
        self.run_throng(*bake)
        for arguments, code in [(bake, 0), (["inspect", model], 0), (["inspect", "a.throng.glb"], 0), (["inspect", model, "--json"], 0),
                                (["inspect", "a.throng.glb", "--json"], 0), (["pose", model, "--clip", "zz" + CONTROLS], 1),
                                (["pose", "a.throng.glb", "--clip", "clop" + CONTROLS], 1), (["bake", model, "--clip", "no" + CONTROLS], 1),
                                (["graph", "g.json", "--model", model], 0), (["graph", "g.json", "--model", model, "--seconds", "1"], 0),
                                (["graph", "g.json", "--model", model, "--seconds", "1", "--json"], 0),
                                (["bake", "missing" + CONTROLS + ".glb"], 1), (["bake", model, "--fps", "x" + CONTROLS], 2),
                                (["b" + CONTROLS], 2), (["bake", model, "--x" + CONTROLS], 2), (["help", "x" + CONTROLS], 2),
                                (["render", "a.throng.glb", "-o", "a.png", "--device", "x" + CONTROLS], 1),
                                (["pose", model, "-o", "a" + CONTROLS + ".obj"], 0)]:
            done = self.run_throng(*arguments, code=code)
            said = done.stdout + done.stderr
            self.assertEqual(unseen(said), [], arguments)
            self.assertNotEqual(said, "")
            seen = self.on_terminal(*arguments, code=code)
            self.assertEqual(unseen(visible(seen)), [], arguments)
        # They are written out, not dropped, and JSON still means them.
        shown = self.run_throng("pose", model, "--clip", "zz", code=1).stderr
        for spelled in [r"\x1b", r"\x9b", r"\u202e", r"\x7f", r"\x85", r"\U000e0041"]:
            self.assertIn(spelled, shown)
        told = json.loads(self.run_throng("inspect", model, "--json").stdout)
        self.assertEqual(told["clips"][0]["name"], "clip" + CONTROLS)

    def test_bytes_that_are_no_text_stay_where_they_are(self):
        for name in [b"raw\xff\xfe.glb", b"raw\x9b31m.glb", b"raw\xc0\x9b.glb", b"raw\xed\xa0\x80.glb"]:
            done = self.run_throng("bake", os.fsdecode(name), code=1, binary=True)
            self.assertTrue(done.stderr.decode("ascii").startswith("throng: error: raw\\x"), done.stderr)
            done = self.run_throng("bake", self.model, "--json", "-o", os.fsdecode(name).replace("raw", "out"), binary=True)
            json.loads(done.stdout.decode())

    def test_names_from_files_stay_on_one_line(self):
        evil = "evil\nthrong: error: fake\x1b[31m"
        SmallGltf().turning(evil).write(self.path("evil.gltf"))
        self.refused("pose", "evil.gltf", "--clip", "zz", "-o", "x.obj", says="\\x0athrong: error: fake\\x1b[31m")

    # The report

    def check_width(self, text, most=WIDTH):
        for line in text.splitlines():
            self.assertLessEqual(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line), most, line)

    def test_the_report_begins_with_a_summary_and_the_worst(self):
        said = self.run_throng("bake", MANNEQUIN, "--fps", "30", "--max-error", "100mm", "--encoding", "q16", "--levels", "1",
                               "-o", "a.throng.glb").stdout
        report = json.loads(self.run_throng("inspect", "a.throng.glb", "--json").stdout)
        lines = said.splitlines()
        self.assertEqual(lines[0], "mannequin")
        summary = said.split("\n\n")[0]
        worst = report["error"]["worst"]
        self.assertIn(f"{report['error']['between']['max_mm']:.3f} mm at most, within the bound of 100 mm", summary)
        self.assertRegex(summary, rf"'{worst['clip']}' +[\d.]+ mm at '{worst['bone']}', {worst['time']:.3f} s, between frames")
        for word in ["clips     11", "bones     30", "texture   ", "31: 1 "]:
            self.assertIn(word, summary)
        self.assertTrue(lines[-1].startswith("wrote a.throng.glb ("), lines[-1])
        self.check_width(said)

    def test_a_bound_that_is_not_kept_is_said(self):
        model = SmallGltf().turning("spin", seconds=0.2, keys=4, turns=0.9).write(self.path("m.gltf"))
        done = self.run_throng("bake", model, "-o", "a.throng.glb", "--fps", "10", "--max-error", "off")
        self.assertIn("throng: WARNING: 1 clip is off by more than 5 mm: 'spin' by ", done.stderr)
        self.assertIn("throng: WARNING: 1 clip is off by more than 5 mm", self.run_throng("inspect", "a.throng.glb").stderr)
        done = self.run_throng("bake", model, "-o", "a.throng.glb", "--fps", "10", "--max-error", "0.1mm")
        self.assertRegex(done.stdout, r"error +[\d.]+ mm at most, above the bound of 0.1 mm")

    def test_notes_name_the_option_that_helps(self):
        SmallGltf().turning("stand").write(self.path("m.gltf"))
        leaning = SmallGltf().turning("lean")
        leaning.document["nodes"][2]["translation"] = [1, 0, 0]
        leaning.write(self.path("lean.gltf"))
        said = self.run_throng("bake", "m.gltf", "--clips", "lean.gltf", "--retarget").stderr
        self.assertRegex(said, r"rests pointing elsewhere, by up to \d+ degrees; --align-rests turns it")

    def test_errors_name_the_option_that_helps(self):
        self.run_throng("bake", MANNEQUIN, "--no-near", "--clip", "idle", "--levels", "1", "-o", "far.throng.glb")
        line = self.refused("render", "far.throng.glb", "--scene", "battle", "-o", "a.png", says="has no motion for near characters: ")
        self.assertTrue(line.endswith("it was baked without --near, or its file is older than version 3; bake the model again "
                                      "with --near"), line)
        for file, last in [("m.gltf", "hand"), ("other.gltf", "paw")]:
            model = SmallGltf().turning("turn")
            model.document["nodes"][2]["children"] = [3]
            model.document["nodes"].append({"name": last})
            if file == "other.gltf":
                model.document["nodes"][0]["name"] = "hips"
                model.document["nodes"][2]["name"] = "top"
                for node in (0, 2, 3):
                    model.also("rotation", [0, 1], [[0, 0, 0, 1], [1, 0, 0, 0]], node)
            model.write(self.path(file))
        says = "of the 4 bones its clips move, the model has 1; --retarget would fit them to its own bones"
        self.refused("bake", "m.gltf", "--clips", "other.gltf", says=says)
        shutil.copy(self.path("m.gltf"), self.path("n.gltf"))
        done = self.run_throng("bake", "m.gltf", "n.gltf", "--clips", "other.gltf", "--json", code=1)
        self.assertEqual([report["failed"] for report in json.loads(done.stdout)], ["other.gltf: " + says] * 2)

    def test_clips_are_a_table_worst_first(self):
        said = self.run_throng("inspect", self.asset).stdout
        table = said.split("Clips, worst first, with their errors in mm\n")[1].split("\n\n")[0].splitlines()
        self.assertEqual(table[0].split(), "clip frames fps seconds plays encoding kB at frames between".split())
        errors = [max(float(line.split()[-1]), float(line.split()[-2])) for line in table[1:]]
        self.assertEqual(errors, sorted(errors, reverse=True))
        self.assertEqual({line.split()[0] for line in table[1:]}, {clip["name"] for clip in self.report["clips"]})
        ends = {len(line) for line in table}
        self.assertEqual(len(ends), 1, "the last column is in line")

    def many(self, count=40):
        model = SmallGltf()
        for i in range(count):
            model.turning(f"a_rather_long_name_of_a_clip_that_goes_on_and_on_{i:02d}", turns=0.1 + 0.01 * i)
        return model.write(self.path("many.gltf"))

    def test_many_clips_are_told_when_that_is_asked_for(self):
        self.many()
        plain = self.run_throng("bake", "many.gltf", "-o", "a.throng.glb")
        self.assertIn("The worst 16 of 40 clips", plain.stdout)
        self.assertIn("24 more: see --verbose", plain.stdout)
        verbose = self.run_throng("bake", "many.gltf", "-o", "a.throng.glb", "--verbose")
        self.assertIn("Clips, worst first", verbose.stdout)
        self.assertEqual(verbose.stdout.count("worst at '"), 40)
        self.assertIn("fps: ", verbose.stdout)  # why each is baked as it is
        for done in [plain, verbose, self.run_throng("inspect", "many.gltf"), self.run_throng("inspect", "a.throng.glb")]:
            self.check_width(done.stdout)

    def test_wide_and_long_names_stay_in_the_table(self):
        SmallGltf().turning("歩く" * 30).turning("läuft" * 30).write(self.path("wide.gltf"))
        self.check_width(self.run_throng("bake", "wide.gltf", "-o", "a.throng.glb", "--verbose").stdout)
        self.check_width(self.run_throng("inspect", "a.throng.glb").stdout)

    def test_a_pose_has_no_frames_a_second(self):
        SmallGltf().clip("stand", "translation", [0.5], [[0, 2, 0]]).write(self.path("m.gltf"))
        said = self.run_throng("bake", "m.gltf").stdout
        self.assertNotIn("0.000 fps", said)
        self.assertRegex(said, r"\n  stand +1 +– +– +pose ")
        # One that is held for a while is one, too.
        SmallGltf().clip("hold", "translation", [0, 1], [[0, 2, 0], [0, 2, 0]]).write(self.path("m.gltf"))
        self.assertRegex(self.run_throng("bake", "m.gltf").stdout, r"\n  hold +1 +– +– +pose ")

    def test_one_is_one_and_many_are_many(self):
        SmallGltf().turning("a", extras={"events": [{"time": 0.2, "name": "e"}]}).write(self.path("m.gltf"))
        everything = "".join(self.run_throng(*words).stdout for words in [
            ["bake", "m.gltf", "-v", "--encoding", "q16"], ["inspect", "m.gltf"], ["inspect", "m.throng.glb"],
            ["pose", "m.gltf", "-o", "a.obj"]])
        self.assertNotRegex(everything, r"\b1 (clips|bones|frames|layers|materials|parts|vertices|triangles|events)\b")
        self.assertIn("1 layer ", everything)

    def test_normals_that_were_not_compared_are_not_called_exact(self):
        # A panel without normals, and one with some.
        SmallGltf().turning("a").write(self.path("flat.gltf"))
        self.assertIn("none in the model to compare with", self.run_throng("bake", "flat.gltf").stdout)
        self.with_normals().turning("a").write(self.path("round.gltf"))
        self.assertRegex(self.run_throng("bake", "round.gltf").stdout, r"normals +[\d.]+° off at most")

    def with_normals(self):
        model = SmallGltf()
        model.primitive["attributes"]["NORMAL"] = model.add([[0.6, 0, 0.8]] * 4, "VEC3")
        return model

    def test_normals_that_point_elsewhere_are_warned_of(self):
        model = self.with_normals()
        # Half a turn about x between two frames: the panel's normal goes through everything between.
        model.clip("flip", "rotation", [0, 0.01, 0.02, 1], [[0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0.001], [1, 0, 0, 0]])
        model.write(self.path("m.gltf"))
        done = self.run_throng("bake", "m.gltf", "--fps", "10", "--max-error", "off", "--once", "*")
        self.assertRegex(done.stderr, r"throng: WARNING: normals point up to \d+° elsewhere")
        self.with_normals().turning("a").write(self.path("still.gltf"))
        self.assertNotIn("normals point", self.run_throng("bake", "still.gltf").stderr)

    def test_quiet_says_nothing_and_verbose_every_note(self):
        model = SmallGltf().turning("swing").write(self.path("m.gltf"))
        for words in [["bake", model], ["inspect", model], ["inspect", "m.throng.glb"], ["pose", model, "-o", "a.obj"],
                      ["render", "m.throng.glb", "-o", "a.png", "--size", "64x36", "--count", "2"],
                      ["bake", model, "--fps", "0.1", "--max-error", "off"]]:
            done = self.run_throng(*words, "--quiet")
            self.assertEqual((done.stdout, done.stderr), ("", ""), words)
        self.refused("bake", "missing.glb", "-q", says="missing.glb")
        self.assertIn("throng: note: ", self.run_throng("bake", model, "-v").stderr)
        self.assertEqual(self.on_terminal("bake", model, "-q"), b"")

    def test_notes_of_one_kind_are_told_once(self):
        model = SmallGltf()
        for i in range(12):
            model.clip(f"squash{i}", "scale", [0, 1], [[1, 1, 1], [1.5, 0.5, 1]])
        model.write(self.path("m.gltf"))
        notes = self.run_throng("bake", "m.gltf").stderr.splitlines()
        self.assertEqual(len([n for n in notes if "is baked as rows" in n]), 1)
        self.assertTrue(any("(and 11 more like it)" in n for n in notes), notes)
        every = self.run_throng("bake", "m.gltf", "--verbose").stderr.splitlines()
        self.assertEqual(len([n for n in every if "is baked as rows" in n]), 12)

    def test_inspect_shows_what_is_inside(self):
        self.run_throng("bake", MANNEQUIN, "-o", "a.throng.glb", "--root-motion", "extract", "--sockets", "head", "--levels", "2",
                        "--clip", "walk", "--clip", "attack")
        said = self.run_throng("inspect", "a.throng.glb").stdout
        report = json.loads(self.run_throng("inspect", "a.throng.glb", "--json").stdout)
        for heading in ["Clips, worst first", "Levels of detail", "Parts", "Events", "Root motion", "Materials", "Sockets"]:
            self.assertIn(f"\n{heading}", said)
        events = [(c["name"], e) for c in report["clips"] for e in c["events"]]
        self.assertGreater(len(events), 2)
        for clip, event in events:
            self.assertRegex(said, rf"\n  {clip} +{event['time']:.3f}  {re.escape(event['name'])}\n")
        for socket in report["sockets"]:
            self.assertRegex(said, rf"\n  {re.escape(socket)} +\S+")
        self.assertEqual(len(report["levels"]), 2)
        for number, level in enumerate(report["levels"]):
            fewer = level["bones_error_mm"]
            self.assertGreater(fewer["1"], fewer["2"])
            cells = [number, f"{level['triangles']:,}", f"{level['vertices']:,}"]
            cells += [f"{mm:.1f}" for mm in (level["error_mm"], fewer["2"], fewer["1"])]
            self.assertRegex(said, r"\n *" + " +".join(re.escape(str(cell)) for cell in cells) + r"\n")
        self.assertRegex(said, r"\n  bones +30 baked for the model's 31: 1 moves nothing that is drawn\n")
        model = self.run_throng("inspect", MANNEQUIN).stdout
        for heading in ["Parts", "Clips", "Events", "Materials", "Sockets"]:
            self.assertIn(f"\n{heading}\n", model)

    def test_inspect_counts_the_triangles_of_parts(self):
        said = self.run_throng("inspect", SmallGltf().turning().write(self.path("small.gltf"))).stdout
        self.assertRegex(said, r"\nParts\n +part +triangles +hangs on bone\n +panel +2  root\n")

    def test_inspect_names_textures(self):
        fox = shared / "models" / "gltf" / "khronos" / "Fox" / "Fox.glb"
        if not fox.exists():
            self.skipTest("no ../shared")
        self.run_throng("bake", fox, "-o", "fox.throng.glb", "--clip", "Walk", "--levels", "1")
        for file in [fox, "fox.throng.glb"]:
            self.assertRegex(self.run_throng("inspect", file).stdout, r"\n  fox_material +image 0 \([\d.]+ kB\) ")

    # Colours

    def test_colours_are_for_terminals_and_can_be_declined(self):
        for words in [["bake", self.model, "-o", "a.throng.glb"], ["inspect", self.asset], ["--help"]]:
            self.assertIn(b"\x1b[1m", self.on_terminal(*words))
            self.assertNotIn(b"\x1b[1m", self.on_terminal(*words, NO_COLOR="1"))
            self.assertNotIn(b"\x1b[1m", self.on_terminal(*words, TERM="dumb"))
            self.assertNotIn("\x1b", self.run_throng(*words).stdout)
            if "--help" in words:
                continue
            self.assertIn("\x1b[1m", self.run_throng(*words, "--color", "always").stdout)
            self.assertNotIn(b"\x1b[1m", self.on_terminal(*words, "--color", "never"))
            self.assertIn(b"\x1b[1m", self.on_terminal(*words, "--color", "always", NO_COLOR="1"))
        self.assertIn(b"\x1b[1;31merror\x1b[0m", self.on_terminal("bake", "missing.glb", code=1))

    def test_errors_are_whole_and_not_too_wide_on_a_terminal(self):
        seen = visible(self.on_terminal("bake", MANNEQUIN, "--encoding", "q17", code=2))
        self.check_width(seen)
        self.assertEqual(" ".join(seen.split()), self.run_throng("bake", MANNEQUIN, "--encoding", "q17", code=2).stderr.strip())

    def test_a_narrow_terminal_is_kept_to(self):
        model = self.many()
        for columns in [60, 80, 92]:
            for words, code in [(["bake", model, "-o", "a.throng.glb", "-v"], 0), (["inspect", "a.throng.glb"], 0), (["--help"], 0),
                                (["bake", "--help"], 0), (["render", "--help"], 0), (["bake", model, "--encoding", "q17"], 2)]:
                seen = visible(self.on_terminal(*words, code=code, columns=columns))
                # Examples are whole, to be copied.
                self.check_width(re.sub(r"(?m)^  throng .*$", "", seen), columns)
                self.assertGreater(max(map(len, seen.splitlines())), columns * 3 // 4, words)
        # A terminal that does not say how wide it is, and one too narrow for anything.
        self.assertEqual(self.on_terminal("bake", "--help", columns=0), self.on_terminal("bake", "--help", columns=100))
        self.assertEqual(self.on_terminal("bake", "--help", columns=5), self.on_terminal("bake", "--help", columns=60))

    # Progress

    def lines_of_progress(self, out):
        return re.findall(r"\r\x1b\[K([^\r\n]+)(?=\r)", out.decode())

    def test_a_bake_says_how_far_it_is_and_how_long_it_takes(self):
        bake = ["bake", MANNEQUIN, "--max-error", "0.2mm", "--threads", "1", "--levels", "1", "-o", "a.throng.glb"]
        seen = self.on_terminal(*bake, slow_until=r"choosing encodings +\d+ " + LEFT)
        lines = self.lines_of_progress(seen)
        self.assertTrue(any(re.fullmatch(r"choosing encodings +\d+ " + LEFT, line) for line in lines), lines)
        shares = [int(share) for share in re.findall(r"choosing encodings +(\d+) %", "\n".join(lines))]
        self.assertEqual(shares, sorted(shares))
        # The line is gone when the work is done.
        self.assertNotIn("%,", visible(seen))
        self.assertIn(b"\r\x1b[Kmannequin", re.sub(rb"\x1b\[[0-9;]*m", b"", seen))
        self.assertNotIn(b"\r\x1b[K", self.on_terminal("bake", MANNEQUIN, "--clip", "walk", "--threads", "1", TERM="dumb"))

    def test_a_still_says_what_it_is_at(self):
        if "llvmpipe" not in self.run_throng("render", "--list-devices").stdout:
            self.skipTest("no llvmpipe: a GPU draws on while the program is stopped, and is through before that says anything")
        seen = self.on_terminal("render", self.asset, "-o", "a.png", "--count", "1", "--size", "3840x2160", "--device", "llvmpipe",
                                slow_until=r"drawing +[1-9]\d* " + LEFT)
        self.assertNotRegex(visible(seen), r"\b1 (characters|draws)\b")
        self.assertIn("1 character on ", visible(seen))
        lines = self.lines_of_progress(seen)
        self.assertNotEqual(lines, [])
        for line in lines:
            self.assertRegex(line, r"^(reading|making the crowd|compiling shaders|drawing)( +\d+ %|, \d+ s so far|$)")
        self.assertTrue(any(re.match(r"drawing +[1-9]\d* " + LEFT, line) for line in lines), lines)

    def large(self, side=1000):
        """A model of a million vertices, which takes a while to read."""
        model = SmallGltf().turning("walk")
        ticks = range(side)
        corners = array.array("f", (c for y in ticks for x in ticks for c in (x / side, y / side, 0.0)))
        triangles = array.array("I", (y * side + x + i for y in ticks[1:] for x in ticks[1:] for i in (0, -1, -side)))
        attributes = model.primitive["attributes"]
        attributes["POSITION"] = model.add_packed(corners.tobytes(), side * side, "VEC3", min=[0, 0, 0],
                                                  max=[corners[-3], corners[-2], 0])
        model.primitive["indices"] = model.add_packed(triangles.tobytes(), len(triangles), "SCALAR", component=UNSIGNED_INT)
        return model.write(self.path("large.gltf"))

    def check_progress(self, lines, phases):
        """These phases were shown in this order, some with how far they are, and at least once with the time left."""
        for line in lines:
            self.assertRegex(line, rf"^({'|'.join(phases)})( +\d+ ({LEFT}|%)|, .+ so far|)$")
        shown = [re.match("|".join(phases), line)[0] for line in lines]
        self.assertEqual(shown, sorted(shown, key=phases.index))
        self.assertTrue(any(re.search(rf" +[1-9]\d* {LEFT}$", line) for line in lines), lines)

    def test_reading_and_posing_say_how_far_they_are(self):
        model = self.large()
        phases = ["reading", "posing", "writing"]
        for words in [["pose", model, "-o", "a.obj"], ["pose", model, "-o", "a.json"], ["inspect", model]]:
            seen = self.on_terminal(*words, slow_until=r"reading +[1-9]\d* " + LEFT)
            self.check_progress(self.lines_of_progress(seen), phases)
            self.assertNotIn("%", visible(seen))
        seen = self.on_terminal("pose", model, "-o", "a.obj", slow_until=r"writing +[1-9]\d* " + LEFT)
        self.check_progress(self.lines_of_progress(seen), phases)
        self.assertTrue(any(line.startswith("writing") for line in self.lines_of_progress(seen)))
        self.assertEqual(self.on_terminal("pose", model, "-o", "a.obj", "-q"), b"")

    def test_a_battle_says_how_far_it_is(self):
        seen = self.on_terminal("render", "--scene", "battle", "--count", "1", "--size", "64x36", "--time", "50", "-o", "a.png",
                                slow_until=r"playing the battle +[1-9]\d* " + LEFT)
        lines = [line for line in self.lines_of_progress(seen) if line.startswith(("playing", "drawing"))]
        self.check_progress(lines, ["playing the battle", "drawing"])
        self.assertTrue(any(re.match(r"playing the battle +[1-9]\d* " + LEFT, line) for line in lines), lines)

    def test_a_graph_that_is_played_says_how_far_it_is(self):
        # Several layers of states that lead to each other: a day of them takes some seconds.
        ways = [("go", "stop"), ("stop", "go")]
        states = [{"name": name, "motion": {"clip": "walk"}, "transitions": [{"to": to, "exit_time": 0.9}]} for name, to in ways]
        self.path("g.json").write_text(json.dumps({"layers": [{"name": f"layer{i}", "states": states} for i in range(6)]}))
        seen = self.on_terminal("graph", "g.json", "--model", self.model, "--seconds", "86400",
                                slow_until=r"playing +[1-9]\d* " + LEFT)
        self.check_progress(self.lines_of_progress(seen), ["reading", "preparing clips", "playing"])
        self.assertIn("layer layer5: ", visible(seen))

    def test_a_film_says_how_long_it_takes(self):
        seen = self.on_terminal("render", self.asset, "-o", "a.mp4", "--size", "160x90", "--count", "20", "--to", "1.5",
                                slow_until=r"drawing +\d+ " + LEFT)
        lines = self.lines_of_progress(seen)
        self.assertTrue(any(re.fullmatch(r"drawing +\d+ " + LEFT, line) for line in lines), lines)


if __name__ == "__main__":
    main()
