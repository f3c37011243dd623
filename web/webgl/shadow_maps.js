// SPDX-License-Identifier: Apache-2.0
// Depth maps of the sun, one for each range of distance, and the one that darkens the ground under characters.
import { bindTo } from './textures.js';
import { units } from './programs.js';

function depthTexture(gl, size, layers) {
  const target = layers > 0 ? gl.TEXTURE_2D_ARRAY : gl.TEXTURE_2D;
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(target, texture);
  if (layers > 0) gl.texStorage3D(target, 1, gl.DEPTH_COMPONENT32F, size, size, layers);
  else gl.texStorage2D(target, 1, gl.DEPTH_COMPONENT32F, size, size);
  return texture;
}

function sampler(gl, compare) {
  const made = gl.createSampler();
  const filter = compare ? gl.LINEAR : gl.NEAREST;
  gl.samplerParameteri(made, gl.TEXTURE_MIN_FILTER, filter);
  gl.samplerParameteri(made, gl.TEXTURE_MAG_FILTER, filter);
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.samplerParameteri(made, wrap, gl.CLAMP_TO_EDGE);
  if (compare) {
    gl.samplerParameteri(made, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.samplerParameteri(made, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
  }
  return made;
}

export class ShadowMaps {
  constructor(gl, { shadowSize, cascades, contactSize }) {
    Object.assign(this, { gl, shadowSize, contactSize: Math.max(contactSize, 1), cascadeCount: Math.max(cascades, 1) });
    this.cascades = depthTexture(gl, shadowSize, this.cascadeCount);
    this.contact = depthTexture(gl, this.contactSize, 0);
    this.compare = sampler(gl, true);
    this.plain = sampler(gl, false);
    this.targets = [];
    for (let i = 0; i <= this.cascadeCount; ++i) {
      const target = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      if (i < this.cascadeCount) gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, this.cascades, 0, i);
      else gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.contact, 0);
      gl.drawBuffers([gl.NONE]);
      gl.readBuffer(gl.NONE);
      this.targets.push(target);
    }
  }

  // Pass i of so many cascades; the one behind them is the contact map's.
  begin(pass, cascadeCount) {
    const { gl } = this;
    const contact = pass >= cascadeCount;
    const size = contact ? this.contactSize : this.shadowSize;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.targets[contact ? this.cascadeCount : pass]);
    gl.viewport(0, 0, size, size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }

  bind() {
    const { gl } = this;
    bindTo(gl, units.cascade_compare, gl.TEXTURE_2D_ARRAY, this.cascades, this.compare);
    bindTo(gl, units.cascade_depths, gl.TEXTURE_2D_ARRAY, this.cascades, this.plain);
    bindTo(gl, units.contact_depths, gl.TEXTURE_2D, this.contact, this.plain);
  }

  free() {
    const { gl } = this;
    for (const target of this.targets) gl.deleteFramebuffer(target);
    for (const texture of [this.cascades, this.contact]) gl.deleteTexture(texture);
    for (const made of [this.compare, this.plain]) gl.deleteSampler(made);
  }
}
