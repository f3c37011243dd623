// SPDX-License-Identifier: Apache-2.0
// A browser, started once for all tests, and what they share.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const flags = ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist', '--no-sandbox'];
const kPatience = 180000; // milliseconds: a machine may have other things to do

export class Harness {
  constructor(throng, source, shared) {
    Object.assign(this, { throng, source, shared, failed: 0, passed: 0 });
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'throng-web-'));
  }

  async start() {
    const require = createRequire(path.join(this.source, 'build', '/'));
    const { chromium } = require('playwright-core');
    this.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
    this.plain = await this.browser.newPage(); // to decode pictures in
  }

  async stop() {
    await this.browser?.close();
    fs.rmSync(this.folder, { recursive: true });
    console.log(`${this.passed} passed, ${this.failed} failed`);
  }

  // THRONG_WEB_ONLY=PATTERN: only those whose names match.
  async test(name, body) {
    if (!new RegExp(process.env.THRONG_WEB_ONLY ?? '').test(name)) return;
    const begin = Date.now();
    try {
      await body();
      ++this.passed;
      console.log(`ok     ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++this.failed;
      console.log(`FAILED ${name}: ${error.stack ?? error}`);
    }
  }

  path(name) { return path.join(this.folder, name); }

  run(...words) {
    return execFileSync(this.throng, words, { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  // A page of these models, opened from disk as a double click would.
  async open(file, said = '', { width = 640, height = 360, init = null, ...settings } = {}) {
    const context = await this.browser.newContext({ viewport: { width, height }, ...settings });
    context.setDefaultTimeout(kPatience);
    const page = await context.newPage();
    page.requests = [];
    page.errors = [];
    page.on('request', (request) => page.requests.push(request.url()));
    page.on('pageerror', (error) => page.errors.push(String(error)));
    page.on('console', (message) => { if (message.type() === 'error') page.errors.push(message.text()); });
    if (init) await page.addInitScript(init);
    await page.goto(pathToFileURL(this.path(file)).href + said);
    return page;
  }

  async playing(page) {
    await page.waitForFunction(() => document.documentElement.dataset.state !== 'loading');
    const state = await page.evaluate(() => [document.documentElement.dataset.state, document.getElementById('message').textContent]);
    equal(state[0], 'playing', `${state[1]} ${page.errors}`);
    await page.waitForFunction(() => Number(document.documentElement.dataset.images) > 0);
    await page.evaluate(() => { document.getElementById('panel').open = true; });
  }

  // Waits until another image was drawn.
  async nextImage(page) {
    const before = await page.evaluate(() => Number(document.documentElement.dataset.images));
    await page.evaluate(() => { throngPage.dirty = true; });
    await page.waitForFunction((n) => Number(document.documentElement.dataset.images) > n, before);
  }

  // What the canvas shows, drawn anew: {width, height, rgba}. `kept`: its name among the pictures that are kept.
  async picture(page, kept = '') {
    const url = await page.evaluate(() => {
      throngPage.show.draw(throngPage.orbit.camera);
      return throngPage.show.canvas.toDataURL();
    });
    const png = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    if (kept) this.keep(kept, png);
    return this.decoded(png);
  }

  async decoded(png) {
    const { width, height, rgba } = await this.plain.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: 'none' });
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      let out = '';
      for (let i = 0; i < data.length; i += 8192) out += String.fromCharCode(...data.subarray(i, i + 8192));
      return { width: bitmap.width, height: bitmap.height, rgba: btoa(out) };
    }, png.toString('base64'));
    return { width, height, rgba: Buffer.from(rgba, 'base64') };
  }

  keep(name, bytes) {
    const folder = process.env.THRONG_WEB_PICTURES;
    if (folder) fs.writeFileSync(path.join(folder, name), bytes);
  }
}

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export function equal(is, wanted, what = '') {
  check(is === wanted, `${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
}
