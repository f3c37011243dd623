// SPDX-License-Identifier: Apache-2.0
// The pictures of `throng render`: where its crowd stands, and what its camera, light and shadow maps are. Nothing of it
// draws, and a page that has a scene of its own needs none of it.

const kLook = ['sunDirection', 'sunColour', 'skyColour', 'bounceColour', 'groundAlbedo', 'zenithColour', 'horizonColour'];
const kLookNumbers = ['rim', 'exposure', 'groundHeight', 'fogStart', 'fogEnd', 'sunSoftness', 'variation', 'paving', 'clouds', 'metre'];
const kViews = ['crowd', 'close', 'above'];

const lookFrom = (next) => Object.fromEntries([
  ...kLook.map((name) => [name, [next(), next(), next()]]), ...kLookNumbers.map((name) => [name, next()])]);
const numbersOf = (look) => [...kLook.flatMap((name) => look[name]), ...kLookNumbers.map((name) => look[name])];

function reader(numbers) {
  let at = 0;
  return () => numbers[at++];
}

// The light and the air that pictures have unless they say otherwise (SceneLook in scene_look.h).
export function defaultLook(library) {
  library.exports.throng_look();
  return lookFrom(reader(library.numbers));
}

// What a picture's shaders are told: 'uniforms' are the bytes of SceneUniforms (scene.h), matrices have 16 numbers, column
// by column, with depth from 0 to 1 and y downwards. camera: {eye, target, fov}, fov the vertical one in degrees.
export function view(library, camera, { width, height, look, bounds = null, shadowSize = 2048, cascades = 4, contactSize = 1024 }) {
  const box = bounds ? [1, ...bounds.min, ...bounds.max] : [0];
  const given = [...camera.eye, ...camera.target, camera.fov, width, height, shadowSize, cascades, contactSize,
    ...numbersOf({ ...defaultLook(library), ...look }), ...box];
  library.numbers.set(given);
  library.check(library.exports.throng_view());
  const [uniforms, size, passes, passCount, cascadeCount] = library.numbers;
  const { buffer } = library.exports.memory;
  const matrix = (address) => new Float32Array(buffer.slice(address, address + 64));
  return {
    width, height, eye: [...camera.eye],
    pixels: height / (2 * Math.tan(camera.fov * Math.PI / 360)),
    uniforms: new Uint8Array(buffer.slice(uniforms, uniforms + size)),
    clipFromWorld: matrix(uniforms), // it comes first
    shadowPasses: Array.from({ length: passCount }, (_, i) => matrix(passes + 64 * i)),
    cascadeCount,
  };
}

// A crowd as `throng render` stands it: a few in rows, many on a square with a procession through it.
export class Stage {
  // count, seed, view: 'crowd', 'close' or 'above', clip: a name or '' (each its own), aspect: width / height
  constructor(library, characters, makeCrowd, { count = 1152, seed = 1, view: from = 'crowd', clip = '', aspect = 16 / 9 } = {}) {
    this.library = library;
    const clips = characters.map(({ facts }) => (clip === '' ? -1 : facts.clips.findIndex(({ name }) => name === clip)));
    const list = library.exports.throng_allocate(4 * characters.length);
    new Uint32Array(library.exports.memory.buffer, list, characters.length).set(characters.map(({ pointer }) => pointer));
    library.numbers.set([count, seed, Math.max(kViews.indexOf(from), 0), aspect, ...clips]);
    this.pointer = library.exports.throng_stage(list, characters.length);
    library.exports.throng_release(list);
    library.check(this.pointer);
    const next = reader(library.numbers);
    this.camera = { eye: [next(), next(), next()], target: [next(), next(), next()], fov: next() };
    this.look = lookFrom(next);
    this.crowdPointer = next();
    this.ids = [...new BigUint64Array(library.exports.memory.buffer.slice(...((at, n) => [at, at + 8 * n])(next(), next())))];
    this.crowd = makeCrowd(this.crowdPointer);
  }

  // Those who walk through the crowd go to where they are at that second.
  moveTo(seconds) {
    this.library.check(this.library.exports.throng_stage_move(this.pointer, this.crowdPointer, seconds));
  }

  free() {
    this.crowd.free();
    this.library.exports.throng_stage_free(this.pointer);
    this.pointer = 0;
  }
}
