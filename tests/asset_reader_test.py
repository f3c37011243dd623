#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Baked characters as a reader sees them that was written from docs/asset-format.md alone (asset_reader.py).

asset_reader_test.py THRONG SHARED SOURCE

Its vertices are compared with those that the program decodes, with the model's own, worked out from the glTF file by
gltf_source.py, and with shared/models/REFERENCE.json, which an independent program wrote; and the errors that it
measures with those that the file reports. Of these only the first and the mannequin's need the program at all.
"""
import json
import math
import pathlib
import random
import shutil
import sys
import tempfile
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support" / "python"))
import asset_reader  # noqa: E402
from asset_reader import FIELDS, ITEM_WORDS, ITEMS, Asset, FormatError  # noqa: E402
from gltf_source import Source  # noqa: E402
from small_gltf import SmallGltf  # noqa: E402
from throng_program import MANNEQUIN, ThrongTest, main, shared  # noqa: E402

# The program decodes in 32-bit floats, which tell places 0.0001 mm apart on a character 1.8 m tall; chains of bones add
# a few of those up.
FLOATS_MM = 5e-4
# Positions of REFERENCE.json have six decimals of the model's unit.
DECIMALS = 1e-6

KHRONOS = shared / "models" / "gltf" / "khronos"
TREX = shared / "models" / "gltf" / "quaternius" / "dinosaurs_pack_Trex.glb"
# Real models, and which of their clips are baked: such as loop, end, end a step before they loop, and leave frames out.
REAL = {
    "Fox": (KHRONOS / "Fox" / "Fox.glb", ["*"]),
    "CesiumMan": (KHRONOS / "CesiumMan" / "CesiumMan.glb", ["*"]),
    "RiggedSimple": (KHRONOS / "RiggedSimple" / "RiggedSimple.glb", ["*"]),
    "Trex": (TREX, ["*Death", "*Idle", "*Run"]),
}


def about(axis, angle):
    return [*(c * math.sin(angle / 2) for c in axis), math.cos(angle / 2)]


class Teeth(SmallGltf):
    """Panels that are turned and moved each for itself, to have clips that need what those of people seldom do."""

    def __init__(self, count):
        super().__init__()
        self.chance = random.Random(13)
        nodes = self.document["nodes"]
        self.first = len(nodes)
        self.homes = [(2.0 * (i % 14), 2.0 * (i // 14), 0.0) for i in range(count)]
        for i, home in enumerate(self.homes):
            nodes[0]["children"].append(len(nodes))
            # Turned, so that the mesh at rest has a depth.
            nodes.append({"name": f"tooth{i}", "mesh": 0, "translation": home, "rotation": about((0, 1, 0), 0.7)})

    def axis(self):
        axis = [self.chance.gauss(0, 1) for _ in range(3)]
        return [c / math.hypot(*axis) for c in axis]

    def near(self, i):
        return [c + self.chance.uniform(-1, 1) for c in self.homes[i]]

    def all_at_once(self):
        times = [0.05 * i for i in range(9)]
        self.clip("all", "translation", times, [[0, 0.01 * i, 0] for i in range(9)], node=1)
        for i in range(len(self.homes)):
            axis, start = self.axis(), self.chance.uniform(0, 6)
            self.also("rotation", times, [about(axis, start + self.chance.uniform(0, 1)) for _ in times], self.first + i)
            self.also("translation", times, [self.near(i) for _ in times], self.first + i)
        return self

    def straight(self):
        """They dart about, go straight on for more than 128 frames, and dart back to where they began."""
        darts = [i / 30 for i in range(8)]
        times = darts + [6 + t for t in darts]
        self.clip("straight", "rotation", darts, [about((0, 0, 1), 0.1 * i * (7 - i)) for i in range(8)], node=1)
        for i in range(len(self.homes)):
            places = [self.near(i) for _ in times]
            self.also("translation", times, places[:-1] + places[:1], self.first + i)
        return self

    def far(self):
        """Far from where it rests, in small steps, so that bases are large."""
        times = [i / 30 for i in range(16)]
        return self.clip("far", "translation", times, [[3000 + math.sin(t), 0, 0] for t in times], node=self.first)

    def odd(self):
        times = [i / 30 for i in range(16)]
        self.clip("grow", "scale", times, [[1 + math.sin(2 * t)] * 3 for t in times], node=self.first + 1)
        # Once around, so that it ends in the negated quaternion it began with.
        angles = [2 * math.pi * i / 15 for i in range(16)]
        self.clip("roll", "rotation", times, [about((0.6, 0, 0.8), angle) for angle in angles], node=self.first + 3)
        # Turned every way, so that w is stored.
        ways = [about(self.axis(), self.chance.uniform(-3, 3)) for _ in times]
        return self.clip("tumble", "rotation", times, ways, node=self.first + 2)


# So many bones that a frame has more than 4096 bits; few of them in longer clips; and a morph target.
MADE = {"comb": lambda: Teeth(190).all_at_once(), "panels": lambda: Teeth(12).straight().far().odd(),
        "smile": lambda: SmallGltf().turning().morphing(), "few": lambda: Teeth(5).odd()}


class Baked:
    """A bake, the reader that opened it, and the model it was made from."""

    def __init__(self, path, model, source):
        self.path, self.model, self.source = path, model, source
        self.data = path.read_bytes()
        self.asset = Asset(self.data)
        self.mm = self.asset.extension["error"]["millimetresPerUnit"]

    def moments(self, number):
        """Seconds from the clip's first frame: of frames, between them, behind the last one, and where it is worst."""
        clip = self.asset.clips[number]
        step = self.step(clip)
        late = clip["frameCount"] * 4 // 5
        return [0.0, late * step, (late - 0.63) * step, clip["length"] - 0.4 * step,
                clip["error"]["worstTime"] - clip["sourceStart"]]

    @staticmethod
    def step(clip):
        return clip["length"] / max(1, clip["frameCount"] - (not clip["loops"]))

    def posed(self, number, seconds):
        return self.asset.by_source(self.asset.vertices(number, seconds))

    def source_number(self, number):
        names = [animation.get("name", f"clip {i}") for i, animation in enumerate(self.source.gltf["animations"])]
        return names.index(self.asset.clips[number]["name"])


