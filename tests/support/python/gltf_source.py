# SPDX-License-Identifier: Apache-2.0
"""Where the vertices of a glTF file are at a time of a clip, as the glTF 2.0 specification says it: skins, node
hierarchies, morph targets and linear or stepped keys, in double precision. What baked characters are measured against by
somebody who shares no code with the importer. Files are binary, or have their one buffer in them.
"""
import base64
import bisect
import json
import math
import struct

COMPONENTS = {5121: ("B", 255), 5123: ("H", 65535), 5125: ("I", 1), 5126: ("f", 1)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def multiply(a, b):
    """Of two matrices of three rows of four numbers; the fourth row of both is 0 0 0 1."""
    return tuple(tuple(sum(row[k] * b[k][j] for k in range(3)) + (row[3] if j == 3 else 0.0) for j in range(4))
                 for row in a)


def from_columns(m):
    return tuple(tuple(m[4 * column + row] for column in range(4)) for row in range(3))


def from_parts(translation, rotation, scale):
    length = math.sqrt(sum(c * c for c in rotation))
    x, y, z, w = (c / length for c in rotation)
    turn = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    return tuple((*(c * s for c, s in zip(row, scale)), t) for row, t in zip(turn, translation))


def slerp(a, b, blend):
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = [-c for c in b], -cosine
    angle = math.acos(min(cosine, 1.0))
    if angle < 1e-7:
        return [x + (y - x) * blend for x, y in zip(a, b)]
    return [(math.sin((1 - blend) * angle) * x + math.sin(blend * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


class Source:
    def __init__(self, data):
        if data[:4] == b"glTF":
            size, = struct.unpack_from("<I", data, 12)
            self.gltf, self.bin = json.loads(data[20:20 + size]), data[28 + size:]
        else:
            self.gltf = json.loads(data)
            self.bin = base64.b64decode(self.gltf["buffers"][0]["uri"].split(",")[1])
        nodes = self.gltf["nodes"]
        self.parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", ())}
        self.inverse_binds = [[from_columns(m) for m in self.rows(skin["inverseBindMatrices"])]
                              for skin in self.gltf.get("skins", ())]
        self.clips = [[(channel["target"]["node"], channel["target"]["path"],
                        [t for t, in self.rows(sampler["input"])], self.rows(sampler["output"]),
                        sampler.get("interpolation", "LINEAR"))
                       for channel in animation["channels"] for sampler in [animation["samplers"][channel["sampler"]]]]
                      for animation in self.gltf.get("animations", ())]
        self.meshes = []  # (node, primitive, positions, targets, influences), a node's primitives one after another
        for i, node in enumerate(nodes):
            for k, primitive in enumerate(self.gltf["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ()):
                attributes = primitive["attributes"]
                positions, influences = self.rows(attributes["POSITION"]), None
                targets = [self.rows(target["POSITION"]) for target in primitive.get("targets", ())]
                if "skin" in node:
                    joints = self.rows(attributes["JOINTS_0"], normalise=False)
                    weights = self.rows(attributes["WEIGHTS_0"])
                    influences = [[(j, w / sum(ws)) for j, w in zip(js, ws) if w] for js, ws in zip(joints, weights)]
                self.meshes.append((i, k, positions, targets, influences))

    def rows(self, number, normalise=True):
        accessor = self.gltf["accessors"][number]
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        (code, largest), width = COMPONENTS[accessor["componentType"]], WIDTHS[accessor["type"]]
        form = struct.Struct(f"<{width}{code}")
        first, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", form.size)
        rows = [form.unpack_from(self.bin, first + stride * i) for i in range(accessor["count"])]
        if normalise and largest > 1 and width > 1:
            rows = [tuple(c / largest for c in row) for row in rows]
        return rows

    def key_times(self, clip):
        return sorted({time for _, _, times, _, _ in self.clips[clip] for time in times})

    def end(self, clip):
        return self.key_times(clip)[-1]

    def moved(self, clip, time):
        """{(node, path): value} of what the clip says of nodes."""
        moved = {}
        for node, path, times, values, interpolation in self.clips[clip]:
            assert interpolation in ("LINEAR", "STEP"), interpolation
            if path == "weights":  # those of all targets of a key are one row
                count = len(values) // len(times)
                values = [[w for w, in values[count * i:count * (i + 1)]] for i in range(len(times))]
            after = bisect.bisect_right(times, time)
            if after == 0 or after == len(times):
                value = values[0 if after == 0 else -1]
            elif interpolation == "STEP":
                value = values[after - 1]
            else:
                blend = (time - times[after - 1]) / (times[after] - times[after - 1])
                a, b = values[after - 1], values[after]
                value = slerp(a, b, blend) if path == "rotation" else [x + (y - x) * blend for x, y in zip(a, b)]
            moved[node, path] = value
        return moved

    def model_from_nodes(self, moved):
        found = {}

        def model_from(i):
            if i not in found:
                node = self.gltf["nodes"][i]
                parts = [moved.get((i, path), node.get(path, rest)) for path, rest in
                         (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1)))]
                own = from_columns(node["matrix"]) if "matrix" in node else from_parts(*parts)
                found[i] = multiply(model_from(self.parents[i]), own) if i in self.parents else own
            return found[i]

        return model_from

    def vertices(self, clip, time):
        """{(node, primitive): positions} at a time of the file's own, which counts from where its keys do."""
        moved, posed = self.moved(clip, time), {}
        model_from = self.model_from_nodes(moved)
        for node, primitive, positions, targets, influences in self.meshes:
            if targets:
                mesh = self.gltf["meshes"][self.gltf["nodes"][node]["mesh"]]
                weights = moved.get((node, "weights"), mesh.get("weights", [0] * len(targets)))
                positions = [[c + sum(w * target[v][k] for w, target in zip(weights, targets))
                              for k, c in enumerate(position)] for v, position in enumerate(positions)]
            if influences is None:
                rows, influences = [model_from(node)], [[(0, 1.0)]] * len(positions)
            else:
                skin = self.gltf["nodes"][node]["skin"]
                rows = [multiply(model_from(joint), bind)
                        for joint, bind in zip(self.gltf["skins"][skin]["joints"], self.inverse_binds[skin])]
            part = []
            for (x, y, z), bones in zip(positions, influences):
                px = py = pz = 0.0
                for bone, weight in bones:
                    (a, b, c, d), (e, f, g, h), (i, j, k, m) = rows[bone]
                    px += weight * (a * x + b * y + c * z + d)
                    py += weight * (e * x + f * y + g * z + h)
                    pz += weight * (i * x + j * y + k * z + m)
                part.append((px, py, pz))
            posed[node, primitive] = part
        return posed
