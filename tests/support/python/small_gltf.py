# SPDX-License-Identifier: Apache-2.0
"""Small glTF files for tests, made of plain lists: a panel of triangles, moved, turned, scaled or morphed by keys."""
import base64
import json
import struct

FLOAT, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5123, 5125


class SmallGltf:
    """A square panel on the bone 'panel' under 'root', with a 'tip' at its upper end."""

    def __init__(self):
        self.buffer = b""
        self.document = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"name": "main", "nodes": [0]}],
            "nodes": [{"name": "root", "children": [1]}, {"name": "panel", "mesh": 0, "children": [2]},
                      {"name": "tip", "translation": [0, 1, 0]}],
            "meshes": [{"primitives": [{"attributes": {}}]}],
            "bufferViews": [], "accessors": [], "animations": [],
        }
        corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        self.primitive["attributes"]["POSITION"] = self.add(corners, "VEC3", bounds=True)
        self.primitive["indices"] = self.add([[i] for i in (0, 1, 2, 0, 2, 3)], "SCALAR", UNSIGNED_SHORT)

    @property
    def primitive(self):
        return self.document["meshes"][0]["primitives"][0]

    def add(self, rows, kind, component=FLOAT, bounds=False):
        data = b"".join(struct.pack("<" + ("f" if component == FLOAT else "H") * len(row), *row) for row in rows)
        most = {"min": [min(column) for column in zip(*rows)], "max": [max(column) for column in zip(*rows)]} if bounds else {}
        return self.add_packed(data, len(rows), kind, component, **most)

    def add_packed(self, data, count, kind, component=FLOAT, **more):
        """An accessor of bytes as they are."""
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": len(data)})
        self.document["accessors"].append({"bufferView": len(self.document["bufferViews"]) - 1, "componentType": component,
                                           "count": count, "type": kind, **more})
        self.buffer += data
        return len(self.document["accessors"]) - 1

    def clip(self, name, path, times, values, node=1, **more):
        kind = {"translation": "VEC3", "scale": "VEC3", "rotation": "VEC4", "weights": "SCALAR"}[path]
        sampler = {"input": self.add([[t] for t in times], "SCALAR", bounds=True), "output": self.add(values, kind)}
        self.document["animations"].append({"name": name, "samplers": [sampler],
                                            "channels": [{"sampler": 0, "target": {"node": node, "path": path}}], **more})
        return self

    def also(self, path, times, values, node=1):
        """Another channel of the last clip."""
        self.clip("", path, times, values, node)
        more = self.document["animations"].pop()
        last = self.document["animations"][-1]
        more["channels"][0]["sampler"] = len(last["samplers"])
        last["samplers"] += more["samplers"]
        last["channels"] += more["channels"]
        return self

    def turning(self, name="turn", seconds=1.0, keys=31, turns=0.1, **more):
        """There and back about z, so that it loops."""
        import math
        times = [seconds * i / (keys - 1) for i in range(keys)]
        angles = [math.pi * turns * math.sin(2 * math.pi * i / (keys - 1)) for i in range(keys)]
        return self.clip(name, "rotation", times, [[0, 0, math.sin(a), math.cos(a)] for a in angles], **more)

    def morphing(self, name="smile"):
        offsets = [[0, 0, 0], [0, 0, 0], [0, 0.2, 0], [0, 0.2, 0]]
        self.primitive["targets"] = [{"POSITION": self.add(offsets, "VEC3", bounds=True)}]
        return self.clip(name, "weights", [0, 0.5, 1], [[0], [1], [0]])

    def following(self, weights):
        """Every corner follows as many joints, which are nodes of their own (`joints`), by these weights."""
        nodes = self.document["nodes"]
        self.joints = list(range(len(nodes), len(nodes) + len(weights)))
        nodes.extend({"name": f"joint{i}"} for i in range(len(weights)))
        nodes[0]["children"] += self.joints
        nodes[1]["skin"] = 0
        self.document["skins"] = [{"joints": self.joints}]
        for first in range(0, len(weights), 4):
            four = slice(first, first + 4)
            joints = list(range(len(weights)))[four]
            self.primitive["attributes"][f"JOINTS_{first // 4}"] = self.add([joints] * 4, "VEC4", UNSIGNED_SHORT)
            self.primitive["attributes"][f"WEIGHTS_{first // 4}"] = self.add([weights[four]] * 4, "VEC4")
        return self

    def write(self, path):
        self.document["buffers"] = [{"byteLength": len(self.buffer), "uri": "data:application/octet-stream;base64," +
                                     base64.b64encode(self.buffer).decode()}]
        if not self.document["animations"]:
            del self.document["animations"]
        with open(path, "w") as file:
            json.dump(self.document, file)
        return str(path)