def distances(a, b):
    """Between the vertices of two poses, one number each; what is no number is infinitely far."""
    assert a.keys() == b.keys(), (a.keys(), b.keys())
    found = (math.dist(p, q) for part in a for p, q in zip(a[part], b[part], strict=True))
    return [math.inf if math.isnan(distance) else distance for distance in found]


def bound_of(clip):
    """What the file says that no vertex is further off than, at any time of the clip."""
    return max(clip["error"]["atFrames"]["max"], clip["error"]["between"]["max"])


class AssetReader(ThrongTest):
    @classmethod
    def setUpClass(cls):
        cls.kept, cls.bakes, cls.poses = tempfile.mkdtemp(), {}, {}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.kept)

    def bake(self, name, encoding="localv", *options):
        if (name, encoding, options) not in self.bakes:
            clips = ["*"]
            if name == "mannequin":
                model, clips = MANNEQUIN, ["walk", "idle", "death"]
            elif name in MADE:
                model = pathlib.Path(MADE[name]().write(f"{self.kept}/{name}.gltf"))
                if encoding in ("q12", "q8"):  # which hold no bone that grows
                    clips = ["roll", "tumble"]
            else:
                model, clips = REAL[name]
            path = pathlib.Path(self.kept, f"{len(self.bakes)}.throng.glb")
            self.run_throng("bake", model, "-o", path, "--encoding", encoding, "--levels", 1, "--no-near", "--quiet",
                            *options, *(word for clip in clips for word in ("--clip", clip)))
            source = None if name == "mannequin" else Source(model.read_bytes())
            self.bakes[name, encoding, options] = Baked(path, model, source)
        return self.bakes[name, encoding, options]

    def names(self):
        return ["mannequin", *MADE, *(name for name, (path, _) in REAL.items() if path.exists())]

    def pose(self, file, clip, time):
        """What the program says."""
        if (file, clip, time) not in self.poses:
            done = self.run_throng("pose", file, "--clip", clip, "--time", repr(time), "--json")
            self.poses[file, clip, time] = {(part["node"], part["primitive"]): part["positions"]
                                            for part in json.loads(done.stdout)["parts"]}
        return self.poses[file, clip, time]

    def disagreement(self, baked, asset):
        """Of a reader with the program, over moments of clips: the largest in millimetres, or the first that counts."""
        largest = 0.0
        for number, clip in enumerate(baked.asset.clips):
            for seconds in baked.moments(number):
                theirs = self.pose(baked.path, clip["name"], clip["sourceStart"] + seconds)
                ours = asset.by_source(asset.vertices(number, seconds))
                largest = max(largest, baked.mm * max(distances(ours, theirs)))
                if largest > FLOATS_MM:
                    return largest
        return largest

    # The same poses

    def test_its_poses_are_those_that_the_program_decodes(self):
        for name in self.names():
            with self.subTest(model=name):
                baked = self.bake(name)
                self.assertLessEqual(self.disagreement(baked, baked.asset), FLOATS_MM)

    def test_its_poses_in_other_encodings_are_those_that_the_program_decodes(self):
        for encoding in ITEM_WORDS:
            with self.subTest(encoding=encoding):
                baked = self.bake("few", encoding)
                self.assertEqual({clip["encoding"] for clip in baked.asset.clips}, {encoding})
                self.assertLessEqual(self.disagreement(baked, baked.asset), FLOATS_MM)

    def test_it_finds_frames_side_by_side_in_several_rows_and_in_several_layers(self):
        for name, encoding, size in (("few", "q16", 16), ("comb", "rows", 64)):
            baked = self.bake(name, encoding, "--atlas-shape", "square", "--atlas-size", size)
            motion, atlas = baked.asset.motions[0], baked.asset.extension["atlas"]
            self.assertEqual((motion.frames_per_row > 1, motion.rows_per_frame > 1), (name == "few", name == "comb"))
            self.assertGreater(atlas["layers"], 1)
            self.assertLessEqual(self.disagreement(baked, baked.asset), FLOATS_MM)

    def test_its_poses_are_in_the_boxes_that_the_file_has(self):
        for name in self.names():
            baked = self.bake(name)
            for number, clip in enumerate(baked.asset.clips):
                spare = FLOATS_MM / baked.mm
                for seconds in baked.moments(number)[2:]:
                    for vertex in baked.asset.vertices(number, seconds):
                        for low, c, high in zip(clip["bounds"]["min"], vertex, clip["bounds"]["max"]):
                            self.assertTrue(low - spare <= c <= high + spare, (name, clip["name"], seconds))

    # The errors

    def measured(self, baked, number, moments):
        """Distances of all vertices at these moments from the model's own, in millimetres; not where it has no keys."""
        clip, source_number = baked.asset.clips[number], baked.source_number(number)
        errors = []
        for seconds in moments:
            time = clip["sourceStart"] + seconds
            if time <= baked.source.end(source_number) + 1e-9:
                own = baked.source.vertices(source_number, time)
                errors += [baked.mm * d for d in distances(baked.posed(number, seconds), own)]
        return errors

    def compare_with_report(self, errors, figures, name, largest=True):
        """Figures of the file are those of the errors. It counts errors in classes: percentiles are nearly right."""
        errors = sorted(errors)
        if largest:
            self.assertAlmostEqual(errors[-1], figures["max"], delta=FLOATS_MM, msg=name)
        low, high = (errors[min(int(part * len(errors)), len(errors) - 1)] for part in (0.9985, 0.9995))
        self.assertTrue(0.99 * low <= figures["p999"] <= 1.01 * high, (name, low, figures["p999"], high))
        rms = math.sqrt(sum(e * e for e in errors) / len(errors))
        self.assertAlmostEqual(rms, figures["rms"], delta=FLOATS_MM / 5, msg=name)

    def test_errors_at_frames_are_those_that_the_file_reports(self):
        for name in self.names():
            if name == "mannequin":
                continue
            baked = self.bake(name)
            # Of all clips of a small model, of the shortest of a large one.
            clips = sorted(range(len(baked.asset.clips)), key=lambda i: baked.asset.clips[i]["frameCount"])
            for number in clips if name in (*MADE, "RiggedSimple") else clips[:1]:
                clip = baked.asset.clips[number]
                step, stride = baked.step(clip), max(1, clip["frameCount"] // 60)
                moments = [step * frame for frame in range(0, clip["frameCount"], stride)]
                errors = self.measured(baked, number, moments)
                self.assertLessEqual(max(errors), bound_of(clip) + FLOATS_MM, (name, clip["name"]))
                if stride == 1:
                    self.compare_with_report(errors, clip["error"]["atFrames"], f"{name}: {clip['name']}")

    def test_errors_between_frames_are_those_that_the_file_reports(self):
        compared = []
        for name, clips in (("panels", ["grow", "roll", "straight", "tumble"]), ("RiggedSimple", ["clip 0"]), ("Fox", ["Walk"])):
            if name not in self.names():
                continue
            baked = self.bake(name)
            for number, clip in enumerate(baked.asset.clips):
                if clip["name"] not in clips:
                    continue
                step = baked.step(clip)
                moments = [step * (frame + i / 8) for frame in range(round(clip["length"] / step)) for i in range(1, 8)]
                keys = [time - clip["sourceStart"] for time in baked.source.key_times(baked.source_number(number))]
                away = [time for time in keys if abs(time / step - round(time / step)) > 1e-3]
                errors = self.measured(baked, number, moments + away)
                # What the file reports as the largest holds at any time, not only at the moments that were looked at.
                self.assertLessEqual(max(errors), clip["error"]["between"]["max"], (name, clip["name"]))
                if not away:  # else some of the seven moments are moved to keys
                    self.compare_with_report(errors, clip["error"]["between"], f"{name}: {clip['name']}", largest=False)
                    compared.append((name, clip["name"]))
        self.assertIn(("panels", "tumble"), compared)

    def test_no_error_is_above_what_the_file_reports_and_the_worst_is_where_it_says(self):
        for name in self.names():
            baked = self.bake(name)
            for number, clip in enumerate(baked.asset.clips):
                *moments, worst = baked.moments(number)
                if name == "mannequin":  # takes long to make, each time
                    own = self.pose(MANNEQUIN, clip["name"], clip["sourceStart"] + worst)
                    errors = [baked.mm * d for d in distances(baked.posed(number, worst), own)]
                else:
                    self.assertLessEqual(max(self.measured(baked, number, moments)), bound_of(clip) + FLOATS_MM,
                                         (name, clip["name"]))
                    errors = self.measured(baked, number, [worst])
                self.assertLessEqual(max(errors), bound_of(clip) + FLOATS_MM, (name, clip["name"]))
                # The bound has what errors may rise to between moments added, and that is little.
                self.assertGreater(max(errors), 0.9 * bound_of(clip), (name, clip["name"]))
                self.assertLessEqual(bound_of(clip), 1.0, "the bound of the bake")

    def test_poses_are_those_of_the_independent_reference(self):
        if not (shared / "models" / "REFERENCE.json").exists():
            self.skipTest("no ../shared")
        files = json.loads((shared / "models" / "REFERENCE.json").read_text())["files"]
        looked_at = 0
        for name, (path, _) in REAL.items():
            baked = self.bake(name)
            numbers = {clip["name"]: i for i, clip in enumerate(baked.asset.clips)}
            for entry in files[path.relative_to(shared / "models").as_posix()]:
                number = numbers.get(entry["clip"] or f"clip {entry['clip_index']}")
                if entry["clip_index"] is None or number is None:
                    continue
                clip = baked.asset.clips[number]
                posed = baked.posed(number, min(max(entry["t"] - clip["sourceStart"], 0), clip["length"]))
                for node, primitive, vertex, *position in entry["verts"]:
                    error = baked.mm * math.dist(posed[node, primitive][vertex], position)
                    self.assertLessEqual(error, bound_of(clip) + baked.mm * DECIMALS + FLOATS_MM, (name, entry["clip"]))
                    looked_at += 1
        self.assertGreater(looked_at, 200)

    # That somebody would notice

    def noticed(self, *bakes):
        """Whether a reader that reads something else sees other poses, or sees that they are none."""
        for baked in bakes:
            try:
                if self.disagreement(baked, Asset(baked.data)) > FLOATS_MM:
                    return True
            except (FormatError, ArithmeticError, IndexError, ValueError):
                return True
        return False

    def test_every_bit_field_read_wrongly_is_noticed(self):
        # Bits that no file has: a step's sign, and the highest bit of the number of a stored frame behind the 32768th.
        narrower_is_alike = {"rotation.step", "map.stored"}
        for name, (low, bits) in FIELDS.items():
            bakes = [self.bake(made) for made in MADE]
            for wrong in [(low + 1, bits)] + [(low, bits - 1)] * (name not in narrower_is_alike):
                with self.subTest(field=name, wrong=wrong), mock.patch.dict(FIELDS, {name: wrong}):
                    self.assertTrue(self.noticed(*bakes))

    def test_every_bit_field_of_other_encodings_read_wrongly_is_noticed(self):
        for encoding, fields in ITEMS.items():
            baked = self.bake("few", encoding)
            for name, ((word, low, bits), *rest) in fields.items():
                for wrong in ((word, low + 1, bits), (word, low, bits - 1)):
                    with self.subTest(encoding=encoding, field=name, wrong=wrong):
                        with mock.patch.dict(fields, {name: [wrong, *rest]}):
                            self.assertTrue(self.noticed(baked))

    def test_what_is_done_with_the_fields_wrongly_is_noticed(self):
        product = asset_reader.product
        wrong = {
            "evenly": lambda a, b, t: asset_reader.mix(a, b if asset_reader.dot(a, b) >= 0 else [-c for c in b], t),
            "product": lambda a, b: product(b, a),
            "signed": lambda value, bits: value,
            "AS_X": 30,
            "NO_CHANNEL": 65534,
        }
        for name, change in wrong.items():
            with self.subTest(change=name), mock.patch.object(asset_reader, name, change):
                self.assertTrue(self.noticed(*map(self.bake, MADE)))
        self.assertFalse(self.noticed(*map(self.bake, MADE)), "nothing was changed")

    def test_a_file_with_another_byte_is_refused(self):
        data = self.bake("comb").data
        for at in (20, len(data) // 2, len(data) - 1):
            with self.assertRaises((FormatError, ValueError)):
                Asset(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])


if __name__ == "__main__":
    main()
