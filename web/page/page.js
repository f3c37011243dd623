// SPDX-License-Identifier: Apache-2.0
// The page of `throng web`: what is in it, played. Part of its state may be said behind the address:
// #count=1000&time=2&paused=1&clip=Walk&view=crowd&seed=1&shading=plain&scale=1
import { loadThrong } from '../throng.js';
import { Controls } from './controls.js';
import { Orbit } from './orbit.js';
import { Show } from './show.js';

const kMostPixels = 3840 * 2160;
const kMostStep = 0.25; // seconds that one image may lead on: after a while in the background it goes on from where it was

const canvas = document.getElementById('picture');
const said = new URLSearchParams(location.hash.slice(1));
const number = (name, otherwise) => (Number.isFinite(Number.parseFloat(said.get(name))) ? Number.parseFloat(said.get(name)) : otherwise);

function unpacked(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

class Page {
  constructor() {
    this.playing = !said.has('paused') && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.dirty = true;
    this.lost = false;
    this.times = [];
    this.scale = number('scale', 1);
    this.controls = new Controls({
      play: () => this.setPlaying(!this.playing),
      view: () => this.orbit.back(),
      count: (count) => this.change(() => {
        this.show.settings.count = count;
        this.show.restage();
        this.aim();
      }),
      clip: (name, fade) => this.change(() => this.show.play(name, fade)),
      wear: (model, part, worn) => this.change(() => this.show.wear(model, part, worn)),
      dress: () => this.change(() => this.show.dress(Math.floor(Math.random() * 1e6))),
      file: (file) => this.open(file),
    });
    this.orbit = new Orbit(canvas, () => { this.dirty = true; });
    canvas.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      this.setPlaying(!this.playing);
    });
    this.takeDrops();
    this.followContext();
    this.followSize();
  }

  async start() {
    const state = document.documentElement.dataset;
    try {
      const wasm = document.getElementById('throng-wasm');
      this.throng = await loadThrong(unpacked(wasm.textContent));
      wasm.remove();
      this.show = new Show(this.throng, canvas, {
        count: Math.min(Math.max(Math.round(number('count', 1152)), 1), 100000), time: number('time', 0), seed: number('seed', 1),
        view: said.get('view') ?? 'crowd', clip: said.get('clip') ?? '', shading: said.get('shading') ?? 'full',
      });
      this.show.told = (event) => this.controls.tellEvent(event);
      this.resize();
      await this.show.light();
      const blocks = [...document.querySelectorAll('script.throng-asset')];
      const characters = blocks.map((block) => this.throng.readCharacter(unpacked(block.textContent), block.dataset.name));
      await this.play(characters);
      this.controls.showPlaying(this.playing);
      state.state = 'playing';
      this.before = performance.now();
      requestAnimationFrame((now) => this.frame(now));
    } catch (error) {
      state.state = 'error';
      this.controls.say(error.message);
      throw error;
    }
  }

  async play(characters) {
    await this.show.cast(characters);
    this.controls.showCast(characters, this.show.settings.clip);
    this.controls.showCount(this.show.settings.count, true);
    this.aim();
  }

  // Looks from where the stage was set for.
  aim() {
    this.orbit.reset(this.show.stage.camera, this.show.stage.look);
    this.dirty = true;
  }

  // Something that may be refused: then it is told, and all stays as it was.
  change(what) {
    try {
      what();
      this.controls.say('');
    } catch (error) {
      this.controls.say(error.message);
    }
    this.dirty = true;
  }

  setPlaying(playing) {
    this.playing = playing;
    this.times = [];
    this.controls.showPlaying(playing);
  }

  async open(file) {
    this.controls.say('');
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (!this.throng.looksLikeCharacter(bytes))
        throw new Error(/\.(glb|gltf|fbx)$/i.test(file.name)
          ? `${file.name} is a model that is not baked. Run: throng bake ${file.name} -o ${file.name.replace(/\.\w+$/, '')}.throng.glb, and drop what that makes.`
          : `${file.name} is no .throng.glb.`);
      await this.play([this.throng.readCharacter(bytes, file.name)]);
      document.documentElement.dataset.played = file.name;
    } catch (error) {
      this.controls.say(error.message);
    }
  }

  takeDrops() {
    const veil = document.getElementById('drop');
    addEventListener('dragover', (event) => {
      event.preventDefault();
      veil.hidden = false;
    });
    addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; });
    addEventListener('drop', (event) => {
      event.preventDefault();
      veil.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (file) this.open(file);
    });
  }

  // A browser may take the context away, when a driver is updated or a phone is short of memory, and give it back.
  followContext() {
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.lost = true;
      this.controls.say('The browser took the picture away; it comes back by itself.');
    });
    canvas.addEventListener('webglcontextrestored', async () => {
      await this.show.light();
      this.lost = false;
      this.dirty = true;
      this.controls.say('');
    });
  }

  followSize() {
    new ResizeObserver(() => {
      this.resize();
      this.dirty = true;
    }).observe(canvas);
  }

  resize() {
    const wide = Math.max(canvas.clientWidth, 1);
    const high = Math.max(canvas.clientHeight, 1);
    const fit = Math.min(devicePixelRatio, Math.sqrt(kMostPixels / (wide * high))) * this.scale;
    const size = [Math.max(Math.round(wide * fit), 1), Math.max(Math.round(high * fit), 1)];
    if (canvas.width !== size[0]) [canvas.width] = size;
    if (canvas.height !== size[1]) [, canvas.height] = size;
  }

  // Fewer pixels where the device is slow, unless somebody said how many.
  measure(milliseconds) {
    this.times.push(milliseconds);
    if (this.times.length < 10) return 0;
    const mean = this.times.reduce((sum, time) => sum + time, 0) / this.times.length;
    this.times = [];
    if (mean > 40 && this.scale > 0.4 && !said.has('scale')) {
      this.scale *= 0.75;
      this.resize();
    }
    return mean;
  }

  frame(now) {
    requestAnimationFrame((then) => this.frame(then));
    const step = Math.min((now - this.before) / 1000, kMostStep);
    const milliseconds = now - this.before;
    this.before = now;
    if (this.lost || document.hidden || !(this.playing || this.dirty)) return;
    try {
      if (this.playing) this.show.advance(step);
      this.dirty = false;
      const report = this.show.draw(this.orbit.camera);
      this.controls.showFrame(report, this.playing ? this.measure(milliseconds) : 0);
      document.documentElement.dataset.images = String(Number(document.documentElement.dataset.images ?? 0) + 1);
    } catch (error) {
      this.playing = false;
      document.documentElement.dataset.state = 'error';
      this.controls.say(error.message);
    }
  }
}

// For who tries things in the console, and for tests.
globalThis.throngPage = new Page();
throngPage.start();
