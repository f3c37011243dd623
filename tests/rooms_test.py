#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whoever looks for a thing finds its room: folders hold no more files than one can take in, and a source's name leads
to the header that declares what it defines. Every file that can have a comment says its licence in its first lines, and
shaders, which clang-format does not lay out, are no wider than what it does.

rooms_test.py SOURCE
"""
import collections
import pathlib
import subprocess
import sys

source = pathlib.Path(sys.argv[1]).resolve()

MOST_FILES = 25  # of a folder
ROOTS = ["apps", "character", "core", "offline", "runtime", "scene", "shaders", "tests", "benchmarks", "examples", "web"]
SHADERS = {".glsl", ".hlsl", ".essl", ".comp", ".vert", ".frag"}
MOST_COLUMNS = 120
CODE = {".h", ".cpp", ".py", ".cmake"} | SHADERS

# Where no comment can stand, or where LICENSE speaks for all of them.
WITHOUT_LICENCE = {".md", ".json", ".jpg", ".png", ".webp", ".glb"}
LICENCE = "SPDX-License-Identifier: Apache-2.0"
# What is made, not written: of a copy that is no git checkout.
MADE = {".git", ".gpu", "build", "out", "__pycache__", "node_modules"}

# Families, each with one header that lists its members: what such a source is named like, and that header.
FAMILIES = {
    "character/src/encodings/*.cpp": "character/src/encodings/entry.h",
    "apps/stage/*_command.cpp": "apps/stage/command.h",
    "apps/throng/*_command.cpp": "apps/stage/command.h",
}
# Programs, and another's code compiled under our names.
ALONE = {"apps/throng/main.cpp", "apps/studio/main.cpp", "runtime/gpu/src/volk.cpp", "web/test/truth/web_truth.cpp"}


def files():
    for root in ROOTS:
        for path in sorted((source / root).rglob("*")):
            relative = path.relative_to(source)
            if path.is_file() and path.suffix in CODE and "__pycache__" not in relative.parts:
                yield relative


def written():
    """Every file that git has or would add."""
    git = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, text=True)
    if git.returncode == 0 and git.stdout:
        found = [pathlib.Path(name) for name in git.stdout.split("\0") if name]
    else:
        found = [path.relative_to(source) for path in source.rglob("*")]
    return sorted(path for path in found if (source / path).is_file() and not MADE & set(path.parts))


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

licensed = 0
for path in written():
    if path.suffix in WITHOUT_LICENCE or path.name == "LICENSE":
        continue
    licensed += 1
    if LICENCE not in "".join((source / path).read_text(errors="replace").splitlines(True)[:3]):
        wrong.append(f"{path.as_posix()} does not say its licence in its first lines: {LICENCE}")

shaders = 0
for path in everything:
    if path.suffix not in SHADERS:
        continue
    shaders += 1
    for number, line in enumerate((source / path).read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > MOST_COLUMNS:
            wrong.append(f"{path.as_posix()}:{number} has {len(line)} columns; more than {MOST_COLUMNS} are to be wrapped")

if licensed < len(everything):
    wrong.append(f"only {licensed} files were looked at for their licence; the check looks in the wrong place")
if sources < 300 or shaders < 90 or len(everything) < 900:
    wrong.append(f"only {sources} sources and {shaders} shaders of {len(everything)} files were found; the check looks in "
                 "the wrong place")
print("\n".join(wrong) or f"{sources} sources are found by their headers, {len(everything)} files in their rooms, "
                        f"{licensed} say their licence")
sys.exit(bool(wrong))
