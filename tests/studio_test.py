#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The window, on a display of its own: scripts do what a user would, and what comes of it is looked at.

studio_test.py STUDIO THRONG
"""
import base64
import configparser
import json
import os
import pathlib
import shlex
import shutil
import struct
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


def moving_triangle():
    """The text of a glTF file: a triangle that goes up in a second."""
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<2f", 0, 1) + struct.pack("<6f", 0, 0, 0, 0, 1, 0)
    views = [{"buffer": 0, "byteOffset": at, "byteLength": size} for at, size in [(0, 36), (36, 8), (44, 24)]]
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "lift", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": views,
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                      {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
                      {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "animations": [{"name": "up", "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                        "samplers": [{"input": 1, "output": 2}]}]})


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
        # Recent files are remembered here, not in the home of whoever runs the tests.
        cls.state = tempfile.mkdtemp()
        cls.surroundings["XDG_STATE_HOME"] = cls.state

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        shutil.rmtree(cls.state)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def tearDown(self):
        shutil.rmtree(self.folder)

    def start(self, script, *arguments):
        file = self.folder / "script.txt"
        file.write_text("\n".join(script) + "\n")
        size = [] if "--height" in arguments else ["--height", str(SIZE[1])]
        command = [studio, *arguments, "--script", str(file), "--width", str(SIZE[0]), *size]
        return subprocess.Popen(command, cwd=self.folder, env=self.surroundings, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def inspected(self, asset):
        done = subprocess.run([throng, "inspect", asset, "--json"], cwd=self.folder, check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

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
            "wait idle", "only walk | wave", "loop once wave", "set levels 2", "set sockets hand.*", "set encoding q16", "bake", "wait baked",
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
        out = self.perform(["wait idle", "only walk", "set max-error 0.05mm", "bake", "print state", "cancel", "print state", "wait workers",
                            "print state", "save", "wait idle", "quit"], MANNEQUIN)
        self.assertEqual(out.splitlines(), ["state: baking, model, no result", "state: idle, model, no result",
                                            "state: idle, model, no result"])
        self.assert_only()

    def test_quitting_does_not_wait_for_a_bake(self):
        out = self.perform(["wait idle", "only walk", "set max-error 0.05mm", "bake", "print state", "quit"], MANNEQUIN)
        self.assertEqual(out, "state: baking, model, no result\n")
        self.assert_only()

    # Before and beside the bake

    def test_a_model_plays_as_soon_as_it_is_open(self):
        out = self.perform(["wait source", "clip walk", "time 0.1", "wait preview", "print state", "print place picture",
                            "screenshot one.png", "time 0.6", "wait preview", "screenshot other.png", "quit"], MANNEQUIN, "--validation")
        self.assertIn("state: idle, model, no result", out)
        box = self.place(out)
        one, other = (Picture(self.folder / name) for name in ("one.png", "other.png"))
        self.assertGreater(one.colours(box), 500, "the character stands in its picture")
        self.assertNotEqual(list(one.pixels(box)), list(other.pixels(box)), "and moves")

    def test_model_bake_errors_and_levels_are_shown(self):
        out = self.perform(["wait source", "only walk", "set fps 8", "set levels 4", "bake", "wait baked", "time 0.3", "wait preview",
                            "print place picture", "screenshot bake.png", "view both", "wait preview", "screenshot both.png", "view bake",
                            "click errors", "wait workers", "wait preview", "screenshot errors.png", "click errors", "level 3",
                            "wait preview", "screenshot level.png", "click view-source", "wait preview", "screenshot source.png", "quit"],
                           MANNEQUIN, "--validation")
        left, top, right, bottom = self.place(out)
        inside = (left + 2, top + 2, right - 2, bottom - 60)  # without the legend and the names
        shown = {name: list(Picture(self.folder / f"{name}.png").pixels(inside)) for name in ("bake", "both", "errors", "level", "source")}
        red = {name: sum(1 for r, g, b in pixels if r > g + 60 and r > b + 60) for name, pixels in shown.items()}
        green = {name: sum(1 for r, g, b in pixels if g > r + 30 and g > b + 30) for name, pixels in shown.items()}
        self.assertGreater(red["errors"] + green["errors"], 20 * (red["bake"] + green["bake"] + 10), "in colours")
        self.assertGreater(red["errors"], 20, "eight frames a second are off somewhere")
        for name in ("both", "level", "source"):
            self.assertNotEqual(shown[name], shown["bake"], name)

    def test_a_click_on_the_skeleton_makes_a_socket(self):
        out = self.perform(["wait source", "only walk", "clip walk", "time 0.3", "click skeleton", "wait preview", "click bone head",
                            "print command", "click bone head", "print command", "quit"], MANNEQUIN)
        with_socket, without = [line for line in out.splitlines() if line.startswith("throng bake")]
        self.assertIn("--sockets head", with_socket)
        self.assertNotIn("--sockets", without)

    def test_parts_are_left_out_by_a_click(self):
        out = self.perform(["wait source", "only walk", "set levels 1", "time 0.3", "wait preview", "print place picture", "screenshot whole.png",
                            "click parts-tab", "click part trim", "print command", "wait preview", "screenshot bare.png", "bake",
                            "wait baked", "output bare.throng.glb", "save", "wait saved", "quit"], MANNEQUIN)
        self.assertIn("--without trim", out)
        box = self.place(out)
        self.assertNotEqual(list(Picture(self.folder / "whole.png").pixels(box)), list(Picture(self.folder / "bare.png").pixels(box)))
        self.assertEqual(self.inspected("bare.throng.glb")["triangles"], 3646, "those of the shell alone")

    def test_events_are_added_moved_deleted_and_written_beside_the_asset(self):
        out = self.perform(["wait source", "only run", "set levels 1", "clip run", "time 0.1", "click add-event", "type left foot", "key return",
                            "time 0.5", "click add-event", "type gone", "key return", "print place time", "drag event left foot 100 0",
                            "click event gone", "key delete", "click events-tab", "screenshot events.png", "output run.throng.glb",
                            "print command", "bake", "wait baked", "save", "wait saved", "print problems", "quit"], MANNEQUIN)
        left, _, right, _ = self.place(out)
        events = json.loads((self.folder / "run.events.json").read_text())["run"]["events"]
        self.assertEqual([event["name"] for event in events], ["left foot"])
        length = 2.0 / 3.0
        self.assertAlmostEqual(events[0]["time"], 0.1 + 100 * length / (right - left - 12), delta=0.01)
        asset = {clip["name"]: clip for clip in self.inspected("run.throng.glb")["clips"]}["run"]
        self.assertIn("left foot", [event["name"] for event in asset["events"]])
        # The command it offers bakes the same file from what was written.
        command = shlex.split([line for line in out.splitlines() if line.startswith("throng bake")][0])
        self.assertIn("run.events.json", command)
        written = (self.folder / "run.throng.glb").read_bytes()
        subprocess.run([throng, *command[1:]], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual((self.folder / "run.throng.glb").read_bytes(), written)

    def test_the_right_button_opens_the_menu_of_the_time_line_and_leaves_time_alone(self):
        out = self.perform(["wait source", "only run", "clip run", "time 0.1", "right-click time", "print playing",
                            "click add-event-here", "type hit", "key return", "print playing", "print place time", "print place event hit",
                            "quit"], MANNEQUIN)
        self.assertEqual([line for line in out.splitlines() if line.startswith("playing")], ["playing: no at 0.1000 s"] * 2)
        line, event = self.place(out, 0), self.place(out, 1)
        self.assertAlmostEqual(event[0] + event[2], line[0] + line[2], delta=4, msg="where the pointer was: in the middle")

    # What a hand does

    def test_changes_are_undone_and_redone(self):
        out = self.perform(["wait idle", "only walk | run", "print command", "click clip run", "print command", "key ctrl+z", "print command",
                            "key ctrl+y", "print command", "key ctrl+z", "key ctrl+z", "print command", "quit"], MANNEQUIN)
        both, one, undone, redone, first = [line for line in out.splitlines() if line.startswith("throng bake")]
        self.assertIn("--clip run", both)
        self.assertNotIn("--clip run", one)
        self.assertEqual(undone, both)
        self.assertEqual(redone, one)
        self.assertNotIn("--clip", first, "as it was opened")

    def test_a_model_is_found_in_the_browser_and_again_among_the_recent_ones(self):
        (self.folder / "zoo").mkdir()
        (self.folder / "zoo" / "lift.gltf").write_text(moving_triangle())
        out = self.perform(["key ctrl+o", "wait workers", "click file zoo", "wait workers", "screenshot browser.png", "click file lift.gltf",
                            "click browser-open", "wait idle", "print state", "print command", "drop builtin:mannequin", "wait idle",
                            "click browse", "wait workers", "click recent lift.gltf", "wait idle", "print command", "quit"])
        self.assertIn("state: idle, model, no result", out)
        first, again = [line for line in out.splitlines() if line.startswith("throng bake")]
        self.assertIn("zoo/lift.gltf -o lift.throng.glb", first, "the asset goes into the working folder")
        self.assertEqual(first, again)

    def test_models_are_baked_as_a_batch(self):
        (self.folder / "lift.gltf").write_text(moving_triangle())
        (self.folder / "more.gltf").write_text("not a model")
        out = self.perform(["key ctrl+o", "wait workers", "click file lift.gltf", "ctrl-click file more.gltf", "click browser-batch",
                            "wait batch", "screenshot batch.png", "print place batch more.gltf", "quit"])
        self.assertEqual([clip["name"] for clip in self.inspected("lift.throng.glb")["clips"]], ["up"])
        self.assertFalse((self.folder / "more.throng.glb").exists())
        left, top, right, bottom = self.place(out)
        self.assertTrue(Picture(self.folder / "batch.png").has(PROBLEM_RED, (left, top, right, bottom)), "what failed is said in red")

    def test_a_batch_that_would_write_one_file_twice_is_refused_in_words(self):
        for name in ["lift.gltf", "lift.glb"]:
            (self.folder / name).write_text(moving_triangle())
        out = self.perform(["key ctrl+o", "wait workers", "click file lift.gltf", "ctrl-click file lift.glb", "click browser-batch",
                            "wait batch", "screenshot batch.png", "print place batch-problem", "quit"])
        self.assertTrue(Picture(self.folder / "batch.png").has(PROBLEM_RED, self.place(out)))
        self.assert_only("batch.png", "lift.gltf", "lift.glb")

    def test_everything_has_room_in_a_small_window(self):
        marks = ["picture", "--max-error", "--fps", "--atlas-shape", "--pack", "--levels", "--link-textures", "bake", "--without"]
        out = self.perform(["wait source", "print place picture", "click quality-tab", "print place --max-error", "print place --fps",
                            "print place --atlas-shape", "print place --pack", "click contents-tab", "print place --levels",
                            "print place --link-textures", "print place bake", "click parts-tab", "print place --group", "quit"],
                           MANNEQUIN, "--height", "720")
        boxes = {mark: self.place(out, i) for i, mark in enumerate(marks)}
        left, top, right, bottom = boxes["picture"]
        self.assertGreater(right - left, 800)
        self.assertGreater(bottom - top, 350)
        for mark in marks[1:]:
            if mark != "bake":
                self.assertLess(boxes[mark][3], boxes["bake"][1], f"{mark} is above the fold")

    def test_the_panes_are_divided_by_dragging(self):
        out = self.perform(["wait idle", "print place picture", "drag rows 0 -80", "print place picture", "drag columns 60 0",
                            "print place picture", "quit"], MANNEQUIN)
        before, lower, narrower = (self.place(out, i) for i in range(3))
        self.assertAlmostEqual(before[3] - lower[3], 80, delta=2)
        self.assertAlmostEqual(narrower[0] - lower[0], 60, delta=2)

    def test_the_pointer_chooses_clips_and_bakes(self):
        out = self.perform(["wait idle", "click no-clips", "click clip run", "set levels 1", "print place bake", "click bake", "wait baked",
                            "print report", "screenshot window.png", "quit"], MANNEQUIN)
        report = json.loads(out[out.index("{"):])
        self.assertEqual([clip["name"] for clip in report["clips"]], ["run"])
        self.assertGreater(Picture(self.folder / "window.png").colours(), 100)

    @unittest.skipUnless(installed("xdotool"), "no xdotool here: install it to test with the display's own pointer")
    def test_the_displays_own_pointer_and_keys_do_the_same(self):
        script = self.folder / "outer.sh"
        (self.folder / "script.txt").write_text(
            "wait idle\nonly walk\nset levels 1\nprint place bake\nwait baked\nprint state\nprint place time\nwait idle\n"
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
        out = self.perform(["wait idle", "only walk", "set levels 1", "output keys.throng.glb", "key ctrl+b", "wait baked", "print playing",
                            "key space", "print playing", "key right", "print playing", "key ctrl+s", "wait saved", "key ctrl+q",
                            "wait never"], MANNEQUIN)
        lines = out.splitlines()
        self.assertTrue(lines[0].startswith("playing: yes"), lines)
        self.assertTrue(lines[1].startswith("playing: no"), lines)
        self.assertNotEqual(lines[1], lines[2], "a frame on")
        self.assert_only("keys.throng.glb")

    def test_an_unwritten_bake_is_asked_about_before_quitting(self):
        self.perform(["wait idle", "only walk", "set levels 1", "output asked.throng.glb", "bake", "wait baked", "key ctrl+q", "click save-and-quit",
                      "wait never"], MANNEQUIN)
        self.assert_only("asked.throng.glb")

    def test_a_path_is_typed_and_completed_and_a_file_is_dropped(self):
        asset = self.folder / "looked-at.throng.glb"
        subprocess.run([throng, "bake", MANNEQUIN, "--clip", "walk", "--levels", "1", "-o", str(asset)], check=True, stdout=subprocess.DEVNULL)
        out = self.perform(["click model", f"type {self.folder}/look", "wait workers", "key tab", "key return", "wait idle",
                            "print state", "drop builtin:mannequin", "wait idle", "print state", "click model", "key ctrl+a",
                            f"type {self.folder}/", "wait workers", "click completion looked-at.throng.glb", "wait idle", "print state",
                            f"drop {self.folder}/nothing.glb", "wait idle", "print problems", "quit"])
        self.assertEqual([line for line in out.splitlines() if line.startswith("state")],
                         ["state: idle, no model, result", "state: idle, model, no result", "state: idle, no model, result"])
        self.assertIn("nothing.glb", out)

    def test_dragging_turns_the_preview(self):
        self.perform(["wait idle", "only walk", "set levels 1", "bake", "wait baked", "time 0.2", "wait preview", "print place picture",
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
        out = self.perform(["wait idle", "only walk", "set levels 1", "set sockets no_such_bone", "bake", "wait idle", "print problems",
                            "print place bake-problem", "set sockets", "bake", "wait baked", "output no/such/folder/a.throng.glb", "save",
                            "wait idle", "print problems", "screenshot window.png", "print place save-problem", "quit"], MANNEQUIN)
        bakes = [line for line in out.splitlines() if line.startswith("bake: ")]
        saves = [line for line in out.splitlines() if line.startswith("save: ")]
        self.assertIn("no_such_bone", bakes[0])
        self.assertEqual(bakes[1], "bake: ")
        self.assertIn("no/such/folder", saves[1])
        self.assertTrue(Picture(self.folder / "window.png").has(PROBLEM_RED, self.place(out, 1)))

    def test_waiting_for_what_has_failed_ends_with_its_reason(self):
        (self.folder / "lift.gltf").write_text(moving_triangle())
        for script, says in [(["wait idle", "set sockets no_such_bone", "bake", "wait baked"], "no_such_bone"),
                             (["wait idle", "bake", "wait baked", "output no/such/a.throng.glb", "save", "wait saved"],
                              "no/such"),
                             (["wait idle", "set sockets no_such_bone", "bake", "wait idle", "save", "wait saved"], "no_such_bone"),
                             (["open nothing.glb", "wait source"], "nothing.glb"),
                             (["open nothing.glb", "wait baked"], "nothing.glb"),
                             (["open nothing.glb", "wait saved"], "nothing.glb"),
                             (["open nothing.glb", "wait preview"], "nothing.glb")]:
            err = self.perform(script, *([] if script[0].startswith("open") else ["lift.gltf"]), code=1)
            self.assertIn(f"script line {len(script)}: wait: ", err)
            self.assertIn(says, err)
            self.assertEqual(len(err.splitlines()), 1, err)

    def test_a_button_beside_an_error_mends_it(self):
        out = self.perform(["wait idle", "only walk", "set levels 1", "set sockets no_such_bone", "bake", "wait idle", "screenshot window.png",
                            "click fix Clear the sockets", "wait baked", "output new/folder/a.throng.glb", "save", "wait idle",
                            "click fix Make the folder", "wait saved", "print problems", "quit"], MANNEQUIN)
        self.assertIn("open: \nbake: \nsave: \n", out)
        self.assertTrue((self.folder / "new" / "folder" / "a.throng.glb").exists())

    def test_a_script_that_goes_wrong_names_its_line(self):
        (self.folder / "lift.gltf").write_text(moving_triangle())
        for script, says in [(["wait idle", "dance"], "script line 2: dance: there is no such command"),
                             (["click nowhere"], "script line 1: click: nothing in the window is marked 'nowhere'"),
                             (["wait idle", "only moonwalk"], "there is no clip 'moonwalk'"),
                             (["set fps fast"], "fps: 'fast' is no number")]:
            self.assertIn(says, self.perform(script, "lift.gltf", code=1))

    def test_desktops_find_it_with_its_models(self):
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str
        folder = pathlib.Path(__file__).resolve().parent.parent / "apps" / "studio"
        entry.read_string((folder / "throng-studio.desktop").read_text())
        words = entry["Desktop Entry"]
        self.assertEqual(words["Exec"].split(), [os.path.basename(studio), "%f"])
        self.assertIn("model/gltf-binary;", words["MimeType"])
        self.assertLessEqual({"Type", "Name", "Comment", "Categories"}, set(words))
        self.assertIn("throng-studio.desktop DESTINATION", (folder / "CMakeLists.txt").read_text())

    def test_wrong_usage_exits_with_2_and_a_missing_display_with_words(self):
        self.perform(["quit"], "--no-such-option", code=2)
        alone = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([studio], env=alone, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the window cannot be opened: there is no display", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
