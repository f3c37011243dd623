#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the sources that a build compiles.

lint.py BUILD JOBS FOLDER...      the sources below these folders, tests excepted

A source that was found clean is not looked at again until it, a header of ours that it includes, or .clang-tidy changes: what
was found is kept in the user's cache folder, as ccache keeps objects.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path.cwd()
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "throng" / "lint"


def wanted(build, folders):
    """{source: object} of what the build compiles below the folders."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        # Sources that are compiled together are linted together: the headers' filter lets their findings through.
        together = file.is_relative_to(build) and file.parent.name.startswith("together_") and not file.parent.name.endswith("_tests")
        if not file.is_relative_to(ROOT) or file.is_relative_to(build) and not together:
            continue
        parts = file.relative_to(build if together else ROOT).parts
        if parts[0] in folders and "tests" not in parts:
            yield file, entry.get("output") or entry["command"].split(" -o ")[1].split()[0]


def includes(build):
    """{object: the headers of ours that it was made of}, as ninja noted them when it compiled."""
    said = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found, current = {}, None
    for line in said.splitlines():
        if line.startswith("    "):
            path = (build / line.strip()).resolve()
            if path.is_relative_to(ROOT) and not path.name.endswith((".pch", ".gch")):
                found[current].append(path)
        elif ": " in line:
            current = line.split(": ")[0]
            found[current] = []
    return found


def key_of(source, headers):
    sums = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for path in [source, *sorted(headers)]:
        sums.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return CACHE / sums.hexdigest()


def lint(build, source):
    done = subprocess.run(["clang-tidy", "-p", build, "--quiet", "--warnings-as-errors=*", source],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def main():
    build, jobs, folders = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3:]
    CACHE.mkdir(parents=True, exist_ok=True)
    headers = includes(build)
    sources = dict(wanted(build, folders))
    if len(sources) < 50:
        sys.exit(f"lint: only {len(sources)} sources were found; the check looks in the wrong place")
    keys = {source: key_of(source, headers.get(output, [])) for source, output in sources.items()}
    todo = [source for source, key in keys.items() if not key.exists()]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for source, (code, said) in zip(todo, pool.map(lambda source: lint(build, source), todo)):
            if code == 0:
                keys[source].touch()
            else:
                failed += 1
                print(said)
    print(f"lint: {len(todo)} of {len(sources)} sources looked at, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
