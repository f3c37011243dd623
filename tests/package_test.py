#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installed package as another project meets it: components, and what is said of those that are not there.

package_test.py PREFIX
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

prefix = pathlib.Path(sys.argv[1]).resolve()
source = pathlib.Path(__file__).resolve().parent.parent


class Package(unittest.TestCase):
    def configure(self, find, *, hidden=()):
        """CMake's answer to a project that finds throng so, where some packages cannot be found."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.25)\nproject(stranger LANGUAGES CXX)\n{find}\n")
            hide = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in hidden]
            return subprocess.run(["cmake", "-S", folder, "-B", folder + "/build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", *hide],
                                  capture_output=True, text=True)

    OFFLINE = ("ZLIB", "draco", "meshoptimizer", "PkgConfig", "nlohmann_json")

    def test_the_run_time_is_found_without_the_packages_of_the_other_half(self):
        done = self.configure("find_package(throng REQUIRED COMPONENTS runtime scene)\n"
                              "if(NOT TARGET throng::renderer OR NOT TARGET throng::cast OR TARGET throng::bake)\n"
                              "  message(FATAL_ERROR \"other targets than the run time's\")\nendif()", hidden=self.OFFLINE)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_project_takes_the_sources_in_as_they_are(self):
        done = self.configure(f"include(FetchContent)\nset(THRONG_OFFLINE OFF)\nFetchContent_Declare(throng SOURCE_DIR {source})\n"
                              "FetchContent_MakeAvailable(throng)\n"
                              "if(NOT TARGET throng::renderer OR TARGET throng::bake OR TARGET throng)\n"
                              "  message(FATAL_ERROR \"other targets than the run time's\")\nendif()")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_of_the_shaders_it_has_what_others_use_and_all_that_its_headers_include(self):
        include = prefix / "include"
        rooms = {path.name for path in (include / "throng/shaders").iterdir()}
        self.assertEqual(rooms, {"sampling", "encodings", "shared"})
        files = [path for path in include.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 100)
        for path in files:
            for name in re.findall(r'^\s*#\s*include\s*["<](throng/[^">]+)[">]', path.read_text(), re.M):
                self.assertTrue((include / name).exists(), f"{path} includes {name}, which is not installed")

    def test_the_other_half_asks_for_its_own(self):
        done = self.configure("find_package(throng REQUIRED COMPONENTS offline)", hidden=("draco",))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("draco", done.stderr)

    def test_a_component_that_does_not_exist_is_refused_with_those_that_do(self):
        done = self.configure("find_package(throng REQUIRED COMPONENTS runtime dancing)")
        self.assertNotEqual(done.returncode, 0)
        said = " ".join(done.stderr.split())
        self.assertIn("has no component 'dancing'; it has: runtime,", said)
        self.assertIn("offline", said)

    def test_an_optional_component_that_does_not_exist_is_passed_over(self):
        done = self.configure("find_package(throng REQUIRED COMPONENTS runtime OPTIONAL_COMPONENTS dancing)\n"
                              "if(throng_dancing_FOUND)\n  message(FATAL_ERROR found)\nendif()")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_manuals_completions_and_the_desktop_entry_are_installed(self):
        share = prefix / "share"
        for name in ("throng", "throng-bake", "throng-inspect", "throng-pose", "throng-render"):
            self.assertIn(b".TH", (share / "man" / "man1" / f"{name}.1").read_bytes(), name)
        for file in ("bash-completion/completions/throng", "zsh/site-functions/_throng", "fish/vendor_completions.d/throng.fish"):
            self.assertIn("bake", (share / file).read_text(), file)
        if (prefix / "bin" / "throng-studio").exists():
            self.assertIn("Exec=throng-studio", (share / "applications" / "throng-studio.desktop").read_text())

    def test_pkg_config_knows_it(self):
        path = next(prefix.rglob("throng.pc")).parent
        done = subprocess.run(["pkg-config", "--cflags", "--libs", "throng"], capture_output=True, text=True,
                              env={"PKG_CONFIG_PATH": str(path), "PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = next(word[2:] for word in done.stdout.split() if word.startswith("-I") and str(prefix) in word)
        self.assertEqual(pathlib.Path(folder).resolve(), prefix / "include")
        self.assertIn("-lthrong_renderer", done.stdout)
        self.assertNotIn("throng_import", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
