// SPDX-License-Identifier: Apache-2.0
// throng.d.ts is what throng.js is: TypeScript takes a program that uses all of it and refuses wrong ones, and every
// name is there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bake, read, throng, web } from './support.mjs';

const compiler = [process.env.THRONG_BUILD, path.join(process.env.THRONG_BUILD, '..')]
  .map((folder) => path.join(folder, 'node_modules/typescript/bin/tsc')).find(existsSync);

// What the compiler says of a program that imports the package.
function said(program) {
  const folder = mkdtempSync(path.join(tmpdir(), 'throng-types-'));
  const file = path.join(folder, 'program.mts');
  writeFileSync(file, `import { loadThrong, ThrongError } from '${web}/throng.js';
import { CrowdRenderer } from '${web}/webgl/crowd_renderer.js';\n${program}\n`);
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext',
    '--lib', 'es2022,dom', '--typeRoots', folder];
  const out = spawnSync(process.execPath, [compiler, ...options, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return out.stdout.trim();
}

const PROGRAM = `
const throng = await loadThrong(new Uint8Array(1));
const knight = throng.readCharacter(new ArrayBuffer(1), 'knight');
const crowd = throng.crowd();
const model: number = crowd.add(knight);
const id: bigint = crowd.spawn({ model, clip: knight.facts.clips[0].name, position: [1, 2, 3], mode: 'loop', dress: 3 });
const many: BigUint64Array = crowd.spawnMany(model, 3, (i, spawn) => { spawn.position = [i, 0, 0]; });
crowd.fade(many[0], 'run', 0.3);
crowd.advance(0.1, (event) => { const name: string = event.name; if (event.weight > 0.5) crowd.remove(event.instance); });
const plan = crowd.plan({ views: [new Float32Array(16)], eye: [0, 1, 0], pixels: 720 });
const rows: Uint32Array = plan.models[model].views[0].rows;
const words: Float32Array = knight.tableTexels.words;
const layers: number = knight.atlas.layers;
const stage = throng.stage([knight], { count: 3, view: 'close' });
const view = throng.view(stage.camera, { width: 64, height: 36, look: stage.look, bounds: stage.crowd.bounds() });
const renderer = new CrowdRenderer(null, { shading: 'plain' });
const drawCalls: number = renderer.draw(stage.crowd, view).drawCalls;
const place: number[] = crowd.socket(id, 'hand').matrix;
try { knight.image(0); } catch (error) { if (error instanceof ThrongError) console.log(error.message); }
export { rows, words, layers, place };`;

test('TypeScript takes a program, and refuses one that is wrong', () => {
  assert.ok(compiler, 'TypeScript is not installed: ./run test installs it');
  assert.equal(said(PROGRAM), '');
  assert.match(said("(await loadThrong()).crowd().spawn({ clipp: 'walk' });"), /clipp/);
  assert.match(said("(await loadThrong()).crowd().play(3, 'walk');"), /bigint/);
});

// The names of an interface's members.
function declared(name) {
  const text = readFileSync(path.join(web, 'throng.d.ts'), 'utf8');
  const body = text.match(new RegExp(`export interface ${name} [^{]*\\{\\n(.*?)\\n\\}`, 's'))[1];
  return new Set([...body.matchAll(/^  (?:readonly )?(\w+)[(:?]/gm)].map((found) => found[1]));
}

// Those that a thing of the package has; what it keeps to itself and to its other files is not declared.
function there(thing) {
  const inner = new Set(['constructor', 'pointer', 'release', 'library', 'held', 'what']);
  const names = new Set(Object.keys(thing));
  for (let type = Object.getPrototypeOf(thing); type !== Object.prototype; type = Object.getPrototypeOf(type))
    Object.getOwnPropertyNames(type).forEach((name) => names.add(name));
  return new Set([...names].filter((name) => !inner.has(name)));
}

test('what is declared is there, and what is there is declared', () => {
  const character = read(bake('builtin:mannequin'));
  const crowd = throng.crowd();
  const id = crowd.spawn({ model: crowd.add(character) });
  for (const [name, thing] of Object.entries({
    Throng: throng, Character: character, Crowd: crowd, CharacterFacts: character.facts, ClipFacts: character.facts.clips[0],
    MaterialFacts: character.facts.materials[0], LevelFacts: character.facts.levels[0],
    Plan: crowd.plan({ views: [new Float32Array(16)] }), PlannedModel: crowd.plan({ views: [new Float32Array(16)] }).models[0],
  }))
    assert.deepEqual([...there(thing)].sort(), [...declared(name)].sort(), name);
  assert.deepEqual(Object.keys(crowd.placement(id)).sort(), [...declared('Placement')].sort());
});
