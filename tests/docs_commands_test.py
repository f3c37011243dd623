#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command line that the README, the docs and --help show is run, on small stand-ins for the files it names.

docs_commands_test.py THRONG SHARED SOURCE
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from small_gltf import SmallGltf  # noqa: E402
from throng_program import COMMANDS, ThrongTest, main, source, throng  # noqa: E402

# Made by docs/make_reference.py from comments, which hold no command lines.
PAGES = [source / "README.md", source / "CONTRIBUTING.md",
         *(page for page in sorted((source / "docs").glob("*.md")) if page.name != "reference.md")]

# Commands of ./run, which are looked up in its help and not run here, and why.
NOT_RUN = {
    "demo": "builds the program that this tests, and draws at full size",
    "test": "is what runs this",
    "check": "takes an hour",
    "bench": "measures, which is nothing to do beside tests",
    "build": "builds the program that this tests",
    "web": "serves a page until it is told to stop",
    "studio": "opens a window; studio_test.py does",
    "format": "changes the sources",
    "help": "is asked below",
}

# Programs that examples hand their results to.
OTHERS = ["jq", "ssh", "display"]


def shown_lines(text):
    """Lines of indented and fenced blocks; backslashes at their ends join them."""
    fenced, lines = False, []
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            line = line.strip()
            if lines and lines[-1].endswith("\\"):
                lines[-1] = lines[-1][:-1].rstrip() + " " + line
            else:
                lines.append(line.removeprefix("$ "))
    return lines


def spans(text):
    """Code within a paragraph, which may go on in the next line."""
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", outside)]


