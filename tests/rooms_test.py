#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whoever looks for a thing finds its room: folders hold no more files than one can take in, and a source's name leads
to the header that declares what it defines.

rooms_test.py SOURCE
"""
import collections
import pathlib
import sys

source = pathlib.Path(sys.argv[1]).resolve()

MOST_FILES = 27  # of a folder; "about 25"
ROOTS = ["apps", "character", "core", "offline", "runtime", "scene", "shaders", "tests", "benchmarks", "examples"]
CODE = {".h", ".cpp", ".glsl", ".hlsl", ".essl", ".comp", ".vert", ".frag", ".py", ".cmake"}

# Families, each with one header that lists its members: what such a source is named like, and that header.
FAMILIES = {
    "character/src/encodings/*.cpp": "character/src/encodings/entry.h",
    "apps/stage/*_command.cpp": "apps/stage/command.h",
    "apps/throng/*_command.cpp": "apps/stage/command.h",
}
# Programs, and another's code compiled under our names.
ALONE = {"apps/throng/main.cpp", "apps/studio/main.cpp", "runtime/gpu/src/volk.cpp"}


def files():
    for root in ROOTS:
        for path in sorted((source / root).rglob("*")):
            relative = path.relative_to(source)
            if path.is_file() and path.suffix in CODE and "__pycache__" not in relative.parts:
                yield relative


def module_of(path):
    """The folder that holds both src/ and include/, or the program's folder."""
    parts = path.parts
    return pathlib.Path(*parts[: parts.index("src")]) if "src" in parts else pathlib.Path(*parts[:2])


wrong = []
everything = list(files())
for folder, count in collections.Counter(path.parent for path in everything).items():
    if count > MOST_FILES:
        wrong.append(f"{folder.as_posix()} holds {count} files; more than {MOST_FILES} means that it has rooms")

headers = collections.defaultdict(set)  # of each module, by name
for path in everything:
    if path.suffix == ".h":
        headers[module_of(path) if "include" not in path.parts else
                pathlib.Path(*path.parts[: path.parts.index("include")])].add(path.stem)

sources = 0
for path in everything:
    first = path.parts[0]
    if path.suffix != ".cpp" or first in ("tests", "benchmarks", "examples") or "tests" in path.parts:
        continue
    sources += 1
    name = path.as_posix()
    family = next((header for pattern, header in FAMILIES.items() if path.match(pattern)), None)
    if name in ALONE or (family and (source / family).exists()):
        continue
    # tail_of_name.cpp belongs to tail_of_name.h, or to tail_of.h or tail.h.
    words = path.stem.split("_")
    if not any("_".join(words[:n]) in headers[module_of(path)] for n in range(len(words), 0, -1)):
        wrong.append(f"{name} has no header: name it like the header that declares what is in it, or as that and _more")

if sources < 300 or len(everything) < 900:
    wrong.append(f"only {sources} sources of {len(everything)} files were found; the check looks in the wrong place")
print("\n".join(wrong) or f"{sources} sources are found by their headers, {len(everything)} files in their rooms")
sys.exit(bool(wrong))
