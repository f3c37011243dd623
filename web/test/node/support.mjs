// SPDX-License-Identifier: Apache-2.0
// What the tests of the package share: assets that the native program bakes, and the truth of web_truth about them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const web = process.env.THRONG_WEB;
const folder = mkdtempSync(path.join(tmpdir(), 'throng-web-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const { loadThrong, ThrongError } = await import(pathToFileURL(path.join(web, 'throng.js')));
export const throng = await loadThrong();

const baked = new Map();

/** The file that `throng bake` makes of a model with these options; made once. */
export function bake(model, ...options) {
  const key = [model, ...options].join(' ');
  if (!baked.has(key)) {
    const file = path.join(folder, `${baked.size}.throng.glb`);
    execFileSync(process.env.THRONG_PROGRAM, ['bake', model, '-o', file, '--quiet', ...options], { stdio: 'pipe' });
    baked.set(key, file);
  }
  return baked.get(key);
}

/** A model of those for tests, or null where they are not there. */
export function shared(name) {
  const file = path.join(process.env.THRONG_SHARED ?? '', 'models', name);
  return existsSync(file) ? file : null;
}

/** What web_truth tells of each step of a script. */
export function truth(file, script) {
  const steps = path.join(folder, 'script.json');
  writeFileSync(steps, JSON.stringify(script));
  return JSON.parse(execFileSync(process.env.THRONG_TRUTH, [file, steps], { maxBuffer: 1 << 30 }).toString());
}

export function read(file) {
  return throng.readCharacter(readFileSync(file), path.basename(file));
}

/** What a call is refused with, or null. */
export function refusal(call) {
  try {
    call();
  } catch (error) {
    if (!(error instanceof ThrongError)) throw error;
    return error.message;
  }
  return null;
}

/** Random numbers that are the same everywhere. */
export function dice(seed) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { between: (low, high) => low + (high - low) * next(), below: (count) => Math.floor(next() * count) };
}

/** clip_from_world of an eye at a place that looks towards another, column by column. */
export function eyeView(eye, target, fov, aspect) {
  const minus = (a, b) => a.map((v, i) => v - b[i]);
  const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
  const unit = (v) => v.map((x) => x / Math.hypot(...v));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const back = unit(minus(eye, target));
  const right = unit(cross([0, 1, 0], back));
  const up = cross(back, right);
  const rows = [right, up, back].map((axis) => [...axis, -dot(axis, eye)]);
  const tall = 1 / Math.tan(fov / 2);
  const clip = [rows[0].map((v) => (v * tall) / aspect), rows[1].map((v) => v * tall), rows[2].map((v) => -v), rows[2].map((v) => -v)];
  clip[2][3] -= 0.1;
  return [0, 1, 2, 3].flatMap((column) => clip.map((row) => Math.fround(row[column])));
}
