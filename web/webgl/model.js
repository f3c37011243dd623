// SPDX-License-Identifier: Apache-2.0
// One character on the GPU: its mesh, its frames and its pictures; and in each image those of it that are drawn.
import { GrowingTexels, atlasTexture, bindTo, numberTexture, pictureTexture } from './textures.js';
import { units } from './programs.js';

// encodings.h: bits of kAffineEncodings and of local8.
const kAffine = (1 << 4) | (1 << 6);
const kLocal8 = 1 << 7;

const kRowTexels = 1024; // in a row of a plan's texels
const kRowAttribute = 8;

// What the sources of shaders/ ask of a model: drivers leave out what its clips do not need.
function definesOf(facts, posed) {
  const { constants } = facts;
  const defines = {
    THRONG_ATLAS_WIDTH: `${Math.max(constants.atlasWidth, 1)}u`,
    THRONG_TEXEL_WORDS: `${constants.texelWords}u`,
    THRONG_FRAME_SHAPES: `${constants.frameShapes}u`,
    THRONG_ENCODINGS: `${constants.encodings}u`,
    THRONG_COLUMNS: `${Math.max(constants.columns, 1)}u`,
    THRONG_ANIMATED_TANGENTS: `${Number(constants.animatedTangents)}u`,
  };
  if (facts.chains) defines.THRONG_CHAINS = 1;
  if (facts.hasMorphs) defines.THRONG_MORPHS = 1;
  if (facts.hasParts) defines.THRONG_PARTS = 1;
  if (facts.mode === 'vertices') defines.THRONG_VERTEX_MODE = 1;
  if (posed) defines.THRONG_POSED = 1;
  return defines;
}

function upload(gl, target, values) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  gl.bufferData(target, values, gl.STATIC_DRAW);
  return buffer;
}

export class GpuModel {
  constructor(gl, character) {
    const { facts } = character;
    if (facts.constants.encodings & kLocal8)
      throw new Error(`throng: ${facts.name} has clips in local8, which a browser does not play; bake it with localv, the default`);
    this.gl = gl;
    this.facts = facts;
    this.posed = facts.mode === 'bones' && !(facts.constants.encodings & kAffine);
    // Tangents bend normals; of vertex mode they are in the frames, which are read for positions alone.
    this.tangents = facts.hasTangents && character.tangents.length > 0;
    this.defines = definesOf(facts, this.posed);
    if (this.tangents) this.defines.THRONG_TANGENTS = 1;
    this.vertices(character);
    this.textures = [
      ['atlas', gl.TEXTURE_2D_ARRAY, atlasTexture(gl, character.atlas)],
      ['clip_words', gl.TEXTURE_2D, numberTexture(gl, character.clipTexels)],
      ['table_rows', gl.TEXTURE_2D, numberTexture(gl, character.tableTexels)],
      ['channel_words', gl.TEXTURE_2D, numberTexture(gl, character.channelTexels)],
      ['skeleton_words', gl.TEXTURE_2D, numberTexture(gl, character.skeletonTexels)],
      ['morph_texels', gl.TEXTURE_2D, numberTexture(gl, character.morphTexels)],
    ];
    this.drawn = new GrowingTexels(gl, kRowTexels);
    const columns = Math.max(facts.constants.columns, 1);
    this.charactersInRow = Math.max(Math.floor(Math.min(gl.getParameter(gl.MAX_TEXTURE_SIZE), 4096) / columns), 1);
    this.turns = new GrowingTexels(gl, columns * this.charactersInRow);
    this.shifts = new GrowingTexels(gl, columns * this.charactersInRow);
    this.poses = gl.createFramebuffer();
    this.poseHeight = 0;
    this.rowBuffers = []; // one a view
    this.pictures = [];
    this.plan = null;
  }

  // Decodes the pictures. Until then, and of pictures that lie beside the asset, surfaces have their base colour.
  async load(character) {
    const { gl, facts } = this;
    const pictures = new Map();
    facts.materials.forEach((material) => {
      for (const [index, srgb] of [[material.baseImage, true], [material.normalImage, false]]) {
        if (index === null || facts.images[index].uri) continue;
        const key = JSON.stringify([index, srgb, material.wrapU, material.wrapV, material.nearest]);
        if (pictures.has(key)) continue;
        const bytes = character.image(index).slice(); // decoding takes a while, and views do not last
        pictures.set(key, pictureTexture(gl, bytes, facts.images[index].mime, { srgb, ...material }));
      }
    });
    const made = new Map();
    for (const [key, promise] of pictures) made.set(key, await promise);
    const of = (material, index, srgb) => index === null ? undefined
      : made.get(JSON.stringify([index, srgb, material.wrapU, material.wrapV, material.nearest]));
    this.pictures = facts.materials.map((material) => ({
      base: of(material, material.baseImage, true),
      normal: this.tangents ? of(material, material.normalImage, false) : undefined,
    }));
    this.made = [...made.values()];
  }

