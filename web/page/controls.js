// SPDX-License-Identifier: Apache-2.0
// The panel: what can be asked for, and what is told.
import { bytes, countAt, grouped, millimetres, sliderAt } from './numbers.js';

const $ = (id) => document.getElementById(id);
const kEventsShown = 3;

// A choice with a name: a radio button, or a box to tick.
function choice(type, group, text, checked, chosen) {
  const label = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { type, name: group, checked });
  input.addEventListener('change', () => chosen(input.checked));
  label.append(input, text);
  return label;
}

function row(name, value) {
  const term = document.createElement('dt');
  const what = document.createElement('dd');
  term.textContent = name;
  what.textContent = value;
  return [term, what];
}

export class Controls {
  // `asked`: play(paused), count(n), clip(name, fade), wear(model, part, worn), dress(), view(), file(file)
  constructor(asked) {
    this.asked = asked;
    this.live = {};
    $('play').addEventListener('click', () => asked.play());
    $('view').addEventListener('click', () => asked.view());
    $('dress').addEventListener('click', () => asked.dress());
    $('count').addEventListener('input', () => this.slid());
    $('fade').addEventListener('input', () => { $('fade-is').textContent = `${$('fade').value} s`; });
    $('file').addEventListener('change', () => {
      const [file] = $('file').files;
      if (file) asked.file(file);
      $('file').value = '';
    });
    $('controls').addEventListener('submit', (event) => event.preventDefault());
    if (matchMedia('(max-width: 640px)').matches) $('panel').open = false;
  }

  slid() {
    const count = countAt(Number($('count').value));
    this.showCount(count);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.asked.count(count), 150);
  }

  showCount(count, slider = false) {
    $('count-is').textContent = grouped(count);
    $('count').setAttribute('aria-valuetext', `${grouped(count)} characters`);
    if (slider) $('count').value = sliderAt(count);
  }

  showPlaying(playing) {
    $('play').textContent = playing ? 'Pause' : 'Play';
    $('play').setAttribute('aria-pressed', String(playing));
  }

  // Another cast: its clips, its parts, its report.
  showCast(characters, playing) {
    const names = characters.map(({ facts }) => facts.name);
    $('title').textContent = names.join(', ');
    document.title = `${names.join(', ')}: a crowd, by Throng`;
    $('picture').setAttribute('aria-label', `A crowd of ${names.join(', ')}`);
    const clips = [...new Set(characters.flatMap(({ facts }) => facts.clips.map(({ name }) => name)))];
    $('clips').replaceChildren(...['', ...clips].map((name) =>
      choice('radio', 'clip', name || 'Each its own', name === playing, () => this.asked.clip(name, Number($('fade').value)))));
    const parts = characters.flatMap(({ facts }, model) => facts.parts.map(({ name }, part) =>
      choice('checkbox', `part-${model}-${part}`, name, true, (worn) => this.asked.wear(model, part, worn))));
    $('parts').replaceChildren(...parts);
    $('parts-of').hidden = parts.length === 0;
    const events = characters.some(({ facts }) => facts.clips.some((clip) => clip.events.length > 0));
    const none = document.createElement('li');
    none.textContent = events ? '…' : 'These clips have no events.';
    $('events').replaceChildren(none);
    this.showReport(characters);
  }

  showReport(characters) {
    const rows = characters.flatMap(({ facts }) => {
      const many = characters.length > 1 ? `${facts.name}: ` : '';
      return [
        row(`${many}largest error`, millimetres(facts.error.between.maxMm)),
        row(`${many}animation, ${facts.clips.length} clips`, bytes(facts.bytes.animation)),
        row(`${many}as half floats`, bytes(facts.bytes.halfFloat)),
        row(`${many}file`, bytes(facts.bytes.file)),
        row(`${many}vertices, bones`, `${grouped(facts.vertexCount)}, ${grouped(facts.boneCount)}`),
      ];
    });
    for (const name of ['drawn', 'triangles', 'draw calls', 'image']) {
      const made = row(name, '…');
      [, this.live[name]] = made;
      rows.push(made);
    }
    $('report').replaceChildren(...rows.flat());
  }

  showFrame({ counts, drawCalls }, milliseconds) {
    this.live.drawn.textContent = grouped(counts.inPicture);
    this.live.triangles.textContent = grouped(counts.triangles);
    this.live['draw calls'].textContent = grouped(drawCalls);
    if (milliseconds) this.live.image.textContent = `${milliseconds.toFixed(1)} ms`;
  }

  tellEvent({ name, clipName, seconds }) {
    const line = document.createElement('li');
    line.textContent = `${name} (${clipName}, at ${seconds.toFixed(2)} s)`;
    const list = $('events');
    if (list.firstChild?.textContent === '…') list.replaceChildren();
    list.append(line);
    while (list.children.length > kEventsShown) list.firstChild.remove();
  }

  say(text) {
    $('message').textContent = text;
    $('message').hidden = text === '';
  }
}
