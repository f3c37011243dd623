#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes shaders as a module: names and texts, without comments and indentation.

make_shaders.py OUTPUT SHADERS...
"""
import json
import pathlib
import re
import sys

output, *shaders = sys.argv[1:]
texts = {}
for shader in map(pathlib.Path, shaders):
    lines = (re.sub(r"//.*", "", line).strip() for line in shader.read_text().splitlines())
    texts[shader.name] = "".join(f"{line}\n" for line in lines if line)
rows = "".join(f"  {json.dumps(name)}: {json.dumps(text)},\n" for name, text in texts.items())
pathlib.Path(output).write_text(f"// Made from web/webgl/shaders and shaders/include by make_shaders.py.\nexport const shaders = {{\n{rows}}};\n")
