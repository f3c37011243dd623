# SPDX-License-Identifier: Apache-2.0
"""A second reader of baked characters, written from docs/asset-format.md alone by somebody who has not seen the other.

It plays clips of bone mode in every encoding: columns, and where the vertices go. It uses Python's standard library and
double precision, and is written to be compared with the page, section by section; nothing in it is fast. Where a file
and the page disagree it fails, rather than guess.
"""
import array
import json
import math
import operator
import struct
import sys

from xxh3 import xxh3_64

EXTENSION = "THRONG_animation_textures"
HASH_KEY = b'"hash":"'
NO_CHANNEL = 65535  # of a slot that is as at rest
AS_X = 31  # the width of y and z of a scale that are not stored

# Where fields lie in a word: their lowest bit and how many bits they have. Tests move them, one at a time, to see that
# somebody notices.
FIELDS = {
    "slot.low": (0, 16),
    "slot.high": (16, 16),
    "component.base": (0, 21),
    "component.width": (21, 5),
    "component.firstBit": (26, 6),
    "mean.a": (0, 15),
    "mean.b": (15, 15),
    "mean.leftOut": (30, 2),
    "mean.c": (0, 15),
    "rotation.hasW": (15, 1),
    "rotation.step": (16, 16),
    "map.stored": (0, 16),
    "map.ago": (16, 8),
    "map.span": (24, 8),
}

# The fields of an item of a frame in the atlas, each its pieces, lowest first: word, lowest bit, how many bits.
ITEMS = {
    "q16": {"x": [(0, 0, 16)], "y": [(0, 16, 16)], "z": [(1, 0, 16)], "w": [(1, 16, 16)], "px": [(2, 0, 16)],
            "py": [(2, 16, 16)], "pz": [(3, 0, 16)], "scale": [(3, 16, 16)]},
    "x16": {"a": [(0, 0, 18)], "b": [(1, 0, 18)], "c": [(2, 0, 18)], "out": [(2, 30, 2)], "px": [(3, 0, 20)],
            "py": [(0, 18, 14), (2, 18, 6)], "pz": [(1, 18, 14), (2, 24, 6)], "scale": [(3, 20, 12)]},
    "q12": {"a": [(0, 16, 15)], "b": [(1, 16, 15)], "c": [(2, 16, 15)], "out": [(0, 31, 1), (1, 31, 1)],
            "px": [(0, 0, 16)], "py": [(1, 0, 16)], "pz": [(2, 0, 16)]},
    "q8": {"a": [(0, 0, 11)], "b": [(0, 11, 11)], "c": [(1, 0, 11)], "out": [(1, 11, 2)], "px": [(0, 22, 10)],
           "py": [(1, 13, 10)], "pz": [(1, 23, 9)]},
    "local8": {"x": [(0, 0, 16)], "y": [(0, 16, 16)], "z": [(1, 0, 16)], "w": [(1, 16, 16)]},
    "rows": {"x": [(0, 0, 16)], "y": [(0, 16, 16)], "z": [(1, 0, 16)], "p": [(1, 16, 16)]},
}
ITEM_WORDS = {"q16": 4, "x16": 4, "q12": 3, "q8": 2, "rows": 6, "half-quaternion": 4, "half-rows": 6, "local8": 2}
TEXEL_WORDS = {"rgba32ui": 4, "rg32ui": 2, "rgba16f": 2}


class FormatError(Exception):
    """The file is not what the page says it is."""


def expect(condition, what):
    if not condition:
        raise FormatError(what)


def field(word, name):
    low, bits = FIELDS[name]
    return (word >> low) & ((1 << bits) - 1)


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def gathered(words, pieces):
    """A field of an item, and how many bits it has."""
    value = shift = 0
    for word, low, bits in pieces:
        value |= (words[word] >> low & ((1 << bits) - 1)) << shift
        shift += bits
    return value, shift


def snorm(words, pieces):
    value, bits = gathered(words, pieces)
    return max(signed(value, bits) / ((1 << (bits - 1)) - 1), -1)


def unorm(words, pieces):
    value, bits = gathered(words, pieces)
    return value / ((1 << bits) - 1)


