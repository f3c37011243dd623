#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference.md from the public headers: a section a header, a line for each type and function.

make_reference.py            writes it
make_reference.py --check    fails when a header, type or function is not in it, or one in it is gone
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"
# Folders of modules, from what a game includes to what a bake needs.
ROOMS = ["runtime/renderer", "runtime/gpu", "runtime/cast", "runtime/playback", "runtime/animator", "runtime/ragdoll", "character",
         "scene", "core/base", "core/math", "offline"]
WIDTH = 120
INTRO = """# Reference

Every public header, with a line for each type and function; the header itself says the rest.
`docs/make_reference.py` writes this page from them.
Structures shared with shaders are in `shaders/include/throng/shaders`.

"""


class Item:
    """A type, a function, a constant, or a method of a type."""

    def __init__(self, name, code, words, fields=()):
        self.name, self.code, self.words, self.fields = name, code, words, list(fields)


def first_sentence(comment):
    text = " ".join(comment)
    end = re.search(r"(?<![ .][a-z])(?<!e\.g)\.( |$)|:$", text)
    return text[: end.start() + 1].rstrip(":") if end else text


def split_comment(line):
    """Code and trailing comment of a line."""
    at = line.find("//")
    return (line, "") if at < 0 else (line[:at], line[at + 2 :].strip())


def statements(lines):
    """(comment above, code up to ; or the outermost closing brace, trailing comment, lines), as the lines follow."""
    comment, code, trailing, source, depth = [], "", [], [], 0
    for raw in lines:
        line = raw.rstrip()
        if not code and line.strip().startswith("//"):
            comment.append(line.strip()[2:].strip())
            continue
        if not line.strip():
            source.append("")
            if not code:
                comment = []
            continue
        source.append(line)
        if line.startswith("#"):
            continue
        text, note = split_comment(line)
        code += text.rstrip() + "\n"
        if note and depth == 0:
            trailing.append(note)
        depth += text.count("{") - text.count("}")
        bare = text.rstrip()
        if depth == 0 and (bare.endswith(";") or bare.endswith("}") or bare.endswith(":")):
            yield comment, code, trailing, source
            comment, code, trailing, source = [], "", [], []


def head_of(code):
    """A declaration on one line, without its body, initialiser list or the template line."""
    text = " ".join(code.split())
    text = re.sub(r"^template <[^>]*> ", "", text)
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and (c == "{" or (c == ":" and text[i - 1] == " " and text[i + 1] == " ")):
            text = text[:i]
            break
    return text.strip().rstrip(";").strip()


def function_of(head):
    """(name, signature) when it is a function worth a line."""
    found = re.match(r"^(?P<result>.*?[\s&*])?(?P<name>~?\w+)\((?P<rest>.*)$", head)
    if not found or "operator" in head or "= delete" in head or "friend" in head or "static_assert" in head:
        return None
    text = re.sub(r"\[\[\w+\]\]\s*|^(inline|constexpr|virtual|explicit|static)\s+", "", head)
    text = re.sub(r"^(inline|constexpr|static)\s+", "", text)
    text = re.sub(r"( (override|noexcept|= default|= 0))+$", "", text)
    return found["name"], text


def without_templates(text):
    while text != (shorter := re.sub(r"<[^<>]*>", "", text)):
        text = shorter
    return text


