// SPDX-License-Identifier: Apache-2.0
// Throng's run time in WebAssembly: characters, crowds, and plans of images. docs/on-the-web.md shows how to use it;
// throng.d.ts says what each call means.
//
//   const throng = await loadThrong();
//   const knight = throng.readCharacter(await (await fetch('knight.throng.glb')).arrayBuffer());
//   const crowd = throng.crowd();
//   const model = crowd.add(knight);
//   const id = crowd.spawn({ model, clip: 'Walk' });
//   crowd.advance(1 / 60);

import { Stage, view } from './stage.js';

/** What the library refuses, in its own words. */
export class ThrongError extends Error {
  constructor(message) {
    super(message);
    this.name = 'ThrongError';
  }
}

const MODES = ['as-baked', 'clamp', 'loop', 'ping-pong'];
const ARRAYS = { vertices: 0, tangents: 1, vertexParts: 2, indices: 3, atlas: 4 };
const TEXTURES = { clips: 0, table: 1, channels: 2, skeleton: 3, morphs: 4 };
const RECORD_WORDS = { instances: 8, plays: 24 };
const LEVELS = 11; // gpu::kMostLevels
const VERTEX = { position: 0, normal: 12, uv: 24, bones: 32, weights: 40, colour: 48 };
const SURFACE = { position: 0, uv: 12, colour: 20 };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function idOf(slot, generation) {
  return (BigInt(generation) << 32n) | BigInt(slot);
}

// What the C library asks of its host. Nothing here has files or an environment: it is told so, politely.
function host(module) {
  const NOT_THERE = 52; // WASI's ENOSYS
  const functions = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    functions[from] ??= {};
    if (kind !== 'function') throw new ThrongError(`throng.wasm asks for ${from}.${name}, which is no function`);
    functions[from][name] = () => NOT_THERE;
  }
  for (const from of Object.values(functions)) {
    if (from.proc_exit) from.proc_exit = (code) => { throw new ThrongError(`the library ended with code ${code}`); };
  }
  return functions;
}

