#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a game ships includes nothing of what makes characters, nobody includes by way of "../", and the CMake line of
each module lists the modules that its sources include: all of them, and no others.

layers_test.py SOURCE
"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]).resolve()

# What a game ships, what plays as a game would, and the modules it must not know.
RUN_TIME = ["core", "character", "runtime", "scene", "apps/stage/crowd", "apps/stage/battle", "apps/studio/preview"]
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

# The module's own line in its CMakeLists.txt against its sources. What a public header includes is PUBLIC.
lists = {}
for cmake in sorted(source.glob("*/CMakeLists.txt")) + sorted(source.glob("*/*/CMakeLists.txt")):
    for name, listed in re.findall(r"^throng_module\((\w+)([^)]*)\)", cmake.read_text(), re.M):
        kinds, kind = {}, None
        for word in listed.split():
            if word in ("PUBLIC", "PRIVATE", "BUILD"):
                kind = word
            elif word.startswith("throng::"):
                kinds[word.removeprefix("throng::")] = kind
        lists[name] = cmake.parent, kinds
for module, (folder, kinds) in lists.items():
    included = set()
    for path in sorted(folder.rglob("*")):
        room = path.relative_to(folder).parts[0]
        if path.suffix not in (".h", ".cpp") or room not in ("include", "src"):
            continue
        for other in sorted(set(re.findall(r'^\s*#\s*include\s*["<]throng/(\w+)/', path.read_text(), re.M))):
            if other == module or other not in lists:
                continue
            included.add(other)
            name = path.relative_to(source).as_posix()
            if other not in kinds:
                wrong.append(f"{name} includes throng/{other}/, which the CMake line of {module} does not list")
            elif room == "include" and kinds[other] != "PUBLIC":
                wrong.append(f"{name} includes throng/{other}/, which the CMake line of {module} lists as {kinds[other]}")
    wrong += [f"{module} lists throng::{other}, but includes nothing of it" for other in kinds if other not in included]

if files < 200 or len(OFFLINE) < 5 or len(lists) < 15:
    wrong.append(f"only {files} files and {len(OFFLINE)} offline modules of {len(lists)} were found; the check looks in the wrong place")
print("\n".join(wrong) or f"{files} files of the run time include nothing offline beyond the exceptions; "
                        f"{len(lists)} modules list what they include")
sys.exit(bool(wrong))
