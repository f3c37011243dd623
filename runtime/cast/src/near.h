// SPDX-License-Identifier: Apache-2.0
#pragma once
// One character while it is near, and how its near and its far form belong together.

#include <optional>
#include <vector>

#include "throng/cast/cast.h"

namespace throng::detail::cast {

// A model's two forms, which have the same clips, and where its sockets are on the skeleton.
struct CastModel {
  std::shared_ptr<const AnimatorGraph> graph;
  struct SocketBone {
    std::uint32_t bone = 0;
    glm::dmat4 bone_from_socket{1.0};
  };
  std::vector<std::optional<SocketBone>> sockets;  // nothing: the skeleton has no bone of that name
  double height = 0.0;                             // of the model
  bool in_place = false;                           // far characters play without root motion, so near ones do, too
  bool moves = false;                              // what was taken off is there to move them by, near and far
};

// Refused: a character without motion, a graph of another one.
Result<CastModel> match(const Character& character, std::shared_ptr<const AnimatorGraph> graph);

struct Near {
  Near(std::uint32_t its_slot, ModelId its_model, std::shared_ptr<const AnimatorGraph> graph)
      : slot(its_slot), model(its_model), animator(std::move(graph)) {}

  // Poses the animator, and leads it to what the crowd plays as far as presence says.
  void pose(const CastModel& of, const PlayState& far);

  std::uint32_t slot = 0;  // of the actor
  ModelId model = {};
  Animator animator;
  float presence = 0.0f;
  bool leaving = false;

 private:
  bool sample_track(const CastModel& of, const TrackState& track, std::vector<std::uint32_t>& cursors,
                    std::vector<SoaTransform>& locals, std::vector<float>& morphs);

  std::vector<std::uint32_t> cursors_;
  std::vector<std::uint32_t> previous_cursors_;
  std::vector<SoaTransform> far_locals_;
  std::vector<SoaTransform> previous_locals_;
  std::vector<float> far_morphs_;
  std::vector<float> previous_morphs_;
};

}  // namespace throng::detail::cast
