// SPDX-License-Identifier: Apache-2.0
#include "near.h"

#include <algorithm>

#include "throng/base/try.h"

namespace throng::detail::cast {
namespace {

std::optional<CastModel::SocketBone> socket_bone(const Rig& rig, const std::string& name) {
  for (const MotionSocket& socket : rig.sockets()) {
    if (socket.name == name) return CastModel::SocketBone{socket.bone, to_matrix(socket.bone_from_socket)};
  }
  const auto bone = rig.find_bone(name);
  if (!bone) return std::nullopt;
  return CastModel::SocketBone{*bone, glm::dmat4(1.0)};
}

// Starts and ends slowly, so that neither end of the blend is seen.
float eased(float presence) { return presence * presence * (3.0f - 2.0f * presence); }

}  // namespace

Result<CastModel> match(const Character& character, std::shared_ptr<const AnimatorGraph> graph) {
  THRONG_TRY(const Motion motion, character.motion());
  const Rig& rig = *graph->rig();
  if (!is_same_character(motion, rig.motion()))
    return fail("model '{}': the graph is of another character; build it against build_rig of this one",
                character.name());
  CastModel model;
  for (const BakedSocket& socket : character.sockets()) model.sockets.push_back(socket_bone(rig, socket.name));
  model.height = character.bounds().size().y;
  model.in_place = std::ranges::any_of(motion.clips(), &MotionClip::in_place);
  model.moves = std::ranges::any_of(character.clips(), [](const BakedClip& clip) { return !clip.root_motion.empty(); });
  model.graph = std::move(graph);
  return model;
}

bool Near::sample_track(const CastModel& of, const TrackState& track, std::vector<std::uint32_t>& cursors,
                        std::vector<SoaTransform>& locals, std::vector<float>& morphs) {
  const Rig& rig = *of.graph->rig();
  const std::uint32_t cursor_count = rig.clips()[track.clip.value].cursor_count;
  cursors.resize(std::max<std::size_t>(cursors.size(), cursor_count));
  locals.resize(rig.group_count());
  morphs.resize(rig.morph_count());
  const SampleJob job{.rig = rig,
                      .clip = track.clip,
                      .time = static_cast<float>(track.seconds),
                      .cursors = std::span(cursors).first(cursor_count),
                      .locals = locals,
                      .morphs = morphs};
  if (!job.run()) return false;
  if (animator.settings.root_motion == RootMotionMode::extracted)
    of.graph->take_out_root_motion(track.clip, track.seconds, locals);
  return true;
}

void Near::pose(const CastModel& of, const PlayState& far) {
  animator.pose();
  if (presence >= 1.0f) return;
  if (!sample_track(of, far.track, cursors_, far_locals_, far_morphs_)) return;
  const Rig& rig = *of.graph->rig();
  if (far.previous && sample_track(of, *far.previous, previous_cursors_, previous_locals_, previous_morphs_)) {
    OverrideJob{.rig = rig,
                .under = previous_locals_,
                .over = far_locals_,
                .under_morphs = previous_morphs_,
                .over_morphs = far_morphs_,
                .weight = far.track.weight,
                .locals = far_locals_,
                .morphs = far_morphs_}
        .run();
  }
  OverrideJob{.rig = rig,
              .under = far_locals_,
              .over = animator.locals(),
              .under_morphs = far_morphs_,
              .over_morphs = animator.morphs(),
              .weight = eased(presence),
              .locals = animator.locals(),
              .morphs = animator.morphs()}
      .run();
  animator.update_models();
}

}  // namespace throng::detail::cast
