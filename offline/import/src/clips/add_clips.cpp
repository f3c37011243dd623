// SPDX-License-Identifier: Apache-2.0
#include "throng/import/add_clips.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "clips/more_clips.h"
#include "throng/base/bone_names.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/math/rotations.h"
#include "throng/retarget/match.h"

namespace throng {
namespace {

// A rotation by less than this between two rests is a matter of how they were stored.
constexpr double kSameRotation = 1e-3;

std::vector<std::uint32_t> bones_that_rest_differently(const Model& onto, const Model& from, const Partners& bones) {
  std::vector<std::uint32_t> unlike;
  for (std::uint32_t bone = 0; bone < bones.size(); ++bone) {
    if (!bones[bone]) continue;
    const glm::dquat from_onto =
        glm::conjugate(from.bones()[bone].rest.rotation) * onto.bones()[*bones[bone]].rest.rotation;
    if (angle_of(from_onto) > kSameRotation) unlike.push_back(bone);
  }
  return unlike;
}

struct Transfer {
  const Model& onto;
  const Model& from;
  Partners bones;   // per bone of `from`
  Partners meshes;  // per mesh of `from`
  // Bones of `from` that rest rotated otherwise than their partners.
  std::vector<std::uint32_t> unlike = bones_that_rest_differently(onto, from, bones);

  std::vector<bool> lacking;          // per bone of `from`: moved by a clip, but not there
  std::vector<bool> moved;            // per bone of `onto`
  std::vector<bool> lacking_morphs;   // per mesh of `from`
  std::vector<std::string> left_out;  // clips that move nothing here
};

void move_bones(Transfer& t, const Clip& clip, Clip& out) {
  for (const BoneTrack& track : clip.bones) {
    const auto partner = t.bones[track.bone];
    if (!partner) {
      t.lacking[track.bone] = true;
      continue;
    }
    t.moved[*partner] = true;
    out.bones.push_back(track);
    out.bones.back().bone = *partner;
  }
}

// What a clip does not turn stands as its own file's rest has it, which the other model need not share.
void hold_rests(const Transfer& t, Clip& out) {
  if (t.unlike.empty()) return;
  std::unordered_map<std::uint32_t, std::size_t> tracks;  // by bone, the first
  for (std::size_t i = 0; i < out.bones.size(); ++i) tracks.try_emplace(out.bones[i].bone, i);
  for (const std::uint32_t bone : t.unlike) {
    const std::uint32_t partner = *t.bones[bone];
    const auto [entry, is_new] = tracks.try_emplace(partner, out.bones.size());
    if (is_new) out.bones.push_back({.bone = partner, .translation = {}, .rotation = {}, .scale = {}});
    BoneTrack& track = out.bones[entry->second];
    if (!track.rotation.empty()) continue;
    track.rotation.times = {static_cast<float>(out.start)};
    track.rotation.values = {glm::quat(t.from.bones()[bone].rest.rotation)};
  }
}

void move_morphs(Transfer& t, const Clip& clip, Clip& out) {
  for (const MorphTrack& track : clip.morphs) {
    const auto partner = t.meshes[track.mesh];
    if (!partner) {
      t.lacking_morphs[track.mesh] = true;
      continue;
    }
    out.morphs.push_back(track);
    out.morphs.back().mesh = *partner;
  }
}

std::vector<Clip> moved_clips(Transfer& t) {
  std::vector<Clip> clips = t.onto.clips();
  detail::import::ClipNames names(clips);
  for (const Clip& clip : t.from.clips()) {
    Clip out = clip;
    out.bones.clear();
    out.morphs.clear();
    move_bones(t, clip, out);
    move_morphs(t, clip, out);
    if (out.bones.empty() && out.morphs.empty()) {
      t.left_out.push_back(clip.name);
      continue;
    }
    hold_rests(t, out);
    out.name = names.take(clip.name);
    clips.push_back(std::move(out));
  }
  return clips;
}

template <class Named>
std::vector<std::string> names_where(const std::vector<Named>& all, const std::vector<bool>& which, bool is = true) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (which[i] == is) names.push_back(all[i].name);
  }
  return names;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  return names_where(all, std::vector<bool>(all.size()), false);
}

// How much longer bones of `from` are than their partners.
struct Lengths {
  double ratio = 1.0;        // the median's
  std::vector<bool> unlike;  // per bone of `from`: its own ratio is another
};

Lengths compare_lengths(const Transfer& t) {
  constexpr double kUnlike = 1.1;  // from the median, either way
  constexpr double kShort = 0.1;   // of the longest: too short for its ratio to say anything
  const auto length = [](const Bone& bone) { return glm::length(bone.rest.translation); };
  double longest = 0.0;
  for (const Bone& bone : t.onto.bones()) longest = std::max(longest, length(bone));
  std::vector<double> ratios(t.bones.size(), 0.0);
  std::vector<double> known;
  for (std::size_t i = 0; i < t.bones.size(); ++i) {
    if (!t.bones[i]) continue;
    const double here = length(t.onto.bones()[*t.bones[i]]);
    const double there = length(t.from.bones()[i]);
    if (here <= 1e-9 || there <= 1e-9) continue;
    known.push_back(there / here);
    // Where hips are is no length, and another pose may have them elsewhere.
    const Bone& bone = t.onto.bones()[*t.bones[i]];
    if (here > kShort * longest && bone.parent && meant_bone(bone.name) != "hips") ratios[i] = known.back();
  }
  Lengths out{.ratio = 1.0, .unlike = std::vector<bool>(t.bones.size())};
  if (known.empty()) return out;
  std::nth_element(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2), known.end());
  out.ratio = known[known.size() / 2];
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    out.unlike[i] = ratios[i] > 0.0 && (ratios[i] > kUnlike * out.ratio || ratios[i] < out.ratio / kUnlike);
  }
  return out;
}

