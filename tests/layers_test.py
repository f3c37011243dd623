#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a game ships includes nothing of what makes characters, and nobody includes by way of "../".

layers_test.py SOURCE
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]).resolve()

# What a game ships, and the modules it must not know.
RUN_TIME = ["core", "character", "runtime", "scene"]
OFFLINE = sorted(folder.name for folder in (source / "offline").iterdir() if (folder / "CMakeLists.txt").exists())

# Folders that still include what they should not; a line may only ever go.
EXCEPTIONS = {}

wrong, files, met = [], 0, set()
for half in RUN_TIME:
    for path in sorted((source / half).rglob("*")):
        if path.suffix not in (".h", ".cpp") or "tests" in path.relative_to(source).parts:
            continue
        files += 1
        name = path.relative_to(source).as_posix()
        for module in re.findall(r'^\s*#\s*include\s*["<]throng/(\w+)/', path.read_text(), re.M):
            if module not in OFFLINE:
                continue
            room = next((room for room in EXCEPTIONS if name.startswith(room + "/") and module in EXCEPTIONS[room]), None)
            if room:
                met.add((room, module))
            else:
                wrong.append(f"{name} includes throng/{module}/, which is offline")
for room, modules in EXCEPTIONS.items():
    for module in modules:
        if (room, module) not in met:
            print(f"tests/layers_test.py: nothing in {room} includes throng/{module}/ any more: take the exception out")

# A header in src/ is its module's own; "../" would step round that.
for path in source.rglob("*"):
    relative = path.relative_to(source)
    if path.suffix in (".h", ".cpp") and relative.parts[0] not in ("build", "out"):
        if re.search(r'^\s*#\s*include\s*"\.\./', path.read_text(errors="replace"), re.M):
            wrong.append(f"{relative.as_posix()} includes by way of ../")

if files < 200 or len(OFFLINE) < 5:
    wrong.append(f"only {files} files and {len(OFFLINE)} offline modules were found; the check looks in the wrong place")
print("\n".join(wrong) or f"{files} files of the run time include nothing offline beyond the exceptions")
sys.exit(bool(wrong))
