// SPDX-License-Identifier: Apache-2.0
#include "atlas/model_storage.h"

#include <algorithm>

namespace throng::detail::bake {
namespace {

constexpr std::size_t kAlignment = 16;  // as the asset's buffer views have it

constexpr std::size_t aligned(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

template <class T>
std::size_t room_for(const std::vector<T>& values) {
  return aligned(values.size() * sizeof(T));
}

}  // namespace

ModelStorage::ModelStorage(BakeMode mode, const BakedMesh& mesh, const std::vector<glm::vec4>& table,
                           const std::vector<std::uint32_t>& channel_words, std::uint64_t word_count) {
  const std::size_t words = aligned(word_count * sizeof(std::uint32_t));
  bytes_.reserve(words + room_for(mesh.vertices) + room_for(mesh.tangents) + room_for(mesh.indices) +
                 room_for(mesh.parts) + room_for(mesh.baked_from_source) + room_for(table) + room_for(channel_words));
  bytes_.resize(words);
  words_ = {0, word_count};
  if (mode == BakeMode::vertices) {
    surfaces_ = copy(surfaces_of(mesh.vertices));
  } else {
    vertices_ = copy(mesh.vertices);
    tangents_ = copy(mesh.tangents);
  }
  indices_ = copy(mesh.indices);
  vertex_parts_ = copy(mesh.parts);
  baked_from_source_ = copy(mesh.baked_from_source);
  table_ = copy(table);
  channel_words_ = copy(channel_words);
}

template <class T>
ModelStorage::Place ModelStorage::copy(const std::vector<T>& values) {
  const Place place{bytes_.size(), values.size()};
  const auto source = as_bytes(values);
  bytes_.insert(bytes_.end(), source.begin(), source.end());
  bytes_.resize(aligned(bytes_.size()));
  return place;
}

std::span<std::uint32_t> ModelStorage::words() {
  return {reinterpret_cast<std::uint32_t*>(bytes_.data()), words_.count};
}

void ModelStorage::move_into(CharacterDraft& model) && {
  model.storage = SharedBytes(std::move(bytes_));
  const auto view = [&]<class T>(const Place& place, std::span<const T>& out) {
    out = {reinterpret_cast<const T*>(model.storage.data() + place.first), place.count};
  };
  view(words_, model.atlas.words);
  std::span<const BakedVertex> whole;
  std::span<const SurfaceVertex> surfaces;
  view(vertices_, whole);
  view(surfaces_, surfaces);
  model.vertices = whole.empty() ? MeshVertices(surfaces) : MeshVertices(whole);
  view(tangents_, model.tangents);
  view(indices_, model.indices);
  view(vertex_parts_, model.vertex_parts);
  view(baked_from_source_, model.baked_from_source);
  view(table_, model.table);
  view(channel_words_, model.channel_words);
}

void move_lists(BakedMesh& mesh, CharacterDraft& model) {
  model.draws = std::move(mesh.draws);
  model.levels = std::move(mesh.levels);
  model.fewer_bones = mesh.fewer_bones;
  model.sources = std::move(mesh.sources);
  model.materials = std::move(mesh.materials);
  model.images = std::move(mesh.images);
}

}  // namespace throng::detail::bake
