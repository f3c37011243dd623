// SPDX-License-Identifier: Apache-2.0
// The page of `throng web` in a real browser.
//
//   node browser_test.mjs THRONG SOURCE SHARED WEB
//
// WEB is where the build puts the package.
//
// THRONG_WEB_PICTURES=FOLDER keeps the pictures it compares, to be looked at.
import fs from 'node:fs';
import { Harness, check, equal } from './harness.mjs';
import { difference, spread } from './pictures.mjs';

const [, , throng, source, shared, web] = process.argv;
const harness = new Harness(throng, source, shared);
const inPage = fs.readFileSync(new URL('in_page.js', import.meta.url), 'utf8');
const kSize = { width: 640, height: 360 };

// Of a character's height: floats of a world some ten heights across, behind a chain of bones. Half a bit of 24 is 6e-7.
const kVertexBound = 5e-6;
const kNormalBound = 1e-5;

// What two renderers may differ by in a picture of a crowd: edges are smoothed otherwise, and so are shadows.
const kMostMean = 2.5;
const kMostFar = 0.012;
// And in the picture of a single one, where less counts as a difference.
const kAnyOff = { side: 2, much: 16 };
const kMostFarOfOne = 0.0008;

async function evaluated(page, name, ...given) {
  await page.evaluate(inPage);
  return page.evaluate(([what, values]) => globalThis[what](...values), [name, given]);
}

async function dropped(page, file) {
  await evaluated(page, 'dropFile', fs.readFileSync(harness.path(file)).toString('base64'), file);
  await page.waitForFunction((name) => document.documentElement.dataset.played === name || document.getElementById('message').textContent, file);
  equal(await page.evaluate(() => document.getElementById('message').textContent), '', file);
}

function render(model, name, ...words) {
  harness.run('render', model, '-o', name, '--size', `${kSize.width}x${kSize.height}`, '--quiet', ...words);
  return fs.readFileSync(harness.path(name));
}

await harness.start();

harness.run('bake', 'builtin:mannequin', '-o', 'mannequin.throng.glb', '--quiet');
harness.run('web', 'mannequin.throng.glb', '-o', 'page.html', '--quiet');

const page = await harness.open('page.html', '#time=2&paused=1&count=300&scale=1', kSize);

await harness.test('a page opens from disk, plays, and asks nobody for anything', async () => {
  await harness.playing(page);
  equal(page.errors.join('; '), '');
  equal(page.requests.length, 1, `what was asked for: ${page.requests}`);
  for (const ask of ['fetch("data:,x")', 'fetch("https://example.org")', 'import("https://example.org/x.js")'])
    check(await page.evaluate(`${ask}.then(() => false, () => true)`), `${ask} was let through`);
  page.errors.length = 0; // the browser tells of each refusal
});

await harness.test('a crowd looks as throng render draws it, from the same place at the same moment', async () => {
  const wanted = await harness.decoded(render('mannequin.throng.glb', 'crowd.png', '--count', '300', '--time', '2'));
  const seen = await harness.picture(page, 'crowd_page.png');
  harness.keep('crowd_render.png', fs.readFileSync(harness.path('crowd.png')));
  const off = difference(seen, wanted);
  console.log(`       off by ${off.mean.toFixed(2)} of 255 in the mean, much in ${(100 * off.far).toFixed(2)} % of squares`);
  check(off.mean < kMostMean && off.far < kMostFar, `the pictures differ: ${JSON.stringify(off)}`);
});

