// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of the window that say how to bake, and what they come to: settings for the bake, and the same as a
// command line.

#include <optional>
#include <string>
#include <vector>

#include "core/files/sources.h"
#include "throng/bake/bake.h"

namespace throng::studio {

// Whether a clip loops: as the source says or, where it says nothing, as its first and last pose look; or as the user
// says.
enum class LoopChoice : std::uint8_t { source, loops, once };

struct ClipChoice {
  std::string name;
  double length = 0.0;  // seconds
  bool baked = true;
  LoopChoice loop = LoopChoice::source;

  friend bool operator==(const ClipChoice&, const ClipChoice&) = default;
};

// A named piece of the mesh: throng/model/parts.h.
struct PartChoice {
  std::string name;
  std::size_t triangles = 0;
  bool baked = true;

  friend bool operator==(const PartChoice&, const PartChoice&) = default;
};

struct BakeForm {
  std::vector<ClipChoice> clips;
  std::vector<PartChoice> parts;
  // All that the table of options sets (throng/bake/options.h), but for what is below: clips, encoding, error bound.
  BakeSettings settings;
  // One encoding for each mode, so that changing the mode to and fro loses nothing. Nothing: the bake's choice.
  std::optional<Encoding> bone_encoding;
  std::optional<Encoding> vertex_encoding;
  bool bounded = true;  // whether the error bound chooses rates and encodings, where none is named
  double max_error_mm = 1.0;
  bool link_textures = false;

  friend bool operator==(const BakeForm& a, const BakeForm& b);
};

// The model's clips as choices. A clip that `before` knows by name keeps what was chosen for it.
std::vector<ClipChoice> clip_choices(const Model& model, const std::vector<ClipChoice>& before);
std::vector<PartChoice> part_choices(const Model& model, const std::vector<PartChoice>& before);

// Encodings that the mode can have, in the order of kEncodings.
std::vector<Encoding> encodings_of(BakeMode mode);
std::optional<Encoding>& encoding_field(BakeForm& form);
std::optional<Encoding> chosen_encoding(const BakeForm& form);

// The settings for bake(); notes and repairs of the import are left to the caller. Refused: a model of whose clips, or
// of whose parts, none is chosen.
Result<BakeSettings> settings_of(const BakeForm& form);

// The command that bakes the same, for a shell. Says only what differs from the defaults.
std::string command_line(const Sources& sources, const BakeForm& form, const std::string& output);

}  // namespace throng::studio