def field_names(head):
    """Names that one declaration gives, whatever its type and initial values."""
    plain = without_templates(re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", head))
    return [part.split("=")[0].split()[-1] for part in plain.split(",") if part.split("=")[0].split()]


def members_of(code, source):
    """Public methods and fields of a class or struct."""
    first = next(i for i, line in enumerate(source) if split_comment(line)[0].rstrip().endswith("{"))
    public = not code.lstrip().startswith("class")
    indented = (line[2:] if line.startswith("  ") else line.strip() for line in source[first + 1 : -1])
    for comment, statement, trailing, _ in statements(indented):
        label = statement.strip()
        if label in ("public:", "private:", "protected:"):
            public = label == "public:"
        elif public and "operator" not in label and re.match(r"(struct|class|enum|using|friend)\b", label) is None:
            head = head_of(statement)
            if "(" not in without_templates(head):
                for name in field_names(head):
                    yield "field", name, trailing
            elif function := function_of(head):
                yield "method", function, comment or trailing


def items_of(lines):
    for comment, code, trailing, source in statements(lines):
        head, words = head_of(code), first_sentence(comment) or first_sentence(trailing)
        kind = re.match(r"^(struct|class|enum class) (\w+)", head)
        if kind and "{" in code:
            if kind[1] == "enum class":
                values = re.sub(r"//[^\n]*", "", code[code.index("{") + 1 : code.rindex("}")])
                names = [v.split("=")[0].strip() for v in values.split(",") if v.strip()]
                yield Item(kind[2], f"enum class {kind[2]}", words, names)
                continue
            members = list(members_of(code, source)) if source[-1] == "};" else []
            fields = [what for sort, what, _ in members if sort == "field" and what]
            yield Item(kind[2], f"{kind[1]} {kind[2]}", words, fields)
            for sort, what, note in members:
                if sort == "method" and what[0].lstrip("~") != kind[2]:
                    yield Item(f"{kind[2]}::{what[0]}", what[1], first_sentence(note))
        elif head.startswith("using ") and "=" in head:
            name = head.split()[1]
            yield Item(name, f"using {name}", words)
        elif "constexpr" in head and "(" not in head.split("=")[0]:
            name = head.split("=")[0].split()[-1]
            yield Item(name, name, words)
        elif (function := function_of(head)) and not head.startswith("using"):
            yield Item(function[0], function[1], words)


def read_header(path):
    """(what it is for, items)."""
    lines = path.read_text().split("\n")
    about = []
    first = next(i for i, line in enumerate(lines) if line and not line.startswith("#pragma") and "SPDX" not in line)
    for line in lines[first:]:
        if not line.startswith("//") or line.strip() == "//":
            break
        about.append(line[2:].strip())
    inside, depth = [], 0
    for line in lines:
        if re.match(r"^namespace throng \{", line):
            depth = 1
        elif re.match(r"^\}  // namespace throng$", line):
            depth = 0
        elif depth:
            inside.append(line)
    return " ".join(about), list(items_of(inside))


def headers():
    """(name to include it by, path) of every public header, room by room; a folder that holds modules is all of them."""
    for room in ROOMS:
        for folder in sorted((ROOT / room).glob("**/include")):
            for path in sorted(folder.rglob("*.h")):
                yield path.relative_to(folder).as_posix(), path


def bullet(indent, code, words):
    """A list item; the code stays on one line, whatever its length."""
    text = f"{indent}- `{code}`"
    if not words:
        return text + "\n"
    whole = f"{text}: {words}"
    if len(whole) <= WIDTH:
        return whole + "\n"
    return text + ":\n" + textwrap.fill(words, WIDTH, initial_indent=indent + "  ", subsequent_indent=indent + "  ",
                                       break_long_words=False, break_on_hyphens=False) + "\n"


def section(name, path):
    about, items = read_header(path)
    text = f"## {name}\n\n{textwrap.fill(about, WIDTH, break_long_words=False, break_on_hyphens=False)}\n\n"
    for item in items:
        words = item.words
        if item.fields:
            words += (" " if words else "") + ", ".join(f"`{field}`" for field in item.fields)
        text += bullet("  " if "::" in item.name else "", item.code, words)
    return text + "\n"


def write():
    PAGE.write_text(INTRO + "".join(section(name, path) for name, path in headers()))


def check():
    """Names, not words: a comment may be mended without writing the page anew."""
    page = PAGE.read_text() if PAGE.exists() else ""
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.S | re.M))
    wrong = []
    known = dict(headers())
    for name, path in known.items():
        if name not in sections:
            wrong.append(f"{name} is not in docs/reference.md")
            continue
        for item in read_header(path)[1]:
            plain = item.name.split("::")[-1]
            if not re.search(rf"\b{re.escape(plain)}\b", sections[name]):
                wrong.append(f"{name}: {item.name} is not in docs/reference.md")
    wrong += [f"docs/reference.md: there is no header {name} any more" for name in sections if name not in known]
    if len(known) < 20:
        wrong.append(f"only {len(known)} headers were found; the check looks in the wrong place")
    for line in wrong:
        print(line)
    if wrong:
        print("run docs/make_reference.py")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    write()
