// SPDX-License-Identifier: Apache-2.0
#include "deform/deform_bones.h"
#include "deform/deform_items.h"

namespace throng {

using namespace detail::playback;

struct Deformer::State {
  Character model;
  RestMesh mesh;  // bone mode
};

Deformer::Deformer(const Character& model) {
  auto state = std::make_shared<State>(State{model, {}});
  if (model.mode() == BakeMode::bones) state->mesh = RestMesh(model);
  state_ = std::move(state);
}

std::size_t Deformer::vertex_count() const { return state_->model.vertices().size(); }

bool Deformer::has_tangents() const { return state_->model.has_tangents(); }

Result<void> Deformer::run(const PlayRecord& play, Ticks now, const Output& out, const InstanceRecord* placed) const {
  const Character& model = state_->model;
  for (const std::size_t size : {out.positions.size(), out.normals.size(), out.tangents.size()}) {
    if (size == 0 || size == vertex_count()) continue;
    return fail("an array for {} vertices was given; model '{}' has {}", size, model.name(), vertex_count());
  }
  if (!out.tangents.empty() && !has_tangents()) {
    return fail("model '{}' has no tangents; bake it with them, or ask for none", model.name());
  }
  for (const TrackRecord* track : {&play.track, &play.previous}) {
    if (track == &play.previous && play.fade_ticks == 0) continue;
    if (track->clip < model.clips().size()) continue;
    return fail("clip {} does not exist; model '{}' has {}: is the play another model's?", track->clip, model.name(),
                model.clips().size());
  }
  if (out.positions.empty() && out.normals.empty() && out.tangents.empty()) return {};
  if (model.mode() == BakeMode::vertices) {
    deform_items(model, play, now, placed, out);
    return {};
  }
  const RestMesh& mesh = state_->mesh;
  const MovedColumns columns = moved_columns(model, play, now, placed, !out.tangents.empty());
  if (model.morphs().empty()) {
    deform_bones(mesh, mesh.vertices, columns, out);
  } else {
    deform_bones(mesh, mesh.morphed(model, play, now), columns, out);
  }
  return {};
}

}  // namespace throng
