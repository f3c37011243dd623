#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where results go, and that nothing else is left there: folders that are missing, standard output, devices, FIFOs and
links, programs that are interrupted or killed, disks that fill.

outputs_test.py THRONG SHARED SOURCE
"""
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from small_gltf import SmallGltf  # noqa: E402
from throng_program import MANNEQUIN, ThrongTest, main, throng  # noqa: E402

QUICK = ["--clip", "walk", "--no-near", "--levels", "1"]  # of a bake
SMALL = ["--size", "64x36", "--count", "2"]  # of a picture
DRAFT = ".throng-draft"


class Outputs(ThrongTest):
    def commands(self, output):
        """One of each that writes something."""
        return [["bake", self.model, "-o", output + ".throng.glb"], ["pose", self.model, "-o", output + ".obj"],
                ["render", self.asset, *SMALL, "-o", output + ".png"], ["render", self.asset, *SMALL, "-o", output + ".mp4"],
                ["render", self.asset, *SMALL, "-o", output + "%04d.png"]]

    def test_a_folder_that_is_not_there_is_said_as_such_before_the_work(self):
        for arguments in self.commands("no/such"):
            self.refused(*arguments, says="cannot write: the folder no does not exist")
        # Before anything is read: the model is not there either.
        for arguments in [["bake", "missing.glb", "-o", "no/a.throng.glb"], ["pose", "missing.glb", "-o", "no/a.obj"],
                          ["render", "missing.throng.glb", "-o", "no/a.png"], ["render", "missing.throng.glb", "-o", "no/%d.png"],
                          ["render", "missing.throng.glb", "-o", "no/a.webm"]]:
            self.refused(*arguments, says="the folder no does not exist")
        self.assertEqual(self.files(), [])

    def test_a_folder_in_its_place_and_one_that_may_not_be_written_in(self):
        for arguments in [["pose", self.model], ["render", self.asset]]:
            self.refused(*arguments, "-o", self.folder, says="it is a folder; name a file")
        self.path("file").write_text("")
        self.refused("bake", self.model, "-o", "file/a.throng.glb", says="file is not a folder")
        if os.geteuid() == 0:
            # Root may write everywhere, except where nobody may.
            self.refused("bake", self.model, "-o", "/proc/a.throng.glb", says="/proc")
            return
        os.chmod(self.folder, 0o555)
        self.refused("bake", self.model, "-o", "a.throng.glb", says="may not be written in")
        os.chmod(self.folder, 0o755)

    def test_several_models_go_to_a_file_each(self):
        for name in ["mage", "rogue"]:
            SmallGltf().turning("walk").write(self.path(f"{name}.gltf"))
        self.path("baked").mkdir()
        said = self.run_throng("bake", "mage.gltf", "rogue.gltf", "-o", "baked/")
        self.assertEqual(sorted(p.name for p in self.path("baked").iterdir()), ["mage.throng.glb", "rogue.throng.glb"])
        self.assertEqual(re.findall(r"^wrote (\S+)", said.stdout, re.M), ["baked/mage.throng.glb", "baked/rogue.throng.glb"])
        self.assertIn("\n\nrogue\n", said.stdout)
        self.assertNotIn("\n\n\n", said.stdout)
        # Each as if it had been baked alone, to the byte; a folder needs no slash, and none is the current one.
        self.run_throng("bake", "mage.gltf", "-o", "baked")
        self.run_throng("bake", "rogue.gltf", "mage.gltf")
        self.run_throng("bake", "mage.gltf", "-o", "alone.throng.glb")
        alone = self.path("alone.throng.glb").read_bytes()
        for file in ["baked/mage.throng.glb", "mage.throng.glb"]:
            self.assertEqual(self.path(file).read_bytes(), alone)

    def test_one_model_that_fails_does_not_keep_the_others_from_being_baked(self):
        SmallGltf().turning("walk").write(self.path("mage.gltf"))
        SmallGltf().turning("walk").write(self.path("rogue.gltf"))
        self.path("broken.gltf").write_text("{")
        done = self.run_throng("bake", "mage.gltf", "broken.gltf", "missing.gltf", "rogue.gltf", "--json", code=1)
        reports = json.loads(done.stdout)
        self.assertEqual([r.get("output") for r in reports], ["mage.throng.glb", None, None, "rogue.throng.glb"])
        self.assertEqual([r.get("model") for r in reports[1:3]], ["broken.gltf", "missing.gltf"])
        errors = [line for line in done.stderr.splitlines() if line.startswith("throng: error: ")]
        self.assertEqual(len(errors), 3, done.stderr)
        for report, line in zip(reports[1:3], errors):
            self.assertEqual(line, "throng: error: " + report["failed"])
        self.assertIn("2 of 4 models could not be baked", errors[2])
        self.assertEqual(self.files(), ["broken.gltf", "mage.gltf", "mage.throng.glb", "rogue.gltf", "rogue.throng.glb"])
        # What they are told is the same, and one alone is no array.
        alone = json.loads(self.run_throng("bake", "mage.gltf", "--json").stdout)
        for report in (alone, reports[0]):
            del report["peak_memory_bytes"], report["replaced"]
        self.assertEqual(alone, reports[0])

    def test_several_models_are_refused_what_only_one_can_have(self):
        self.path("other").mkdir()
        SmallGltf().turning("walk").write(self.path("mage.gltf"))
        shutil.copy(self.path("mage.gltf"), self.path("other/mage.gltf"))
        two = ["bake", "mage.gltf", self.model]
        self.refused(*two, "-o", "one.throng.glb", says="one.throng.glb: is one file, for 2 models; name a folder")
        self.refused(*two, "-o", "-", says="-: is one file, for 2 models; name a folder")
        self.refused(*two, "-o", "no/", says="the folder no does not exist")
        self.refused("bake", "mage.gltf", "other/mage.gltf",
                     says="mage.throng.glb: both mage.gltf and other/mage.gltf would be written there")
        self.assertEqual(self.files(), ["mage.gltf", "other"])
        shutil.copy(self.path("mage.gltf"), self.path("mage.throng.glb"))
        self.refused("bake", "mage.gltf", "mage.throng.glb",
                     says="mage.throng.glb: is the model mage.throng.glb, and mage.gltf would be written there")
        self.assertEqual(self.path("mage.throng.glb").read_bytes(), self.path("mage.gltf").read_bytes())

    def test_wrong_endings_are_refused_with_those_there_are(self):
        self.refused("bake", self.model, "-o", "foo.txt", says="--output: 'foo.txt' must end in .throng.glb or .glb", code=2)
        self.refused("pose", self.model, "-o", "foo.txt", says="--output: 'foo.txt' must end in .obj or .json", code=2)
        self.refused("render", self.asset, "-o", "foo.txt", says="'foo.txt' must end in .png, .mp4, .webm or .gif", code=2)
        for arguments in [["bake", self.model], ["pose", self.model], ["render", self.asset]]:
            self.refused(*arguments, "-o", "", says="--output: '' names no file; give it a name that ends in .", code=2)
        self.assertEqual(self.files(), [])

    def test_what_is_replaced_is_said(self):
        for arguments in self.commands("a")[:2]:
            self.assertNotIn("replacing", self.run_throng(*arguments).stdout)
            self.assertIn("replacing what was there", self.run_throng(*arguments).stdout)
            self.assertEqual(json.loads(self.run_throng(*arguments, "--json").stdout)["replaced"], True)

    def test_bad_input_leaves_the_old_file(self):
        old = self.path("old.throng.glb")
        old.write_bytes(b"old")
        self.path("broken.glb").write_bytes(b"glTF")
        self.refused("bake", "broken.glb", "-o", old, says="broken.glb")
        self.assertEqual(old.read_bytes(), b"old")
        self.refused("render", self.asset, "-o", "a.mp4", "--size", "63x36", says="must be even")
        self.assertEqual(self.files(), ["broken.glb", "old.throng.glb"])

    def test_a_picture_without_a_name_is_called_after_what_it_shows(self):
        self.run_throng("render", self.asset, *SMALL, "--threads", "1")
        self.run_throng("render", self.asset, "--size", "64x36", "--sheet", "walk")
        self.assertEqual(self.files(), ["crowd.png", "sheet.png"])

    # Standard output

    def test_a_dash_is_standard_output_and_the_report_goes_elsewhere(self):
        for arguments, name in [(["bake", self.model], "a.throng.glb"), (["pose", self.model], "a.obj")]:
            self.run_throng(*arguments, "-o", name)
            done = self.run_throng(*arguments, "-o", "-", binary=True)
            self.assertEqual(done.stdout, self.path(name).read_bytes())
            quiet = self.run_throng(*arguments, "-o", "-", "-q", binary=True)
            self.assertEqual((quiet.stdout, quiet.stderr), (done.stdout, b""))
        self.assertIn(b"wrote - (", self.run_throng("bake", self.model, "-o", "-", binary=True).stderr)
        self.assertEqual(self.files(), ["a.obj", "a.throng.glb"])
        picture = self.run_throng("render", self.asset, *SMALL, "-o", "-", "--json", binary=True)
        self.assertEqual(json.loads(picture.stderr)["output"], "-")
        width, height, rgba = pixels_of(picture.stdout)
        self.assertEqual((width, height, set(rgba[3::4])), (64, 36, {255}))

    def test_what_a_shell_sends_to_a_file_goes_behind_what_is_there(self):
        self.run_throng("bake", self.model, "-o", "a.throng.glb")
        whole = self.path("a.throng.glb").read_bytes()
        for name in ["-", "/dev/stdout", "/dev/fd/1"]:
            with open(self.path("sent"), "wb") as file:
                file.write(b"before ")
                file.flush()
                subprocess.run([throng, "bake", self.model, "-q", "-o", name], stdout=file, check=True)
                file.write(b" after")
            self.assertEqual(self.path("sent").read_bytes(), b"before " + whole + b" after")

    def test_nothing_but_text_goes_to_a_terminal(self):
        for arguments in [["bake", self.model], ["render", self.asset, *SMALL]]:
            said = self.on_terminal(*arguments, "-o", "-", code=1)
            self.assertIn(b"standard output is a terminal", said)
        self.assertIn(b"\nv ", self.on_terminal("pose", self.model, "-o", "-"))

    def test_standard_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([throng, "bake", self.model, "-o", "-"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)
        closed = subprocess.run(["sh", "-c", '"$0" "$@" >&-', throng, "bake", self.model, "-o", "-"],
                                stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.assertEqual(closed.returncode, 1)
        self.assertIn("it is closed", closed.stderr)

    # Devices, FIFOs, links

    def test_devices_are_written_to_and_stay(self):
        before = os.stat("/dev/null")
        for arguments in [["bake", self.model], ["pose", self.model]]:
            self.assertIn("wrote /dev/null", self.run_throng(*arguments, "-o", "/dev/null").stdout)
            self.refused(*arguments, "-o", "/dev/full", says="/dev/full: cannot write: No space left on device")
        after = os.stat("/dev/null")
        self.assertTrue(stat.S_ISCHR(after.st_mode))
        self.assertEqual((before.st_ino, before.st_rdev), (after.st_ino, after.st_rdev))
        self.assertEqual(self.files(), [])

    def read_fifo(self, *arguments, name):
        os.mkfifo(self.path(name))
        process = self.start(*arguments, "-o", name)
        with open(self.path(name), "rb") as reader:
            got = reader.read()
        said = process.communicate()[1]
        self.assertEqual(process.returncode, 0, said)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path(name)).st_mode))
        return got

    def test_a_fifo_gets_the_result_and_stays(self):
        for arguments, name in [(["bake", self.model], "a.throng.glb"), (["pose", self.model], "a.obj")]:
            self.run_throng(*arguments, "-o", name)
            whole = self.path(name).read_bytes()
            self.path(name).unlink()
            self.assertEqual(self.read_fifo(*arguments, name=name), whole)
        film = self.read_fifo("render", self.asset, *SMALL, "--to", "0.1", name="a.mp4")
        for box in [b"ftyp", b"moov", b"mdat"]:
            self.assertIn(box, film)

    def test_a_folder_for_temporary_files_is_needed_only_where_one_is_used(self):
        os.mkfifo(self.path("b.mp4"))
        gone = dict(self.surroundings(), TMPDIR="/nowhere")
        film = [throng, "render", self.asset, *SMALL, "-q", "--to", "0.1", "-o"]
        done = subprocess.run([*film, "a.mp4"], capture_output=True, text=True, cwd=self.folder, env=gone)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run([*film, "b.mp4"], capture_output=True, text=True, cwd=self.folder, env=gone)
        self.assertEqual(done.returncode, 1)
        self.assertIn("b.mp4: a film for a device or a FIFO is made in a file first, but TMPDIR names no folder", done.stderr)

    def test_links_are_followed(self):
        self.path("there").mkdir()
        os.symlink("there/a.throng.glb", self.path("a.throng.glb"))
        for _ in range(2):
            self.run_throng("bake", self.model, "-o", "a.throng.glb")
            self.assertTrue(self.path("a.throng.glb").is_symlink())
            self.assertEqual(os.listdir(self.path("there")), ["a.throng.glb"])
        os.symlink("round.obj", self.path("about.obj"))
        os.symlink("about.obj", self.path("round.obj"))
        self.refused("pose", self.model, "-o", "round.obj", says="its links lead in circles")


class Interrupted(ThrongTest):
    def wait_for(self, process, there):
        while not there():
            self.assertIsNone(process.poll(), "it ended too early")
            time.sleep(0.01)

    def has_draft(self):
        return any(DRAFT in name for name in self.files())

    def has_ffmpeg(self):
        return any("ffmpeg" in words[0] for words in self.still_running())

    def end(self, process, how):
        process.send_signal(how)
        said = process.communicate(timeout=30)[1]
        return process.returncode, said

    def test_a_bake_leaves_nothing_and_a_shell_sees_130_and_143(self):
        for how, code in [("INT", 130), ("TERM", 143)]:
            # Not in the background, where shells let programs ignore Ctrl-C.
            script = f'import signal, subprocess, sys, time; p = subprocess.Popen(sys.argv[1:]); time.sleep(0.2); ' \
                     f'p.send_signal(signal.SIG{how}); sys.exit(128 - p.wait())'
            # Some seconds of work, on whatever machine.
            done = subprocess.run([sys.executable, "-c", script, throng, "bake", MANNEQUIN, "--max-error", "0.02mm", "--threads", "1"],
                                  cwd=self.folder, capture_output=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (code, b"", b""))
            self.assertEqual(self.files(), [])

    def test_what_is_told_to_ignore_ctrl_c_does(self):
        ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731
        process = self.start("bake", MANNEQUIN, *QUICK, "-o", "a.throng.glb", preexec_fn=ignore)
        time.sleep(0.2)
        self.assertEqual(self.end(process, signal.SIGINT)[0], 0)
        self.assertEqual(self.files(), ["a.throng.glb"])

    def film(self, name, seconds):
        return ["render", self.asset, *SMALL, "--to", seconds, "-o", name]

    def still_running(self):
        """Programs that were given something of this test's folder."""
        found = []
        for process in pathlib.Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            try:
                words = (process / "cmdline").read_bytes().decode(errors="replace")
                here = os.readlink(process / "cwd") == self.folder
            except OSError:
                continue
            if here and words:
                found.append(words.split("\0"))
        return found

    def test_a_film_leaves_the_old_one_and_takes_ffmpeg_along(self):
        for name, how in [("a.mp4", signal.SIGINT), ("a.webm", signal.SIGTERM)]:
            self.path(name).write_bytes(b"old")
            process = self.start(*self.film(name, 600))
            self.wait_for(process, self.has_ffmpeg)
            time.sleep(0.3)
            code, said = self.end(process, how)
            self.assertEqual((code, said), (-how, ""))
            self.assertEqual((self.still_running(), self.files(), self.path(name).read_bytes()), ([], [name], b"old"))
            self.path(name).unlink()

    def test_a_film_interrupted_before_ffmpeg_has_begun_leaves_nothing(self):
        for _ in range(3):
            process = self.start(*self.film("a.mp4", 600))
            self.wait_for(process, self.has_draft)
            self.end(process, signal.SIGINT)
            time.sleep(0.1)
            self.assertEqual((self.files(), self.still_running()), ([], []))

    def test_ctrl_c_on_a_terminal_reaches_ffmpeg_too_and_is_one_clean_end(self):
        # The whole group gets the signal, as from a terminal.
        process = self.start(*self.film("a.mp4", 600), start_new_session=True)
        self.wait_for(process, self.has_ffmpeg)
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate()[1]
        self.assertEqual((process.returncode, said), (-signal.SIGINT, ""))
        self.assertEqual((self.files(), self.still_running()), ([], []))

    def test_a_draft_is_left_alone_while_its_program_lives_and_swept_when_that_was_killed(self):
        slow = self.start(*self.film("a.mp4", 600))
        self.wait_for(slow, self.has_ffmpeg)
        self.run_throng(*self.film("a.mp4", 0.1))
        self.assertEqual(self.files(), ["a.mp4", "a.mp4" + DRAFT])
        self.end(slow, signal.SIGKILL)
        self.assertEqual(self.files(), ["a.mp4", "a.mp4" + DRAFT])
        while self.still_running():  # ffmpeg ends with its input
            time.sleep(0.05)
        self.run_throng(*self.film("a.mp4", 0.1))
        self.assertEqual(self.files(), ["a.mp4"])


