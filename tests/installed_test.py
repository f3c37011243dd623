#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./run build` builds all that `cmake --install` takes from the build folder, and none of the tests and benchmarks.

installed_test.py BUILD
"""
import pathlib
import re
import subprocess
import sys
import unittest

build = pathlib.Path(sys.argv[1]).resolve()


def inputs_of(target):
    """Everything that has to be there before the target is, by path from the build folder."""
    # Not `-t inputs`, which leaves out what only stands for others.
    said = subprocess.run(["ninja", "-C", build, "-t", "graph", target], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r'label="([^"]+)"', said))


class Installed(unittest.TestCase):
    def test_everything_that_is_installed_is_built(self):
        built = inputs_of("throng_installed")
        taken = 0
        for script in build.rglob("cmake_install.cmake"):
            # Export files are written when the build is configured, as is what lies beside the scripts themselves.
            for path in re.findall(re.escape(str(build)) + r'/([^"]+)"', script.read_text()):
                if path.endswith((".cmake", ".pc", ".txt")) or "CMakeFiles/" in path or "$" in path:
                    continue
                taken += 1
                if path.endswith("/"):  # what the program writes of itself: man pages, completions
                    path = str(pathlib.Path(path).parent / "done")
                self.assertTrue(path in built, f"{path} is installed and not built")
        self.assertGreater(taken, 15)
        self.assertTrue("bin/throng" in built)

    def test_no_test_and_no_benchmark_is(self):
        for path in inputs_of("throng_installed"):
            self.assertNotRegex(path, r"_tests?(\.dir)?(/|$)|bench_|^tests/|pages_code|_alone", path)
        self.assertTrue(any("animator_tests" in path for path in inputs_of("all")), "and the name is told from others")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
