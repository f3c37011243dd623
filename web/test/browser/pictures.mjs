// SPDX-License-Identifier: Apache-2.0
// How alike two pictures are.

// Means over squares of a few pixels: two renderers do not smooth the same edge alike, and need not.
function blurred({ width, height, rgba }, side) {
  const columns = Math.floor(width / side);
  const rows = Math.floor(height / side);
  const out = new Float32Array(columns * rows * 3);
  for (let y = 0; y < rows * side; ++y)
    for (let x = 0; x < columns * side; ++x)
      for (let c = 0; c < 3; ++c)
        out[(Math.floor(y / side) * columns + Math.floor(x / side)) * 3 + c] += rgba[(y * width + x) * 4 + c] / (side * side);
  return out;
}

// The mean difference of a channel, of 255; and the share of squares in which some channel is more than `much` off.
export function difference(a, b, { side = 2, much = 24 } = {}) {
  if (a.width !== b.width || a.height !== b.height) throw new Error(`${a.width} × ${a.height} and ${b.width} × ${b.height}`);
  const [left, right] = [blurred(a, side), blurred(b, side)];
  let sum = 0;
  let far = 0;
  for (let i = 0; i < left.length; i += 3) {
    let most = 0;
    for (let c = 0; c < 3; ++c) {
      const off = Math.abs(left[i + c] - right[i + c]);
      sum += off;
      most = Math.max(most, off);
    }
    if (most > much) ++far;
  }
  return { mean: sum / left.length, far: far / (left.length / 3) };
}

// How much there is to see: the spread of its brightness.
export function spread({ rgba }) {
  let sum = 0;
  let squares = 0;
  const count = rgba.length / 4;
  for (let i = 0; i < rgba.length; i += 4) {
    const light = 0.3 * rgba[i] + 0.6 * rgba[i + 1] + 0.1 * rgba[i + 2];
    sum += light;
    squares += light * light;
  }
  return Math.sqrt(Math.max(squares / count - (sum / count) ** 2, 0));
}
