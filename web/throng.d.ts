// SPDX-License-Identifier: Apache-2.0
// The run time of Throng in a browser or under node: reads .throng.glb files, plays crowds of them, and says what a GPU
// is to draw of each image. What the library refuses is thrown as a ThrongError.
//
// Typed arrays marked VIEW look into the library's memory. They are good until the next call into it: upload them at
// once, or keep a copy (.slice()).

/** What the library refuses, in its own words. */
export class ThrongError extends Error {}

/**
 * Loads the library: from its bytes, a compiled module, a response, or a URL; without any, from throng.wasm beside
 * throng.js. Nothing else is fetched. A content-security policy must allow 'wasm-unsafe-eval'.
 */
export function loadThrong(
  source?: ArrayBuffer | ArrayBufferView | WebAssembly.Module | Response | URL | string): Promise<Throng>;

/** `fov`: the vertical field of view, in degrees. */
export interface Camera {
  eye: number[];
  target: number[];
  fov: number;
}

/** The light and the air of a picture: SceneLook of throng/scene/scene_look.h. */
export type SceneLook = Record<
  'sunDirection' | 'sunColour' | 'skyColour' | 'bounceColour' | 'groundAlbedo' | 'zenithColour' | 'horizonColour', number[]
> & Record<
  'rim' | 'exposure' | 'groundHeight' | 'fogStart' | 'fogEnd' | 'sunSoftness' | 'variation' | 'paving' | 'clouds' | 'metre', number
>;

export interface ViewSettings {
  width: number;
  height: number;
  /** What it does not say is as in SceneLook. */
  look?: Partial<SceneLook>;
  /** Of all who throw shadows: Crowd.bounds(). None: no shadows. */
  bounds?: Box | null;
  shadowSize?: number;
  cascades?: number;
  contactSize?: number;
}

/** Matrices have 16 numbers, column by column, with depth from 0 to 1 (the picture's: 1 is near) and y downwards. */
export interface View {
  width: number;
  height: number;
  eye: number[];
  pixels: number;
  /** The bytes of SceneUniforms (throng/shaders/shared/scene.h). */
  uniforms: Uint8Array;
  clipFromWorld: Float32Array;
  /** Of each of the sun's maps, then of the one that darkens the ground. */
  shadowPasses: Float32Array[];
  cascadeCount: number;
}

export interface StageSettings {
  count?: number;
  seed?: number;
  view?: 'crowd' | 'close' | 'above';
  /** The clip all of them play; '': each its own. */
  clip?: string;
  /** Width over height of the picture. */
  aspect?: number;
}

export interface Stage {
  readonly crowd: Crowd;
  readonly ids: bigint[];
  readonly camera: Camera;
  readonly look: SceneLook;
  /** Those who walk through the crowd go to where they are at that second. */
  moveTo(seconds: number): void;
  /** And its crowd. */
  free(): void;
}

export interface Throng {
  /** Reads a .throng.glb; `name` stands before what is said of a damaged one. */
  readCharacter(bytes: ArrayBuffer | ArrayBufferView, name?: string): Character;
  /** False: a plain .glb, which `throng bake` makes a character of, or something else. */
  looksLikeCharacter(bytes: ArrayBuffer | ArrayBufferView): boolean;
  /** A crowd without anybody. */
  crowd(): Crowd;
  /** A crowd as `throng render` stands it, with its camera and its light. */
  stage(characters: Character[], settings?: StageSettings): Stage;
  /** What a picture's shaders are told of its camera, its light and its shadows. */
  view(camera: Camera, settings: ViewSettings): View;
  /** Bytes of the library's memory: it grows, and is used again. */
  readonly memoryBytes: number;
}

export type Vector3 = readonly [number, number, number] | number[];
/** x, y, z, w; of any length but zero. */
export type Rotation = readonly [number, number, number, number] | number[];

export interface Box {
  min: [number, number, number];
  max: [number, number, number];
}

/** Distances in millimetres on a character 1.8 m tall. */
export interface ErrorFigures {
  maxMm: number;
  p999Mm: number;
  rmsMm: number;
  normalMaxDegrees: number;
}

export interface ClipFacts {
  name: string;
  seconds: number;
  loops: boolean;
  frames: number;
  /** Frames a second. */
  rate: number;
  encoding: string;
  /** Whether its root motion can move who plays it. */
  rootMotion: boolean;
  bounds: Box | null;
  error: { atFramesMm: number; betweenMm: number };
  events: { name: string; seconds: number }[];
}

export interface MaterialFacts {
  name: string;
  /** Linear. */
  baseColour: [number, number, number, number];
  /** An index into images, or null. */
  baseImage: number | null;
  normalImage: number | null;
  normalScale: number;
  wrapU: 'repeat' | 'clamp' | 'mirror';
  wrapV: 'repeat' | 'clamp' | 'mirror';
  /** Whether the nearest texel is shown, not a mean. */
  nearest: boolean;
  alphaMode: 'opaque' | 'mask' | 'blend';
  alphaCutoff: number;
  doubleSided: boolean;
}

