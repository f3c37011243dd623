// SPDX-License-Identifier: Apache-2.0
// Reading characters, what is told of them, and what a GPU takes: for every encoding that a bake chooses or is told.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bake, loadThrong, read, refusal, throng, web } from './support.mjs';

const mannequin = bake('builtin:mannequin');

test('loads from bytes, a compiled module, a URL and a response, and says what is not there', async () => {
  const bytes = readFileSync(`${web}/throng.wasm`);
  for (const source of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    await WebAssembly.compile(bytes), new URL(`file://${web}/throng.wasm`), new Response(bytes)])
    assert.equal((await loadThrong(source)).crowd().size, 0);
  await assert.rejects(loadThrong(new URL(`file://${web}/nowhere.wasm`)), /nowhere/);
});

test('tells what throng inspect tells', () => {
  const facts = read(mannequin).facts;
  const said = JSON.parse(execFileSync(process.env.THRONG_PROGRAM, ['inspect', mannequin, '--json']).toString());
  assert.equal(facts.name, said.name);
  assert.equal(facts.clips.length, said.clips.length);
  said.clips.forEach((clip, i) => {
    assert.equal(facts.clips[i].name, clip.name);
    assert.equal(facts.clips[i].frames, clip.frames);
    assert.equal(facts.clips[i].encoding, clip.encoding);
    assert.equal(facts.clips[i].loops, clip.loops);
  });
  assert.equal(facts.levels[0].vertices, facts.vertexCount);
  assert.equal(facts.bytes.file, readFileSync(mannequin).byteLength);
});

// The arrays as the file has them: bufferViews of a glTF binary, which anybody can look up.
function gltfOf(file) {
  const bytes = readFileSync(file);
  const size = bytes.readUInt32LE(12);
  return { json: JSON.parse(bytes.subarray(20, 20 + size)), bin: bytes.subarray(28 + size) };
}

test('gives the bytes of the file to upload', () => {
  const character = read(mannequin);
  const { json, bin } = gltfOf(mannequin);
  const view = (number) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[number];
    return bin.subarray(byteOffset, byteOffset + byteLength);
  };
  const extension = json.extensions.THRONG_animation_textures;
  const words = view(extension.channels.bufferView);
  const channels = character.channelTexels;
  assert.equal(channels.words.length, channels.width * channels.height);
  assert.deepEqual(Buffer.from(channels.words.buffer, channels.words.byteOffset, words.length), Buffer.from(words));
  assert.ok(channels.words.subarray(words.length / 4).every((word) => word === 0));

  const { attributes, indices } = json.meshes[0].primitives[0];
  const position = json.accessors[attributes.POSITION];
  const { bytes, stride, count, offsets } = character.vertices;
  assert.equal(count, position.count);
  assert.equal(stride, json.bufferViews[position.bufferView].byteStride);
  const first = view(position.bufferView).subarray(position.byteOffset ?? 0);
  assert.deepEqual(Buffer.from(bytes.subarray(offsets.position, offsets.position + 12)), Buffer.from(first.subarray(0, 12)));
  const triangles = json.accessors[indices];
  const draw = character.facts.levels[0].draws[0];
  assert.equal(draw.indexCount, triangles.count);
  assert.equal(character.indices[draw.firstIndex], view(triangles.bufferView).readUInt32LE(triangles.byteOffset ?? 0));
  assert.ok(character.indices.every((index) => index < count));
});

test('reads every encoding', () => {
  for (const encoding of ['q16', 'x16', 'q12', 'q8', 'rows', 'half-quaternion', 'half-rows', 'local8', 'localv'])
    assert.ok(read(bake('builtin:mannequin', '--encoding', encoding)).facts.clips.every((clip) => clip.encoding === encoding), encoding);
  const vertices = read(bake('builtin:mannequin', '--mode', 'vertices', '--clip', 'walk'));
  assert.equal(vertices.facts.mode, 'vertices');
  assert.equal(vertices.vertices.stride, 24);
  assert.equal(vertices.atlas.words.length, vertices.atlas.width * vertices.atlas.height * vertices.atlas.layers * vertices.atlas.texelWords);
});

test('tells a character from a plain model and from anything else', () => {
  assert.equal(throng.looksLikeCharacter(readFileSync(mannequin)), true);
  assert.equal(throng.looksLikeCharacter(new Uint8Array([0x67, 0x6c, 0x54, 0x46])), false);
  assert.match(refusal(() => throng.readCharacter(new Uint8Array(0))), /GLB/);
  assert.match(refusal(() => throng.readCharacter('text')), /ArrayBuffer/);
});

test('gives memory back', () => {
  const bytes = readFileSync(bake('builtin:mannequin', '--encoding', 'q16'));
  const round = () => {
    const character = throng.readCharacter(bytes);
    const crowd = throng.crowd();
    crowd.spawnMany(crowd.add(character), 1000);
    crowd.plan({ views: [new Float32Array(16)], culling: false });
    crowd.free();
    character.free();
    refusal(() => throng.readCharacter(bytes.subarray(0, bytes.length - 1)));
  };
  for (let i = 0; i < 3; ++i) round();
  const before = throng.memoryBytes;
  for (let i = 0; i < 100; ++i) round();
  assert.equal(throng.memoryBytes, before);
});

test('a character lives on in a crowd after it was freed, and says itself that it was', () => {
  const character = read(mannequin);
  const crowd = throng.crowd();
  const model = crowd.add(character);
  character.free();
  character.free();
  const id = crowd.spawn({ model, clip: 'walk' });
  assert.equal(crowd.vertices(id).positions.length, 3 * character.facts.vertexCount);
  assert.equal(refusal(() => character.indices), 'this character was freed');
  crowd.free();
  assert.equal(refusal(() => crowd.size), 'this crowd was freed');
});
