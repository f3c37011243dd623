// SPDX-License-Identifier: Apache-2.0
#pragma once
// A bake's report cut into what a window shows: a few figures, a row for each clip, and what deserves a warning.

#include <string>
#include <vector>

#include "throng/character/character.h"

namespace throng::studio {

struct Figure {
  std::string name;
  std::string value;
};

// How an error looks beside what was asked for, or beside what shows on a character.
enum class Grade : std::uint8_t { good, visible, bad };

struct ClipRow {
  std::string name;
  std::string frames;
  std::string rate;    // a second
  std::string length;  // seconds
  std::string loops;   // "loop", "once"
  std::string encoding;
  std::string bytes;
  std::string at_frames;  // millimetres on a character 1.8 m tall
  std::string between;    // the same between frames
  std::string worst;      // "head at 0.417 s"
  std::string choice;     // why this rate and encoding; may be empty
  Grade at_grade = Grade::good;
  Grade between_grade = Grade::good;
};

std::vector<ClipRow> clip_rows(const Character& model);

// Mesh, texture, memory, errors: name and value.
std::vector<Figure> figures(const Character& model);

struct MaterialRow {
  std::string name;
  glm::vec4 colour{1.0f};  // sRGB, straight alpha
  std::string texture;     // "knight_texture, 1024 × 1024"; empty: none
  std::string normals;     // the same of its normal map
  std::string surface;     // "opaque", "mask at 0.5, double-sided"
};
std::vector<MaterialRow> material_rows(const std::vector<Material>& materials, const std::vector<ImageSource>& images);

// A level of detail to choose: "full: 6,949 triangles", "2,432 triangles, 16.3 mm".
std::vector<std::string> level_labels(const Character& model);

// What import and bake repaired, guessed or left out, one line each.
std::vector<std::string> notes(const Character& model);

// What somebody should look at, one line each.
std::vector<std::string> warnings(const Character& model);

}  // namespace throng::studio
