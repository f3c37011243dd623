#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bakes every model of a folder as the command line does and prints a table in Markdown: read or refused, what was
mended, parts, morph targets, levels with their errors, the default bake's error and bytes, seconds of CPU.

    tests/models_table.py build/release/bin/throng ../shared/models > models.md
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ENDINGS = {".glb", ".gltf", ".fbx"}
COLUMNS = ["model", "read", "mended", "parts", "morphs", "levels: triangles (error mm)", "error mm", "bytes", "CPU s"]


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def baked(program, model, seconds):
    """The report, or why there is none; and what it took."""
    before = cpu_of_children()
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "bake", str(model), "-o", str(pathlib.Path(folder) / "baked.throng.glb"), "--json"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return None, f"not done in {seconds} s", cpu_of_children() - before
    took = cpu_of_children() - before
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return None, lines[-1] if lines else f"exit status {done.returncode}", took
    return json.loads(done.stdout), "", took


def mended(report):
    counts = [f"{name.replace('_', ' ')} {count}" for name, count in report["repairs"].items()
              if isinstance(count, int) and count]
    return ", ".join(counts) or "nothing"


def row_of(program, model, root, seconds):
    report, why, took = baked(program, model, seconds)
    name = str(model.relative_to(root))
    if report is None:
        return [name, "refused: " + why.split(": ", 1)[-1], "", "", "", "", "", "", f"{took:.1f}"]
    levels = [f"{level['triangles']} ({level['error_mm']:.1f})" for level in report["levels"][1:]]
    full = report["levels"][0]["triangles"] if report["levels"] else report["triangles"]
    error = max(report["error"]["at_frames"]["max_mm"], report["error"]["between"]["max_mm"])
    return [
        name, "yes", mended(report), str(max(1, len(report["parts"]))),
        str(len(report["morphs"]["targets"])),
        f"{full}; " + (", ".join(levels) or "none coarser"), f"{error:.2f}", f"{report['file_bytes']:,}", f"{took:.1f}"
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the command-line program")
    parser.add_argument("folder", type=pathlib.Path, help="where the models are")
    parser.add_argument("--seconds", type=float, default=300, help="a model that takes longer is told as such")
    arguments = parser.parse_args()
    models = sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() in ENDINGS)
    if not models:
        sys.exit(f"no models in {arguments.folder}")
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * len(COLUMNS))
    for model in models:
        row = row_of(arguments.program, model, arguments.folder, arguments.seconds)
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |", flush=True)


if __name__ == "__main__":
    main()
