#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests whose names match a pattern: single tests of the test programs, and whole scripts of CTest's.

run_matching.py BUILD JOBS PATTERN      PATTERN is a regular expression, found anywhere in Suite.Name or in a script's name
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys


def names_in(program):
    """Suite.Name of every test of a program."""
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    suite = ""
    for line in listed.splitlines():
        line = line.split("  #")[0].rstrip()
        if line.startswith("  "):
            yield suite + line.strip()
        elif line.endswith("."):
            suite = line


def run(program, names, results):
    command = [program, "--gtest_filter=" + ":".join(names), "--gtest_brief=1",
               f"--gtest_output=xml:{results / program.name}.xml"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return program.name, len(names), done


def main():
    build, jobs, pattern = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), re.compile(sys.argv[3])
    results = build / "results"
    chosen = {}
    for program in sorted((build / "bin").glob("*_tests")):
        names = [name for name in names_in(program) if pattern.search(name) or pattern.search(program.name)]
        if names:
            chosen[program] = names
    scripts = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    scripts = [name for name in re.findall(r"Test +#\d+: (\S+)", scripts)
               if pattern.search(name) and not re.search(r"_tests\.\d+$", name)]
    if not chosen and not scripts:
        print(f"no test is called {sys.argv[3]}")
        return 1
    failed = False
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, count, done in pool.map(lambda item: run(*item, results), chosen.items()):
            failed |= done.returncode != 0
            print(done.stdout, end="")
            print(f"{name}: {count} tests{'' if done.returncode == 0 else ': FAILED'}", flush=True)
    if scripts:
        exact = "^(" + "|".join(map(re.escape, scripts)) + ")$"
        failed |= subprocess.run(["ctest", "--test-dir", build, "-j", str(jobs), "--output-on-failure", "-R", exact,
                                  "--output-junit", results / "ctest.xml"]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
