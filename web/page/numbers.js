// SPDX-License-Identifier: Apache-2.0
// Numbers in words.

const kMost = 100000;

export const countAt = (slider) => Math.max(Math.round(kMost ** (slider / 100)), 1);
export const sliderAt = (count) => 100 * Math.log(Math.min(Math.max(count, 1), kMost)) / Math.log(kMost);

export const grouped = (number) => number.toLocaleString('en');

export function bytes(count) {
  for (const [size, unit] of [[1e6, 'MB'], [1e3, 'kB']])
    if (count >= size) return `${(count / size).toPrecision(3)} ${unit}`;
  return `${count} bytes`;
}

export const millimetres = (mm) => (mm < 0.01 ? '< 0.01 mm' : `${mm.toPrecision(2)} mm`);
