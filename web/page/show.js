// SPDX-License-Identifier: Apache-2.0
// What plays on the page: characters, the crowd that is staged of them, and the renderer that draws it. Knows nothing of
// the page's controls.
import { CrowdRenderer } from '../webgl/crowd_renderer.js';

const kShadowSize = 2048;

export class Show {
  constructor(throng, canvas, settings) {
    this.throng = throng;
    this.canvas = canvas;
    // count, seed, view, clip (a name, or '': each its own), shading
    this.settings = settings;
    this.characters = [];
    this.seconds = settings.time;
    this.renderer = null;
    this.stage = null;
    this.told = () => {};
  }

  get report() { return this.renderer.report; }

  // A renderer on a context that is new, or was lost and is back.
  async light() {
    const gl = this.canvas.getContext('webgl2', CrowdRenderer.contextSettings);
    if (!gl) throw new Error('This browser or device does not offer WebGL 2, which the crowd is drawn with.');
    this.renderer = new CrowdRenderer(gl, { shading: this.settings.shading, shadowSize: kShadowSize });
    for (const [number, character] of this.characters.entries()) await this.renderer.add(number, character);
  }

  // Plays these characters from now on. Those before are given up.
  async cast(characters) {
    for (const [number, character] of characters.entries()) await this.renderer.add(number, character);
    for (const model of this.renderer.models.splice(characters.length)) model.free();
    const before = this.characters;
    this.characters = characters;
    const names = characters.flatMap(({ facts }) => facts.clips.map(({ name }) => name));
    if (!names.includes(this.settings.clip)) this.settings.clip = '';
    this.restage();
    for (const character of before) character.free();
  }

  // Puts everybody where they stand, at the present time.
  restage() {
    const { count, seed, view, clip } = this.settings;
    const { width, height } = this.canvas;
    const stage = this.throng.stage(this.characters, { count, seed, view, clip, aspect: width / height });
    this.stage?.free();
    this.stage = stage;
    this.staged = true;
    this.stage.crowd.listen(this.stage.ids[0]);
    this.stage.moveTo(this.seconds);
    this.stage.crowd.advance(this.seconds);
  }

  // Everybody fades to that clip where they stand, or goes back to what each did.
  play(clip, fade) {
    this.settings.clip = clip;
    if (clip === '') {
      this.restage();
      return;
    }
    this.staged = false;
    const { crowd, ids } = this.stage;
    const has = this.characters.map(({ facts }) => facts.clips.findIndex(({ name }) => name === clip));
    for (const id of ids) {
      const number = has[crowd.find(id).model];
      if (number >= 0) crowd.play(id, number, { fade, inStep: false });
    }
  }

  // Everybody wears that part of a model, or nobody; what else they wear stays.
  wear(model, part, worn) {
    const bit = 1n << BigInt(part);
    const { crowd, ids } = this.stage;
    for (const id of ids) {
      if (crowd.find(id).model !== model) continue;
      const hidden = crowd.worn(id);
      crowd.wear(id, worn ? hidden & ~bit : hidden | bit);
    }
  }

  dress(seed) {
    this.stage.ids.forEach((id, i) => this.stage.crowd.dress(id, seed + i));
  }

  advance(by) {
    this.seconds += by;
    // Who walks goes where the clip's steps lead; who was told to do something else stays.
    if (this.staged) this.stage.moveTo(this.seconds);
    this.stage.crowd.advance(by, (event) => this.told(event));
  }

  draw(camera) {
    const { width, height } = this.canvas;
    const { crowd, look } = this.stage;
    const view = this.throng.view(camera, { width, height, look, bounds: crowd.bounds(), shadowSize: kShadowSize });
    return this.renderer.draw(crowd, view);
  }
}
