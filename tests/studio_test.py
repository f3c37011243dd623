#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The window, on a display of its own: scripts do what a user would, and what comes of it is looked at.

studio_test.py STUDIO THRONG
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

studio, throng = map(os.path.abspath, sys.argv[1:3])
MANNEQUIN = "builtin:mannequin"
SIZE = (1280, 800)
PROBLEM_RED = (245, 115, 102)  # colour::kProblem


def installed(*programs):
    return all(shutil.which(program) for program in programs)


class Picture:
    """A screenshot as bytes that can be counted."""

    def __init__(self, file):
        self.bytes = subprocess.run(["ffmpeg", "-v", "error", "-i", str(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                                    check=True, stdout=subprocess.PIPE).stdout
        assert len(self.bytes) == 3 * SIZE[0] * SIZE[1], f"{file} is not {SIZE[0]} × {SIZE[1]}"

    def pixels(self, box=(0, 0, *SIZE)):
        left, top, right, bottom = map(int, box)
        for y in range(top, bottom):
            row = self.bytes[3 * (y * SIZE[0] + left):3 * (y * SIZE[0] + right)]
            yield from zip(row[::3], row[1::3], row[2::3])

    def colours(self, box=(0, 0, *SIZE)):
        return len(set(self.pixels(box)))

    def has(self, colour, box=(0, 0, *SIZE)):
        return any(max(abs(a - b) for a, b in zip(pixel, colour)) <= 3 for pixel in self.pixels(box))


@unittest.skipUnless(installed("Xvfb"), "no Xvfb here: install xvfb to test the window")
class Studio(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """One display for all of them, whose number the server chooses and tells when it is ready."""
        ready, tell = os.pipe()
        cls.server = subprocess.Popen(["Xvfb", "-displayfd", str(tell), "-screen", "0", "1920x1200x24", "-noreset", "-nolisten", "tcp"],
                                      pass_fds=[tell], stderr=subprocess.DEVNULL)
        os.close(tell)
        with os.fdopen(ready) as number:
            cls.surroundings = dict(os.environ, DISPLAY=":" + number.readline().strip())
        cls.surroundings.pop("WAYLAND_DISPLAY", None)

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def tearDown(self):
        shutil.rmtree(self.folder)

    def start(self, script, *arguments):
        file = self.folder / "script.txt"
        file.write_text("\n".join(script) + "\n")
        command = [studio, *arguments, "--script", str(file), "--width", str(SIZE[0]), "--height", str(SIZE[1])]
        return subprocess.Popen(command, cwd=self.folder, env=self.surroundings, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def perform(self, script, *arguments, code=0):
        """Standard output of the window when it is gone."""
        process = self.start(script, *arguments)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, out + err)
        if code == 0:
            self.assertEqual(err, "")
        return out if code == 0 else err

    def place(self, out, number=0):
        lines = [line for line in out.splitlines() if line.startswith("place: ")]
        return tuple(float(word) for word in lines[number].split()[1:])

    def assert_only(self, *names):
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), sorted(["script.txt", *names]))

    # From the model to the asset

    def test_a_bake_is_shown_drawn_and_written_and_the_layers_have_nothing_to_say(self):
        out = self.perform([
            "wait idle", "only walk | wave", "loop once wave", "set levels 2", "set sockets hand.*", "bake", "wait baked",
            "wait preview", "time 0.5", "wait preview", "print place picture", "print place report walk", "screenshot window.png",
            "click texture-tab", "wait workers", "print place texture", "screenshot texture.png",
            "output two.throng.glb", "save", "wait idle", "print problems", "print command", "quit"],
            MANNEQUIN, "--validation")
        self.assertIn("open: \nbake: \nsave: \n", out)
        window = Picture(self.folder / "window.png")
        self.assertGreater(window.colours(self.place(out, 0)), 500, "the character stands in its picture")
        self.assertGreater(window.colours(self.place(out, 1)), 5, "the report has a row for the walk")
        texture = Picture(self.folder / "texture.png")
        self.assertGreater(texture.colours(self.place(out, 2)), 200)

        # The command it offers bakes the same file.
        command = shlex.split([line for line in out.splitlines() if line.startswith("throng bake")][0])
        written = (self.folder / "two.throng.glb").read_bytes()
        subprocess.run([throng, *command[1:]], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual((self.folder / "two.throng.glb").read_bytes(), written)
        report = json.loads(subprocess.run([throng, "inspect", "two.throng.glb", "--json"], cwd=self.folder, check=True,
                                           stdout=subprocess.PIPE).stdout)
        clips = {clip["name"]: clip for clip in report["clips"]}
        self.assertEqual(set(clips), {"walk", "wave"})
        self.assertFalse(clips["wave"]["loops"])
        self.assertIn("hand.L", report["sockets"])

    def test_a_cancelled_bake_leaves_nothing_behind(self):
        out = self.perform(["wait idle", "set max-error 0.05mm", "bake", "print state", "cancel", "print state", "wait workers", "print state", "save",
                            "wait idle", "quit"], MANNEQUIN)
        self.assertEqual(out.splitlines(), ["state: baking, model, no result", "state: idle, model, no result",
                                            "state: idle, model, no result"])
        self.assert_only()

    def test_quitting_does_not_wait_for_a_bake(self):
        out = self.perform(["wait idle", "set max-error 0.05mm", "bake", "print state", "quit"], MANNEQUIN)
        self.assertEqual(out, "state: baking, model, no result\n")
        self.assert_only()

    # What a hand does

    def test_the_pointer_chooses_clips_and_bakes(self):
        out = self.perform(["wait idle", "click no-clips", "click clip run", "print place bake", "click bake", "wait baked",
                            "print report", "screenshot window.png", "quit"], MANNEQUIN)
        report = json.loads(out[out.index("{"):])
        self.assertEqual([clip["name"] for clip in report["clips"]], ["run"])
        self.assertGreater(Picture(self.folder / "window.png").colours(), 100)

    @unittest.skipUnless(installed("xdotool"), "no xdotool here: install it to test with the display's own pointer")
    def test_the_displays_own_pointer_and_keys_do_the_same(self):
        script = self.folder / "outer.sh"
        (self.folder / "script.txt").write_text(
            "wait idle\nonly walk\nprint place bake\nwait baked\nprint state\nprint place time\nwait idle\n"
            "output by-hand.throng.glb\nprint state\nwait saved\nquit\n")
        script.write_text(f"""#!/bin/bash
exec 3< <(exec {shlex.quote(studio)} {MANNEQUIN} --script script.txt --width {SIZE[0]} --height {SIZE[1]})
pid=$!
read -r _ left top right bottom <&3
window=$(xdotool search --onlyvisible --name 'Throng Studio' | head -n 1)
xdotool windowfocus "$window" mousemove --window "$window" $(((${{left%.*}} + ${{right%.*}}) / 2)) $(((${{top%.*}} + ${{bottom%.*}}) / 2))
sleep 0.3
xdotool click 1
while read -r line <&3; do
  echo "$line"
  case $line in *result*) baked=$((baked + 1)); [ "$baked" = 2 ] && xdotool key ctrl+s ;; esac
done
wait $pid
""")
        done = subprocess.run(["bash", "outer.sh"], cwd=self.folder, env=self.surroundings, text=True, capture_output=True,
                              timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("state: idle, model, result", done.stdout)
        self.assertTrue((self.folder / "by-hand.throng.glb").exists(), done.stdout + done.stderr)

    def test_keys_bake_save_play_and_quit(self):
        out = self.perform(["wait idle", "only walk", "output keys.throng.glb", "key ctrl+b", "wait baked", "print playing",
                            "key space", "print playing", "key right", "print playing", "key ctrl+s", "wait saved", "key ctrl+q",
                            "wait never"], MANNEQUIN)
        lines = out.splitlines()
        self.assertTrue(lines[0].startswith("playing: yes"), lines)
        self.assertTrue(lines[1].startswith("playing: no"), lines)
        self.assertNotEqual(lines[1], lines[2], "a frame on")
        self.assert_only("keys.throng.glb")

    def test_an_unwritten_bake_is_asked_about_before_quitting(self):
        self.perform(["wait idle", "only walk", "output asked.throng.glb", "bake", "wait baked", "key ctrl+q", "click save-and-quit",
                      "wait never"], MANNEQUIN)
        self.assert_only("asked.throng.glb")

    def test_a_path_is_typed_and_completed_and_a_file_is_dropped(self):
        asset = self.folder / "looked-at.throng.glb"
        subprocess.run([throng, "bake", MANNEQUIN, "--clip", "walk", "-o", str(asset)], check=True, stdout=subprocess.DEVNULL)
        out = self.perform(["click model", f"type {self.folder}/look", "wait workers", "key tab", "key return", "wait idle",
                            "print state", "drop builtin:mannequin", "wait idle", "print state", "click model", "key ctrl+a",
                            f"type {self.folder}/", "wait workers", "click completion looked-at.throng.glb", "wait idle", "print state",
                            f"drop {self.folder}/nothing.glb", "wait idle", "print problems", "quit"])
        self.assertEqual([line for line in out.splitlines() if line.startswith("state")],
                         ["state: idle, no model, result", "state: idle, model, no result", "state: idle, no model, result"])
        self.assertIn("nothing.glb", out)

    def test_dragging_turns_the_preview(self):
        self.perform(["wait idle", "only walk", "bake", "wait baked", "time 0.2", "wait preview", "print place picture",
                      "screenshot before.png", "drag picture 160 0", "wait preview", "screenshot after.png", "quit"], MANNEQUIN)
        self.assertNotEqual(Picture(self.folder / "before.png").bytes, Picture(self.folder / "after.png").bytes)

    # What goes wrong

    def test_a_broken_file_is_refused_in_words_where_it_was_named(self):
        (self.folder / "broken.glb").write_bytes(b"glTF\x02\0\0\0\xff\xff\xff\x7f")
        out = self.perform(["wait idle", "print problems", "print place open-problem", "screenshot window.png", "quit"], "broken.glb",
                           "--validation")
        problem = [line for line in out.splitlines() if line.startswith("open: ")][0]
        self.assertIn("broken.glb", problem)
        self.assertGreater(len(problem.split()), 5)
        self.assertTrue(Picture(self.folder / "window.png").has(PROBLEM_RED, self.place(out)), "the words are in the window")

    def test_a_refused_bake_and_a_refused_asset_say_why(self):
        out = self.perform(["wait idle", "only walk", "set sockets no_such_bone", "bake", "wait idle", "print problems",
                            "print place bake-problem", "set sockets", "bake", "wait baked", "output no/such/folder/a.throng.glb", "save",
                            "wait idle", "print problems", "screenshot window.png", "print place save-problem", "quit"], MANNEQUIN)
        bakes = [line for line in out.splitlines() if line.startswith("bake: ")]
        saves = [line for line in out.splitlines() if line.startswith("save: ")]
        self.assertIn("no_such_bone", bakes[0])
        self.assertEqual(bakes[1], "bake: ")
        self.assertIn("no/such/folder", saves[1])
        self.assertTrue(Picture(self.folder / "window.png").has(PROBLEM_RED, self.place(out, 1)))

    def test_a_script_that_goes_wrong_names_its_line(self):
        for script, says in [(["wait idle", "dance"], "script line 2: dance: there is no such command"),
                             (["click nowhere"], "script line 1: click: nothing in the window is marked 'nowhere'"),
                             (["wait idle", "only moonwalk"], "there is no clip 'moonwalk'"),
                             (["set fps fast"], "fps: 'fast' is no number")]:
            self.assertIn(says, self.perform(script, MANNEQUIN, code=1))

    def test_wrong_usage_exits_with_2_and_a_missing_display_with_words(self):
        self.perform(["quit"], "--no-such-option", code=2)
        alone = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([studio], env=alone, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the window cannot be opened", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
