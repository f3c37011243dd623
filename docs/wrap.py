#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wraps the prose of the Markdown pages at 120 columns; code, tables, headings and pictures stay as they are.

wrap.py            rewrites the pages
wrap.py --check    fails when that would change one
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 120
ITEM = re.compile(r"^(\s*)([-*]|\d+\.) +")


def pages():
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "shaders/README.md"))
    yield from (page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "reference.md")


def fill(text, first, rest):
    """Lines of at most WIDTH columns. No line begins with what Markdown would read as a list or a heading."""
    lines = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
    return all(not re.match(r"(#+|[-*+]|\d+\.)( |$)", line.strip()) for line in lines[1:]) and lines


def stays(line):
    return not line.strip() or line.lstrip().startswith(("|", "#", "![", "<", ">", "```"))


def wrapped(text):
    lines, out, i, fenced = text.split("\n"), [], 0, False
    inside_list = False
    while i < len(lines):
        line = lines[i]
        if line.lstrip().startswith("```"):
            fenced = not fenced
        indent = len(line) - len(line.lstrip())
        item = ITEM.match(line)
        code = indent >= 4 and not inside_list
        if fenced or stays(line) or code or (indent and not inside_list):
            if line.strip() and indent == 0 and not fenced:
                inside_list = False
            out.append(line)
            i += 1
            continue
        inside_list = bool(item) or (inside_list and indent > 0)
        first = item.group(0) if item else " " * indent
        rest = " " * len(first)
        block = [line]
        i += 1
        while i < len(lines) and not stays(lines[i]) and not ITEM.match(lines[i]) and not block[-1].endswith(("  ", "\\")):
            if not inside_list and lines[i].startswith("    "):
                break
            block.append(lines[i])
            i += 1
        words = " ".join(part.strip() for part in [block[0][len(first):], *block[1:]])
        # A page that keeps within the width is left as its author broke it.
        fits = all(len(part) <= WIDTH for part in block)
        out.extend(block if fits else fill(words, first, rest) or block)
    return "\n".join(out)


def main():
    changed = []
    for page in pages():
        text = page.read_text()
        if wrapped(text) != text:
            changed.append(page.relative_to(ROOT).as_posix())
            if sys.argv[1:] != ["--check"]:
                page.write_text(wrapped(text))
    if sys.argv[1:] == ["--check"] and changed:
        print("wider than 120 columns: " + ", ".join(changed))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
