# SPDX-License-Identifier: Apache-2.0
"""The encodings there are, as the program itself lists them: a new one is in every test that asks here."""
import re
import subprocess


def encodings_of(throng):
    """Those of bones, and those of vertices."""
    def listed(*options):
        done = subprocess.run([throng, "bake", "builtin:mannequin", "-o", "-", *options], capture_output=True, text=True)
        return re.split(r", | and ", re.search(r"takes one of (.*)", done.stderr).group(1))
    return listed("--encoding", "v8"), listed("--mode", "vertices", "--encoding", "q16")