class DocsCommands(ThrongTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.options = {}
        cls.run_already = set()  # by any test: many lines are shown on several pages
        for command in COMMANDS:
            text = subprocess.run([throng, "help", command], capture_output=True, text=True, check=True).stdout
            words = re.findall(r"^  (?:-\w, |    )--(\[no-\])?([\w-]+)", text, re.M)
            cls.options[command] = {"--" + name for _, name in words} | {"--no-" + name for no, name in words if no}

    def stand_in(self, *clips, hips="hips"):
        """Whose hips may be called otherwise, as on the page about retargeting."""
        model = SmallGltf()
        for clip in clips:
            model.turning(clip)
        model.document["nodes"][1]["name"] = hips
        model.document["nodes"][2]["name"] = "handslot.r"
        for name in {"COG", "Tail"} - {hips}:
            model.document["nodes"][0]["children"].append(len(model.document["nodes"]))
            model.document["nodes"].append({"name": name})
        return model

    def setUp(self):
        super().setUp()
        names = {"knight": ["Walk", "Idle", "Attack", "Death", "Cheer"], "jelly": ["wobble"], "fox": ["Run"], "manny": ["stand"], "arnaud": ["stand"], "mage": ["Walk"],
                 "run": ["run", "run_back"], "dance": ["dance"], "model": ["Walk"]}
        for name, clips in names.items():
            for ending in ["glb", "fbx"]:  # what a file is, is told from its content
                self.stand_in(*clips, hips="COG" if name == "dance" else "hips").write(self.path(f"{name}.{ending}"))
        draft = {"name": "knight", "parameters": [{"name": "speed", "type": "float"}, {"name": "attack", "type": "trigger"}],
                 "layers": [{"name": "base", "states": [{"name": "walk", "motion": {"clip": "Walk"}}]}]}
        self.path("knight.graph.json").write_text(json.dumps(draft))
        self.path("events.json").write_text(json.dumps({"Walk": {"events": [{"time": 0.1, "name": "left"}]}}))
        self.path("frames").mkdir()
        self.path("baked").mkdir()
        self.path("path/to").mkdir(parents=True)
        self.stand_in("Walk").write(self.path("path/to/model.glb"))
        self.run_throng("bake", "knight.glb", "--sockets", "handslot.*", "-q", "-o", "kept.throng.glb")
        programs = self.path("programs")
        programs.mkdir()
        os.symlink(throng, programs / "throng")
        for name in OTHERS:
            (programs / name).write_text("#!/bin/sh\ncat > /dev/null\n")
            (programs / name).chmod(0o755)

    def small(self, line):
        """The same command, cheaper: pictures of a few characters and few pixels, and one clip of the mannequin."""
        if line.startswith("throng bake"):
            line = line.replace("builtin:mannequin", "builtin:mannequin --clip walk --levels 1")
        if not line.startswith("throng render") or "--list-devices" in line:
            return line
        command, *rest = re.split(r"(?= [|>] )", re.sub(r"\s+# .*", "", line), maxsplit=1)
        small = [("--size", "64x36")] + ([] if "--sheet" in line else [("--count", "3")])
        for option, value in small:
            command = re.sub(rf" {option} \S+", "", command) + f" {option} {value}"
        if re.search(r"\.(mp4|webm|gif)\b|%\d+d", command):
            command = re.sub(r"--to [\d.]+", "", command) + " --to 0.1"
        return " ".join((command + "".join(rest)).split())

    def run_line(self, line, where):
        line = self.small(line)
        if line in self.run_already:
            return
        self.run_already.add(line)
        shutil.copy(self.path("kept.throng.glb"), self.path("knight.throng.glb"))  # whatever other lines made of it
        shutil.copy(self.path("kept.throng.glb"), self.path("mage.throng.glb"))
        environment = self.surroundings()
        environment["PATH"] = f"{self.path('programs')}:{environment['PATH']}"
        # As a shell in which the failure of any program counts.
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, cwd=self.folder,
                              env=environment)
        self.assertEqual(done.returncode, 0, f"{where}: {line}\n{done.stdout[-500:]}{done.stderr}")

    def check_options(self, line, where):
        command = line.split()[1]
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", re.split(r" [#|>] ", line)[0]):
            self.assertIn(option, self.options[command] | {"--version"}, f"{where}: {line}")

    def test_every_line_of_the_docs_is_run(self):
        run = 0
        for page in PAGES:
            for line in shown_lines(page.read_text()):
                if line.startswith("throng "):
                    self.run_line(line, page.name)
                    run += 1
        self.assertGreater(run, 12, "the lines are looked for in the wrong place")

    def test_every_example_of_help_is_run(self):
        run = 0
        for command in ["", *COMMANDS]:
            text = self.run_throng(*([command] if command else []), "--help").stdout
            for line in re.findall(r"^  (throng .*)$", text.split("Examples:")[-1], re.M) if "Examples:" in text else []:
                self.run_line(line.split("   ")[0], f"help {command}")  # what it does stands behind
                run += 1
        self.assertGreater(run, 20)

    def test_commands_within_sentences_exist_with_their_options(self):
        looked = 0
        for page in PAGES:
            for span in spans(page.read_text()):
                if not re.match(r"throng [a-z]", span):
                    continue
                self.assertIn(span.split()[1], COMMANDS, f"{page.name}: {span}")
                self.check_options(span, page.name)
                looked += 1
                if re.search(r"\s-o \S", span):
                    self.run_line(span, page.name)
        self.assertGreater(looked, 10)

    def test_options_that_the_docs_name_exist(self):
        known = set().union(*self.options.values())
        other = {"--film", "--validation", "--script", "--small", "--json", "--version", "--prefix", "--libs", "--help", "--install"}
        for page in ["baking.md", "encodings.md", "retargeting.md", "levels-of-detail.md", "import.md", "import-fbx.md", "command-line.md"]:
            for span in spans((source / "docs" / page).read_text()):
                if span.startswith("--"):
                    name = re.match(r"--[\w-]+", span)[0]
                    self.assertIn(name.rstrip("-"), known | other | {"--no"}, f"{page}: `{span}`")

    def test_commands_of_run_exist(self):
        told = subprocess.run([source / "run", "help"], capture_output=True, text=True, check=True).stdout
        there = set(re.findall(r"^\./run (\w+)", told, re.M))
        self.assertEqual(there, set(NOT_RUN), "what is not run here, and why, is listed above")
        for page in PAGES:
            text = page.read_text()
            for line in [*shown_lines(text), *spans(text)]:
                if match := re.match(r"\./run(?: (\w+))?", line):
                    self.assertIn(match[1] or "help", there, f"{page.name}: {line}")


if __name__ == "__main__":
    main()
