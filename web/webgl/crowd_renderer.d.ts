// SPDX-License-Identifier: Apache-2.0
// Drawing crowds in WebGL 2.
import type { Character, Crowd, View } from '../throng.js';

export interface RendererSettings {
  /** 'plain': no highlights, and hard shadows. */
  shading?: 'full' | 'plain';
  /** Texels a side of the sun's maps, how many there are at most (1 to 4), and of the map that darkens the ground: as
   * Throng.view() is told. */
  shadowSize?: number;
  cascades?: number;
  contactSize?: number;
  /** How many pixels the surface of a level of detail may be off. */
  pixelError?: number;
  /** Bones that each vertex follows; 0: as few as suit. */
  bones?: number;
}

export interface RendererReport {
  drawCalls: number;
  counts: { drawn: number; inPicture: number; specks: number; vertices: number; triangles: number };
}

/** Draws crowds into a canvas. When its context is lost, throw it away and make another one. */
export class CrowdRenderer {
  static readonly contextSettings: WebGLContextAttributes;
  constructor(gl: WebGL2RenderingContext | null, settings?: RendererSettings);
  /** A character of the crowds that will be drawn, by the number that Crowd.add() gave it. */
  add(model: number, character: Character): Promise<unknown>;
  /** The crowd as it is at its present moment. */
  draw(crowd: Crowd, view: View): RendererReport;
  /** Finds who is seen, and poses them; draw() does it. */
  prepare(crowd: Crowd, view: View): void;
  /** Where the vertices of rows of the last plan are, as the vertex shader has them: world space, three numbers each. */
  readVertices(model: number, rows: number[]): { positions: Float32Array; normals: Float32Array };
  free(): void;
}