await harness.test('a single one looks as throng render draws it, and one whose bone is 5° off does not', async () => {
  const close = await harness.open('page.html', '#time=0.4&paused=1&count=1&view=close&scale=1&clip=walk', kSize);
  await harness.playing(close);
  const png = render('mannequin.throng.glb', 'close.png', '--count', '1', '--view', 'close', '--time', '0.4', '--clip', 'walk');
  const wanted = await harness.decoded(png);
  harness.keep('close_render.png', png);
  const off = difference(await harness.picture(close, 'close_page.png'), wanted, kAnyOff);
  await close.evaluate(inPage);
  const columns = await close.evaluate(() => throngPage.show.characters[0].facts.constants.columns);
  const bent = [];
  for (let column = 0; column < columns; ++column) {
    const moved = await close.evaluate((which) => {
      globalThis.bent = bendBone(which, 5);
      return bent.moved;
    }, column);
    bent.push({ moved, far: difference(await harness.picture(close, `bent_${column}.png`), wanted, kAnyOff).far });
    await close.evaluate(() => bent.mend());
  }
  const seen = bent.filter(({ far }) => far > kMostFarOfOne);
  console.log(`       off by ${off.mean.toFixed(2)} of 255, in ${(100 * off.far).toFixed(3)} % of squares; ${seen.length} of ${columns} ` +
    `bones are seen to be 5° off: ${bent.map(({ far }) => (100 * far).toFixed(2)).join(' ')} %`);
  check(off.far < kMostFarOfOne && off.mean < 0.5, `the pictures differ: ${JSON.stringify(off)}`);
  // Fingers and toes of 5° are less than a pixel here; trunk, arms and legs are not.
  check(bent.every(({ moved, far }) => moved < 5 || far > kMostFarOfOne) && seen.length >= 19, 'bones that are 5° off are not seen');
  // And one with a picture on it.
  const fox = `${shared}/models/gltf/khronos/Fox/Fox.glb`;
  if (fs.existsSync(fox)) {
    harness.run('bake', fox, '-o', 'fox.throng.glb', '--quiet');
    await dropped(close, 'fox.throng.glb');
    const painted = render('fox.throng.glb', 'fox.png', '--count', '1', '--view', 'close', '--time', '0.4');
    harness.keep('fox_render.png', painted);
    const offFox = difference(await harness.picture(close, 'fox_page.png'), await harness.decoded(painted), kAnyOff);
    console.log(`       the fox: off by ${offFox.mean.toFixed(2)} of 255, in ${(100 * offFox.far).toFixed(3)} % of squares`);
    check(offFox.mean < 1 && offFox.far < 10 * kMostFarOfOne, `the pictures differ: ${JSON.stringify(offFox)}`);
  }
  await close.context().close();
});

await harness.test('vertices are where the decoder has them, at many moments of many clips', async () => {
  const off = await evaluated(page, 'compareVertices', [0.2, 1.7, 5.03]);
  console.log(`       ${JSON.stringify(off)}`);
  check(off.compared > 10000 && off.fading > 20, 'hardly anything was compared');
  check(off.worst < kVertexBound, `vertices are off by ${off.worst} of the height`);
  check(off.worstNormal < kNormalBound, `normals are off by ${off.worstNormal}`);
});

await harness.test('every encoding and every kind of mesh is drawn as the decoder has it', async () => {
  const bakes = [['q16', '--encoding', 'q16'], ['half-rows', '--encoding', 'half-rows'], ['v8', '--mode', 'vertices', '--clip', 'walk', '--encoding', 'v8']];
  const files = bakes.map(([name, ...words]) => {
    harness.run('bake', 'builtin:mannequin', '-o', `${name}.throng.glb`, '--quiet', ...words);
    return `${name}.throng.glb`;
  });
  for (const [name, model] of [['morphs', 'khronos/AnimatedMorphCube/AnimatedMorphCube.glb']]) {
    const file = `${shared}/models/gltf/${model}`;
    if (!fs.existsSync(file)) continue;
    harness.run('bake', file, '-o', `${name}.throng.glb`, '--quiet');
    files.push(`${name}.throng.glb`);
  }
  for (const file of files) {
    await dropped(page, file);
    const off = await evaluated(page, 'compareVertices', [0.4]);
    console.log(`       ${file}: ${JSON.stringify(off)}`);
    check(off.worst < kVertexBound && off.worstNormal < kNormalBound, `${file}: off by ${JSON.stringify(off)}`);
  }
  equal(page.errors.join('; '), '');
});

// Enough was seen of many; a software renderer draws few sooner.
await page.evaluate(() => { throngPage.show.settings.count = 12; });

