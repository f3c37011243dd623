#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a benchmark at a small size and looks at its JSON: the rows it promises are there, every number is finite, and the results
that it timed were right. Figures of a small run mean nothing and are not looked at.

check_rows.py PROGRAM ROWS
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile


def wrong_with(document, promised):
    """Everything that is not as it should be."""
    for key in ("benchmark", "small", "checked", "rows"):
        if key not in document:
            yield f"there is no {key}"
            return
    if document["small"] is not True or document["checked"] is not True:
        yield "it was not small, or its results were not right"
    names = [row.get("name") for row in document["rows"]]
    for name in promised:
        if name not in names:
            yield f"there is no row {name}"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name} is there twice"
    for row in document["rows"]:
        if set(row) != {"name", "value", "unit"}:
            yield f"a row has other keys than name, value and unit: {row}"
        elif not isinstance(row["value"], (int, float)) or not math.isfinite(row["value"]):
            yield f"{row['name']} is {row['value']}, which is no finite number"


def main():
    program, rows = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    promised = json.loads(rows.read_text())[program.name.removeprefix("bench_")]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "rows.json"
        done = subprocess.run([program, "--small", "--json", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0 or not file.exists():
            sys.exit(f"{done.stdout}\nexit code {done.returncode}")
        wrong = list(wrong_with(json.loads(file.read_text()), promised))
    if wrong:
        print(done.stdout)
    print("\n".join(wrong) or f"{len(promised)} promised rows are there, all numbers finite")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