/** A level of detail; the full mesh is the first. */
export interface LevelFacts {
  /** How far its surface is off, model units. */
  error: number;
  /** It uses none past these. */
  vertices: number;
  /** How many of its bones each of its vertices follows. */
  bones: number;
  draws: { material: number; firstIndex: number; indexCount: number }[];
}

export interface CharacterFacts {
  name: string;
  mode: 'bones' | 'vertices';
  bounds: Box | null;
  /** Its largest side: what is measured in pixels. */
  height: number;
  boneCount: number;
  vertexCount: number;
  clips: ClipFacts[];
  sockets: string[];
  parts: { name: string; bounds: Box | null }[];
  /** Parts of which one is worn at a time; `onlyAsked`: so many at the end are in no outfit that a seed picks. */
  partGroups: { name: string; optional: boolean; onlyAsked: number; parts: number[] }[];
  materials: MaterialFacts[];
  /** With a `uri` it is linked, and not in the file. */
  images: { name: string; mime: string; uri: string }[];
  levels: LevelFacts[];
  /** How far what is played is from what the artist made, as the bake measured it. */
  error: {
    mmPerUnit: number;
    atFrames: ErrorFigures;
    between: ErrorFigures;
    worstClip: string;
    worstBone: string;
    worstTime: number;
  };
  /** halfFloat: what the classic RGBA16F layout would have taken; keys: what the source's curves take, or 0. */
  bytes: { file: number; animation: number; halfFloat: number; keys: number };
  notes: string[];
  warnings: string[];
  /** kAtlasWidth and the like, which docs/shader-library.md describes. */
  constants: {
    atlasWidth: number;
    texelWords: number;
    frameShapes: number;
    encodings: number;
    columns: number;
    animatedTangents: 0 | 1;
  };
  /** Some clip is localv: THRONG_CHAINS. */
  chains: boolean;
  /** Some clip is relative to parents, and wants a pose pass. */
  linked: boolean;
  hasTangents: boolean;
  hasMorphs: boolean;
  hasParts: boolean;
  /** In no clip do bones scale differently from one another. */
  oneScale: boolean;
  /** What it looks like when a few pixels tall: four bands from the feet up, linear red, green, blue, half width. */
  speck: [number, number, number, number][];
}

/** A texture of whole numbers, or floats; its words are whole rows. */
export interface Texels<Words = Uint32Array> {
  width: number;
  height: number;
  /** 1: R32UI; 2: RG32UI; 4: RGBA32UI, or RGBA32F. */
  texelWords: number;
  /** VIEW. */
  words: Words;
}

/** Never changes. A crowd that has it keeps its own share of it. */
export interface Character {
  readonly facts: CharacterFacts;
  /** VIEW of a picture as the file has it (facts.images tells its type); empty where it is linked. */
  image(number: number): Uint8Array;
  /** VIEW of the vertices, and where in each its fields begin. Weights are UNORM16, colours UNORM8. */
  readonly vertices: {
    bytes: Uint8Array;
    stride: number;
    count: number;
    offsets: { position: number; normal?: number; uv: number; bones?: number; weights?: number; colour: number };
  };
  /** VIEW: four a vertex, or none. */
  readonly tangents: Float32Array;
  /** VIEW: the part of each vertex, or none. */
  readonly vertexParts: Uint8Array;
  /** VIEW: of all levels. */
  readonly indices: Uint32Array;
  /** Of no layers where no clip has frames there. */
  readonly atlas: Texels & { layers: number };
  /** A clip a row. */
  readonly clipTexels: Texels;
  readonly tableTexels: Texels<Float32Array>;
  readonly channelTexels: Texels;
  readonly skeletonTexels: Texels;
  /** Of no rows: it has no morph targets. */
  readonly morphTexels: Texels;
  free(): void;
}

/** Somebody in a crowd. One who was removed is never taken for another. */
export type Instance = bigint;

export interface Placement {
  position: Vector3;
  rotation: Rotation;
  scale: number;
}

export interface Look {
  /** Red, green, blue, alpha, 0 to 255, sRGB. */
  tint?: readonly [number, number, number, number] | number[];
  /** Any whole number: materials take their differences from it. */
  variation?: number;
}

export interface Play {
  /** 0 stands still, below 0 goes backwards. */
  speed?: number;
  /** Seconds into the clip. */
  offset?: number;
  mode?: 'as-baked' | 'clamp' | 'loop' | 'ping-pong';
  /** Seconds over which it takes the place of what was played. */
  fade?: number;
  /** Begins at the phase of what was played. */
  inStep?: boolean;
}

export interface Spawn extends Partial<Placement>, Look, Play {
  /** The first, unless another is told. */
  model?: number;
  /** By name or number; the first, unless another is told. */
  clip?: string | number;
  /** A bit for each part it does not wear; without it, what is usual. */
  hiddenParts?: bigint;
  /** One of every group of parts, the same for the same seed. */
  dress?: number | bigint;
  /** Whether its clips move it over the ground. */
  rootMotion?: boolean;
}