class FullDisk(ThrongTest):
    LONG = ["--size", "128x72", "--count", "9", "--to", "0.7"]

    def test_a_film_that_may_not_grow_is_an_error_and_keeps_the_old_one(self):
        self.path("a.mp4").write_bytes(b"old")
        # As on a disk that fills: writing fails when a file gets longer than this.
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 4; "$@"', "bash", throng, "render", self.asset, *self.LONG, "-o", "a.mp4"]
        done = subprocess.run(limited, capture_output=True, text=True, cwd=self.folder, env=self.surroundings())
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("throng: error: a.mp4: ", done.stderr)
        self.assertEqual((self.files(), self.path("a.mp4").read_bytes()), (["a.mp4"], b"old"))

    def test_a_film_onto_a_full_disk_is_an_error_and_keeps_the_old_one(self):
        disk = self.path("disk")
        disk.mkdir()
        inside = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        mount = f"mount -t tmpfs -o size=8k throng-test {disk}"
        if subprocess.run([*inside, "sh", "-c", mount], capture_output=True).returncode != 0:
            self.skipTest("no file system of its own may be mounted here")
        script = f'{mount} && cd {disk} && echo old > a.webm && "$@" -o a.webm; echo "code $?"; cat a.webm; ls'
        done = subprocess.run([*inside, "sh", "-c", script, "sh", throng, "render", self.asset, *self.LONG],
                              capture_output=True, text=True, env=self.surroundings())
        self.assertEqual(done.stdout.split(), ["code", "1", "old", "a.webm"], done.stderr)
        self.assertIn("throng: error: a.webm: ", done.stderr)

    def test_a_bake_onto_a_full_disk_keeps_the_old_file(self):
        old = self.path("old.throng.glb")
        old.write_bytes(b"old")
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 4; "$@"', "bash", throng, "bake", self.model, "-o", str(old)]
        done = subprocess.run(limited, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write: File too large", done.stderr)
        self.assertEqual((self.files(), old.read_bytes()), (["old.throng.glb"], b"old"))


def pixels_of(png):
    """Width, height and RGBA of a PNG, read by hand: it is for others to read."""
    data, at, packed = png, 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 6)
        if kind == b"IDAT":
            packed += body
        at += length + 12
    raw, before, rows = zlib.decompress(packed), bytes(4 * width), []
    for y in range(height):
        kind, row = raw[y * (4 * width + 1)], bytearray(raw[y * (4 * width + 1) + 1:(y + 1) * (4 * width + 1)])
        for i in range(len(row)):
            left, up, corner = (row[i - 4] if i >= 4 else 0), before[i], (before[i - 4] if i >= 4 else 0)
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + [0, left, up, (left + up) // 2, nearest][kind]) % 256
        rows.append(bytes(row))
        before = rows[-1]
    return width, height, b"".join(rows)


class Films(ThrongTest):
    """Every format, opaque and transparent, looked at with ffmpeg and ffprobe."""

    FILM = ["--count", "1", "--view", "close", "--to", "0.2", "--fps", "10"]

    def streams(self, name):
        said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", self.path(name)],
                              capture_output=True, text=True, check=True).stdout
        return json.loads(said)["streams"][0]

    def alphas(self, name, *decoder):
        """How many pixels of the first image are clear, and how many are not."""
        raw = subprocess.run(["ffmpeg", "-v", "error", *decoder, "-i", self.path(name), "-frames:v", "1", "-f", "rawvideo",
                              "-pix_fmt", "rgba", "-"], capture_output=True, check=True).stdout
        return raw[3::4].count(0), raw[3::4].count(255)

    def check_film(self, name, codec, size):
        said = self.run_throng("render", self.asset, *self.FILM, *size, "-o", name).stdout
        stream = self.streams(name)
        self.assertEqual((stream["codec_name"], stream["nb_read_frames"]), (codec, "2"))
        self.assertIn(f"wrote {name} ({stream['width']} × {stream['height']}, 2 images)", said)
        self.assertEqual(size[1], f"{stream['width']}x{stream['height']}")
        return said

    def test_films_have_their_images_and_size(self):
        self.path("a.mp4").write_bytes(b"old")
        self.assertIn("replacing what was there", self.check_film("a.mp4", "h264", ["--size", "64x36"]))
        self.refused("render", self.asset, *self.FILM, "--transparent", "-o", "a.mp4",
                     says="a.mp4: .mp4 films cannot be transparent; these can: .png, .webm, .gif")

    def test_gifs_take_as_long_as_they_should(self):
        # Their times are hundredths of a second, and no player believes one of less than two.
        for fps in ["50", "30"]:
            self.run_throng("render", self.asset, *SMALL, "--to", "0.2", "--fps", fps, "-o", "a.gif")
            self.assertAlmostEqual(float(self.streams("a.gif")["duration"]), 0.2, delta=0.021)
        self.refused("render", "missing.glb", "--fps", "60", "-o", "a.gif",
                     says="a.gif: .gif films have at most 50 images a second, not 60; lower --fps, or take another ending")
        self.run_throng("render", self.asset, *SMALL, "--to", "0.05", "--fps", "60", "-o", "a.webm")

    def test_transparent_films_are_clear_around_the_character(self):
        self.path("there").mkdir()
        os.symlink("there/a.webm", self.path("a.webm"))
        for name, codec, decoder in [("a.webm", "vp9", ["-c:v", "libvpx-vp9"]), ("B.GIF", "gif", [])]:
            self.check_film(name, codec, ["--size", "63x35", "--transparent"])
            clear, solid = self.alphas(name, *decoder)
            self.assertGreater(clear, 63 * 35 // 3)
            self.assertGreater(solid, 50)
        self.assertTrue(self.path("a.webm").is_symlink())
        self.assertEqual((self.files(), os.listdir(self.path("there"))), (["B.GIF", "a.webm", "there"], ["a.webm"]))

    def test_transparent_pictures_are_clear_around_the_character(self):
        self.run_throng("render", self.asset, *self.FILM, "--size", "64x36", "--transparent", "-o", "%d.png")
        for name in ["0.png", "1.png"]:
            width, height, rgba = pixels_of(self.path(name).read_bytes())
            self.assertEqual((width, height), (64, 36))
            alpha = rgba[3::4]
            self.assertGreater(alpha.count(0), 64 * 36 // 3)
            self.assertGreater(alpha.count(255), 50)
            self.assertEqual(alpha[:64], bytes(64), "nothing is above its head")
        self.assertEqual(self.files(), ["0.png", "1.png"])

    def test_a_film_that_ffmpeg_left_unfinished_is_an_error_and_keeps_the_old_one(self):
        # As on a disk that fills: it may end as if all were well.
        programs = self.path("programs")
        programs.mkdir()
        (programs / "ffmpeg").write_text('#!/bin/sh\ncat > /dev/null\nfor last; do :; done\nprintf half > "${last#file:}"\n')
        (programs / "ffmpeg").chmod(0o755)
        surroundings = self.surroundings()
        surroundings["PATH"] = f"{programs}:{surroundings['PATH']}"
        for name in ["a.mp4", "a.webm", "a.gif"]:
            self.path(name).write_text("old")
            done = subprocess.run([throng, "render", self.asset, *SMALL, "--to", "0.1", "-o", name], cwd=self.folder,
                                  capture_output=True, text=True, env=surroundings)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"{name}: ffmpeg left a film that is not whole; is the disk full?", done.stderr)
            self.assertEqual(self.path(name).read_text(), "old")
        self.assertEqual(self.files(), ["a.gif", "a.mp4", "a.webm", "programs"])

    def test_a_machine_without_ffmpeg_is_told_before_the_work(self):
        done = subprocess.run([throng, "render", "missing.throng.glb", "-o", "a.mp4"], capture_output=True, text=True,
                              cwd=self.folder, env=dict(self.surroundings(), PATH="/nowhere"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("films need ffmpeg", done.stderr)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    main()
