#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what a run of the tests came to: how many ran, which were skipped and why, and what outside truth was absent.

summary.py BUILD SHARED SOURCE
  BUILD/results/*.xml are GoogleTest's reports of this run, BUILD/results/ctest.xml is CTest's.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree


def google_tests(results):
    """(name, "passed" | "failed" | why it was skipped) of every test that a program ran."""
    for file in sorted(results.glob("*.xml")):
        if file.name == "ctest.xml":
            continue
        for case in tree.parse(file).getroot().iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            skipped = case.find("skipped")
            if case.find("failure") is not None:
                yield name, "failed"
            elif skipped is not None or case.get("result") == "skipped":
                yield name, reason(skipped.get("message", "") if skipped is not None else "")
            elif case.get("status") == "run":
                yield name, "passed"


def reason(message):
    """GoogleTest's message begins with the place it was said at."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    if lines and re.match(r"\S+:\d+$", lines[0]):
        lines = lines[1:]
    return " ".join(lines) or "no reason was given"


def other_tests(results):
    """The same of what CTest ran that is not GoogleTest's: a script each, of which unittest may have skipped parts."""
    file = results / "ctest.xml"
    if not file.exists():
        return
    for case in tree.parse(file).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        if re.search(r"_tests\.\d+$", name):
            # GoogleTest reports its tests itself, unless its program died.
            if status == "fail" and not (results / f"{name}.xml").exists():
                yield f"{name}, which ended before its report", "failed"
            continue
        if status == "notrun" or case.find("skipped") is not None:
            yield name, "it could not run here"
            continue
        yield name, "failed" if status == "fail" else "passed"
        said = case.findtext("system-out") or ""
        for part, why in re.findall(r"^(\w+) \(.*\.\.\. skipped ['\"](.*)['\"]$", said, re.M):
            yield f"{name}.{part}", why


def drivers():
    """The names of the Vulkan devices here."""
    program = shutil.which("vulkaninfo")
    if not program:
        return None
    said = subprocess.run([program, "--summary"], capture_output=True, text=True).stdout
    return re.findall(r"deviceName\s*=\s*(.*)", said)


def absent(shared, source, build):
    """What the tests compare with that was made by others, and that is not here."""
    if not (shared / "models").exists():
        yield f"{shared}/models: models and poses from other programs"
    if not (shared / "malformed").exists():
        yield f"{shared}/malformed: broken files from outside"
    if not (source / "build" / "node_modules" / "gltf-validator").exists():
        yield "the Khronos glTF validator"
    manifests = [path for folder in ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d") for path in pathlib.Path(folder).glob("*.json")]
    hardware = [path for path in pathlib.Path("/dev/dri").glob("renderD*")] + list(pathlib.Path("/dev").glob("nvidia[0-9]*"))
    if not hardware:
        names = drivers()
        found = ", ".join(names) if names else "software" if manifests else "none"
        yield f"a second Vulkan driver: no GPU is here (found: {found})"


def main():
    build, shared, source = map(pathlib.Path, sys.argv[1:4])
    results = build / "results"
    all_tests = list(google_tests(results)) + list(other_tests(results))
    if not all_tests:
        sys.exit(f"no test left a result in {results}")
    counts = collections.Counter("skipped" if what not in ("passed", "failed") else what for _, what in all_tests)
    why = collections.defaultdict(list)
    for name, what in all_tests:
        if what not in ("passed", "failed"):
            why[what].append(name)
    print(f"\n{counts['passed']} tests passed, {counts['failed']} failed, {counts['skipped']} skipped")
    for message, names in sorted(why.items(), key=lambda row: -len(row[1])):
        first = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        print(f"  skipped {len(names)}: {message} ({first})")
    for what in absent(shared.resolve(), source, build):
        print(f"  absent: {what}")
    for name, what in all_tests:
        if what == "failed":
            print(f"  failed: {name}")


if __name__ == "__main__":
    main()
