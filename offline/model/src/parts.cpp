// SPDX-License-Identifier: Apache-2.0
#include "throng/model/parts.h"

#include <algorithm>
#include <unordered_map>

#include "throng/base/try.h"
#include "throng/model/drawn.h"

namespace throng {
namespace {

const std::string& name_of(const Mesh& mesh) { return mesh.part.empty() ? mesh.name : mesh.part; }

// The bone that every vertex follows alone; of a node that became a bone itself, the one above it.
std::optional<std::uint32_t> carrier_of(const Model& model, const Mesh& mesh) {
  std::optional<std::uint32_t> bone;
  for (const Influences& influences : mesh.influences) {
    const std::uint32_t now = model.bindings()[influences.bindings[0]].bone;
    if (influences.weights[1] > 0.0f || (bone && *bone != now)) return std::nullopt;
    bone = now;
  }
  if (bone && model.bones()[*bone].name == name_of(mesh) && model.bones()[*bone].parent)
    return model.bones()[*bone].parent;
  return bone;
}

}  // namespace

std::vector<ModelPart> parts_of(const Model& model) {
  std::vector<ModelPart> parts;
  std::unordered_map<std::string_view, std::size_t> places;  // by name
  for (std::uint32_t i = 0; i < model.meshes().size(); ++i) {
    const Mesh& mesh = model.meshes()[i];
    if (!is_drawn(mesh)) continue;
    const auto bone = carrier_of(model, mesh);
    const auto [place, is_new] = places.try_emplace(name_of(mesh), parts.size());
    if (is_new) parts.push_back({.name = name_of(mesh), .meshes = {}, .triangles = 0, .bone = bone});
    ModelPart& part = parts[place->second];
    if (part.bone != bone) part.bone.reset();
    part.meshes.push_back(i);
    part.triangles += mesh.indices.size() / 3;
  }
  return parts;
}

std::vector<std::uint8_t> part_numbers(const Model& model, std::size_t most) {
  std::vector<std::uint8_t> numbers(model.meshes().size(), 0);
  const std::vector<ModelPart> parts = parts_of(model);
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const std::uint32_t mesh : parts[i].meshes) numbers[mesh] = static_cast<std::uint8_t>(std::min(i, most - 1));
  return numbers;
}

Result<Model> with_parts(const Model& model, const std::vector<bool>& kept) {
  const std::vector<ModelPart> parts = parts_of(model);
  if (kept.size() != parts.size())
    return fail("{} parts are chosen from, but the model has {}", kept.size(), parts.size());
  std::vector<bool> dropped(model.meshes().size(), false);
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const std::uint32_t mesh : parts[i].meshes) dropped[mesh] = !kept[i];

  ModelDraft draft = model.draft();
  std::vector<std::uint32_t> moved(draft.meshes.size());  // where each mesh is now
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = dropped[i] ? next : next++;
  for (Clip& clip : draft.clips) {
    std::erase_if(clip.morphs, [&](const MorphTrack& track) { return dropped[track.mesh]; });
    for (MorphTrack& track : clip.morphs) track.mesh = moved[track.mesh];
  }
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (!dropped[i] && moved[i] != i) draft.meshes[moved[i]] = std::move(draft.meshes[i]);
  draft.meshes.resize(next);
  return build_model(std::move(draft));
}

}  // namespace throng
