// SPDX-License-Identifier: Apache-2.0
// A crowd does what a crowd does natively: the same script, item by item.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bake, dice, read, refusal, shared, throng, truth } from './support.mjs';

// Carries out a script as web_truth does.
class Stage {
  constructor(file) {
    this.character = read(file);
    this.crowd = throng.crowd();
    this.model = this.crowd.add(this.character);
    this.ids = [];
  }

  step([name, ...about]) {
    return this[name](...about);
  }

  spawn(spawn) {
    return refusal(() => this.ids.push(this.crowd.spawn(spawn)));
  }

  play(who, play) {
    return refusal(() => this.crowd.play(this.ids[who], play.clip, play));
  }

  queue(who, play) {
    return refusal(() => this.crowd.queue(this.ids[who], play.clip, play));
  }

  change(who, what, number) {
    const id = this.ids[who];
    const calls = { clear: 'clearQueue', wear: 'wear' };
    return refusal(() => this.crowd[calls[what] ?? what](id, what === 'wear' ? BigInt(number) : number));
  }

  advance(seconds) {
    const met = [];
    this.crowd.advance(seconds, (event) => met.push([Number(event.instance & 0xffffffffn), Number(event.instance >> 32n), event.clip, event.event, event.name, event.seconds, event.weight]));
    return met;
  }

  state(who) {
    try {
      const { clipName, ...state } = this.crowd.state(this.ids[who]);
      assert.equal(clipName, this.character.facts.clips[state.clip].name);
      if (state.previous) delete state.previous.clipName;
      return state;
    } catch (error) {
      return error.message;
    }
  }

  socket(who, socket) {
    try {
      const { position, rotation, scale } = this.crowd.socket(this.ids[who], socket);
      return { position, rotation, scale };
    } catch (error) {
      return error.message;
    }
  }

  placement(who) {
    try {
      return this.crowd.placement(this.ids[who]);
    } catch (error) {
      return error.message;
    }
  }

  cursors() {
    const { frames, nexts, blends } = this.crowd.cursors(this.model);
    const words = [];
    const float = new Float32Array(1);
    const word = new Uint32Array(float.buffer);
    frames.forEach((frame, i) => {
      float[0] = blends[i];
      words.push(frame, nexts[i], word[0]);
    });
    return words;
  }

  records() {
    return { instances: [...this.crowd.instances(this.model)], plays: [...this.crowd.plays(this.model)] };
  }

  vertices(who) {
    const { positions, normals } = this.crowd.vertices(this.ids[who], { space: 'model' });
    return { positions: positions.slice(), normals: normals.slice() };
  }
}

// Some hundred who come and go, play, fade, wait their turn, and are asked where they are.
function scriptFor(character, count, seed) {
  const numbers = dice(seed);
  const { clips, sockets } = character.facts;
  const float = (low, high) => Math.fround(numbers.between(low, high));
  const modes = ['as-baked', 'clamp', 'loop', 'ping-pong'];
  const play = () => ({ clip: numbers.below(clips.length), speed: numbers.between(-1, 2), offset: numbers.between(0, 2), mode: modes[numbers.below(4)], fade: numbers.below(2) * numbers.between(0, 1), inStep: numbers.below(3) === 0 });
  const script = [];
  for (let i = 0; i < count; ++i) {
    script.push(['spawn', {
      ...play(), position: [float(-9, 9), 0, float(-9, 9)], rotation: [0, float(-1, 1), 0, float(0.1, 1)], scale: float(0.5, 2),
      tint: [1, 2, 3, 255].map((tint) => tint * numbers.below(64) % 256), variation: numbers.below(2 ** 32), rootMotion: numbers.below(2) === 0,
    }]);
    if (numbers.below(2) === 0) script.push(['change', i, 'listen']);
  }
  const changes = [['pause'], ['resume'], ['speed', 0.7], ['seek', 0.3], ['show', false], ['show', true], ['remove'], ['dress', 5], ['clear'], ['wear', 1]];
  for (let step = 0; step < 12; ++step) {
    for (let i = 0; i < count / 4; ++i) {
      const who = numbers.below(count);
      const what = numbers.below(4);
      if (what === 0) script.push(['play', who, play()]);
      else if (what === 1) script.push(['queue', who, play()]);
      else if (what === 2) script.push(['change', who, ...changes[numbers.below(changes.length)]]);
      else script.push(['state', who], ['placement', who], ['socket', who, numbers.below(sockets.length + 1)]);
    }
    script.push(['advance', numbers.between(0, 0.9)], ['cursors']);
    if (step % 4 === 3) script.push(['records']);
  }
  return script;
}

