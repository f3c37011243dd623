// SPDX-License-Identifier: Apache-2.0
#pragma once
// Model → Character: every clip sampled and encoded, in words of its own (localv) or in an animation texture, and the
// error of doing so measured against the source's curves.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/base/executor.h"
#include "throng/base/progress.h"
#include "throng/character/character.h"
#include "throng/model/model.h"

namespace throng {

// Exact: just the size of the data. Otherwise sides are powers of two, or every layer is max_atlas_size square and
// clips run on from one to the next; the others keep a clip in one layer.
enum class AtlasShape : std::uint8_t { exact, power_of_two, square };

inline constexpr std::uint32_t kSquareAtlasSize = 256;  // of square layers, unless told otherwise

// Greedy: clips in order; one that does not fit starts a layer. Tight: each clip goes where it leaves least room.
enum class Packing : std::uint8_t { greedy, tight };

// What becomes of a character's root motion: it stays in the poses, it is taken off and kept beside them, or it is
// taken off and forgotten.
enum class RootTreatment : std::uint8_t { keep, extract, strip };

// Frames a second where nobody chooses.
inline constexpr double kUsualFrameRate = 30.0;
// Millimetres on a character 1.8 m tall where nobody says otherwise: what is compared with a bound goes by it.
inline constexpr double kUsualErrorMm = 1.0;

// Each has a row in throng/bake/options.h, which says what values are possible.
struct BakeSettings {
  BakeMode mode = BakeMode::bones;
  // The bake chooses whichever of these two is not set. If both are set, the error bound is only reported on.
  std::optional<Encoding> encoding = {};
  std::optional<double> frame_rate = {};  // a second; each clip takes the nearest that fits it (see frame_plan.h)
  // Millimetres on a character 1.8 m tall that no vertex may be off by, at or between frames. For each clip the
  // cheapest encoding and rate that keep it are taken; where none does, the best is, and Character::warnings() says so.
  // Nothing: no bound; q16 or v8 (rows for clips that q16 cannot hold) at 30 frames a second unless told otherwise.
  std::optional<double> max_error_mm = kUsualErrorMm;

  // Patterns of clip names with * and ?; none: every clip. Which loop and which do not, whatever the clip or its poses
  // say.
  std::vector<std::string> clips = {};
  std::vector<std::string> loops = {};
  std::vector<std::string> once = {};

  // Texels; nothing: kSquareAtlasSize for square layers, kMaxAtlasSize for others.
  std::optional<std::uint32_t> max_atlas_size = {};
  AtlasShape shape = AtlasShape::exact;
  Packing packing = Packing::greedy;

  RootTreatment root_motion = RootTreatment::keep;
  std::string root_bone = {};  // whose motion that is; empty: found as throng/clip_facts/decide.h says
  // A regular expression (ECMAScript, whole names): these bones become sockets, besides the model's own.
  std::string sockets = {};

  // Patterns of part names (throng/model/parts.h): those that are baked, none: all; and those of them that are not.
  std::vector<std::string> only = {};
  std::vector<std::string> without = {};
  // Groups of parts of which a character wears one: NAME=PATTERN|PATTERN, or NAME?=… where none may be worn. Others are
  // guessed from names and from what hangs on one hand.
  std::vector<std::string> groups = {};

  std::uint32_t levels = 8;     // of detail, the full mesh among them
  bool tangents = false;        // kept, or computed where the source has none; stored per frame in vertex mode
  bool vertex_numbers = false;  // an attribute with each vertex's number, for shaders without a vertex id
  bool merge_vertices = false;  // vertex mode: vertices that are alike in every frame become one
  bool drop_morphs = false;     // bone mode: leave animated morph targets at rest
  bool near = true;             // keep what near characters need too: the motion and meshes of all bones
  // Bytes that the bake may take with the model it is given: what would take more is refused before it is begun. 0:
  // whatever it takes.
  std::uint64_t memory_budget = 0;
  // Seconds of one core that it may take, where there is a memory budget. 0: those that go with that
  // (throng/base/memory_budget.h).
  double work_seconds = 0.0;
  // What an import says: notes, warnings and repairs are kept with the asset. Groups of a side file are written like
  // `groups` and come before those that are guessed; one that shares a part or its name with one of `groups` gives way.
  std::vector<std::string> notes = {};
  std::vector<std::string> warnings = {};
  Repairs repairs = {};
  std::vector<std::string> side_groups = {};
};

// Refused, with the reason: a model without meshes or vertices; an encoding of the other mode, or one that cannot hold
// what a clip does; patterns that match no clip or part; a clip that does not fit in one layer; what takes more than
// its `memory_budget`. A model without clips is baked with one clip of one frame, its rest pose, named "rest". The
// result is the same for any executor.
Result<Character> bake(const Model& model, const BakeSettings& settings, Executor& executor,
                       const Progress& progress = {});

}  // namespace throng