await harness.test('a file that is dropped plays; a model, a damaged asset and a picture are told of, and nothing changes', async () => {
  await dropped(page, 'mannequin.throng.glb');
  const asset = fs.readFileSync(harness.path('mannequin.throng.glb'));
  const damaged = Buffer.from(asset);
  damaged[damaged.length >> 1] ^= 0x10;
  const model = Buffer.concat([Buffer.from('glTF'), Buffer.from([2, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])]);
  harness.run('bake', 'builtin:mannequin', '-o', 'local8.throng.glb', '--quiet', '--clip', 'walk', '--encoding', 'local8');
  const local8 = fs.readFileSync(harness.path('local8.throng.glb'));
  for (const [name, bytes, says] of [['local8.throng.glb', local8, 'bake it with localv'], ['bad.throng.glb', damaged, 'bad.throng.glb: '], ['fox.glb', model, 'throng bake fox.glb -o fox.throng.glb'],
    ['sky.png', Buffer.from('PNG'), 'sky.png is no .throng.glb'], ['half.throng.glb', asset.subarray(0, 4000), 'half.throng.glb: ']]) {
    await evaluated(page, 'dropFile', bytes.toString('base64'), name);
    await page.waitForFunction((text) => document.getElementById('message').textContent.includes(text), says);
    equal(await page.evaluate(() => document.documentElement.dataset.played), 'mannequin.throng.glb');
  }
  await harness.nextImage(page);
  equal(await page.evaluate(() => document.documentElement.dataset.state), 'playing');
});

await harness.test('a context that is lost comes back with the same picture', async () => {
  const before = await harness.picture(page);
  await page.evaluate(() => {
    globalThis.loser = throngPage.show.renderer.gl.getExtension('WEBGL_lose_context');
    loser.loseContext();
  });
  await page.waitForFunction(() => throngPage.lost);
  await page.evaluate(() => loser.restoreContext());
  await page.waitForFunction(() => !throngPage.lost);
  await harness.nextImage(page);
  const off = difference(await harness.picture(page), before);
  check(off.mean < 0.01, `the picture is another one: ${JSON.stringify(off)}`);
});

await harness.test('everything one can ask for has a name, and does what it is asked', async () => {
  await page.evaluate(() => { document.getElementById('panel').open = true; });
  for (const [role, name] of [['slider', 'Characters'], ['slider', 'Fade'], ['button', 'Play'], ['button', 'Reset view'],
    ['button', 'Open a file…'], ['img', /crowd/i], ['radio', 'Each its own'], ['radio', 'walk'], ['log', 'Events of one of them'], ['group', 'Clip']])
    check(await page.getByRole(role, { name }).count() > 0, `nothing is a ${role} called ${name}`);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('input, button, summary')]
    .filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel)).map((one) => one.outerHTML));
  equal(nameless.join(), '', 'without a name');
  await page.getByRole('slider', { name: 'Characters' }).fill('20');
  await page.waitForFunction(() => throngPage.show.stage.crowd.size === 10);
  await page.getByRole('radio', { name: 'walk', exact: true }).check();
  const clip = await page.evaluate(() => {
    throngPage.show.advance(1);
    const { crowd, ids } = throngPage.show.stage;
    return ids.map((id) => crowd.state(id).clipName);
  });
  check(clip.every((name) => name === 'walk'), `some play ${[...new Set(clip)]}`);
  // Of who wears otherwise than the others, that part alone changes.
  const worn = () => page.evaluate(() => throngPage.show.stage.ids.map((id) => String(throngPage.show.stage.crowd.worn(id))));
  await page.evaluate(() => throngPage.show.stage.crowd.wear(throngPage.show.stage.ids[3], 1n));
  await page.getByRole('checkbox', { name: 'trim' }).uncheck();
  equal((await worn()).join(''), '2223222222');
  await page.getByRole('checkbox', { name: 'trim' }).check();
  equal((await worn()).join(''), '0001000000');
  await page.evaluate(() => {
    for (let i = 0; i < 40; ++i) throngPage.show.advance(0.1);
  });
  const told = await page.evaluate(() => document.getElementById('events').textContent);
  check(/\(walk, at/.test(told), `events: ${told}`);
  const picture = page.getByRole('img');
  await picture.focus();
  const eye = () => page.evaluate(() => throngPage.orbit.camera.eye);
  for (const key of ['ArrowLeft', 'ArrowUp', '+', 'Shift+ArrowRight']) {
    const before = await eye();
    await page.keyboard.press(key);
    check(JSON.stringify(before) !== JSON.stringify(await eye()), `${key} does nothing`);
  }
  const home = await page.evaluate(() => throngPage.show.stage.camera.eye);
  await page.keyboard.press('Home');
  equal(JSON.stringify(await eye()), JSON.stringify(home));
  await page.mouse.move(100, 60);
  await page.mouse.down();
  await page.mouse.move(160, 60);
  await page.mouse.up();
  check(JSON.stringify(await eye()) !== JSON.stringify(home), 'the mouse does nothing');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Pause');
  await page.getByRole('button', { name: 'Pause' }).click();
  equal(page.errors.join('; '), '');
});

