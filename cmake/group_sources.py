#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts sources together that may be compiled as one: a compiler then reads what they share, and makes what they instantiate, once.

group_sources.py MOST FILE...     prints a group a line, its files separated by spaces

Two files stay apart when one declares a name at namespace scope that the other has anywhere: it could be another thing there. So do
files that define macros, and files that let in different namespaces. Layout by clang-format is relied on: what is at namespace scope begins a line.
"""
import pathlib
import re
import sys

DECLARED = [
    re.compile(r"(?:template <.*> )?(?:struct|class|enum class|enum|using|union) (\w+)"),
    re.compile(r"[^=(]*?[ &*](\w+)\("),  # a function, or a variable made with ()
    re.compile(r"[^=({]*?[ &*](\w+)(?:\[\w*\])*(?: =|\{|;)"),
]
SKIPPED = ("#", "//", "}", "{", "namespace", "TEST", "INSTANTIATE", "template", "static_assert", "extern", "public:", "private:", ")", " ")


def declared(text):
    """The names a source declares at namespace scope; None when it defines macros."""
    if re.search(r"^\s*#\s*define", text, re.M):
        return None
    names = set()
    for line in text.splitlines():
        if not line or line.startswith(SKIPPED):
            continue
        for pattern in DECLARED:
            if found := pattern.match(line):
                names.add(found[1])
                break
    return names - {"namespace"}


def let_in(text):
    return set(re.findall(r"^using namespace ([\w:]+);", text, re.M))


def words(text):
    text = re.sub(r"//.*", "", text)
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def main():
    most, files = int(sys.argv[1]), sys.argv[2:]
    texts = {file: pathlib.Path(file).read_text() for file in files}
    names = {file: declared(text) for file, text in texts.items()}
    used = {file: words(text) for file, text in texts.items()}
    groups = []
    for file in files:
        alone = names[file] is None
        for group in groups:
            if alone or len(group) >= most or names[group[0]] is None:
                continue
            if let_in(texts[file]) != let_in(texts[group[0]]):
                continue
            if all(not names[file] & used[other] and not names[other] & used[file] for other in group):
                group.append(file)
                break
        else:
            groups.append([file])
    print("\n".join(" ".join(group) for group in groups))


if __name__ == "__main__":
    main()
