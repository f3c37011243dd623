#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C++ of a page as a source that can be compiled, so that what the page shows works.

page_code.py PAGE OUTPUT

All blocks marked cpp are one function, in their order; their #include lines come first. A page may leave out what every
reader has of their own, and say what that is where only the build sees it, before any of its blocks:

<!-- given: VkCommandBuffer my_commands; -->
"""
import pathlib
import re
import sys


def blocks(text):
    return re.findall(r"^```cpp\n(.*?)^```$", text, re.S | re.M)


def source_of(name, text):
    code = "\n".join(blocks(text))
    if not code:
        raise SystemExit(f"{name}: has no block of C++")
    includes = [line for line in code.split("\n") if line.startswith("#include")]
    body = [line for line in code.split("\n") if not line.startswith("#include")]
    given = [part.strip() for part in re.findall(r"<!-- given:\s(.*?)-->", text, re.S)]
    lines = [*dict.fromkeys(includes), "", "namespace {", *given, f"[[maybe_unused]] void page() {{  // {name}", *body, "}", "}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    page, output = map(pathlib.Path, sys.argv[1:])
    output.write_text(source_of(page.name, page.read_text()))
