# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: the program, a folder of one's own, and how it is run in a pipe and on a
terminal. Suites are run as SUITE_test.py THRONG SHARED SOURCE.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from small_gltf import SmallGltf  # noqa: E402

throng, shared, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
MANNEQUIN = "builtin:mannequin"
CACHE = str(pathlib.Path(throng).parent.parent / "tests_cache")
COMMANDS = ["bake", "inspect", "render", "pose", "graph", "web", "help"]


class ThrongTest(unittest.TestCase):
    """Every test has an empty folder, in which the program runs; all of them share a model and what is baked from it.

    It is a panel, which takes no time, or the mannequin for those who say so.
    """

    mannequin = False

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.mkdtemp()
        cls.model = MANNEQUIN if cls.mannequin else SmallGltf().turning("walk").turning("wave", turns=0.2).turning(
            "hit", turns=0.05).write(os.path.join(cls.kept, "panel.gltf"))
        cls.asset = os.path.join(cls.kept, "model.throng.glb")
        done = subprocess.run([throng, "bake", cls.model, "-o", cls.asset, "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.report = json.loads(done.stdout)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.kept)

    def setUp(self):
        self.folder = tempfile.mkdtemp()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return pathlib.Path(self.folder, name)

    def surroundings(self, cache=None, **more):
        # Never the cache of whoever runs the tests, nor what they think of colours. All suites share one, and even those
        # with a cache of their own share the driver's: to compile the shaders takes longer than most of what is tested.
        plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        return dict({"MESA_SHADER_CACHE_DIR": CACHE}, **dict(plain, XDG_CACHE_HOME=cache or CACHE, **more))

    def run_throng(self, *arguments, code=0, cache=None, binary=False, **more):
        """In pipes. Text, or bytes where that is what comes out."""
        done = subprocess.run([throng, *map(str, arguments)], capture_output=True, text=not binary, cwd=self.folder,
                              env=self.surroundings(cache), **more)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done

    def one_line(self, text):
        lines = [line for line in text.splitlines() if not line.startswith("throng: note:")]
        self.assertEqual(len(lines), 1, text)
        self.assertTrue(lines[0].startswith("throng: error: "), text)
        return lines[0]

    def refused(self, *arguments, says, code=1):
        """Bad input, or with code=2 wrong usage: nothing on standard output, one line on standard error."""
        done = self.run_throng(*arguments, code=code)
        self.assertEqual(done.stdout, "")
        line = self.one_line(done.stderr)
        self.assertIn(says, line)
        return line

    def start(self, *arguments, **more):
        return subprocess.Popen([throng, *map(str, arguments)], cwd=self.folder, env=self.surroundings(),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)

    def files(self):
        return sorted(os.listdir(self.folder))

    def on_terminal(self, *arguments, code=0, columns=120, TERM="xterm-256color", slow_until=None, **more):
        """What comes out on a terminal, standard error among it, as bytes. Until it shows `slow_until`, a pattern, the
        program gets a tenth of the time or less, so that its work takes long. One that is through before it has shown
        it, on a machine that is fast or one too busy to stop it in time, is run again with less and less."""
        surroundings = self.surroundings(TERM=TERM, **more)
        for pace in [(0.01, 0.1), (0.002, 0.1), (0.001, 0.5)]:  # seconds that it runs and stops
            out, has_shown = self.run_on_terminal(arguments, code, columns, surroundings, slow_until, *pace)
            if has_shown:
                break
        return out

    def run_on_terminal(self, arguments, code, columns, surroundings, slow_until, runs_for, stops_for):
        """The same, once: what came out, and whether there was nothing to wait for any more."""
        control, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen([throng, *map(str, arguments)], cwd=self.folder, stdin=terminal, stdout=terminal,
                                   stderr=terminal, env=surroundings)
        os.close(terminal)
        out = b""
        while True:
            while slow_until and not select.select([control], [], [], runs_for)[0]:
                process.send_signal(signal.SIGSTOP)
                time.sleep(stops_for)
                process.send_signal(signal.SIGCONT)
            try:
                piece = os.read(control, 65536)
            except OSError:  # Linux's way to say that nobody is left to write
                break
            if not piece:
                break
            out += piece
            if slow_until and re.search(slow_until.encode(), out):
                slow_until = None
        os.close(control)
        self.assertEqual(process.wait(), code, out)
        return out.replace(b"\r\n", b"\n"), slow_until is None


def visible(out):
    """The text that a terminal shows in the end: without colours, and without lines that were taken back."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", out.decode())
    return re.sub(r"[^\n]*\r\x1b\[K", "", text)


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