const EXACT = new Set(['spawn', 'play', 'queue', 'change', 'cursors', 'advance']);
// Libraries round the last bit of a sine otherwise: doubles agree to this.
const ROUNDING = 1e-9;

function agree(mine, its, where) {
  if (typeof its === 'number') {
    assert.ok(Math.abs(mine - its) <= ROUNDING * Math.max(1, Math.abs(its)), `${where}: ${mine} is not ${its}`);
  } else if (its !== null && typeof its === 'object') {
    assert.deepEqual(Object.keys(mine).sort(), Object.keys(its).sort(), where);
    for (const key of Object.keys(its)) agree(mine[key], its[key], `${where}.${key}`);
  } else {
    assert.equal(mine, its, where);
  }
}

function compare(file, seed, count = 60) {
  const stage = new Stage(file);
  const script = scriptFor(stage.character, count, seed);
  const native = truth(file, script);
  let events = 0;
  script.forEach((step, i) => {
    const mine = stage.step(step);
    const where = `step ${i} (${JSON.stringify(step).slice(0, 100)})`;
    if (step[0] === 'advance') events += native[i].length;
    if (step[0] === 'records') compareRecords(mine, native[i], where);
    else if (EXACT.has(step[0])) assert.deepEqual(mine, native[i], where);
    else agree(mine, native[i], where);
  });
  stage.crowd.free();
  stage.character.free();
  return events;
}

// Word for word, but for the floats of where those stand whom their clips' root motion has moved.
function compareRecords(mine, its, where) {
  assert.deepEqual(mine.plays, its.plays, where);
  assert.equal(mine.instances.length, its.instances.length, where);
  const floats = (words) => new Float32Array(new Uint32Array(words).buffer);
  const [a, b] = [floats(mine.instances), floats(its.instances)];
  its.instances.forEach((word, i) => {
    if (i % 8 < 3) assert.ok(Math.abs(a[i] - b[i]) < 1e-5, `${where}: record ${i >> 3}`);
    else if (i % 8 < 4 || i % 8 > 5) assert.equal(mine.instances[i], word, `${where}: record ${i >> 3}`);
  });
}

test('plays, fades, queues, moves and meets events as natively', () => {
  const events = compare(bake('builtin:mannequin'), 11);
  assert.ok(events > 50, `${events} events`);
});

test('is moved by the root motion of its clips as natively', () => {
  compare(bake('builtin:mannequin', '--root-motion', 'extract'), 13, 24);
});

const knight = shared('gltf/kaykit/Knight.glb');
test('of a model that somebody made, too', { skip: knight === null && 'the models are not here' }, () => {
  compare(bake(knight), 12, 30);
});

// The reference is in double; the package's deformer in float, as the library promises: 1e-5 of the diagonal.
function compareVertices(file) {
  const stage = new Stage(file);
  const { facts } = stage.character;
  const script = [];
  facts.clips.forEach((_, clip) => script.push(['spawn', { clip, offset: 0.17 + 0.1 * clip, mode: 'loop' }]));
  script.push(['advance', 0.1]);
  facts.clips.forEach((_, clip) => script.push(['play', clip, { clip: (clip + 1) % facts.clips.length, fade: 0.5 }]));
  script.push(['advance', 0.2]);
  facts.clips.forEach((_, clip) => script.push(['vertices', clip]));
  const native = truth(file, script);
  const { min, max } = facts.bounds;
  const diagonal = Math.hypot(...max.map((side, i) => side - min[i]));
  script.forEach((step, i) => {
    const mine = stage.step(step);
    if (step[0] !== 'vertices') return;
    assert.equal(mine.positions.length, 3 * facts.vertexCount);
    let worst = 0;
    native[i].positions.forEach((value, at) => { worst = Math.max(worst, Math.abs(value - mine.positions[at])); });
    assert.ok(worst <= 1e-5 * diagonal, `clip ${step[1]}: ${worst} of ${diagonal}`);
    let turned = 0;
    native[i].normals.forEach((value, at) => { turned = Math.max(turned, Math.abs(value - mine.normals[at])); });
    assert.ok(turned <= (facts.mode === 'bones' ? 1e-5 : 2e-4), `clip ${step[1]}: normals ${turned}`);
  });
}

