// SPDX-License-Identifier: Apache-2.0
// What is downloaded is small, asks its host for next to nothing, and tells nothing of the machine it was built on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const web = process.env.THRONG_WEB;
const { files } = JSON.parse(readFileSync(path.join(web, 'package.json')));
const wasm = readFileSync(path.join(web, 'throng.wasm'));

test('all that a page loads is less than 400 kB', () => {
  const sizes = files.filter((file) => !file.endsWith('.d.ts'))
    .map((file) => gzipSync(readFileSync(path.join(web, file)), { level: 9 }).byteLength);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${all} bytes, gzipped`);
  assert.ok(sizes.length >= 2 && all > 100_000 && all < 400_000, `${all} bytes, gzipped`);
});

test('the module imports only what wasi-libc cannot do without', async () => {
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(wasm)).map(({ module, name }) => `${module}.${name}`);
  const known = ['environ_get', 'environ_sizes_get', 'fd_close', 'fd_fdstat_get', 'fd_seek', 'fd_write', 'proc_exit'];
  for (const name of imports) assert.ok(known.includes(name.replace('wasi_snapshot_preview1.', '')), name);
});

test('no path of the machine that built it is inside', () => {
  const source = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../../..');
  assert.equal(wasm.includes(source), false);
  assert.equal(wasm.includes(path.resolve(web, '..')), false);
});
