#pragma once
// A checked document becomes a ModelDraft, part by part. What is repaired or left out is counted and noted.

#include <filesystem>
#include <vector>

#include "fbx/document.h"
#include "fbx/rig.h"
#include "throng/character/repairs.h"
#include "throng/model/model.h"

namespace throng::fbx {

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
  std::filesystem::path path;
  ModelDraft draft;
  Repairs repairs;
  std::vector<MorphSource> morphs;  // one per mesh of the draft
  std::vector<std::vector<std::uint16_t>> bindings_of_bone;
  std::size_t most_influences = kInfluences;  // that a vertex keeps

  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    document.notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
};

Result<void> convert_meshes(Conversion& conversion);
Result<void> convert_clips(Conversion& conversion);

// One weight per morph target, for channels at `percents`.
std::vector<double> target_weights(const MorphSource& source, const std::vector<double>& percents);

}  // namespace throng::fbx