export interface ThrongEvent {
  instance: Instance;
  model: number;
  clip: number;
  clipName: string;
  /** Its number in the clip's events. */
  event: number;
  name: string;
  seconds: number;
  /** Of the clip: less than 1 while it fades. */
  weight: number;
}

export interface Track {
  clip: number;
  clipName: string;
  /** 0 is the clip's start, 1 its end. */
  phase: number;
  seconds: number;
  weight: number;
  finished: boolean;
  frame: number;
  next: number;
  blend: number;
}

export interface PlanSettings {
  /** clip_from_world, column by column: the picture's, then those of shadows; at most 8. */
  views: ArrayLike<number>[];
  eye?: Vector3;
  /** How tall one unit is in the picture, one unit away: height / (2 tan(fov / 2)). */
  pixels?: number;
  /** How many pixels a level's surface may be off; 0: full detail. */
  pixelError?: number;
  /** Who is no taller is a speck; 0: nobody. */
  speckPixels?: number;
  /** Levels get coarser until all vertices fit; 0: there is no limit. */
  vertexBudget?: number;
  culling?: boolean;
  /** Bones that each vertex follows, 1 to 4; 0: as few as suit each level. */
  bones?: number;
  /** Between frames; not: the nearer frame. */
  interpolated?: boolean;
}

export interface LevelRange {
  first: number;
  count: number;
}

export interface PlannedModel {
  /** Rows: characters in any view, level by level, finest first; specks last. */
  drawn: number;
  /** Rows before the specks. */
  meshed: number;
  /** VIEW: five RGBA32UI texels a row, 1024 texels wide; docs/on-the-web.md says what is where. */
  texels: Uint32Array;
  /** Rows of texels. */
  height: number;
  /** In the rows; the last are the specks. */
  levels: LevelRange[];
  /** VIEW of row numbers, level by level, of who is seen in each view. */
  views: { rows: Uint32Array; levels: LevelRange[] }[];
}

export interface Plan {
  models: PlannedModel[];
  counts: { drawn: number; inPicture: number; specks: number; vertices: number; triangles: number };
}

export interface Crowd {
  /** The number by which this crowd knows a model. */
  add(character: Character): number;
  reserve(model: number, count: number): void;
  spawn(spawn?: Spawn): Instance;
  /** Calls `fill` with a number and a Spawn of that model to fill in, for each. */
  spawnMany(model: number, count: number, fill?: (number: number, spawn: Spawn) => void): BigUint64Array;
  remove(id: Instance): void;
  /** What is left out stays. */
  place(id: Instance, placement: Partial<Placement>): void;
  paint(id: Instance, look: Look): void;
  wear(id: Instance, hiddenParts: bigint): void;
  /** A bit for each part it does not wear. */
  worn(id: Instance): bigint;
  dress(id: Instance, seed: number | bigint): void;
  show(id: Instance, shown: boolean): void;

  play(id: Instance, clip: string | number, play?: Play): void;
  fade(id: Instance, clip: string | number, seconds: number, play?: Play): void;
  /** After what is played now, and what is queued already. */
  queue(id: Instance, clip: string | number, play?: Play): void;
  clearQueue(id: Instance): void;
  speed(id: Instance, speed: number): void;
  seek(id: Instance, seconds: number): void;
  pause(id: Instance): void;
  resume(id: Instance): void;
  moveByClips(id: Instance, moved: boolean): void;
  listen(id: Instance): void;
  unlisten(id: Instance): void;

  /** A step of any size. Events of those who are listened to are told in order of time, once the step is done. */
  advance(seconds: number, onEvent?: (event: ThrongEvent) => void): void;
  readonly seconds: number;
  /** The library's `now` (low, high), 2^20 ticks a second. */
  readonly ticks: [number, number];

  state(id: Instance): Track & { paused: boolean; queued: number; previous: Track | null };
  placement(id: Instance): { position: number[]; rotation: number[]; scale: number };
  /** world_from_socket. */
  socket(id: Instance, socket: string | number): {
    position: number[]; rotation: number[]; scale: number; matrix: number[];
  };
  /** Of all models. */
  readonly size: number;
  count(model: number): number;
  find(id: Instance): { model: number; index: number };

  /** VIEW: InstanceRecords, 8 words each, and PlayRecords, 24 words each, which docs/shader-library.md describes. */
  instances(model: number): Uint32Array;
  plays(model: number): Uint32Array;
  version(model: number): number;
  /** VIEW: which records were written since; null: all may have been. */
  changesSince(model: number, version: number): Uint32Array | null;

  /** The box around everybody, whatever frame they are at; null: there is nobody. */
  bounds(): Box | null;
  /** Who is seen, how finely, at which frames. */
  plan(settings: PlanSettings): Plan;

  /** VIEW: vertices of the full mesh as they are now, worked out on the CPU. */
  vertices(id: Instance, settings?: { space?: 'world' | 'model' }): { positions: Float32Array; normals: Float32Array };
  /** The frames everybody of a model is between, without what fades out. */
  cursors(model: number): { frames: Uint32Array; nexts: Uint32Array; blends: Float32Array };
  free(): void;
}