def float_of(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


# Movements (R, t, s): scale, then rotate, then translate. Quaternions are x y z w.


def dot(a, b):
    return sum(map(operator.mul, a, b))


def normalised(q):
    length = math.sqrt(dot(q, q))
    expect(length > 0, "a rotation of length 0")
    return tuple(c / length for c in q)


def product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def matrix(q):
    x, y, z, w = q
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))


def compose(outer, inner):
    (q, t, s), (q2, t2, s2) = outer, inner
    return product(q, q2), tuple(a + s * dot(row, t2) for a, row in zip(t, matrix(q))), s * s2


def mix(a, b, blend):
    return tuple((1 - blend) * x + blend * y for x, y in zip(a, b))


def nearest_mix(a, b, blend):
    """The rotation between two, b negated where that is nearer."""
    return normalised(mix(a, b if dot(a, b) >= 0 else tuple(-c for c in b), blend))


def evenly(d0, d1, blend):
    """The rotation `blend` of the way from d0 to d1, of no certain length."""
    cosine = dot(d0, d1)
    e, m = 1 - abs(cosine), blend - 0.5
    b = blend + blend * m * (blend - 1) * e * (0.6688683 + e * (0.12064277 + 0.05764654 * e) +
                                               m * m * (0.03210598 + e * (0.35166569 + 0.60589199 * e)))
    return mix(d0, d1 if cosine >= 0 else tuple(-c for c in d1), b)


def three_of_four(three, left_out):
    """The quaternion of three components and the number of the fourth, which is what makes it unit length."""
    rest = math.sqrt(max(0.0, 1 - dot(three, three)))
    return (*three[:left_out], rest, *three[left_out:])


class Channel:
    """What a slot does in one clip: where its components lie in a frame, and what they mean."""

    def __init__(self, kind, words):
        self.kind = kind
        components = list(words[:3])
        self.first_bit = sum(field(word, "component.firstBit") << 6 * i for i, word in enumerate(components))
        if kind == "rotation":
            last = words[4]
            means = [field(words[3], "mean.a"), field(words[3], "mean.b"), field(last, "mean.c")]
            self.mean = three_of_four([(f - 16383) / (16383 * math.sqrt(2)) for f in means],
                                      field(words[3], "mean.leftOut"))
            self.step = float_of(field(last, "rotation.step") << 16)
            if field(last, "rotation.hasW"):
                components.append(words[5])
        else:
            self.step = float_of(words[3])
        expect(self.step > 0 and math.isfinite(self.step), "a step that is not a positive number")
        self.bases = [signed(field(word, "component.base"), FIELDS["component.base"][1]) for word in components]
        self.widths = [field(word, "component.width") for word in components]
        if kind == "scale":
            if self.widths[1:3] == [AS_X, AS_X]:
                del self.widths[1:], self.bases[1:]
        expect(all(width <= 22 for width in self.widths), f"a width above 22: {self.widths}")

    def last_bit(self):
        return self.first_bit + sum(self.widths)

    def components(self, frame):
        """Of a frame, which is all its words as one number."""
        bits = frame >> self.first_bit
        values = []
        for base, width in zip(self.bases, self.widths):
            values.append(self.step * (base + (bits & ((1 << width) - 1))))
            bits >>= width
        return tuple(values)

    def between(self, frame0, frame1, blend):
        a, b = self.components(frame0), self.components(frame1)
        if self.kind == "rotation":
            if len(a) == 3:
                a, b = three_of_four(a, 3), three_of_four(b, 3)
            return normalised(product(self.mean, evenly(a, b, blend)))
        mixed = mix(a, b, blend)
        return mixed[0] if self.kind == "scale" else mixed


