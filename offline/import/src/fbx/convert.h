// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the parts of a conversion share: a checked document becomes a ModelDraft, and what is repaired or left out on
// the way is counted and noted.

#include <filesystem>
#include <map>
#include <vector>

#include "fbx/file/document.h"
#include "fbx/scene/rig.h"
#include "import_budget.h"
#include "mender.h"
#include "throng/base/text.h"
#include "throng/character/repairs.h"
#include "throng/model/model.h"

namespace throng::detail::fbx {

// How far one shape of a blend channel is in, by the channel's percentage.
struct ChannelShapes {
  ObjectId channel = 0;
  double resting_percent = 0.0;
  std::vector<double> full_percents;  // rising; where each shape is all there is of the channel
  std::vector<std::size_t> targets;   // the same shapes among the mesh's morph targets
};

// What all meshes made of one geometry share.
struct MorphSource {
  std::vector<ChannelShapes> channels;
  std::size_t targets = 0;
};

struct Conversion {
  Document& document;
  const Rig& rig;
  import::Mender& mender;
  import::Budget& budget;
  std::filesystem::path path;
  ModelDraft draft;
  Repairs repairs;
  std::vector<MorphSource> morphs;  // one per mesh of the draft
  std::vector<std::vector<std::uint16_t>> bindings_of_bone;
  std::map<ObjectId, glm::dmat4> bind_poses = {};       // where nodes were when skins were bound, in the file's axes
  std::size_t most_influences = kInfluences;            // that a vertex keeps
  std::vector<std::uint32_t> by_dual_quaternions = {};  // meshes of the draft that are blended so, at least in part

  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    document.notes.push_back(one_line(fmt::format(text, std::forward<Args>(args)...)));
  }
};

}  // namespace throng::detail::fbx
