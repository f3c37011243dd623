#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference.md from the public headers: a section a header, a row for each type, constructor, function and
constant, with the sentence its header says about it; fields and enumerators as the header declares them.

make_reference.py            writes it
make_reference.py --check    fails when the page is not what the headers say, when a name has no sentence, when a
                             signature is not the header's, word for word, and when a constructor is missing
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"
# Folders of modules, from what a game includes to what a bake needs.
ROOMS = ["runtime/renderer", "runtime/gpu", "runtime/cast", "runtime/playback", "runtime/plan", "runtime/animator", "runtime/ragdoll", "character",
         "scene", "core/base", "core/math", "offline"]
WIDTH = 120
INTRO = """# Reference

Every public header, with a row for each type, constructor, function and constant, and with all fields and enumerators;
the header itself says the rest. Everything is in namespace `throng`. Left out are operators, destructors, and
constructors that copy or move. `docs/make_reference.py` writes this page from the headers. Structures shared with
shaders are in `shaders/include/throng/shaders`.

"""
# What a declaration may end with besides its signature.
TAIL = re.compile(r"(\s*(override|final|noexcept|=\s*default))+$")
# What may stand before it and says nothing to who calls it.
LEAD = re.compile(r"^(\[\[\w+\]\]|inline|friend)\s+")
LABELS = ("public:", "private:", "protected:")


class Item:
    """A row: a name, its declaration, and what the header says about it. `block` is declarations, line by line."""

    def __init__(self, name, code, words, block=(), members=()):
        self.name, self.code, self.words, self.block, self.members = name, code, words, list(block), list(members)


def first_sentence(comment):
    """What a comment begins with, as a sentence: comments behind a declaration have no capital and no full stop."""
    text = " ".join(comment)
    if end := re.search(r"(?<![ .][a-z])(?<!e\.g)\.( |$)|:$", text):
        text = text[: end.start() + 1].rstrip(":")
    if re.match(r"[a-z]+([ ,;:]|$)", text):
        text = text[0].upper() + text[1:]
    return text + "." if text and text[-1] not in ".…!?" else text


def split_comment(line):
    """Code and trailing comment of a line."""
    at = line.find("//")
    return (line, "") if at < 0 else (line[:at], line[at + 2 :].strip())


class Statement:
    """A declaration: the comment above it, its code, the comments behind it, and its lines as they are."""

    def __init__(self, comment, code, trailing, lines):
        self.comment, self.code, self.trailing, self.lines = comment, code, trailing, lines
        self.text = " ".join(code.split())
        self.words = ""


def statements(lines):
    """The declarations as they follow. A comment stays with all that follow it closely: up to an empty line, or one
    with a comment of its own; own_words() says whom it is about."""
    comment, said, code, trailing, source, depth = [], False, "", [], [], 0
    macro = False
    for raw in lines:
        line = raw.rstrip()
        if macro or line.startswith("#"):
            if line.startswith("#define"):
                yield Statement(comment, line, [], [line])
            macro = line.endswith("\\")
            continue
        if not code and line.strip().startswith("//"):
            if said:
                comment, said = [], False
            comment.append(line.strip()[2:].strip())
            continue
        if not line.strip():
            source += [""] if code else []
            if not code:
                comment, said = [], False
            continue
        source.append(line)
        text, note = split_comment(line)
        code += text.rstrip() + "\n"
        if note and depth == 0:
            trailing.append(note)
        depth += text.count("{") - text.count("}")
        bare = text.rstrip()
        if depth == 0 and (bare.endswith((";", "}")) or bare.strip() in LABELS):
            yield Statement(comment, code, trailing, source)
            code, trailing, source, said = "", [], [], True


def without_template(text):
    """A declaration without the template line before it."""
    if not text.startswith("template"):
        return text
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "<") - (c == ">")
        if c == ">" and depth == 0:
            return text[i + 1 :].strip()
    return text


def head_of(text):
    """A declaration without its body, list of initialisers and the template line."""
    text = without_template(text)
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        after_arguments = depth == 0 and ")" in text[:i]
        if after_arguments and (c == "{" or (c == ":" and text[i - 1] == " " and text[i + 1] == " ")):
            return text[:i].strip()
    return text.strip().rstrip(";").strip()


def without_angles(text):
    while text != (shorter := re.sub(r"<[^<>]*>", "", text)):
        text = shorter
    return text


def is_function(text):
    """Whether it has arguments before any value: what is in brackets of a type (std::function<void()>) is none."""
    return "(" in re.split(r"[={]", without_angles(re.sub(r"\[\[\w+\]\]", "", text)), maxsplit=1)[0]


def signature_of(statement):
    """(name, signature) of a function worth a row."""
    if re.search(r"\boperator\b|= delete|\bstatic_assert\b|^friend\b|^~|^virtual ~", statement.text):
        return None
    head = head_of(statement.text)
    while head != (shorter := LEAD.sub("", head)):
        head = shorter
    head = TAIL.sub("", head)
    found = re.match(r"^(.*?[\s&*])?(?P<name>\w+)\(", without_angles(head))
    return (found["name"], head) if found else None