  vertices(character) {
    const { gl, facts } = this;
    const { bytes, stride, offsets } = character.vertices;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    this.buffers = [upload(gl, gl.ARRAY_BUFFER, bytes)];
    const floats = (at, count, name, type = gl.FLOAT, normalised = false) => {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, count, type, normalised, stride, offsets[name]);
    };
    floats(0, 3, 'position');
    floats(3, 2, 'uv');
    floats(6, 4, 'colour', gl.UNSIGNED_BYTE, true);
    if (facts.mode === 'bones') {
      floats(1, 3, 'normal');
      floats(5, 4, 'weights', gl.UNSIGNED_SHORT, true);
      gl.enableVertexAttribArray(4);
      gl.vertexAttribIPointer(4, 4, gl.UNSIGNED_SHORT, stride, offsets.bones);
    }
    if (this.tangents) {
      this.buffers.push(upload(gl, gl.ARRAY_BUFFER, character.tangents));
      gl.enableVertexAttribArray(2);
      gl.vertexAttribPointer(2, 4, gl.FLOAT, false, 16, 0);
    }
    if (facts.hasParts) {
      this.buffers.push(upload(gl, gl.ARRAY_BUFFER, character.vertexParts));
      gl.enableVertexAttribArray(7);
      gl.vertexAttribIPointer(7, 1, gl.UNSIGNED_BYTE, 1, 0);
    }
    this.buffers.push(upload(gl, gl.ELEMENT_ARRAY_BUFFER, character.indices));
    gl.enableVertexAttribArray(kRowAttribute);
    gl.vertexAttribDivisor(kRowAttribute, 1);
    gl.bindVertexArray(null);
  }

  // Takes over what an image shows of this model; `plan` is crowd.plan(…).models[…].
  take(plan) {
    const { gl } = this;
    this.drawn.write(plan.texels, plan.height);
    plan.views.forEach((view, i) => {
      this.rowBuffers[i] ??= gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, this.rowBuffers[i]);
      gl.bufferData(gl.ARRAY_BUFFER, view.rows, gl.STREAM_DRAW);
    });
    this.plan = { drawn: plan.drawn, meshed: plan.meshed, views: plan.views.map(({ levels }) => levels) };
  }

  bind() {
    const { gl } = this;
    for (const [name, target, texture] of this.textures) bindTo(gl, units[name], target, texture);
    bindTo(gl, units.drawn_words, gl.TEXTURE_2D, this.drawn.texture);
    if (!this.posed) return;
    bindTo(gl, units.turns, gl.TEXTURE_2D, this.turns.texture);
    bindTo(gl, units.shifts, gl.TEXTURE_2D, this.shifts.texture);
  }

  // Poses everybody who is drawn, once for all views.
  pose(programs) {
    const { gl, plan } = this;
    if (!this.posed || plan.meshed === 0) return;
    const height = Math.ceil(plan.meshed / this.charactersInRow);
    this.turns.reserve(height);
    this.shifts.reserve(height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.poses);
    if (this.poseHeight !== this.turns.height) {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.turns.texture, 0);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, gl.TEXTURE_2D, this.shifts.texture, 0);
      gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
      this.poseHeight = this.turns.height;
    }
    this.bind();
    const program = programs.get('fill.vert', 'pose.frag', this.defines).use();
    program.setUint('characters_in_row', this.charactersInRow);
    program.setUint('character_count', plan.meshed);
    gl.viewport(0, 0, this.turns.width, height);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // Draws those of one view, a call for each material of each level. `programFor` gives the program of a material.
  draw(view, clipFromWorld, programFor) {
    const { gl, facts } = this;
    const levels = this.plan.views[view];
    if (!levels.some(({ count }, i) => count > 0 && i < facts.levels.length)) return 0;
    this.bind();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.rowBuffers[view]);
    let calls = 0;
    facts.materials.forEach((material, number) => {
      let program = null;
      facts.levels.forEach((level, i) => {
        const { first, count } = levels[i];
        const call = level.draws.find((draw) => draw.material === number);
        if (count === 0 || !call || call.indexCount === 0) return;
        program ??= this.ready(programFor(this, number), number, clipFromWorld);
        gl.vertexAttribIPointer(kRowAttribute, 1, gl.UNSIGNED_INT, 4, first * 4);
        gl.drawElementsInstanced(gl.TRIANGLES, call.indexCount, gl.UNSIGNED_INT, call.firstIndex * 4, count);
        ++calls;
      });
    });
    gl.bindVertexArray(null);
    return calls;
  }

  ready(program, number, clipFromWorld) {
    const { gl, facts } = this;
    const material = facts.materials[number];
    program.use();
    program.setMatrix('clip_from_world', clipFromWorld);
    program.setFloats('base_colour', ...material.baseColour);
    program.setFloats('alpha_cutoff', material.alphaMode === 'mask' ? material.alphaCutoff : 0.5);
    program.setFloats('normal_scale', material.normalScale);
    program.setUint('material', number);
    program.setUint('characters_in_row', this.charactersInRow);
    const { base, normal } = this.pictures[number] ?? {};
    if (base) bindTo(gl, units.base_texture, gl.TEXTURE_2D, base);
    if (normal) bindTo(gl, units.normal_texture, gl.TEXTURE_2D, normal);
    return program;
  }

  // What a program of that material is compiled for.
  definesFor(number) {
    const { base, normal } = this.pictures[number] ?? {};
    const defines = { ...this.defines };
    if (base) defines.THRONG_BASE_PICTURE = 1;
    if (normal) defines.THRONG_NORMAL_PICTURE = 1;
    if (this.facts.materials[number].alphaMode !== 'opaque') defines.THRONG_HOLES = 1;
    return defines;
  }

  free() {
    const { gl } = this;
    for (const [, , texture] of this.textures) gl.deleteTexture(texture);
    for (const texture of this.made ?? []) gl.deleteTexture(texture);
    for (const buffer of [...this.buffers, ...this.rowBuffers]) gl.deleteBuffer(buffer);
    for (const texels of [this.drawn, this.turns, this.shifts]) texels.free();
    gl.deleteFramebuffer(this.poses);
    gl.deleteVertexArray(this.array);
  }
}
