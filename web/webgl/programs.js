// SPDX-License-Identifier: Apache-2.0
// Programs made of the generated sources of shaders.js: a variant for each set of definitions, compiled once.
import { shaders } from './shaders.js';

// Texture units by the name of the sampler: one for each, so that programs need not be told again.
export const units = Object.fromEntries(
  ['atlas', 'clip_words', 'table_rows', 'channel_words', 'skeleton_words', 'morph_texels', 'drawn_words', 'turns',
    'shifts', 'cascade_compare', 'cascade_depths', 'contact_depths', 'base_texture', 'normal_texture']
    .map((name, unit) => [name, unit]));

const kSceneBinding = 0;

function source(name, defines) {
  const text = shaders[name];
  const end = text.indexOf('\n') + 1; // #version comes before anything else
  const lines = Object.entries(defines).map(([key, value]) => `#define ${key} ${value}\n`);
  return text.slice(0, end) + lines.join('') + text.slice(end);
}

function compile(gl, type, name, defines) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source(name, defines));
  gl.compileShader(shader);
  return shader;
}

// What went wrong, in the driver's words; nothing of it when the context is lost, where everything fails.
function complaint(gl, program, shaderNames) {
  const logs = gl.getAttachedShaders(program).map((shader, i) => {
    const log = gl.getShaderParameter(shader, gl.COMPILE_STATUS) ? '' : gl.getShaderInfoLog(shader);
    return log ? `${shaderNames[i]}: ${log}` : '';
  });
  return logs.join('') || gl.getProgramInfoLog(program);
}

class Program {
  constructor(gl, names, defines, varyings) {
    this.gl = gl;
    this.names = names;
    this.handle = gl.createProgram();
    gl.attachShader(this.handle, compile(gl, gl.VERTEX_SHADER, names[0], defines));
    gl.attachShader(this.handle, compile(gl, gl.FRAGMENT_SHADER, names[1], defines));
    if (varyings) gl.transformFeedbackVaryings(this.handle, varyings, gl.SEPARATE_ATTRIBS);
    gl.linkProgram(this.handle);
    this.at = null;
  }

  // Waits for the compiler only when the program is first used.
  use() {
    const { gl } = this;
    if (this.at) {
      gl.useProgram(this.handle);
      return this;
    }
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`throng: ${this.names.join(' and ')} do not compile here: ${complaint(gl, this.handle, this.names)}`);
    gl.useProgram(this.handle);
    this.at = {};
    const count = gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; ++i) {
      const { name } = gl.getActiveUniform(this.handle, i);
      const location = gl.getUniformLocation(this.handle, name);
      if (location === null) continue; // of the block
      this.at[name] = location;
      if (name in units) gl.uniform1i(location, units[name]);
    }
    const block = gl.getUniformBlockIndex(this.handle, 'Scene');
    if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(this.handle, block, kSceneBinding);
    return this;
  }

  // Names that the variant has no use for are passed over.
  setMatrix(name, value) { if (name in this.at) this.gl.uniformMatrix4fv(this.at[name], false, value); }
  setFloats(name, ...values) {
    if (name in this.at) this.gl[`uniform${values.length}fv`](this.at[name], values);
  }
  setUint(name, value) { if (name in this.at) this.gl.uniform1ui(this.at[name], value); }
}

export class Programs {
  constructor(gl) {
    this.gl = gl;
    this.made = new Map();
  }

  get(vertex, fragment, defines = {}, varyings = null) {
    const key = JSON.stringify([vertex, fragment, defines, varyings]);
    if (!this.made.has(key)) this.made.set(key, new Program(this.gl, [vertex, fragment], defines, varyings));
    return this.made.get(key);
  }

  free() {
    for (const program of this.made.values()) this.gl.deleteProgram(program.handle);
    this.made.clear();
  }
}