// The module in what was given, or beside this file.
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof Response !== 'undefined' && source instanceof Response) return WebAssembly.compile(await source.arrayBuffer());
  const url = new URL(source ?? 'throng.wasm', import.meta.url);
  if (url.protocol === 'file:' && typeof process !== 'undefined') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new ThrongError(`${url}: ${answer.status} ${answer.statusText}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Loads the library: from bytes, a compiled module, a response or a URL; without any, from throng.wasm beside this file. */
export async function loadThrong(source) {
  const module = await compile(source);
  const instance = await WebAssembly.instantiate(module, host(module));
  instance.exports._initialize();
  return new Throng(new Library(instance.exports));
}

// The calls of web/wasm/calls.h, and the memory they share with this file.
class Library {
  constructor(exports) {
    this.exports = exports;
    this.numbersAt = exports.throng_numbers();
  }

  // A view that is made anew where memory has grown.
  get numbers() {
    if (this.view?.buffer !== this.exports.memory.buffer) this.view = new Float64Array(this.exports.memory.buffer, this.numbersAt, 1024);
    return this.view;
  }

  write(values, first = 0) {
    this.numbers.set(values, first);
  }

  // The array that the call before answered with.
  array(Type) {
    const bytes = this.numbers[1];
    if (bytes === 0) return new Type(0);
    return new Type(this.exports.memory.buffer, this.numbers[0], bytes / Type.BYTES_PER_ELEMENT);
  }

  text() {
    this.exports.throng_text();
    return decoder.decode(this.array(Uint8Array));
  }

  check(fine) {
    if (!fine) throw new ThrongError(this.text());
  }

  // The bytes in the library's memory; whoever gets the address releases it.
  copyIn(bytes) {
    const address = this.exports.throng_allocate(Math.max(bytes.byteLength, 1)) >>> 0;
    if (address === 0) throw new ThrongError(`out of memory: there is no room for ${bytes.byteLength} bytes`);
    new Uint8Array(this.exports.memory.buffer, address, bytes.byteLength).set(bytes);
    return address;
  }
}

function bytesOf(data) {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new ThrongError('a character is read from an ArrayBuffer or a typed array');
}

class Throng {
  #library;

  constructor(library) {
    this.#library = library;
  }

  get memoryBytes() {
    return this.#library.exports.memory.buffer.byteLength;
  }

  looksLikeCharacter(data) {
    const bytes = bytesOf(data);
    const address = this.#library.copyIn(bytes);
    const looks = this.#library.exports.throng_looks_like_character(address, bytes.byteLength) !== 0;
    this.#library.exports.throng_release(address);
    return looks;
  }

  readCharacter(data, name = '') {
    const bytes = bytesOf(data);
    const pointer = this.#library.exports.throng_read(this.#library.copyIn(bytes), bytes.byteLength) >>> 0;
    if (pointer === 0) throw new ThrongError((name && `${name}: `) + this.#library.text());
    return new Character(this.#library, pointer);
  }

  crowd() {
    return new Crowd(this.#library, this.#library.exports.throng_make_crowd() >>> 0);
  }

  stage(characters, settings) {
    return new Stage(this.#library, characters, (pointer) => new Crowd(this.#library, pointer, characters), settings);
  }

  view(camera, settings) {
    return view(this.#library, camera, settings);
  }
}

// Something of the library's that is freed.
class Handle {
  constructor(library, pointer, what) {
    this.library = library;
    this.held = pointer;
    this.what = what;
  }

  get pointer() {
    if (this.held === 0) throw new ThrongError(`this ${this.what} was freed`);
    return this.held;
  }

  release(free) {
    if (this.held !== 0) this.library.exports[free](this.held);
    this.held = 0;
  }
}

class Character extends Handle {
  constructor(library, pointer) {
    super(library, pointer, 'character');
    library.exports.throng_facts(pointer);
    this.facts = JSON.parse(library.text());
  }

  free() {
    this.release('throng_free_character');
  }

  #array(name, Type) {
    this.library.exports.throng_array(this.pointer, ARRAYS[name]);
    return this.library.array(Type);
  }

  #texture(name, Type = Uint32Array) {
    this.library.exports.throng_texture(this.pointer, TEXTURES[name]);
    const [width, height, texelWords] = this.library.numbers.subarray(2, 5);
    return { width, height, texelWords, words: this.library.array(Type) };
  }

  get vertices() {
    const bytes = this.#array('vertices', Uint8Array);
    const stride = this.library.numbers[2];
    const offsets = this.facts.mode === 'bones' ? VERTEX : SURFACE;
    return { bytes, stride, count: bytes.byteLength / stride, offsets: { ...offsets } };
  }

  get tangents() {
    return this.#array('tangents', Float32Array);
  }

  get vertexParts() {
    return this.#array('vertexParts', Uint8Array);
  }

  get indices() {
    return this.#array('indices', Uint32Array);
  }

  get atlas() {
    const words = this.#array('atlas', Uint32Array);
    const [width, height, layers, texelWords] = this.library.numbers.subarray(2, 6);
    return { width, height, layers, texelWords, words };
  }

  get clipTexels() {
    return this.#texture('clips');
  }

  get tableTexels() {
    return this.#texture('table', Float32Array);
  }

  get channelTexels() {
    return this.#texture('channels');
  }

  get skeletonTexels() {
    return this.#texture('skeleton');
  }

  get morphTexels() {
    return this.#texture('morphs');
  }

  image(number) {
    this.library.exports.throng_image(this.pointer, number);
    return this.library.array(Uint8Array);
  }
}

class Crowd extends Handle {
  #characters; // their facts, by model
  #names = []; // of each model: clips and sockets that were found by name

  // `characters`: those that the crowd has already.
  constructor(library, pointer, characters = []) {
    super(library, pointer, 'crowd');
    this.#characters = characters.map((character) => character.facts);
  }

  free() {
    this.release('throng_free_crowd');
  }

  add(character) {
    const model = this.library.exports.throng_add(this.pointer, character.pointer);
    this.#characters[model] = character.facts;
    return model;
  }

  reserve(model, count) {
    this.library.exports.throng_reserve(this.pointer, model, count);
  }

  // The number of a clip or a socket, which may be told by its name.
  #numberOf(kind, model, wanted) {
    if (typeof wanted === 'number') return wanted;
    const found = (this.#names[model] ??= [new Map(), new Map()])[kind];
    let number = found.get(wanted);
    if (number !== undefined) return number;
    const name = encoder.encode(wanted);
    const address = this.library.copyIn(name);
    const fine = this.library.exports.throng_find_name(this.pointer, model, kind, address, name.byteLength);
    this.library.exports.throng_release(address);
    this.library.check(fine);
    number = this.library.numbers[0];
    found.set(wanted, number);
    return number;
  }

  #clip(model, clip) {
    return this.#numberOf(0, model, clip);
  }

  #writePlay(clip, play, first) {
    const mode = play.mode ?? 'as-baked';
    if (!MODES.includes(mode)) throw new ThrongError(`there is no mode '${mode}'; there are ${MODES.join(', ')}`);
    const numbers = this.library.numbers;
    numbers[first] = clip;
    numbers[first + 1] = play.speed ?? 1;
    numbers[first + 2] = play.offset ?? 0;
    numbers[first + 3] = MODES.indexOf(mode);
    numbers[first + 4] = play.fade ?? 0;
    numbers[first + 5] = play.inStep ? 1 : 0;
  }

  #writePlacement({ position = [0, 0, 0], rotation = [0, 0, 0, 1], scale = 1 }, first) {
    const numbers = this.library.numbers;
    for (let i = 0; i < 3; ++i) numbers[first + i] = position[i];
    for (let i = 0; i < 4; ++i) numbers[first + 3 + i] = rotation[i];
    numbers[first + 7] = scale;
  }

  #writeLook({ tint = [255, 255, 255, 255], variation = 0 }, first) {
    const numbers = this.library.numbers;
    for (let i = 0; i < 4; ++i) numbers[first + i] = Math.min(Math.max(Math.round(tint[i] ?? 255), 0), 255);
    numbers[first + 4] = variation >>> 0;
  }

  #spawn(spawn, clip) {
    this.#writePlacement(spawn, 2);
    this.#writePlay(clip, spawn, 10);
    this.#writeLook(spawn, 16);
    const numbers = this.library.numbers;
    numbers[0] = spawn.model ?? 0;
    numbers[1] = spawn.rootMotion ? 1 : 0;
    numbers[21] = spawn.hiddenParts === undefined ? 0 : 1;
    if (spawn.hiddenParts !== undefined) {
      numbers[22] = Number(spawn.hiddenParts & 0xffffffffn);
      numbers[23] = Number((spawn.hiddenParts >> 32n) & 0xffffffffn);
    }
    this.library.check(this.library.exports.throng_spawn(this.pointer));
    const after = this.library.numbers;
    const id = idOf(after[0], after[1]);
    if (spawn.dress !== undefined) this.dress(id, spawn.dress);
    return id;
  }

  spawn(spawn = {}) {
    return this.#spawn(spawn, this.#clip(spawn.model ?? 0, spawn.clip ?? 0));
  }

  spawnMany(model, count, fill) {
    this.reserve(model, this.count(model) + count);
    const ids = new BigUint64Array(count);
    for (let i = 0; i < count; ++i) {
      const spawn = { model };
      fill?.(i, spawn);
      ids[i] = this.spawn(spawn);
    }
    return ids;
  }

  remove(id) {
    this.library.check(this.library.exports.throng_remove(this.pointer, id));
  }

  place(id, placement) {
    this.#writePlacement({ ...this.placement(id), ...placement }, 0);
    this.library.check(this.library.exports.throng_place(this.pointer, id));
  }

  paint(id, look) {
    this.#writeLook(look, 0);
    this.library.check(this.library.exports.throng_paint(this.pointer, id));
  }

  wear(id, hiddenParts) {
    this.library.check(this.library.exports.throng_wear(this.pointer, id, hiddenParts));
  }

  worn(id) {
    this.library.check(this.library.exports.throng_worn(this.pointer, id));
    return idOf(this.library.numbers[0], this.library.numbers[1]);
  }

  dress(id, seed) {
    this.library.check(this.library.exports.throng_dress(this.pointer, id, BigInt(seed)));
  }

  show(id, shown) {
    this.library.check(this.library.exports.throng_show(this.pointer, id, shown ? 1 : 0));
  }

  #play(id, clip, play, queued) {
    const number = typeof clip === 'number' ? clip : this.#clip(this.find(id).model, clip);
    this.#writePlay(number, play, 0);
    this.library.check(this.library.exports.throng_play(this.pointer, id, queued));
  }

  play(id, clip, play = {}) {
    this.#play(id, clip, play, 0);
  }

  fade(id, clip, seconds, play = {}) {
    this.#play(id, clip, { ...play, fade: seconds }, 0);
  }

  queue(id, clip, play = {}) {
    this.#play(id, clip, play, 1);
  }

  clearQueue(id) {
    this.library.check(this.library.exports.throng_clear_queue(this.pointer, id));
  }

  speed(id, speed) {
    this.library.check(this.library.exports.throng_set_speed(this.pointer, id, speed));
  }

  seek(id, seconds) {
    this.library.check(this.library.exports.throng_seek(this.pointer, id, seconds));
  }

  pause(id) {
    this.library.check(this.library.exports.throng_pause(this.pointer, id, 1));
  }

  resume(id) {
    this.library.check(this.library.exports.throng_pause(this.pointer, id, 0));
  }

  moveByClips(id, moved) {
    this.library.check(this.library.exports.throng_move_by_clips(this.pointer, id, moved ? 1 : 0));
  }

  listen(id) {
    this.library.check(this.library.exports.throng_listen(this.pointer, id, 1));
  }

  unlisten(id) {
    this.library.check(this.library.exports.throng_listen(this.pointer, id, 0));
  }

  advance(seconds, onEvent) {
    const count = this.library.exports.throng_advance(this.pointer, seconds);
    if (!onEvent) return;
    const met = [];
    for (let i = 0; i < count; ++i) {
      this.library.exports.throng_event(this.pointer, i);
      const [slot, generation, model, clip, event, when, weight] = this.library.numbers;
      const facts = this.#characters[model].clips[clip];
      met.push({
        instance: idOf(slot, generation), model, clip, clipName: facts.name, event, name: facts.events[event].name,
        seconds: when, weight,
      });
    }
    for (const event of met) onEvent(event);
  }

  #now() {
    this.library.exports.throng_now(this.pointer);
    return this.library.numbers;
  }

  get ticks() {
    const now = this.#now();
    return [now[0], now[1]];
  }

  get seconds() {
    return this.#now()[2];
  }

  get size() {
    return this.#now()[3];
  }

  find(id) {
    this.library.check(this.library.exports.throng_find(this.pointer, id));
    const [model, index] = this.library.numbers;
    return { model, index };
  }

  #track(model, first) {
    const [clip, phase, seconds, weight, finished, frame, next, blend] = this.library.numbers.subarray(first, first + 8);
    const clipName = this.#characters[model].clips[clip].name;
    return { clip, clipName, phase, seconds, weight, finished: finished !== 0, frame, next, blend };
  }

  state(id) {
    const { model } = this.find(id);
    this.library.check(this.library.exports.throng_state(this.pointer, id));
    const numbers = this.library.numbers;
    return {
      ...this.#track(model, 0), paused: numbers[8] !== 0, queued: numbers[9],
      previous: numbers[10] !== 0 ? this.#track(model, 11) : null,
    };
  }

  #place() {
    const numbers = this.library.numbers;
    return { position: [...numbers.subarray(0, 3)], rotation: [...numbers.subarray(3, 7)], scale: numbers[7] };
  }

  placement(id) {
    this.library.check(this.library.exports.throng_placement(this.pointer, id));
    return this.#place();
  }

  socket(id, socket) {
    const number = typeof socket === 'number' ? socket : this.#numberOf(1, this.find(id).model, socket);
    this.library.check(this.library.exports.throng_socket(this.pointer, id, number));
    return { ...this.#place(), matrix: [...this.library.numbers.subarray(8, 24)] };
  }

  #records(model, name) {
    this.library.exports.throng_records(this.pointer, model, name === 'plays' ? 1 : 0);
    return this.library.array(Uint32Array);
  }

  instances(model) {
    return this.#records(model, 'instances');
  }

  plays(model) {
    return this.#records(model, 'plays');
  }

  count(model) {
    return this.#records(model, 'instances').length / RECORD_WORDS.instances;
  }

  version(model) {
    return this.library.exports.throng_version(this.pointer, model);
  }

  changesSince(model, version) {
    if (!this.library.exports.throng_changes(this.pointer, model, version)) return null;
    return this.library.array(Uint32Array);
  }

  bounds() {
    if (!this.library.exports.throng_bounds(this.pointer)) return null;
    const numbers = this.library.numbers;
    return { min: [...numbers.subarray(0, 3)], max: [...numbers.subarray(3, 6)] };
  }

  // The levels that the call before answered with.
  #levels(model, first) {
    const numbers = this.library.numbers;
    const levels = [];
    for (let i = 0; i <= this.#characters[model].levels.length; ++i)
      levels.push({ first: numbers[first + 2 * i], count: numbers[first + 2 * i + 1] });
    return levels;
  }

  plan({
    views, eye = [0, 0, 0], pixels = 720, pixelError = 1, speckPixels = 6, vertexBudget = 0, culling = true, bones = 0,
    interpolated = true,
  }) {
    this.library.write([...eye, pixels, pixelError, speckPixels, vertexBudget, culling ? 1 : 0, bones, interpolated ? 1 : 0, views.length]);
    views.slice(0, 8).forEach((view, i) => this.library.write(view, 11 + 16 * i));
    this.library.check(this.library.exports.throng_plan(this.pointer));
    const [drawn, inPicture, specks, vertices, triangles] = this.library.numbers;
    const models = this.#characters.map((_, model) => this.#planned(model));
    return { models, counts: { drawn, inPicture, specks, vertices, triangles } };
  }

  #planned(model) {
    this.library.exports.throng_planned(this.pointer, model);
    const [, , drawn, meshed, viewCount] = this.library.numbers;
    const texels = this.library.array(Uint32Array);
    const levels = this.#levels(model, 5);
    const views = [];
    for (let view = 0; view < viewCount; ++view) {
      this.library.exports.throng_planned_view(this.pointer, model, view);
      views.push({ rows: this.library.array(Uint32Array), levels: this.#levels(model, 2) });
    }
    return { drawn, meshed, texels, height: texels.length / 4096, levels, views };
  }

  vertices(id, { space = 'world' } = {}) {
    this.library.check(this.library.exports.throng_deform(this.pointer, id, space === 'world' ? 1 : 0));
    const positions = this.library.array(Float32Array);
    const normals = new Float32Array(positions.buffer, this.library.numbers[2], positions.length);
    return { positions, normals };
  }

  cursors(model) {
    this.library.exports.throng_cursors(this.pointer, model);
    const words = this.library.array(Uint32Array);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const count = words.length / 3;
    const every = (Type, from, at) => Type.from({ length: count }, (_, i) => from[3 * i + at]);
    return { frames: every(Uint32Array, words, 0), nexts: every(Uint32Array, words, 1), blends: every(Float32Array, floats, 2) };
  }
}
