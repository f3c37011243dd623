#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every asset we write passes the Khronos glTF validator without an error or warning.

khronos_validator_test.py THRONG SHARED SOURCE
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
from encodings_of import encodings_of  # noqa: E402

throng, shared, source = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])

VALIDATE = """
const fs = require('fs'), validator = require(process.argv[1]);
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])), {maxIssues: 20})
  .then(report => console.log(JSON.stringify(report.issues)))
  .catch(error => { console.error(error); process.exit(1); });
"""

# Every encoding on one model, and all that is optional in a file.
bones, vertices = encodings_of(throng)
bakes = [["builtin:mannequin"] + options for options in (
    [[], ["--tangents", "--root-motion", "extract"]] + [["--encoding", word] for word in bones] +
    [["--mode", "vertices", "--clip", "walk", "--encoding", word] for word in vertices] +
    [["--mode", "vertices", "--clip", "walk", "--encoding", "half-vertex", "--tangents"]])]
for name in ["khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb", "khronos/BoxAnimated/BoxAnimated.glb",
             "quaternius/Pug.gltf", "godot/player.glb"]:
    path = shared / "models" / "gltf" / name
    if path.exists():
        bakes.append([str(path)])

validator = source / "build" / "node_modules" / "gltf-validator"
if not validator.exists():
    sys.exit("gltf-validator is not installed; ./run test installs it")

failed = 0
with tempfile.TemporaryDirectory() as folder:
    asset = pathlib.Path(folder) / "asset.throng.glb"
    for bake in bakes:
        subprocess.run([throng, "bake", *bake, "-o", str(asset)], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["node", "-e", VALIDATE, str(validator), str(asset)], check=True, capture_output=True, text=True)
        issues = json.loads(done.stdout)
        good = issues["numErrors"] == 0 and issues["numWarnings"] == 0
        failed += not good
        print(("ok    " if good else "FAILED") + f" {' '.join(bake)}: {issues['numErrors']} errors, {issues['numWarnings']} warnings")
        if not good:
            print(json.dumps(issues["messages"], indent=1))
print(f"{len(bakes) - failed} passed, {failed} failed")
sys.exit(failed != 0)
