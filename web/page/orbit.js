// SPDX-License-Identifier: Apache-2.0
// A camera that goes around what it looks at: with a mouse, with fingers, with keys.

const kStep = 0.08; // radians a key press
const kLowest = 0.12; // metres over the ground
const kSteepest = 1.5;

export class Orbit {
  // `changed` is called when it moved.
  constructor(element, changed) {
    this.changed = changed;
    this.pointers = new Map();
    this.reset({ eye: [0, 1.6, 6], target: [0, 1, 0], fov: 32 }, { metre: 1, groundHeight: 0 });
    element.addEventListener('pointerdown', (event) => this.down(element, event));
    element.addEventListener('pointermove', (event) => this.move(element, event));
    for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, (event) => this.up(event));
    element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('keydown', (event) => this.key(event));
  }

  reset(camera, look) {
    this.home = { camera, look };
    const way = camera.eye.map((x, i) => x - camera.target[i]);
    this.distance = Math.hypot(...way);
    this.yaw = Math.atan2(way[0], way[2]);
    this.pitch = Math.asin(way[1] / this.distance);
    this.target = [...camera.target];
    this.fov = camera.fov;
    this.metre = look.metre;
    this.ground = look.groundHeight;
    this.untouched = true;
  }

  // As it was given, bit for bit, until somebody moves it.
  get camera() {
    if (this.untouched) return this.home.camera;
    const flat = Math.cos(this.pitch) * this.distance;
    const eye = [this.target[0] + Math.sin(this.yaw) * flat, this.target[1] + Math.sin(this.pitch) * this.distance,
      this.target[2] + Math.cos(this.yaw) * flat];
    eye[1] = Math.max(eye[1], this.ground + kLowest * this.metre);
    return { eye, target: this.target, fov: this.fov };
  }

  touch() {
    this.untouched = false;
    this.changed();
  }

  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -0.4), kSteepest);
    this.touch();
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance * factor, 0.3 * this.metre), 2000 * this.metre);
    this.touch();
  }

  // Along the ground, in shares of the distance.
  pan(right, ahead) {
    const by = this.distance;
    this.target[0] += (Math.cos(this.yaw) * right - Math.sin(this.yaw) * ahead) * by;
    this.target[2] += (-Math.sin(this.yaw) * right - Math.cos(this.yaw) * ahead) * by;
    this.touch();
  }

  down(element, event) {
    element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  up(event) { this.pointers.delete(event.pointerId); }

  move(element, event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const size = Math.max(element.clientHeight, 1);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const dx = (event.clientX - before.x) / size;
    const dy = (event.clientY - before.y) / size;
    if (other) {
      // Two fingers: how far apart they are is how near it comes, and where they go is where it goes.
      const apart = (x, y) => Math.max(Math.hypot(x - other.x, y - other.y), 1);
      this.zoom(apart(before.x, before.y) / apart(event.clientX, event.clientY));
      this.pan(-dx * 0.5, dy * 0.5);
    } else if (event.shiftKey || (event.buttons & 6) !== 0) {
      this.pan(-dx, dy);
    } else {
      this.turn(-dx * 3, dy * 2);
    }
    before.x = event.clientX;
    before.y = event.clientY;
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(Math.min(Math.max(event.deltaY, -200), 200) * 0.0015));
  }

  key(event) {
    const along = event.shiftKey
      ? { ArrowLeft: () => this.pan(-kStep, 0), ArrowRight: () => this.pan(kStep, 0), ArrowUp: () => this.pan(0, kStep), ArrowDown: () => this.pan(0, -kStep) }
      : { ArrowLeft: () => this.turn(-kStep, 0), ArrowRight: () => this.turn(kStep, 0), ArrowUp: () => this.turn(0, kStep), ArrowDown: () => this.turn(0, -kStep) };
    const keys = { ...along, '+': () => this.zoom(0.9), '=': () => this.zoom(0.9), '-': () => this.zoom(1.11), Home: () => this.back() };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  back() {
    this.reset(this.home.camera, this.home.look);
    this.changed();
  }
}