def copies_or_moves(name, signature):
    return re.search(rf"\b{name}\((const {name}&|{name}&&)( \w+)?\)$", signature) is not None


def body_of(statement):
    """The lines between the outermost braces, moved to the left."""
    first = next(i for i, line in enumerate(statement.lines) if split_comment(line)[0].rstrip().endswith("{"))
    return textwrap.dedent("\n".join(re.sub(r"^ (public|private|protected):", r"\1:", line)
                                     if line.strip() in LABELS else line[2:] if line.startswith("  ") else line.strip()
                                     for line in statement.lines[first + 1 : -1])).split("\n")


def own_words(statement, previous, said):
    """What is said about a declaration: the comment above it, or else behind it; of another form of a function, what
    was said of the first. `said` holds that by name."""
    shared = previous is not None and previous.comment is statement.comment
    above, behind = first_sentence(statement.comment), first_sentence(statement.trailing)
    words = behind if shared else above or behind
    function = signature_of(statement) if is_function(statement.text) else None
    if function and words:
        said.setdefault(function[0], words)
    return words or (said.get(function[0], "") if function else "")


def members_of(kind, statement):
    """(lines of fields, rows of constructors, functions and types inside) of what is public."""
    keyword, name = kind
    public, block, rows, previous, said = keyword == "struct", [], [], None, {}
    for member in statements(body_of(statement)):
        if member.text in LABELS:
            public = member.text == "public:"
            continue
        if not public or member.text.startswith(("friend", "static_assert", "#")) or "operator" in member.text:
            continue
        member.words = own_words(member, previous, said)
        if inner := type_in(member, member.words, name + "::"):
            rows.append(inner)
        elif re.match(r"(struct|class|enum class|enum) \w+;", member.text):
            pass
        elif member.text.startswith("using "):
            rows.append(alias(member, member.words, name + "::"))
        elif not is_function(member.text):
            if member.comment and not (previous and previous.comment is member.comment):
                block += [f"// {line}".rstrip() for line in member.comment]
            block += member.lines
        elif (function := signature_of(member)) and not copies_or_moves(name, function[1]):
            rows.append(Item(f"{name}::{function[0]}", function[1], member.words))
        previous = member
    return block, rows


def alias(statement, words, prefix=""):
    name = re.match(r"using (\w+)", without_template(statement.text))
    return Item(prefix + name[1], without_template(statement.text).rstrip(";"), words) if name else None


def type_in(statement, words, prefix=""):
    """The row of a struct, class or enumeration that is defined here."""
    text = without_template(statement.text)
    found = re.match(r"^(struct|class|enum class) (\w+)[^;(]*\{", text)
    if not found:
        return None
    kind = (found[1], found[2])
    base = re.match(r"^[^{]*", text)[0].strip()
    if kind[0] == "enum class":
        inside = "\n".join(statement.lines)
        inside = textwrap.dedent(inside[inside.index("{") + 1 : inside.rindex("}")]).strip("\n")
        return Item(prefix + kind[1], base, words, [line.strip() for line in inside.split("\n") if line.strip()])
    one_line = len(statement.lines) == 1 or statement.lines[-1].strip() != "};"
    block, rows = ([], []) if one_line else members_of(kind, statement)
    return Item(prefix + kind[1], base, words, block, rows)


def items_of(lines):
    previous, said = None, {}
    for statement in statements(lines):
        words = own_words(statement, previous, said)
        text = without_template(statement.text)
        if item := type_in(statement, words):
            yield item
        elif text.startswith("#define"):
            if found := re.match(r"#define (THRONG_\w*[A-Z]\([^)]*\))", text):
                yield Item(found[1].split("(")[0], found[1], words)
        elif text.startswith("concept "):
            yield Item(text.split()[1], " ".join(text.split()[:2]), words)
        elif text.startswith("using ") and "=" in text:
            yield alias(statement, words)
        elif text.startswith(("namespace", "using ", "static_assert", "struct ", "class ", "enum ", "}")) and not is_function(text):
            pass
        elif "constexpr" in text and not is_function(text):
            code = re.sub(r"^inline ", "", text.rstrip(";"))
            yield Item(re.split(r"[={\[]", without_angles(code))[0].split()[-1], shortened(code), words)
        elif is_function(text) and (function := signature_of(statement)):
            yield Item(function[0], function[1], words)
        previous = statement


def shortened(code):
    """A constant without a value that is a table."""
    return code if len(code) <= WIDTH else re.split(r"\s*[={]", code)[0]


def inside_throng(lines):
    """What is in namespace throng, and macros; what is in a namespace within it is private."""
    inside, private, macro = False, False, False
    for line in lines:
        if line.startswith("#define") or macro:
            macro = line.endswith("\\")
            yield line
        elif re.match(r"^namespace throng \{", line):
            inside = True
        elif re.match(r"^\}  // namespace throng$", line):
            inside = False
        elif inside and re.match(r"^namespace ", line):
            private = not line.endswith("}")
        elif private:
            private = not line.startswith("}")
        elif inside:
            yield line
        elif not inside and line.startswith("//") and not line.startswith("// SPDX"):
            yield line
        elif not line.strip():
            yield line


