#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the page into one file: style, modules and WebAssembly, with a policy that allows nothing else.

bundle.py TEMPLATE STYLE MAIN_MODULE FOLDERS WASM OUTPUT

FOLDERS, parted by commas, are where modules lie as they see one another: FOLDER=AS. A file of a page cannot import a
neighbour where it is opened from disk, so that modules become functions, run in the order in which they need one
another. They are written for it: named imports and exports, one statement a line or parted by commas.
"""
import base64
import hashlib
import pathlib
import re
import sys

IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']+)';\n", re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.M)
LIST = re.compile(r"^export \{([^}]*)\};\n", re.M)


class Bundle:
    def __init__(self, folders):
        self.folders = folders  # (where it lies, what it is called)
        self.order = []
        self.texts = {}

    def read(self, name):
        for folder, called in self.folders:
            if name.startswith(called) and (folder / name[len(called):]).is_file():
                return (folder / name[len(called):]).read_text()
        sys.exit(f"bundle.py: {name}: no such module")

    def take(self, name):
        if name in self.texts:
            return
        self.texts[name] = None
        text = self.read(name)

        def wanted(match):
            path = []
            for step in (pathlib.PurePosixPath(name).parent / match[2]).parts:
                path = path[:-1] if step == ".." else path + [step]
            other = "/".join(path)
            self.take(other)
            names = ", ".join(part.strip().replace(" as ", ": ") for part in match[1].split(",") if part.strip())
            return f"const {{ {names} }} = modules['{other}'];\n"

        text = IMPORT.sub(wanted, text)
        exported = EXPORT.findall(text)
        text = EXPORT.sub("", text)
        for listed in LIST.findall(text):
            exported += [part.strip() for part in listed.split(",") if part.strip()]
        text = LIST.sub("", text)
        if re.search(r"^(import|export) ", text, re.M):
            sys.exit(f"bundle.py: {name}: an import or export of another form than this knows")
        # The address of a module that lies in a page means nothing.
        text = text.replace("import.meta.url", "location.href")
        self.texts[name] = f"modules['{name}'] = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"
        self.order.append(name)


def main(template, style, module, folders, wasm, output):
    bundle = Bundle([(pathlib.Path(folder), called) for folder, called in (pair.split("=") for pair in folders.split(","))])
    bundle.take(module)
    script = "const modules = {};\n" + "".join(bundle.texts[name] for name in bundle.order)
    if "</script" in script:
        sys.exit("bundle.py: a module says </script, which would end it")
    style = pathlib.Path(style).read_text()

    def allowed(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    policy = (f"default-src 'none'; script-src {allowed(script)} 'wasm-unsafe-eval'; style-src {allowed(style)}; "
              "base-uri 'none'; form-action 'none'")
    code = base64.b64encode(pathlib.Path(wasm).read_bytes()).decode()
    data = f'<script type="text/plain" id="throng-wasm">{code}</script>\n<!--throng-assets-->'
    page = pathlib.Path(template).read_text()
    # The script comes last: it may say anything.
    for mark, text in (("@policy@", policy), ("@style@", style), ("@data@", data), ("@script@", script)):
        before, _, after = page.partition(mark)
        page = before + text + after
    pathlib.Path(output).write_text(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