void note_transfer(const Transfer& t, const std::string& name, std::vector<std::string>& notes) {
  const auto note = [&](std::string text) { notes.push_back(one_line(fmt::format("{}: {}", name, text))); };
  const auto lacking = names_where(t.from.bones(), t.lacking);
  if (!lacking.empty())
    note(fmt::format("{} not in the model: {}", in_number(lacking.size(), "[bone|bones] its clips move [is|are]"),
                     listed(lacking)));
  const auto still = names_where(t.onto.bones(), t.moved, false);
  if (!still.empty())
    note(fmt::format("{} moved by none of its clips: {}",
                     in_number(still.size(), "[bone of the model is|bones of the model are]"), listed(still)));
  const auto morphs = names_where(t.from.meshes(), t.lacking_morphs);
  if (!morphs.empty()) {
    note(fmt::format("morphs of {} left out, no mesh of that name here has as many: {}",
                     counted(morphs.size(), "mesh", "meshes"), listed(morphs)));
  }
  if (!t.left_out.empty())
    note(fmt::format("{} nothing here left out: {}", in_number(t.left_out.size(), "[clip that moves|clips that move]"),
                     listed(t.left_out)));
  std::vector<bool> different(t.bones.size());
  for (const std::uint32_t bone : t.unlike) different[bone] = true;
  const auto turned = names_where(t.from.bones(), different);
  if (!turned.empty())
    note(fmt::format("{} turned differently; what a clip does not turn is held as there: {}",
                     in_number(turned.size(), "[bone rests|bones rest]"), listed(turned)));
  const Lengths lengths = compare_lengths(t);
  constexpr double kMuchLonger = 1.25;
  if (lengths.ratio > kMuchLonger || lengths.ratio < 1.0 / kMuchLonger) {
    note(
        fmt::format("its bones are {:.3g} times as long as the model's; clips are taken as they are, and retargeting "
                    "would fit them",
                    lengths.ratio));
  }
  const auto unlike = names_where(t.from.bones(), lengths.unlike);
  if (!unlike.empty()) {
    note(
        fmt::format("{} other proportions than the model's; clips are taken as they are, and retargeting "
                    "would keep the model's: {}",
                    in_number(unlike.size(), "[bone has|bones have]"), listed(unlike)));
  }
}

// Bones of `from` that its clips move, and those of them that have a partner.
struct Moved {
  std::size_t all = 0;
  std::size_t matched = 0;
};

Moved count_moved(const Transfer& t) {
  std::vector<bool> moved(t.bones.size());
  for (const Clip& clip : t.from.clips()) {
    for (const BoneTrack& track : clip.bones) moved[track.bone] = true;
  }
  Moved count;
  for (std::size_t bone = 0; bone < moved.size(); ++bone) {
    count.all += moved[bone] ? 1 : 0;
    count.matched += moved[bone] && t.bones[bone] ? 1 : 0;
  }
  return count;
}

// A name or two that all skeletons share ("root") are no match.
bool are_few(const Moved& moved, std::size_t bones_of_model) {
  constexpr std::size_t kFew = 3;  // less than a third, of whichever has fewer bones
  return kFew * moved.matched < std::min(moved.all, bones_of_model);
}

Result<void> check_matches(const Transfer& t, std::size_t added, const std::string& name) {
  const Moved moved = count_moved(t);
  if (added > 0 && are_few(moved, t.onto.bones().size())) {
    return fail(
        "{}: of the {} bones its clips move, the model has {}; `retarget_clips` would fit them to its own bones",
        one_line(name), moved.all, moved.matched);
  }
  if (added > 0) return {};
  const auto theirs = names_of(t.from.bones());
  const auto ours = names_of(t.onto.bones());
  return fail("{}: none of its clips moves a bone of the model; it has {}, the model has {}", one_line(name),
              one_line(listed(theirs)), one_line(listed(ours)));
}

}  // namespace

Result<Imported> add_clips(Imported onto, const Imported& from, const std::string& from_name) {
  if (from.model.clips().empty()) return fail("{}: it has no clips", one_line(from_name));
  Transfer t{.onto = onto.model,
             .from = from.model,
             .bones = match_bones(from.model.bones(), onto.model.bones()),
             .meshes = match_morphs(from.model.meshes(), onto.model.meshes()),
             .lacking = std::vector<bool>(from.model.bones().size()),
             .moved = std::vector<bool>(onto.model.bones().size()),
             .lacking_morphs = std::vector<bool>(from.model.meshes().size()),
             .left_out = {}};
  ModelDraft draft = onto.model.draft();
  draft.clips = moved_clips(t);
  THRONG_CHECK(check_matches(t, draft.clips.size() - onto.model.clips().size(), from_name));
  for (const std::string& note : from.notes) onto.notes.push_back(one_line(fmt::format("{}: {}", from_name, note)));
  note_transfer(t, from_name, onto.notes);
  return detail::import::with_clips(std::move(onto), std::move(draft), from, from_name);
}

}  // namespace throng
