// SPDX-License-Identifier: Apache-2.0
// Textures of numbers, and pictures of materials.

export function bindTo(gl, unit, target, texture, sampler = null) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(target, texture);
  gl.bindSampler(unit, sampler);
}

// Numbers are not filtered: a texture of them is complete only so.
function asNumbers(gl, target) {
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(target, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
}

function formats(gl, words, texelWords) {
  if (words instanceof Float32Array) return [gl.RGBA32F, gl.RGBA, gl.FLOAT];
  const internal = { 1: gl.R32UI, 2: gl.RG32UI, 4: gl.RGBA32UI }[texelWords];
  const format = { 1: gl.RED_INTEGER, 2: gl.RG_INTEGER, 4: gl.RGBA_INTEGER }[texelWords];
  return [internal, format, gl.UNSIGNED_INT];
}

// A texture of a character, as throng.js gives it; where there is none, of one texel: a sampler wants something to read.
export function numberTexture(gl, { width, height, texelWords, words }) {
  if (height === 0 || words.length === 0)
    [width, height, words] = [1, 1, words instanceof Float32Array ? new Float32Array(4) : new Uint32Array(texelWords)];
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const [internal, format, type] = formats(gl, words, texelWords);
  gl.texStorage2D(gl.TEXTURE_2D, 1, internal, width, height);
  asNumbers(gl, gl.TEXTURE_2D);
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, format, type, words);
  return texture;
}

export function atlasTexture(gl, { width, height, layers, texelWords, words }) {
  if (layers === 0 || words.length === 0) [width, height, layers, texelWords, words] = [1, 1, 1, 4, new Uint32Array(4)];
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
  const [internal, format, type] = formats(gl, words, texelWords);
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, internal, width, height, layers);
  asNumbers(gl, gl.TEXTURE_2D_ARRAY);
  gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, 0, width, height, layers, format, type, words);
  return texture;
}

// RGBA32UI texels that change with every image, so many rows of `width`; it grows and does not shrink.
export class GrowingTexels {
  constructor(gl, width) {
    Object.assign(this, { gl, width, height: 0, texture: null });
  }

  // Makes room; what was in it is lost where it grows.
  reserve(height) {
    if (height <= this.height) return;
    const { gl } = this;
    gl.deleteTexture(this.texture);
    this.height = Math.min(2 ** Math.ceil(Math.log2(height)), gl.getParameter(gl.MAX_TEXTURE_SIZE));
    this.texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32UI, this.width, this.height);
    asNumbers(gl, gl.TEXTURE_2D);
  }

  write(words, height) {
    this.reserve(height);
    if (height === 0) return;
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, words);
  }

  free() { this.gl.deleteTexture(this.texture); }
}

const wraps = { repeat: 'REPEAT', clamp: 'CLAMP_TO_EDGE', mirror: 'MIRRORED_REPEAT' };

// A picture of a material, decoded by the browser; white where it cannot be, as a renderer without it shows.
export async function pictureTexture(gl, bytes, mime, { srgb, wrapU, wrapV, nearest }) {
  let picture = null;
  try {
    picture = await createImageBitmap(new Blob([bytes], { type: mime }),
      { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  } catch {
    picture = null;
  }
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const internal = srgb ? gl.SRGB8_ALPHA8 : gl.RGBA8;
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  if (picture) {
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    picture.close();
  } else {
    const plain = srgb ? [255, 255, 255, 255] : [128, 128, 255, 255];
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(plain));
  }
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl[wraps[wrapU]]);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl[wraps[wrapV]]);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, nearest ? gl.NEAREST : gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, nearest ? gl.NEAREST_MIPMAP_NEAREST : gl.LINEAR_MIPMAP_LINEAR);
  return texture;
}
