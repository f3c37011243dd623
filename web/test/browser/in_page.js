// SPDX-License-Identifier: Apache-2.0
// What tests do inside of a page of `throng web`: handed to it as text, and run there.
/* global throngPage */

// Compares every vertex of characters that do all sorts of things, at several moments, with the library's own decoder.
// Gives the largest distances, over the character's height.
globalThis.compareVertices = async (moments) => {
  const { throng, show } = throngPage;
  const [character] = show.characters;
  const { facts } = character;
  const crowd = throng.crowd();
  const model = crowd.add(character);
  const ids = [];
  for (let i = 0; i < 24; ++i) {
    const turn = 0.7 * i;
    const rotation = [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)];
    ids.push(crowd.spawn({
      model, position: [(i % 6 - 2.5) * facts.height, 0, -Math.floor(i / 6) * facts.height], rotation, scale: 0.8 + 0.02 * i,
      clip: i % facts.clips.length, speed: [1, 0.7, -1.3, 0][i % 4], offset: 0.173 * i,
      mode: ['as-baked', 'loop', 'ping-pong', 'clamp'][Math.floor(i / 2) % 4],
    }));
  }
  const far = 12 * facts.height;
  const camera = { eye: [0, facts.height, far], target: [0, 0.5 * facts.height, 0], fov: 60 };
  const settings = { ...show.renderer.settings };
  Object.assign(show.renderer.settings, { pixelError: 0, bones: 4 });
  let worst = 0;
  let worstNormal = 0;
  let compared = 0;
  let fading = 0;
  for (const seconds of moments) {
    crowd.advance(seconds - crowd.seconds);
    // Half of them fade from now on: the next moment finds them in the middle of it.
    ids.forEach((id, i) => { if (i % 2) crowd.play(id, (i + 1) % facts.clips.length, { fade: 0.9, inStep: i % 4 === 1 }); });
    crowd.advance(0.31);
    const view = throng.view(camera, { width: 64, height: 64, bounds: crowd.bounds(), cascades: 1 });
    show.renderer.prepare(crowd, view);
    const seen = crowd.plan({ views: [view.clipFromWorld, ...view.shadowPasses], eye: view.eye, pixels: view.pixels, pixelError: 0, speckPixels: 0, bones: 4 }).models[0];
    const rows = Array.from({ length: seen.drawn }, (_, row) => [row, seen.texels[(5 * row + 3) * 4 + 3]]);
    if (rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} are in the plan`);
    const drawn = show.renderer.readVertices(0, rows.map(([row]) => row));
    const byIndex = new Map(ids.map((id) => [crowd.find(id).index, id]));
    rows.forEach(([, index], nth) => {
      const id = byIndex.get(index);
      if (crowd.state(id).previous) ++fading;
      const truth = crowd.vertices(id, { space: 'world' });
      const first = nth * truth.positions.length;
      for (let v = 0; v < truth.positions.length; v += 3) {
        const off = Math.hypot(...[0, 1, 2].map((c) => drawn.positions[first + v + c] - truth.positions[v + c]));
        const turned = Math.hypot(...[0, 1, 2].map((c) => drawn.normals[first + v + c] - truth.normals[v + c]));
        if (!(off <= worst)) worst = off;
        if (!(turned <= worstNormal)) worstNormal = turned;
        ++compared;
      }
    });
  }
  Object.assign(show.renderer.settings, settings);
  crowd.free();
  return { worst: worst / facts.height, worstNormal, compared, fading };
};

// Turns one bone of everybody, and what hangs on it, by so many degrees about where it is, behind the pose pass; gives
// back what undoes it, and how many columns that moves.
globalThis.bendBone = (column, degrees) => {
  const { show } = throngPage;
  const [model] = show.renderer.models;
  const { gl } = model;
  const { columns } = model.facts.constants;
  const words = show.characters[0].skeletonTexels.words.slice();
  const floats = new Float32Array(words.buffer);
  const linkOf = (of) => words[12 * of + 8];
  const parentOf = (link) => words[12 * columns + 12 * link + 8];
  const hangs = (link) => link === linkOf(column) || (link !== 0xffffffff && hangs(parentOf(link)));
  const moved = Array.from({ length: columns }, (_, of) => of).filter((of) => hangs(linkOf(of)));
  const origin = [...floats.slice(12 * column + 9, 12 * column + 12)];
  const half = degrees * Math.PI / 360;
  const by = [Math.sin(half), 0, 0, Math.cos(half)];
  const times = (a, b) => [
    a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
    a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
  const back = (q) => [-q[0], -q[1], -q[2], q[3]];
  const rotated = (q, v) => times(times(q, [...v, 0]), back(q)).slice(0, 3);
  const pose = model.pose.bind(model);
  model.pose = (programs) => {
    pose(programs);
    gl.bindFramebuffer(gl.FRAMEBUFFER, model.poses);
    for (let row = 0; row < model.plan.meshed; ++row) {
      const y = Math.floor(row / model.charactersInRow);
      const first = (row % model.charactersInRow) * columns;
      const [turns, shifts] = [0, 1].map((i) => {
        const texels = new Uint32Array(4 * columns);
        gl.readBuffer(gl.COLOR_ATTACHMENT0 + i);
        gl.readPixels(first, y, columns, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, texels);
        return new Float32Array(texels.buffer);
      });
      const turn = [...turns.slice(4 * column, 4 * column + 4)];
      const [x0, y0, z0, scale] = shifts.slice(4 * column, 4 * column + 4);
      const pivot = rotated(turn, origin).map((v, i) => v * scale + [x0, y0, z0][i]);
      const whole = times(times(turn, by), back(turn));
      for (const of of moved) {
        const at = rotated(whole, [0, 1, 2].map((i) => shifts[4 * of + i] - pivot[i]));
        turns.set(times(whole, [...turns.slice(4 * of, 4 * of + 4)]), 4 * of);
        shifts.set(at.map((v, i) => v + pivot[i]), 4 * of);
      }
      gl.activeTexture(gl.TEXTURE0);
      for (const [into, values] of [[model.turns, turns], [model.shifts, shifts]]) {
        gl.bindTexture(gl.TEXTURE_2D, into.texture);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, first, y, columns, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, new Uint32Array(values.buffer));
      }
    }
  };
  return { mend: () => { model.pose = pose; }, moved: moved.length };
};

globalThis.dropFile = (base64, name) => {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name));
  dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
  dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
};
