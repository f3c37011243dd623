// SPDX-License-Identifier: Apache-2.0
// Damaged files are refused with the sentence that the library has for them natively, and nothing else happens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bake, dice, refusal, throng, truth } from './support.mjs';

// What is said of an asset's bytes, changed one way or another.
function saidOf(bytes, [how, where, bits], hash = '') {
  const damaged = Buffer.from(how === 'cut' ? bytes.subarray(0, where) : bytes);
  if (how !== 'cut') damaged[where] ^= bits;
  if (hash !== '') damaged.write(hash, damaged.indexOf('"hash":"') + 8);
  return refusal(() => throng.readCharacter(damaged).free());
}

for (const options of [[], ['--encoding', 'q8', '--clip', 'walk'], ['--mode', 'vertices', '--clip', 'walk']])
  test(`with ${options.join(' ') || 'everything as usual'}`, () => {
    const file = bake('builtin:mannequin', ...options);
    const bytes = readFileSync(file);
    const numbers = dice(7);
    const script = [];
    for (let i = 0; i < 60; ++i) script.push(['cut', i < 40 ? i : numbers.below(bytes.length)]);
    for (let i = 0; i < 100; ++i) script.push(['damage', i < 40 ? i : numbers.below(bytes.length), 1 << numbers.below(8)]);
    // What has a hash that is right is told from what is wrong in it: mostly in its JSON, where the most can be.
    const json = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
    for (let i = 0; i < 300; ++i) script.push(['forge', i < 250 ? 20 + numbers.below(json) : numbers.below(bytes.length), 1 << numbers.below(8)]);
    const native = truth(file, script);
    const told = new Set();
    script.forEach((step, i) => {
      const [said, hash] = step[0] === 'forge' ? native[i] : [native[i]];
      assert.equal(saidOf(bytes, step, hash), said, step.join(' '));
      if (step[0] !== 'forge') assert.notEqual(said, null, 'a file with any byte changed is refused');
      told.add(said?.replaceAll(/\d+/g, 'n'));
    });
    assert.ok(told.size > 30, `in ${told.size} ways`);
    throng.readCharacter(bytes).free();
  });
