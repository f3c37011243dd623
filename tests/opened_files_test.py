#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which files the program opens for a model, as strace sees it: those of the model's folder and below, never what links
lead to elsewhere, nor the folders there.

opened_files_test.py THRONG SHARED SOURCE
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from small_gltf import SmallGltf  # noqa: E402
from throng_program import CACHE, ThrongTest, main, throng  # noqa: E402

SMALL = ["--size", "32x18", "--count", "1", "--no-cache"]  # of a picture
# Where libraries, drivers, fonts and devices are.
SYSTEM = ["/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/run", "/sys", "/usr", "/var"]
TRACE = ["-f", "-y", "-qq", "-e", "trace=open,openat"]
OPENED = re.compile(r'\bopen(?:at\((?:AT_FDCWD(?:<(?P<here>[^>]*)>)?|\d+<(?P<folder>[^>]*)>), |\()"(?P<path>(?:[^"\\]|\\.)*)"')


def small_png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b""))


def traces():
    """Why strace cannot be used here, or nothing."""
    if not shutil.which("strace"):
        return "strace is not installed"
    tried = subprocess.run(["strace", *TRACE, "-o", "/dev/null", "true"], capture_output=True, text=True)
    return "strace may not trace here: " + tried.stderr.strip() if tried.returncode else ""


@unittest.skipIf(traces(), traces())
class OpenedFiles(ThrongTest):
    def setUp(self):
        super().setUp()
        self.folder = os.path.realpath(self.folder)
        # What a link leads to is as good as what is asked for, so that only being elsewhere is against it.
        for folder in ("models", "outside", "home"):
            self.path(folder).mkdir()
        model = SmallGltf().turning("walk")
        model.primitive["attributes"]["TEXCOORD_0"] = model.add([[0, 0], [1, 0], [1, 1], [0, 1]], "VEC2")
        model.primitive["material"] = 0
        model.document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
        model.document["textures"] = [{"source": 0}]
        model.document["images"] = [{"uri": "skin.png"}]
        model.write(self.path("models/plain.gltf"))
        self.document = model.document
        self.buffer = model.buffer
        for folder in ("models", "outside"):
            self.path(folder, "skin.png").write_bytes(small_png())
            self.path(folder, "shape.bin").write_bytes(self.buffer)
        os.symlink("../outside", self.path("models/link"))
        os.symlink("../outside/skin.png", self.path("models/skin_link.png"))
        os.symlink("../outside/shape.bin", self.path("models/shape_link.bin"))
        os.symlink("../outside/nothing.bin", self.path("models/nothing.bin"))

    def path(self, *names):
        return pathlib.Path(self.folder, *names)

    def model_with(self, name, buffer="shape.bin", picture="skin.png"):
        document = dict(self.document, buffers=[{"byteLength": len(self.buffer), "uri": buffer}],
                        images=[{"uri": picture}])
        self.path("models", name).write_text(json.dumps(document))
        return f"models/{name}"

    def opened(self, *arguments, code=0):
        """What a run opens, or tries to: paths with all links followed."""
        log = self.path("trace")
        done = subprocess.run(["strace", *TRACE, "-s", "4096", "-o", log, throng, *arguments], cwd=self.folder,
                              capture_output=True, text=True,
                              env=self.surroundings(HOME=str(self.path("home")), XDG_CONFIG_HOME=str(self.path("home")),
                                                    XDG_DATA_HOME=str(self.path("home"))))
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        paths = set()
        for line in log.read_text(errors="replace").splitlines():
            if found := OPENED.search(line):
                start = found["folder"] or found["here"] or self.folder
                paths.add(os.path.realpath(os.path.join(start, found["path"])))
        return paths, done.stderr

    def elsewhere(self, paths):
        """Those that are neither the model's, the program's own, nor the system's."""
        own = [str(self.path("models")), str(self.path("home")), os.path.dirname(throng), os.path.realpath(CACHE), *SYSTEM]
        results = {str(self.path(name)) for name in ("out.throng.glb", "out.png")}
        outside = {p for p in paths if p != self.folder and not any(p == o or p.startswith(o + "/") for o in own)}
        return sorted(p for p in outside if p not in results and ".throng-draft" not in p)

    def commands(self, model):
        return [["inspect", model], ["bake", model, "-o", "out.throng.glb"], ["render", model, *SMALL, "-o", "out.png"]]

    def test_what_lies_in_the_folder_is_opened(self):
        # Without this the others would pass where nothing is traced.
        model = self.model_with("inside.gltf")
        for arguments in self.commands(model):
            paths, _ = self.opened(*arguments)
            for name in ("inside.gltf", "shape.bin", "skin.png"):
                self.assertIn(str(self.path("models", name)), paths, arguments)
            self.assertEqual(self.elsewhere(paths), [], arguments)

    def test_buffers_behind_links_are_not(self):
        for buffer in ("shape_link.bin", "link/shape.bin", "link/shape.bon", "link/no/shape.bin", "nothing.bin"):
            for arguments in self.commands(self.model_with("buffer.gltf", buffer=buffer)):
                paths, said = self.opened(*arguments, code=1)
                self.assertIn("a link leads out of the folder", said)
                self.assertNotIn("shape.bin'", said.replace(buffer, ""))
                self.assertEqual(self.elsewhere(paths), [], arguments)

    def test_pictures_behind_links_are_not(self):
        for picture in ("skin_link.png", "link/skin.png", "link/skin.pmg"):
            for arguments in self.commands(self.model_with("picture.gltf", picture=picture)):
                paths, said = self.opened(*arguments)
                if arguments[0] == "bake":
                    self.assertIn("a link leads out of the folder", said)
                self.assertEqual(self.elsewhere(paths), [], arguments)

    def test_textures_that_an_asset_links_to_are_not(self):
        self.run_throng("bake", self.model_with("linked.gltf"), "--link-textures", "-o", "models/linked.throng.glb")
        for arguments in [["inspect", "models/linked.throng.glb"],
                          ["render", "models/linked.throng.glb", *SMALL, "-o", "out.png"]]:
            paths, _ = self.opened(*arguments)
            self.assertIn(str(self.path("models/skin.png")), paths, arguments)
            self.assertEqual(self.elsewhere(paths), [], arguments)
        for target in ("../outside/skin.png", "../outside/nothing.png", "link/skin.png"):
            self.path("models/skin.png").unlink()
            os.symlink(target, self.path("models/skin.png"))
            for arguments in [["inspect", "models/linked.throng.glb"],
                              ["render", "models/linked.throng.glb", *SMALL, "-o", "out.png"]]:
                paths, said = self.opened(*arguments, code=1)
                self.assertIn("a link leads out of the folder", said)
                self.assertEqual(self.elsewhere(paths), [], arguments)


if __name__ == "__main__":
    main()
