#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The words of the command line: what each wrong one is answered with, and help, manual and completion, which are made
from one table.

command_words_test.py THRONG SHARED SOURCE
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from small_gltf import SmallGltf  # noqa: E402
from throng_program import COMMANDS, MANNEQUIN, ThrongTest, main, throng  # noqa: E402


class WrongWords(ThrongTest):
    def wrong(self, *arguments, says):
        """Exit code 2 and exactly this line."""
        line = self.refused(*arguments, says="", code=2)
        self.assertEqual(line, "throng: error: " + says)
        self.assertEqual(self.files(), [])

    def test_commands_name_the_nearest(self):
        self.wrong("bkae", "x", says="there is no command bkae; did you mean bake?")
        self.wrong("rendre", says="there is no command rendre; did you mean render?")
        self.wrong("xyzzy", says="there is no command xyzzy; there are bake, inspect, render, pose, graph, web, help")
        self.wrong("version", says="there is no command version; did you mean --version?")
        self.wrong("help", "bkae", says="there is no command bkae; did you mean bake?")
        self.wrong("", says="there is no command ''; there are bake, inspect, render, pose, graph, web, help")
        self.wrong(says="name a command; `throng help` lists them")

    def test_options_name_the_nearest_and_do_not_blame_the_model(self):
        self.wrong("bake", "--fsp", "60", self.model, says="bake has no option --fsp; did you mean --fps?")
        self.wrong("bake", "--fsp=60", self.model, says="bake has no option --fsp; did you mean --fps?")
        self.wrong("bake", self.model, "--max-eror", "1mm", says="bake has no option --max-eror; did you mean --max-error?")
        self.wrong("bake", "--fsp", says="bake has no option --fsp; did you mean --fps?")  # more than the missing model
        self.wrong("render", self.asset, "-o", "a.png", "--max-error", "1mm", says="render has no option --max-error; bake has it")
        self.wrong("pose", self.model, "--xyzzy", says="pose has no option --xyzzy; `throng help pose` lists those it has")
        self.wrong("inspect", self.model, "-o", "x", says="inspect has no option -o; bake has it")
        self.wrong("bake", self.model, "--no-naer", says="bake has no option --no-naer; did you mean --no-near?")
        self.wrong("bake", self.model, "-fps", "30", says="bake has no option -fps; did you mean --fps?")
        self.wrong("bake", self.model, "-x", says="bake has no option -x; `throng help bake` lists those it has")
        self.wrong("--verzion", says="throng has no option --verzion; did you mean --version?")

    def test_a_value_too_many_or_too_few_is_said_as_such(self):
        self.refused("bake", self.model, "--clip", "walk", "run",
                     says="run: is no file; --clip takes one PATTERN, so repeat it for more")
        self.refused("bake", "--clip", "walk", "run", self.model,
                     says="run: is no file; --clip takes one PATTERN, so repeat it for more")
        self.refused("bake", self.model, "--clip", "walk", "--without", "*Shield", "*Sword*", "*.Helmet", "-o", "k.throng.glb",
                     says="*Sword*: is no file; --without takes one PATTERN, so repeat it for more")
        self.refused("bake", self.model, "--only", "*Body", "Head.001", "-o", "k.throng.glb",
                     says="Head.001: is no file; --only takes one PATTERN, so repeat it for more")
        self.refused("bake", self.model, "--fps", "30", "60", says="60: is no file; --fps takes one NUMBER")
        self.refused("render", self.asset, "--clip", "walk", "run", says="run: is no file; --clip takes one PATTERN")
        self.refused("render", self.asset, "--clip", "walk", "away.glb", says="away.glb: cannot open")
        self.wrong("pose", self.model, "--clip", "walk", "run",
                   says="'run' is one word too many: pose takes one FILE, and options one value each (repeat them for more)")
        self.wrong("graph", "a.json", "--model", self.model, "--seconds", "1", "--set", "a=1", "b=2",
                   says="'b=2' is one word too many: graph takes one GRAPH, and options one value each (repeat them for more)")
        self.wrong("bake", self.model, "--fps", says="--fps needs a value: NUMBER")
        self.wrong("bake", self.model, "--json=maybe", says="--json takes no value")
        self.wrong("bake", self.model, "--no-near=7", says="--no-near takes no value")
        self.wrong("render", self.asset, "--sheet", "--clip", "walk", says="--sheet needs a value before --clip: PATTERN")
        self.wrong("bake", self.model, "--output", "--json", says="--output needs a value before --json: FILE")
        self.wrong("bake", self.model, "--clip", "--fps=30", says="--clip needs a value before --fps: PATTERN")
        self.wrong("bake", self.model, "--fps", "--help", says="--fps needs a value before --help: NUMBER")
        self.wrong("bake", self.model, "--fps", "30", "--fps", "60", says="--fps is given more than once")
        self.wrong("render", self.asset, "-o", "a.png", "--eye", "1,2", says="--eye needs a value: X,Y,Z")
        self.wrong("bake", says="bake needs MODEL: glTF 2.0 (.gltf, .glb) and FBX (.fbx), or builtin:mannequin; one or several")
        self.wrong("graph", "a.json", says="graph needs --model")
        self.wrong("render", says="render needs MODEL: Baked characters (.throng.glb) or models (glTF 2.0 (.gltf, .glb) and FBX "
                   "(.fbx), or builtin:mannequin), one or several")

    def test_options_that_contradict_or_need_each_other_say_so(self):
        self.wrong("pose", self.model, "--clip", "a", "--clip-index", "0", says="--clip and --clip-index cannot be given together")
        self.wrong("bake", self.model, "--quiet", "--verbose", says="--quiet and --verbose cannot be given together")
        self.wrong("graph", "a.json", "--model", self.model, "--set", "speed=1", says="--set needs --seconds beside it")
        self.wrong("render", self.asset, "-o", "x.mp4", "--from", "2", "--to", "1", says="--to: must not be before --from")
        self.wrong("render", self.asset, "-o", "x.mp4", "--from", "0", "--to", "1e8",
                   says="--to: makes a film of more than a million images")
        self.wrong("render", "--scene", "battle", "--time", "1e6", says="--scene battle: is played from its beginning; --time and --to may "
                   "be 3600 at most")
        self.wrong("render", self.asset, "-o", "x.png", "--socket", "hand", says="--socket needs --prop beside it")
        self.wrong("render", self.asset, "-o", "x.mp4", "--time", "1", says="--time: is of a still; a film has --from and --to")
        for option in ["--from", "--to", "--fps"]:
            self.wrong("render", self.asset, "-o", "x.png", option, "1",
                       says=f"{option}: is of a film; name one, such as film.mp4, or take --time")
        for option, value in [("--view", "close"), ("--count", "2"), ("--time", "1")]:
            self.wrong("render", self.asset, "-o", "x.png", "--sheet", "walk", option, value, says=f"{option}: says nothing of a --sheet")
        self.wrong("render", self.asset, "-o", "%d%02d.png", "--to", "0.1", says="--output: '%d%02d.png' has room for more than one "
                   "number; pictures are counted by one, as in %04d.png")
        self.wrong("render", self.asset, "-o", "x.mp4", "--sheet", "walk", says="--sheet: makes one picture; name a .png")

    def test_choices_list_their_words_whole(self):
        for option, wrong, words in [("--mode", "verts", "bones, vertices"), ("--pack", "best", "greedy, tight"),
                                     ("--atlas-shape", "round", "exact, power-of-two, square"),
                                     ("--root-motion", "maybe", "keep, extract, strip"), ("--influences", "5", "4, 8"),
                                     ("--color", "pink", "auto, always, never")]:
            self.wrong("bake", self.model, option, wrong, says=f"{option}: '{wrong}' is none of: {words}")
        for option, wrong, words in [("--view", "fra", "crowd, close, above"), ("--skinning", "gpu", "auto, compute, vertex"),
                                     ("--scene", "opera", "crowd, battle")]:
            self.wrong("render", self.asset, "-o", "a.png", option, wrong, says=f"{option}: '{wrong}' is none of: {words}")
        line = self.refused("bake", self.model, "--encoding", "q17", says="--encoding: 'q17' is no encoding; there are: q16, ", code=2)
        for encoding in ["q8", "local8", "localv", "rows", "half-quaternion", "v8", "rgbm"]:
            self.assertIn(encoding, line)

    def test_numbers_say_what_is_possible(self):
        for arguments, says in [
            (["bake", self.model, "--threads", "-1"], "--threads: '-1' is no whole number from 0 to 1024"),
            (["bake", self.model, "--threads", "1.5"], "--threads: '1.5' is no whole number from 0 to 1024"),
            (["bake", self.model, "--fps", "abc"], "--fps: 'abc' is no number from 0.1 to 1000"),
            (["bake", self.model, "--fps", "0"], "--fps: '0' is no number from 0.1 to 1000"),
            (["bake", self.model, "--levels", "11"], "--levels: '11' is no whole number from 1 to 10"),
            (["bake", self.model, "--levels", "1.5"], "--levels: '1.5' is no whole number from 1 to 10"),
            (["bake", self.model, "--atlas-size", "8"], "--atlas-size: '8' is no whole number from 16 to 16384"),
            (["bake", self.model, "--budget", "x"], "--budget: 'x' is no number from 1 to 1000000"),
            (["pose", self.model, "--clip-index", "-1"], "--clip-index: '-1' is no whole number from 0 to 4294967295"),
            (["render", self.asset, "-o", "a.png", "--count", "1e3"], "--count: '1e3' is no whole number from 1 to 1000000"),
            (["render", self.asset, "-o", "a.png", "--count", "0"], "--count: '0' is no whole number from 1 to 1000000"),
            (["render", self.asset, "-o", "a.png", "--size", "12"], "--size: '12' is no size such as 1920x1080 (at most 16384x16384)"),
            (["render", self.asset, "-o", "a.png", "--seed", "x"], "--seed: 'x' is no whole number from 0 to 18446744073709551615"),
            (["render", self.asset, "-o", "a.png", "--vertex-budget", "-3"], "--vertex-budget: '-3' is no whole number from 0 to 4294967295"),
            (["graph", "a.json", "--model", self.model, "--seconds", "-1"], "--seconds: '-1' is no number from 0 to 86400"),
        ]:
            self.wrong(*arguments, says=says)

    def test_no_option_takes_what_is_no_number(self):
        """Every option with a number, or a list of them, as the manual lists them."""
        tried = 0
        for command, start in [("bake", [self.model]), ("render", [self.asset, "-o", "a.png"]), ("pose", [self.model]),
                               ("graph", ["a.json", "--model", self.model])]:
            text = self.run_throng(command, "--help").stdout
            for option, value in re.findall(r"^ .{4}?.*?(--[\w-]+) (NUMBER|LENGTH|MIB|X,Y,Z|WxH)\b", text, re.M):
                for nothing in ["nan", "-inf", "1e999", "nan(1)", "0x1p3", ""]:
                    given = f"{option}={nothing}" if value != "X,Y,Z" else f"{option}=0,{nothing},1"
                    line = self.refused(command, *start, given, says=option, code=2)
                    self.assertNotIn("more than once", line)
                    tried += 1
        self.assertGreater(tried, 100)
        self.assertEqual(self.files(), [])

    def test_parameters_of_a_graph_are_numbers_too(self):
        self.path("g.json").write_text(json.dumps({"parameters": [{"name": "speed", "type": "float"}], "layers": [
            {"name": "base", "states": [{"name": "go", "motion": {"clip": "walk"}}]}]}))
        for value in ["nan", "inf", "-inf", "x", ""]:
            self.refused("graph", "g.json", "--model", self.model, "--seconds", "1", "--set", f"speed={value}",
                         says=f"--set: 'speed={value}' is no pair such as speed=1.5")

    def test_devices_that_are_not_there_are_told_from_those_that_are(self):
        line = self.refused("render", self.asset, "-o", "a.png", "--device", "77", says="Vulkan: there is no device 77; there ")
        self.assertRegex(line, r"there (is only|are) device 0 \(")

    # What is no model

    def test_what_is_no_file_says_what_it_is(self):
        os.symlink("gone.glb", self.path("link.glb"))
        os.mkfifo(self.path("fifo.glb"))
        self.path("empty.json").write_text("")
        self.path("text.json").write_text("hello")
        for words in [["bake"], ["inspect"], ["pose"], ["render"], ["graph", "empty.json", "--model"]]:
            self.refused(*words, "builtin:manequin", says="builtin:manequin: is not built in; builtin:mannequin is")
            self.refused(*words, "link.glb", says="link.glb: cannot open: it is a link to gone.glb, which does not exist")
            for stream in ["fifo.glb", "/dev/null"]:
                self.refused(*words, stream, says=f"{stream}: is not a regular file; copy what comes out of it to one")
            self.refused(*words, self.folder, says="is a folder; name a file")
        self.refused("graph", "empty.json", "--model", self.model, says="empty.json: the file is empty; docs/animator.md shows what")
        self.refused("graph", "text.json", "--model", self.model, says="text.json: not valid JSON at line 1, column 1: invalid literal")
        for file in ["empty.json", "text.json"]:
            self.refused("bake", MANNEQUIN, "--events", file, says=f"{file}: not valid JSON at line 1, column 1")

    # Names of clips

    def test_long_lists_of_clips_end_after_eight(self):
        model = SmallGltf()
        for i in range(20):
            model.turning(f"number{i:02d}")
        model.write(self.path("many.gltf"))
        self.run_throng("bake", "many.gltf", "--no-near", "--levels", "1")
        first = ", ".join(f"'number{i:02d}'" for i in range(8))
        for arguments in [["pose", "many.gltf", "--clip", "zzz"], ["pose", "many.throng.glb", "--clip", "zzz"],
                          ["bake", "many.gltf", "--clip", "zzz"], ["bake", "many.gltf", "--loop", "zzz"],
                          ["render", "many.throng.glb", "-o", "a.png", "--clip", "zzz"],
                          ["render", "many.throng.glb", "-o", "a.png", "--sheet", "zzz"]]:
            line = self.refused(*arguments, says=f"there are {first} and 12 more")
            self.assertTrue(line.endswith("and 12 more"), line)
        self.refused("pose", "many.gltf", "--clip", "number*", says=f"'number*' may be {first} and 12 more: name one clip")

    def test_patterns_work_wherever_a_clip_is_named(self):
        names = [clip["name"] for clip in self.report["clips"]]
        self.assertEqual([n for n in names if n.startswith("wa")], ["walk", "wave"])
        by_name = self.run_throng("pose", self.model, "--clip", "walk", "--time", 0.3).stdout
        for file in [self.model, self.asset]:
            exact = self.run_throng("pose", file, "--clip", "walk", "--time", 0.3).stdout
            self.assertEqual(self.run_throng("pose", file, "--clip", "?alk", "--time", 0.3).stdout, exact)
            self.refused("pose", file, "--clip", "wa*", says="'wa*' may be 'walk', 'wave': name one clip")
        self.assertIn("v ", by_name)
        small = ["--size", "64x36", "--count", 2]
        self.run_throng("render", self.asset, "-o", "pattern.png", "--clip", "wal*", *small)
        self.refused("render", self.asset, "-o", "a.png", "--clip", "wa*", says="'walk', 'wave'")
        self.run_throng("render", self.asset, "-o", "sheet.png", "--sheet", "hi*", "--size", "64x36")
        # In a graph, and in a file of events, where all that match are meant.
        draft = {"layers": [{"name": "base", "states": [{"name": "go", "motion": {"clip": "wal?"}}]}]}
        self.path("g.json").write_text(json.dumps(draft))
        self.run_throng("graph", "g.json", "--model", self.model)
        self.path("e.json").write_text(json.dumps({"wa*": {"events": [{"time": 0.1, "name": "w"}]}}))
        report = json.loads(self.run_throng("bake", self.model, "--events", "e.json", "--json").stdout)
        self.assertEqual([c["name"] for c in report["clips"] if any(e["name"] == "w" for e in c["events"])], ["walk", "wave"])

    def test_clips_are_named_as_reports_name_them(self):
        """Which leave out the armature that every name begins with."""
        SmallGltf().turning("Rig|Jump").turning("Rig|Jump_Land").write(self.path("m.gltf"))
        told = self.run_throng("bake", "m.gltf").stdout
        self.assertRegex(told, r"\n  Jump +\d")
        whole = self.run_throng("pose", "m.gltf", "--clip", "Rig|Jump", "--time", "0.3").stdout
        self.assertEqual(self.run_throng("pose", "m.gltf", "--clip", "Jump", "--time", "0.3").stdout, whole)
        self.run_throng("render", "m.throng.glb", "--sheet", "Jump", "--size", "64x36", "-o", "a.png")
        report = json.loads(self.run_throng("bake", "m.gltf", "--clip", "Jump*", "--once", "*Land", "--json").stdout)
        self.assertEqual([clip["name"] for clip in report["clips"]], ["Rig|Jump", "Rig|Jump_Land"])
        self.refused("pose", "m.gltf", "--clip", "J*", says="'J*' may be 'Rig|Jump', 'Rig|Jump_Land': name one clip")

    def test_a_graph_without_a_name_is_called_by_its_file(self):
        self.path("g.json").write_text(json.dumps({"layers": [{"name": "base", "states": [{"name": "go", "motion": {"clip": "walk"}}]}]}))
        said = self.run_throng("graph", "g.json", "--model", self.model).stdout
        self.assertTrue(said.startswith("g.json: a graph of 0 parameters and 1 layer, "), said)


