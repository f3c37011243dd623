// SPDX-License-Identifier: Apache-2.0
// Draws a crowd of throng.js in WebGL 2, with nothing but what every WebGL 2 has: poses by a fragment shader into
// textures of whole numbers, then an instanced draw for each material and level, in the picture and in the shadow maps.
//
//   const renderer = new CrowdRenderer(canvas.getContext('webgl2', CrowdRenderer.contextSettings));
//   await renderer.add(crowd.add(character), character);
//   renderer.draw(crowd, throng.view(camera, {width, height, look, bounds: crowd.bounds()}));
//
// It leaves the context's state as it needed it: set yours before you draw something of your own. When the context is
// lost, throw the renderer away and make another one.
import { GpuModel } from './model.js';
import { Programs } from './programs.js';
import { ShadowMaps } from './shadow_maps.js';

// Depth from 1 (near) to 0 (far), y downwards, as throng's matrices have them → a canvas's: near −1, far 1, y upwards.
function forCanvas(matrix) {
  const out = Float32Array.from(matrix);
  for (let column = 0; column < 16; column += 4) {
    out[column + 1] = -matrix[column + 1];
    out[column + 2] = matrix[column + 3] - 2 * matrix[column + 2];
  }
  return out;
}

// Depth from 0 to 1 → from −1 to 1. Rows stay: a map is read by the same coordinates that it is drawn with.
function forMap(matrix) {
  const out = Float32Array.from(matrix);
  for (let column = 0; column < 16; column += 4) out[column + 2] = 2 * matrix[column + 2] - matrix[column + 3];
  return out;
}

export class CrowdRenderer {
  static contextSettings = { alpha: false, antialias: true, depth: true, powerPreference: 'high-performance' };

  // shading: 'full', or 'plain' without highlights and with hard shadows. The sizes are those of throng.view().
  constructor(gl, { shading = 'full', shadowSize = 2048, cascades = 4, contactSize = 1024, pixelError = 1, bones = 0 } = {}) {
    if (!gl) throw new Error('throng: this browser has no WebGL 2');
    this.gl = gl;
    this.settings = { shading, pixelError, bones };
    this.programs = new Programs(gl);
    this.shadows = new ShadowMaps(gl, { shadowSize, cascades, contactSize });
    this.models = [];
    this.uniforms = gl.createBuffer();
    this.empty = gl.createVertexArray(); // for what draws from vertex numbers alone
    this.report = { drawCalls: 0, counts: null };
  }

  // A character of the crowds that will be drawn, by the number that crowd.add() gave it.
  async add(number, character) {
    const model = new GpuModel(this.gl, character);
    await model.load(character);
    this.models[number]?.free();
    this.models[number] = model;
    return model;
  }

  // The crowd as it is at its present moment, seen as `view` says.
  draw(crowd, view) {
    const { gl } = this;
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.uniforms);
    gl.bufferData(gl.UNIFORM_BUFFER, view.uniforms, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.uniforms);
    this.prepare(crowd, view);
    gl.disable(gl.BLEND);
    gl.disable(gl.SCISSOR_TEST);
    gl.depthMask(true);
    let calls = 0;
    for (const [pass, matrix] of view.shadowPasses.entries()) calls += this.drawShadow(view, pass, forMap(matrix));
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, view.width, view.height);
    this.shadows.bind();
    calls += this.drawPicture(view);
    this.report.drawCalls = calls;
    return this.report;
  }

  // Who is seen and how finely, and their poses. draw() does it; for those who draw with programs of their own.
  prepare(crowd, view) {
    const { gl } = this;
    const plan = crowd.plan({
      views: [view.clipFromWorld, ...view.shadowPasses], eye: view.eye, pixels: view.pixels,
      pixelError: this.settings.pixelError, bones: this.settings.bones, speckPixels: 0,
    });
    plan.models.forEach((model, number) => this.models[number].take(model));
    this.report.counts = plan.counts;
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(this.empty);
    for (const model of this.models) model.pose(this.programs);
    gl.bindVertexArray(null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null); // what draws next reads the poses
  }

  drawShadow(view, pass, matrix) {
    const { gl } = this;
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    gl.disable(gl.CULL_FACE); // open meshes have no back to cast for them
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 0);
    gl.clearDepth(1);
    this.shadows.begin(pass, view.cascadeCount);
    const programFor = (model, number) =>
      this.programs.get('character.vert', 'character_shadow.frag', model.definesFor(number));
    let calls = 0;
    for (const model of this.models) calls += model.draw(1 + pass, matrix, programFor);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    return calls;
  }

  sceneDefines(view) {
    const defines = { THRONG_SUN_SHADOWS: view.cascadeCount > 0 ? '1u' : '0u' };
    if (this.settings.shading === 'plain') defines.THRONG_PLAIN = 1;
    return defines;
  }

  drawPicture(view) {
    const { gl } = this;
    const scene = this.sceneDefines(view);
    const matrix = forCanvas(view.clipFromWorld);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    gl.clearDepth(1);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.COLOR_BUFFER_BIT);
    gl.frontFace(gl.CCW);
    gl.cullFace(gl.BACK);
    const programFor = (model, number) => {
      if (model.facts.materials[number].doubleSided) gl.disable(gl.CULL_FACE);
      else gl.enable(gl.CULL_FACE);
      return this.programs.get('character.vert', 'character.frag', { ...model.definesFor(number), ...scene });
    };
    let calls = 0;
    for (const model of this.models) calls += model.draw(0, matrix, programFor);
    gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(this.empty);
    const ground = this.programs.get('ground.vert', 'ground.frag', scene).use();
    ground.setMatrix('clip_from_world', matrix);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthFunc(gl.LEQUAL); // it lies where the picture was cleared to
    this.programs.get('fill.vert', 'sky.frag', scene).use();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindVertexArray(null);
    return calls + 2;
  }

  // Where the vertices of drawn characters are, as the vertex shader has them: for tests, and for who wants to know.
  // `rows` count in the plan of the last draw(). World space, three numbers a vertex, row by row.
  readVertices(number, rows) {
    const { gl } = this;
    const model = this.models[number];
    const vertices = model.facts.vertexCount;
    const varyings = ['world_position', 'world_normal'];
    const program = this.programs.get('character.vert', 'character_shadow.frag', model.defines, varyings);
    const result = { positions: new Float32Array(3 * vertices * rows.length), normals: new Float32Array(3 * vertices * rows.length) };
    const outputs = varyings.map(() => gl.createBuffer());
    for (const buffer of outputs) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, result.positions.byteLength, gl.STREAM_READ);
    }
    const rowBuffer = upload(gl, Uint32Array.from(rows));
    model.bind();
    gl.bindVertexArray(model.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, rowBuffer);
    gl.vertexAttribIPointer(8, 1, gl.UNSIGNED_INT, 4, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    model.ready(program, 0, new Float32Array(16));
    outputs.forEach((buffer, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer));
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArraysInstanced(gl.POINTS, 0, vertices, rows.length);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    outputs.forEach((_, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, null));
    gl.bindVertexArray(null);
    [result.positions, result.normals].forEach((into, i) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, outputs[i]);
      gl.getBufferSubData(gl.ARRAY_BUFFER, 0, into);
    });
    for (const buffer of [...outputs, rowBuffer]) gl.deleteBuffer(buffer);
    return result;
  }

  free() {
    for (const model of this.models) model?.free();
    this.models = [];
    this.programs.free();
    this.shadows.free();
    this.gl.deleteBuffer(this.uniforms);
    this.gl.deleteVertexArray(this.empty);
  }
}

function upload(gl, values) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
  return buffer;
}