def read_header(name, text):
    """(what it is for, items)."""
    lines = text.split("\n")
    about = []
    first = next(i for i, line in enumerate(lines) if line and not line.startswith("#pragma") and "SPDX" not in line)
    for line in lines[first:]:
        if not line.startswith("//") or line.strip() == "//":
            break
        about.append(line[2:].strip())
    about = " ".join(about)
    items = list(items_of(inside_throng(lines)))
    return about, [described(item, name, about) for item in items]


def described(item, header, about):
    """What a header is named after is what its first words are about."""
    if not item.words and item.name.lower() == header.rsplit("/", 1)[-1].removesuffix(".h").replace("_", ""):
        item.words = first_sentence([about])
    return item


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


def row(item, indent=""):
    text = bullet(indent, item.code, item.words)
    if item.block:
        lines = "\n".join(item.block).strip("\n").split("\n")
        text += "".join(f"{indent}  {line}".rstrip() + "\n" for line in ["```cpp", *lines, "```"])
    return text + "".join(row(member, indent + "  ") for member in item.members)


def section(name, text):
    about, items = read_header(name, text)
    page = f"## {name}\n\n{textwrap.fill(about, WIDTH, break_long_words=False, break_on_hyphens=False)}\n\n"
    return page + "".join(row(item) for item in items) + "\n"


def page_of(texts):
    """The page for {name: text of the header}."""
    return (INTRO + "".join(section(name, text) for name, text in texts.items())).rstrip("\n") + "\n"


def bare(text):
    """Code without comments and spaces, to be compared."""
    return re.sub(r"\s", "", re.sub(r"//[^\n]*", "", text))


def rows_of(items):
    for item in items:
        yield item
        yield from rows_of(item.members)


def constructors_in(text):
    """(class, its constructor's bare text) of the public ones, found without the parser above: by their indentation."""
    name, public = None, False
    lines = re.sub(r"//[^\n]*", "", text).split("\n")
    for i, line in enumerate(lines):
        if found := re.match(r"^(class|struct) (\w+)[^;]*\{$", line.rstrip()):
            name, public = found[2], found[1] == "struct"
        elif line.startswith("}"):
            name = None
        elif line.strip() in LABELS:
            public = line.strip() == "public:"
        elif name and public and re.match(rf"^  (explicit |constexpr )*{name}\(", line):
            whole = bare("\n".join(lines[i : i + 8]))
            signature = re.match(rf"^(explicit|constexpr)*{name}\(.*?\)(?=[;{{:=]|noexcept)", whole)
            if not re.search(rf"{name}\((const{name}&|{name}&&)\w*\)", signature[0]) and "=delete" not in whole.split(";")[0]:
                yield name, signature[0]


def is_default_constructor(item):
    """It needs no words: it makes what the class is said to be."""
    return re.fullmatch(r"(constexpr )?(\w+)\(\)", item.code) is not None and item.name.endswith(f"::{item.code.split()[-1][:-2]}")


def wrong_in_header(name, text):
    """What is missing or mangled in one header's rows."""
    items = list(rows_of(read_header(name, text)[1]))
    code = bare(text)
    for item in items:
        if not item.words and not is_default_constructor(item):
            yield f"{name}: {item.name} has no sentence; write one above it"
        # What follows must end a declaration: a signature that was cut short is followed by the rest of itself.
        ends = re.compile(re.escape(bare(item.code)) + r"(override|final|noexcept|=default|\\)*(?=[;{:=]|$)")
        if not item.code.startswith(("concept ", "THRONG_")) and not ends.search(code) and len(item.code) <= WIDTH:
            yield f"{name}: '{item.code}' is not what the header declares"
    rows = {bare(item.code) for item in items}
    for kind, signature in constructors_in(text):
        if signature not in rows:
            yield f"{name}: a constructor of {kind} is missing: {signature}"


def check(texts, page):
    """What is wrong with the page, line by line."""
    wrong = [line for name, text in texts.items() for line in wrong_in_header(name, text)]
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.S | re.M))
    made = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page_of(texts), re.S | re.M))
    for name, text in made.items():
        if sections.get(name, "").strip() != text.strip():
            wrong.append(f"{name}: docs/reference.md does not say what the header says; run docs/make_reference.py")
    wrong += [f"docs/reference.md: there is no header {name} any more" for name in sections if name not in texts]
    return wrong


def main(arguments):
    texts = {name: path.read_text() for name, path in headers()}
    if arguments != ["--check"]:
        PAGE.write_text(page_of(texts))
        return 0
    wrong = check(texts, PAGE.read_text() if PAGE.exists() else "")
    if len(texts) < 20:
        wrong.append(f"only {len(texts)} headers were found; the check looks in the wrong place")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