class Help(ThrongTest):
    def test_help_is_told_in_three_ways(self):
        program = self.run_throng("--help").stdout
        self.assertEqual(self.run_throng("help").stdout, program)
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", program)
            told = self.run_throng("help", command).stdout
            self.assertEqual(self.run_throng(command, "--help").stdout, told)
            self.assertIn(f"Usage: throng {command}", told)
            if command != "help":
                self.assertIn(f"Examples:\n  throng {command}", told)

    def test_help_is_no_wider_than_a_terminal(self):
        for command in [[], *([command] for command in COMMANDS)]:
            for line in self.run_throng(*command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_options_that_take_one_value_say_so(self):
        for command in COMMANDS:
            told = self.run_throng("help", command).stdout
            options = told.split("Examples:")[0].replace("MODEL...", "MODEL")  # render and bake take several
            self.assertNotIn("...", options)
            self.assertNotIn("TEXT:", told)
        self.assertRegex(self.run_throng("help", "bake").stdout, r"--clip PATTERN +Bake only clips .*repeatable")

    def test_version_says_which_build_it_is(self):
        said = self.run_throng("--version").stdout
        self.assertRegex(said, r"^throng \d+\.\d+\.\d+( \(commit [0-9a-f]{7,}(-dirty)?\))?\n")
        for word in ["glTF", "FBX", "ffmpeg", "ragdolls", "built by"]:
            self.assertIn(word, said)
        source = pathlib.Path(sys.argv[3])
        if (source / ".git").exists() and shutil.which("git"):
            # Git may refuse a folder of somebody else's; then nothing is known of it.
            described = subprocess.run(["git", "-C", source, "describe", "--always"], capture_output=True)
            if described.returncode == 0:
                self.assertIn("(commit ", said)


class Generated(ThrongTest):
    """What `throng --generate` makes, and the build installs."""

    def setUp(self):
        super().setUp()
        for kind in ["man", "bash", "zsh", "fish"]:
            self.path(kind).mkdir()
            self.run_throng("--generate", kind, self.path(kind))
        self.bash, self.zsh, self.fish = self.path("bash/throng"), self.path("zsh/_throng"), self.path("fish/throng.fish")

    def options(self, command):
        """Every option that --help shows: short and long."""
        told = self.run_throng(*command, "--help").stdout.split("Examples:")[0]
        words = []
        for short, no, long in re.findall(r"^  (-\w)?,? +--(\[no-\])?([\w-]+)", told, re.M):
            words += [short] if short else []
            words += ["--" + long] + (["--no-" + long] if no else [])
        return words

    def test_every_option_of_help_is_in_each_of_them(self):
        bash, zsh, fish = self.bash.read_text(), self.zsh.read_text(), self.fish.read_text()
        seen = 0
        for command in COMMANDS:
            page = self.path(f"man/throng-{command}.1")
            text = page.read_text().replace("\\-", "-") if command != "help" else None
            options = self.options([command])
            self.assertIn("--help", options)
            bash_words = re.search(rf"^    {command}\) options='(.*)' ;;$", bash, re.M)[1].split()
            self.assertEqual(sorted(bash_words), sorted(options))
            zsh_words = re.search(rf"^    {command}\)\n(.*?)^      ;;$", zsh, re.M | re.S)[1]
            fish_lines = [line for line in fish.splitlines() if f"__fish_seen_subcommand_from {command}'" in line]
            for option in options:
                seen += 1
                if text is not None:
                    self.assertIn(f"\\fB{option}\\fR", text)
                self.assertRegex(zsh_words, rf"'\*?{re.escape(option)}\[")
                flag = f" -l {option[2:]} " if option.startswith("--") else f" -s {option[1:]} "
                self.assertTrue(any(flag in line for line in fish_lines), option)
        self.assertGreater(seen, 90)
        program = self.path("man/throng.1").read_text()
        for command in COMMANDS:
            self.assertIn(f"\\fB{command}\\fR", program)

    def test_bash_takes_it_and_completes(self):
        subprocess.run(["bash", "-n", self.bash], check=True)
        self.path("knight.glb").write_text("")
        self.path("two words.glb").write_text("")

        def complete(*words):
            """What bash offers for the last word, as `complete` has it set up."""
            script = (f"source {self.bash}\n"
                      "words=(\"$@\")\n"
                      "spec=$(complete -p throng) && [[ $spec == *'-F _throng'* ]] || exit 9\n"
                      "COMP_WORDS=(\"${words[@]}\") COMP_CWORD=$((${#words[@]} - 1))\n"
                      "_throng throng \"${words[-1]}\" \"${words[-2]}\"\n"
                      "printf '%s\\n' \"${COMPREPLY[@]}\"\n")
            done = subprocess.run(["bash", "-c", script, "bash", "throng", *words], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return [line for line in done.stdout.splitlines() if line]

        self.assertEqual(complete(""), COMMANDS)
        self.assertEqual(complete("re"), ["render"])
        self.assertEqual(complete("help", "b"), ["bake"])
        self.assertEqual(complete("--ver"), ["--version"])
        self.assertEqual(complete("bake", "knight.glb", "--max"), ["--max-error"])
        self.assertEqual(complete("bake", "--mode", ""), ["bones", "vertices"])
        self.assertEqual(complete("bake", "knight.glb", "--encoding", "half-q"), ["half-quaternion"])
        self.assertEqual(complete("render", "x", "--view", "c"), ["crowd", "close"])
        self.assertEqual(complete("bake", "--fps", ""), [], "a number is nothing to offer files for")
        self.assertEqual(complete("bake", "kni"), ["knight.glb"])
        self.assertEqual(complete("bake", "two"), ["two words.glb"])
        self.assertEqual(complete("bake", "built"), ["builtin:mannequin"])
        self.assertEqual(complete("pose", "x", "-o", "kni"), ["knight.glb"])
        self.assertIn("--no-near", complete("bake", "--no"))

    def test_man_pages_are_what_man_wants(self):
        pages = sorted(self.path("man").iterdir())
        self.assertEqual([p.name for p in pages], sorted(["throng.1", *(f"throng-{c}.1" for c in COMMANDS if c != "help")]))
        checked = False
        for page in pages:
            text = page.read_text()
            for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]:
                self.assertIn(f"\n.SH {heading}\n", text)
            others = [name.replace("\\-", "-") + ".1" for name in re.findall(r"^\.BR (\S+) \(1\)", text, re.M)]
            self.assertEqual(sorted([page.name, *others]), [p.name for p in pages], "it leads to all others that there are")
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-Kutf8", page], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), page)
                self.assertIn("throng", done.stdout)
                checked = True
            if shutil.which("man"):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], capture_output=True, text=True,
                                      env=dict(os.environ, MANROFFSEQ="", MANWIDTH="100", LC_ALL="C.UTF-8"))
                self.assertEqual((done.returncode, done.stderr), (0, ""), page)
            if shutil.which("mandoc"):
                done = subprocess.run(["mandoc", "-Tlint", "-Werror", page], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (0, ""), page)
                checked = True
        if not checked:
            self.skipTest("neither groff nor mandoc here")

    def test_zsh_and_fish_take_theirs(self):
        tried = False
        for shell, file in [("zsh", self.zsh), ("fish", self.fish)]:
            if shutil.which(shell):
                tried = True
                subprocess.run([shell, "-n", file], check=True)
        if shutil.which("fish"):
            ask = f"source {self.fish}; complete -C 'throng bake --mod'"
            said = subprocess.run(["fish", "--no-config", "-c", ask], capture_output=True, text=True, check=True).stdout
            self.assertTrue(said.startswith("--mode"), said)
        if not tried:
            self.skipTest("neither zsh nor fish here")

    def test_what_cannot_be_made_is_refused(self):
        self.refused("--generate", "tcsh", self.folder, says="'tcsh' is none of: man, bash, zsh, fish")
        self.refused("--generate", "man", "no/such", says="the folder no/such does not exist")


if __name__ == "__main__":
    main()