class Localv:
    """A clip's words in `channels`."""

    slot_of = {"rotation": "rotationSlot", "translation": "translationSlot", "scale": "scaleSlot"}

    def __init__(self, clip, words, slots):
        here = clip["channels"]
        expect(clip["firstFrame"] == 0, "a clip of localv whose firstFrame is not 0")
        first = here["firstWord"]
        self.loops, self.stored = clip["loops"], here["storedFrames"]
        map_at, frames_at, size = here.get("map", 0), here["frames"], here["frameWords"]
        channels_end = first + (map_at or frames_at)
        self.map = words[first + map_at:first + map_at + clip["frameCount"]] if map_at else None
        expect(map_at == 0 or len(self.map) == clip["frameCount"], "a map outside of the words")
        expect(map_at != 0 or self.stored == clip["frameCount"], "frames that are not stored, and no map")
        self.channels = []
        for slot, kind in enumerate(slots):
            at = field(words[first + slot // 2], "slot.high" if slot % 2 else "slot.low")
            if at == NO_CHANNEL:
                self.channels.append(None)
                continue
            expect((len(slots) + 1) // 2 <= at and first + at + 4 <= channels_end, f"a channel at word {at}")
            channel = Channel(kind, words[first + at:min(first + at + 6, channels_end)])
            expect(channel.last_bit() <= 32 * size, f"a channel up to bit {channel.last_bit()} of {32 * size}")
            self.channels.append(channel)
        begin = 4 * (first + frames_at)
        data = words.tobytes()
        expect(begin + 4 * size * self.stored <= len(data) - 8, "frames outside of the words")
        self.frames = [int.from_bytes(data[begin + 4 * size * f:begin + 4 * size * (f + 1)], "little")
                       for f in range(self.stored)]

    def around(self, frame, blend):
        """The stored frames before and after a moment, and how far it is from the one to the other."""
        before = frame
        if self.map is not None:
            word = self.map[frame]
            before, span = field(word, "map.stored"), field(word, "map.span")
            expect(before < self.stored and span > 0, f"a map that leads to frame {before} of {self.stored}")
            blend = (field(word, "map.ago") + blend) / span
        after = before + 1
        if after == self.stored:
            after = 0 if self.loops else before
        return self.frames[before], self.frames[after], blend

    def slots(self, frame, blend):
        """What slots are, by what they are of; None where a slot is as at rest."""
        before, after, blend = self.around(frame, blend)
        values = [channel and channel.between(before, after, blend) for channel in self.channels]
        return dict.fromkeys(self.slot_of, values)


class InAtlas:
    """Where the frames of a clip lie in the atlas."""

    def __init__(self, clip, asset, size):
        self.clip, self.size, atlas = clip, size, asset.extension["atlas"]
        self.words, self.texel_words = asset.array_of(atlas, "I"), TEXEL_WORDS[atlas["format"]]
        self.width, self.height = atlas["width"], atlas["height"]
        self.texels = -(-size // self.texel_words)
        side_by_side = self.texels <= self.width and not atlas.get("frameRows")
        self.frames_per_row = self.width // self.texels if side_by_side else 1
        self.rows_per_frame = -(-self.texels // self.width)
        self.frames_per_layer = self.height // self.rows_per_frame * self.frames_per_row
        self.table = asset.array_of(asset.extension["table"], "f") if "table" in asset.extension else []

    def words_of(self, frame):
        n = self.clip["firstFrame"] + frame
        g, z = n % self.frames_per_layer, self.clip["layer"] + n // self.frames_per_layer
        if self.rows_per_frame == 1:
            x, y = g % self.frames_per_row * self.texels, g // self.frames_per_row
        else:
            x, y = 0, g * self.rows_per_frame
        first = ((z * self.height + y) * self.width + x) * self.texel_words
        words = self.words[first:first + self.size]
        expect(len(words) == self.size, "a frame outside of the atlas")
        return words

    def after(self, frame):
        return frame + 1 if frame + 1 < self.clip["frameCount"] else 0 if self.clip["loops"] else frame

    def row(self, number):
        first = 4 * (self.clip["tableRow"] + number)
        return tuple(self.table[first:first + 4])


class Local8(InAtlas):
    """A clip's slots in the atlas, and their rows of the table."""

    slot_of = {"rotation": "rotationSlot", "translation": "translationSlot", "scale": "translationSlot"}

    def __init__(self, clip, asset):
        self.turns = sum("rotationSlot" in link for link in asset.links)
        self.moves = sum("translationSlot" in link for link in asset.links)
        super().__init__(clip, asset, 2 * (self.turns + self.moves))
        self.ranges = [(self.row(2 * t), self.row(2 * t + 1)) for t in range(self.moves)]

    def frame(self, frame):
        words, fields = self.words_of(frame), ITEMS["local8"].values()
        items = list(zip(words[::2], words[1::2]))
        turns = [tuple(snorm(item, pieces) for pieces in fields) for item in items[:self.turns]]
        moves = [tuple(low + size * unorm(item, pieces) for low, size, pieces in zip(*ranges, fields))
                 for ranges, item in zip(self.ranges, items[self.turns:])]
        return turns, moves

    def slots(self, frame, blend):
        (turns0, moves0), (turns1, moves1) = self.frame(frame), self.frame(self.after(frame))
        turns = [nearest_mix(a, b, blend) for a, b in zip(turns0, turns1)]
        moves = [mix(a, b, blend) for a, b in zip(moves0, moves1)]
        return {"rotation": turns, "translation": [move[:3] for move in moves], "scale": [move[3] for move in moves]}


class Columns(InAtlas):
    """A clip whose frames say what each column does in model space."""

    def __init__(self, clip, asset):
        self.encoding, self.count = clip["encoding"], len(asset.bones)
        self.header = 4 if self.encoding == "q8" else 0
        super().__init__(clip, asset, self.header + self.count * ITEM_WORDS[self.encoding])

    def place(self, column, words, origin):
        """Where the column's pivot goes."""
        fields = ITEMS[self.encoding]
        low, size = self.clip["pivotMin"], self.clip["pivotSize"]
        if self.encoding == "q8":
            low, size = self.row(self.count + 2 * column), self.row(self.count + 2 * column + 1)
        return tuple(o + l + s * unorm(words, fields[p]) for o, l, s, p in zip(origin, low, size, ("px", "py", "pz")))

    def item(self, column, words, origin):
        """A quaternion, a position and a scale; or three rows of a matrix with its position."""
        largest, fields = self.clip["scaleMax"], ITEMS.get(self.encoding)
        if fields is None:
            halves = struct.unpack(f"<{2 * len(words)}e", words.tobytes())
            if self.encoding == "half-quaternion":
                return halves[:4], halves[4:7], halves[7]
            return halves[:4], halves[4:8], halves[8:]
        if self.encoding == "rows":
            return tuple((*(largest * snorm(words[2 * r:], fields[c]) for c in "xyz"),
                          self.clip["pivotMin"][r] + self.clip["pivotSize"][r] * unorm(words[2 * r:], fields["p"]))
                         for r in range(3))
        if "x" in fields:
            turn = tuple(snorm(words, fields[c]) for c in "xyzw")
        else:
            left_out, _ = gathered(words, fields["out"])
            turn = three_of_four([snorm(words, fields[c]) / math.sqrt(2) for c in "abc"], left_out)
        scale = largest * unorm(words, fields["scale"]) if "scale" in fields else largest
        return turn, self.place(column, words, origin), scale

    def items(self, frame):
        words, size = self.words_of(frame), ITEM_WORDS[self.encoding]
        origin = struct.unpack("<3f", words[:3].tobytes()) if self.header else (0, 0, 0)
        firsts = range(self.header, self.size, size)
        return [self.item(column, words[first:first + size], origin) for column, first in enumerate(firsts)]

    def columns(self, frame, blend):
        found = []
        for column, (a, b) in enumerate(zip(self.items(frame), self.items(self.after(frame)))):
            if self.encoding in ("rows", "half-rows"):
                rows = [mix(x, y, blend) for x, y in zip(a, b)]
            else:
                scale = (1 - blend) * a[2] + blend * b[2]
                turn = matrix(nearest_mix(a[0], b[0], blend))
                rows = [(*(scale * c for c in row), to) for row, to in zip(turn, mix(a[1], b[1], blend))]
            pivot = self.row(column)[:3]
            found.append(tuple((*row[:3], row[3] - dot(row, pivot)) for row in rows))
        return found


class Asset:
    """A baked character of bone mode."""

    def __init__(self, data):
        magic, version, length = struct.unpack_from("<4sII", data)
        expect(magic == b"glTF" and version == 2 and length == len(data), "no glTF binary of this length")
        digits = data.index(HASH_KEY) + len(HASH_KEY)
        around = xxh3_64(data[:digits]), xxh3_64(data[digits + 16:])
        expect(data[digits:digits + 16] == b"%016x" % xxh3_64(struct.pack("<2Q", *around)), "the hash is another")
        size, kind = struct.unpack_from("<I4s", data, 12)
        expect(kind == b"JSON", "no JSON chunk")
        self.gltf = json.loads(data[20:20 + size])
        bin_size, kind = struct.unpack_from("<I4s", data, 20 + size)
        expect(kind == b"BIN\0", "no BIN chunk")
        self.bin_at = 28 + size
        expect(self.bin_at % 16 == 0 and self.bin_at + bin_size <= length, "a BIN chunk out of place")
        self.data = data
        self.extension = self.gltf["extensions"][EXTENSION]
        expect(int(self.extension["version"].split(".")[0]) in (3, 4), f"version {self.extension['version']}")
        expect(self.extension["mode"] == "bones", "no bones")
        self.clips, self.links, self.bones = (self.extension[name] for name in ("clips", "skeleton", "bones"))
        self.read_vertices()
        self.morphs = self.read_morphs()
        words, slots = None, []
        if "channels" in self.extension:
            words, slots = self.array_of(self.extension["channels"], "I"), self.extension["channels"]["slots"]
            expect(list(words[-2:]) == [0, 0], "no two words of 0 behind the last clip")
        self.motions = []
        for clip in self.clips:
            expect(clip["encoding"] in ("localv", *ITEM_WORDS), f"this reader does not know {clip['encoding']}")
            self.motions.append(Localv(clip, words, slots) if clip["encoding"] == "localv" else
                                Local8(clip, self) if clip["encoding"] == "local8" else Columns(clip, self))
        for i, link in enumerate(self.links):
            expect(link.get("parent", -1) < i, "a link before its parent")
            for kind, name in Localv.slot_of.items() if words else ():
                expect(name not in link or slots[link[name]] == kind, "a slot of another kind")

    def view_of(self, number):
        view = self.gltf["bufferViews"][number]
        begin = self.bin_at + view.get("byteOffset", 0)
        expect(begin % 16 == 0 and begin + view["byteLength"] <= len(self.data), f"buffer view {number} out of place")
        return self.data[begin:begin + view["byteLength"]]

    def array_of(self, holder, code):
        values = array.array(code, self.view_of(holder["bufferView"]))
        if sys.byteorder == "big":
            values.byteswap()
        return values

    def read_vertices(self):
        mesh = self.gltf["meshes"][self.gltf["nodes"][0]["mesh"]]
        accessor = self.gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
        data = self.view_of(accessor["bufferView"])
        expect(len(data) % 52 == 0, "vertices that are not 52 bytes each")
        self.positions, self.influences = [], []
        for x, y, z, b0, b1, b2, b3, w0, w1, w2, w3 in struct.iter_unpack("<3f20x4H4H4x", data):
            expect(w0 + w1 + w2 + w3 == 65535 and w0 >= w1 >= w2 >= w3, "weights that do not sum to one, or do not fall")
            self.positions.append((x, y, z))
            self.influences.append([(b, w / 65535) for b, w in ((b0, w0), (b1, w1), (b2, w2), (b3, w3)) if w])
        holder = self.extension.get("bakedFromSource")
        self.baked_from_source = self.array_of(holder, "I") if holder else range(len(self.positions))

    def read_morphs(self):
        """Of each vertex that targets move: its number, and of each delta the target and what a weight of 1 adds."""
        morphs = self.extension.get("morphs")
        if not morphs:
            return []
        targets = morphs["targets"]
        self.weights = self.array_of(morphs["weights"], "H")
        deltas = struct.iter_unpack("<6h2H", self.view_of(morphs["deltas"]["bufferView"]))
        numbers = self.array_of(morphs["vertices"], "I")
        moved = []
        for vertex, count in zip(numbers[::2], numbers[1::2]):
            found = []
            for _ in range(count):
                x, y, z, _, _, _, target, _ = next(deltas)
                found.append((target, tuple(targets[target]["positionStep"] * c for c in (x, y, z))))
            moved.append((vertex, found))
        return moved

    # When a frame is

    def moment(self, clip, seconds):
        """The frame and the blend at some seconds from the clip's first frame."""
        intervals = clip["frameCount"] - (0 if clip["loops"] else 1)
        if clip["length"] == 0 or intervals == 0:
            return 0, 0.0
        part = seconds / clip["length"]
        part = part - math.floor(part) if clip["loops"] else min(max(part, 0.0), 1.0)
        frame = min(math.floor(part * intervals), clip["frameCount"] - 1)
        return frame, part * intervals - frame

    # The pose

    def link_movements(self, motion, moment):
        """parent_from_link of every link."""
        slots = motion.slots(*moment)
        movements = []
        for link in self.links:
            said = {kind: slots[kind][link[name]] for kind, name in motion.slot_of.items() if name in link}
            movements.append(tuple(link["rest"][kind] if said.get(kind) is None else said[kind]
                                   for kind in motion.slot_of))
        return movements

    def columns(self, number, seconds):
        """model_from_mesh of every column at some seconds of a clip: three rows of four numbers each."""
        motion, moment = self.motions[number], self.moment(self.clips[number], seconds)
        if isinstance(motion, Columns):
            return motion.columns(*moment)
        models = []
        for link, movement in zip(self.links, self.link_movements(motion, moment)):
            models.append(compose(models[link["parent"]], movement) if "parent" in link else movement)
        columns = []
        for bone in self.bones:
            mesh = bone["linkFromMesh"]
            q, t, s = compose(models[bone["link"]], (mesh["rotation"], mesh["translation"], mesh["scale"]))
            columns.append(tuple((*(s * c for c in row), to) for row, to in zip(matrix(q), t)))
        return columns

    def morphed(self, number, seconds):
        """The mesh before bones move it."""
        if not self.morphs:
            return self.positions
        clip, targets = self.clips[number], self.extension["morphs"]["targets"]
        steps, (frame, blend) = clip["morphSteps"], self.moment(clip, seconds)
        at = (frame + blend) * steps
        before = math.floor(at)
        last = clip["frameCount"] * steps - 1 if clip["loops"] else (clip["frameCount"] - 1) * steps
        after = before + 1 if before < last else 0 if clip["loops"] else before
        rows = [self.weights[len(targets) * (clip["morphRow"] + row):][:len(targets)] for row in (before, after)]
        weights = [target["weightMin"] + target["weightStep"] * u for target, u in zip(targets, mix(*rows, at - before))]
        positions = list(self.positions)
        for vertex, deltas in self.morphs:
            x, y, z = positions[vertex]
            for target, (dx, dy, dz) in deltas:
                weight = weights[target]
                x, y, z = x + weight * dx, y + weight * dy, z + weight * dz
            positions[vertex] = x, y, z
        return positions

    def vertices(self, number, seconds):
        """Where every vertex of the mesh is at some seconds of a clip."""
        columns = self.columns(number, seconds)
        posed = []
        for (x, y, z), influences in zip(self.morphed(number, seconds), self.influences):
            px = py = pz = 0.0
            for bone, weight in influences:
                (a, b, c, d), (e, f, g, h), (i, j, k, m) = columns[bone]
                px += weight * (a * x + b * y + c * z + d)
                py += weight * (e * x + f * y + g * z + h)
                pz += weight * (i * x + j * y + k * z + m)
            posed.append((px, py, pz))
        return posed

    def by_source(self, positions):
        """{(node, primitive): positions in the source's order}."""
        return {(source["node"], source["primitive"]):
                [positions[self.baked_from_source[v]]
                 for v in range(source["firstVertex"], source["firstVertex"] + source["vertexCount"])]
                for source in self.extension["sources"]}
