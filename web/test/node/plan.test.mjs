// SPDX-License-Identifier: Apache-2.0
// Plans of images: what the native library plans of the same crowd, which runtime/renderer/tests compares with the GPU.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bake, dice, eyeView, read, refusal, throng, truth } from './support.mjs';

const file = bake('builtin:mannequin');

// A few thousand around the eye, some of whom fade.
function scattered(count) {
  const numbers = dice(21);
  const float = (low, high) => Math.fround(numbers.between(low, high));
  const clips = read(file).facts.clips.length;
  const script = [];
  for (let i = 0; i < count; ++i) {
    const far = 2 ** numbers.between(0, 9);
    script.push(['spawn', { clip: numbers.below(clips), offset: numbers.between(0, 2), position: [float(-far, far), 0, float(-far, far)], rotation: [0, float(-1, 1), 0, 0.5], scale: float(0.5, 2), variation: i }]);
  }
  script.push(['advance', 0.5]);
  for (let i = 0; i < count; i += 5) script.push(['play', i, { clip: numbers.below(clips), fade: 1 }]);
  for (let i = 0; i < count; i += 11) script.push(['change', i, 'show', false]);
  script.push(['advance', 0.3]);
  return script;
}

function carryOut(script) {
  const crowd = throng.crowd();
  const model = crowd.add(read(file));
  const ids = [];
  for (const [name, ...about] of script) {
    if (name === 'spawn') ids.push(crowd.spawn(about[0]));
    else if (name === 'play') crowd.play(ids[about[0]], about[1].clip, about[1]);
    else if (name === 'change') crowd.show(ids[about[0]], about[2]);
    else if (name === 'advance') crowd.advance(about[0]);
  }
  return { crowd, model, ids };
}

const eye = [0, 1.7, 0];
const views = [eyeView(eye, [10, 1, 3], 1, 1.5), eyeView([30, 60, 10], [30, 0, 11], 0.3, 1)];

test('are what the native library plans, row by row and view by view', () => {
  const script = scattered(4000);
  const asked = [{}, { pixelError: 0.25, pixels: 1400 }, { vertexBudget: 60000 }, { culling: false, speckPixels: 0 }, { views: views.slice(0, 1) }];
  const settings = asked.map((of) => ({ views, eye, pixels: 720, ...of }));
  const native = truth(file, [...script, ...settings.map((of) => ['plan', of])]).slice(script.length);
  const { crowd, model } = carryOut(script);
  const seen = new Set();
  settings.forEach((of, i) => {
    const plan = crowd.plan(of);
    const mine = plan.models[model];
    const its = native[i];
    assert.equal(mine.drawn, its.drawn);
    assert.equal(mine.meshed, its.meshed);
    assert.deepEqual([...mine.texels.subarray(0, its.words.length)], its.words);
    assert.ok(mine.texels.subarray(its.words.length).every((word) => word === 0));
    assert.equal(mine.texels.length, mine.height * 1024 * 4);
    const ranges = (levels) => levels.map(({ first, count }) => [first, count]);
    assert.deepEqual(ranges(mine.levels), its.levels.slice(0, mine.levels.length));
    assert.equal(mine.views.length, of.views.length);
    mine.views.forEach((view, v) => {
      assert.deepEqual([...view.rows], its.views[v].rows);
      assert.deepEqual(ranges(view.levels), its.views[v].levels.slice(0, view.levels.length));
    });
    assert.deepEqual(Object.values(plan.counts), its.counts);
    mine.levels.forEach(({ count }, level) => count > 0 && seen.add(level));
  });
  assert.ok(seen.size >= 6, 'of many levels');
  crowd.free();
});

test('have the frames of cursors(), and where everybody stands', () => {
  const { crowd, model } = carryOut(scattered(500));
  const { frames, nexts, blends } = crowd.cursors(model);
  const records = crowd.instances(model).slice();
  const { texels, meshed } = crowd.plan({ views, eye, culling: false, speckPixels: 0 }).models[model];
  const floats = new Float32Array(texels.buffer, texels.byteOffset, texels.length);
  assert.ok(meshed > 400);
  for (let row = 0; row < meshed; ++row) {
    const at = 20 * row;
    const index = texels[at + 15];
    assert.deepEqual([...texels.subarray(at, at + 6)], [...records.subarray(8 * index, 8 * index + 6)]);
    assert.equal(texels[at + 8], frames[index]);
    assert.equal(texels[at + 9], nexts[index]);
    assert.equal(floats[at + 10], blends[index]);
  }
  crowd.free();
});

test('nobody in view is left out: a vertex inside of the view is in a character that is drawn', () => {
  const { crowd, model, ids } = carryOut(scattered(800));
  const [m] = views;
  const { texels, drawn } = crowd.plan({ views: [m], eye }).models[model];
  const shown = new Set();
  for (let row = 0; row < drawn; ++row) shown.add(texels[20 * row + 15]);
  let inside = 0;
  ids.forEach((id, i) => {
    if (i % 11 === 0) return; // hidden
    const { positions } = crowd.vertices(id);
    for (let v = 0; v < positions.length; v += 3) {
      const clip = [0, 1, 2, 3].map((row) => m[row] * positions[v] + m[4 + row] * positions[v + 1] + m[8 + row] * positions[v + 2] + m[12 + row]);
      if (clip[3] <= 0 || Math.abs(clip[0]) > clip[3] || Math.abs(clip[1]) > clip[3]) continue;
      ++inside;
      assert.ok(shown.has(crowd.find(id).index), `character ${i}`);
      break;
    }
  });
  assert.ok(inside > 50 && inside < 700, `${inside} are inside`);
  crowd.free();
});

test('of an image without views are refused', () => {
  const crowd = throng.crowd();
  assert.equal(refusal(() => crowd.plan({ views: [] })), 'an image has 0 views; 1 to 8 are possible');
  assert.equal(refusal(() => crowd.plan({ views: Array(9).fill(views[0]) })), 'an image has 9 views; 1 to 8 are possible');
});