test('puts every vertex where the reference in double has it, in fades, in each kind of encoding', () => {
  for (const encoding of ['localv', 'local8', 'q16', 'rows'])
    compareVertices(bake('builtin:mannequin', '--encoding', encoding));
  compareVertices(bake('builtin:mannequin', '--mode', 'vertices', '--clip', 'walk', '--clip', 'run'));
});

test('vertices in the world are those of the model, placed', () => {
  const stage = new Stage(bake('builtin:mannequin'));
  const id = stage.crowd.spawn({ clip: 'walk', position: [3, 1, -2], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: 2 });
  const own = stage.crowd.vertices(id, { space: 'model' }).positions.slice();
  const placed = stage.crowd.vertices(id).positions;
  for (let i = 0; i < own.length; i += 3)
    [3 + 2 * own[i + 2], 1 + 2 * own[i + 1], -2 - 2 * own[i]].forEach((value, axis) =>
      assert.ok(Math.abs(placed[i + axis] - value) < 2e-4, `vertex ${i / 3}`));
});

test('names are found, or others like them told; what is not there is refused in words', () => {
  const stage = new Stage(bake('builtin:mannequin'));
  const { crowd } = stage;
  const id = crowd.spawn({ clip: 'walk' });
  crowd.fade(id, 'run', 0.2);
  assert.equal(crowd.state(id).clipName, 'run');
  assert.equal(crowd.state(id).previous.clipName, 'walk');
  assert.match(refusal(() => crowd.play(id, 'wlak')), /walk/);
  assert.match(refusal(() => crowd.play(id, 'walk', { mode: 'round' })), /ping-pong/);
  assert.ok(refusal(() => crowd.spawn({ clip: 999 })));
  assert.ok(refusal(() => crowd.spawn({ scale: -1 })));
  assert.ok(refusal(() => crowd.place(id, { position: [NaN, 0, 0] })));
  assert.match(refusal(() => crowd.socket(id, 'nose')), /socket/);
  crowd.remove(id);
  assert.ok(refusal(() => crowd.state(id)));
  assert.notEqual(crowd.spawn(), id, 'one who was removed is never taken for another');
});

test('100,000 are spawned, changed and told of', () => {
  const stage = new Stage(bake('builtin:mannequin'));
  const { crowd, model } = stage;
  const ids = crowd.spawnMany(model, 100_000, (i, spawn) => {
    spawn.position = [i % 400, 0, Math.floor(i / 400)];
    spawn.clip = i % 3;
    spawn.offset = i / 1000;
  });
  assert.equal(crowd.size, 100_000);
  assert.equal(new Set(ids).size, 100_000);
  crowd.advance(0.5);
  const version = crowd.version(model);
  crowd.play(ids[99_999], 'idle');
  const changed = crowd.changesSince(model, version);
  assert.deepEqual([...new Set(changed)], [99_999]);
  assert.equal(crowd.changesSince(model, version + 1e6), null);
  const cursors = crowd.cursors(model);
  assert.equal(cursors.frames.length, 100_000);
  for (let i = 0; i < 99_000; ++i) crowd.remove(ids[i]);
  assert.equal(crowd.count(model), 1000);
  crowd.free();
});

test('events are told after the step, and may change the crowd', () => {
  const stage = new Stage(bake('builtin:mannequin'));
  const { crowd } = stage;
  const id = crowd.spawn({ clip: 'walk' });
  crowd.listen(id);
  const names = [];
  crowd.advance(1.6, (event) => {
    names.push(event.name);
    assert.equal(event.instance, id);
    assert.equal(event.clipName, 'walk');
    if (names.length === 3) crowd.remove(id);
  });
  assert.deepEqual(names.slice(0, 2), ['footstep.L', 'footstep.R']);
  assert.equal(crowd.size, 0);
});
