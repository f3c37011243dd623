#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts sources together that may be compiled as one: a compiler then reads what they share, and makes what they instantiate, once.

group_sources.py MOST LIST     LIST has a target and its sources a line, separated by spaces; prints a target and a group of its
                               sources a line, for each group of two and more

Two files stay apart when one declares a name in an unnamed namespace that the other has anywhere: it could be another thing there. So do
files that declare the same name elsewhere, files that define macros, and files that let in different namespaces. Layout by clang-format is
relied on: what is at namespace scope begins a line.
"""
import pathlib
import re
import sys

DECLARED = [
    re.compile(r"(?:template <.*> )?(?:struct|class|enum class|enum|union) (\w+)"),
    re.compile(r"(?:template <.*> )?using (\w+) ="),
    re.compile(r"[^=(]*?[ &*](\w+)\("),  # a function, or a variable made with ()
    re.compile(r"[^=({]*?[ &*](\w+)(?:\[\w*\])*(?: =|\{|;)"),
]
SKIPPED = ("#", "//", "}", "{", "namespace", "TEST", "INSTANTIATE", "template", "static_assert", "extern", "using namespace", "public:", "private:", ")", " ")


def declared(text):
    """The names a source declares at namespace scope, in unnamed namespaces and in others; None when it defines macros."""
    if re.search(r"^\s*#\s*define", text, re.M):
        return None
    unnamed, named, inside = set(), set(), False
    for line in text.splitlines():
        if line == "namespace {":
            inside = True
        elif line == "}  // namespace":
            inside = False
        if not line or line.startswith(SKIPPED):
            continue
        for pattern in DECLARED:
            if found := pattern.match(line):
                (unnamed if inside or line.startswith("static ") else named).add(found[1])
                break
    return unnamed, named


def let_in(text):
    return set(re.findall(r"^using namespace ([\w:]+);", text, re.M))


def words(text):
    text = re.sub(r"//.*", "", text)
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    return set(re.findall(r"(?<![\w.>:])[A-Za-z_]\w*", text))  # members and qualified names are what they are


def clash(one, other, names, used):
    return names[one][0] & used[other] or names[other][0] & used[one] or names[one][1] & names[other][1]


def groups_of(files, most):
    texts = {file: pathlib.Path(file).read_text() for file in files}
    names = {file: declared(text) for file, text in texts.items()}
    used = {file: words(text) for file, text in texts.items()}
    groups = []
    for file in files:
        for group in groups:
            if names[file] is None or names[group[0]] is None or len(group) >= most:
                continue
            if let_in(texts[file]) == let_in(texts[group[0]]) and not any(clash(file, other, names, used) for other in group):
                group.append(file)
                break
        else:
            groups.append([file])
    return groups


def main():
    most, targets = int(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text().splitlines()
    for target, *files in map(str.split, targets):
        for group in groups_of(files, most):
            if len(group) > 1:
                print(target, *group)


if __name__ == "__main__":
    main()