for (const [width, height, scale] of [[360, 640, 1], [3840, 2160, 0.2]]) {
  await harness.test(`it fits ${width} pixels`, async () => {
    await page.setViewportSize({ width, height });
    await page.evaluate((by) => {
      throngPage.scale = by;
      document.getElementById('panel').open = true;
    }, scale);
    await page.evaluate(() => throngPage.resize());
    await harness.nextImage(page);
    const outside = await page.evaluate(() => [document.documentElement.scrollWidth > innerWidth ? 'the page' : '',
      ...[...document.querySelectorAll('#panel, #panel button, #panel label, #panel input[type=range], #panel dd')].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5) && !one.closest('.choices');
      }).map((one) => one.outerHTML.slice(0, 60))].filter(Boolean));
    equal(outside.join(), '', 'reaches out');
    const shot = await page.screenshot();
    harness.keep(`page_${width}.png`, shot);
    check(spread(await harness.decoded(shot)) > 15, 'there is nothing to see');
  });
}
await page.context().close();

await harness.test('it stands still for those who asked for less motion', async () => {
  const still = await harness.open('page.html', '#count=2&scale=0.3', { ...kSize, reducedMotion: 'reduce' });
  await harness.playing(still);
  equal(await still.evaluate(() => document.getElementById('play').textContent), 'Play');
  const at = await still.evaluate(() => throngPage.show.seconds);
  await still.waitForTimeout(300);
  equal(await still.evaluate(() => throngPage.show.seconds), at);
  await still.getByRole('button', { name: 'Play' }).click();
  await still.waitForFunction(() => throngPage.show.seconds > 0);
  await still.context().close();
});

await harness.test('a browser without WebGL 2 is told so', async () => {
  const init = () => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (name, ...rest) { return name === 'webgl2' ? null : get.call(this, name, ...rest); };
  };
  const without = await harness.open('page.html', '', { ...kSize, init });
  await without.getByRole('alert').filter({ hasText: 'WebGL 2' }).waitFor();
  await without.context().close();
});

await harness.test('the page of docs/on-the-web.md draws a crowd', async () => {
  const text = fs.readFileSync(`${source}/docs/on-the-web.md`, 'utf8');
  const example = /```html\n([^`]*)```/.exec(text)[1];
  check(example.split('\n').length <= 61, 'it has more than 60 lines');
  const context = await harness.browser.newContext({ viewport: { width: 320, height: 180 } });
  const own = await context.newPage();
  const errors = [];
  own.on('pageerror', (error) => errors.push(String(error)));
  await own.route('http://own.test/**', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: example });
    if (name === 'favicon.ico') return route.fulfill({ status: 404, body: '' });
    const file = name === 'knight.throng.glb' ? harness.path('mannequin.throng.glb') : `${web}/${name}`;
    const contentType = name.endsWith('.js') ? 'text/javascript' : 'application/octet-stream';
    return route.fulfill({ contentType, body: fs.readFileSync(file) });
  });
  await own.goto('http://own.test/');
  // Its canvas keeps nothing after it was shown, so what is on the screen is looked at.
  const begin = Date.now();
  let seen = 0;
  while (seen < 15 && Date.now() - begin < 120000 && errors.length === 0) {
    await own.waitForTimeout(500);
    const shot = await own.screenshot();
    harness.keep('example.png', shot);
    seen = spread(await harness.decoded(shot));
  }
  equal(errors.join('; '), '');
  check(seen >= 15, 'there is nothing to see');
  await context.close();
});

await harness.stop();
process.exit(harness.failed === 0 ? 0 : 1);
