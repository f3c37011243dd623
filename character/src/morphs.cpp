// SPDX-License-Identifier: Apache-2.0
#include "throng/character/morphs.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "throng/character/character.h"
#include "throng/shaders/shared/morphs.h"

namespace throng {
namespace {

std::uint32_t word_of(float value) { return std::bit_cast<std::uint32_t>(value); }

glm::dvec3 steps_of(const std::array<std::int16_t, 3>& steps) { return {steps[0], steps[1], steps[2]}; }

void put_targets(const BakedMorphs& morphs, std::vector<std::uint32_t>& words) {
  for (const BakedTarget& target : morphs.targets) {
    words.insert(words.end(), {word_of(target.weight_min), word_of(target.weight_step), word_of(target.position_step),
                               word_of(target.normal_step)});
  }
}

// Rows of two weights a word, the last of an odd number alone.
void put_weights(const BakedMorphs& morphs, std::vector<std::uint32_t>& words) {
  const std::size_t targets = morphs.targets.size();
  for (std::size_t row = 0; row < morphs.weights.size(); row += targets) {
    for (std::size_t i = 0; i < targets; i += 2) {
      const std::uint32_t high = i + 1 < targets ? morphs.weights[row + i + 1] : 0;
      words.push_back(std::uint32_t{morphs.weights[row + i]} | high << 16);
    }
  }
}

// Writes for every 32 vertices which are moved, and how many before them are.
void put_blocks(const BakedMorphs& morphs, std::size_t vertices, std::vector<std::uint32_t>& words) {
  std::size_t next = 0;
  for (std::size_t first = 0; first < vertices; first += gpu::kMorphBlock) {
    std::uint32_t mask = 0;
    const auto before = static_cast<std::uint32_t>(next);
    while (next < morphs.vertices.size() && morphs.vertices[next].vertex < first + gpu::kMorphBlock) {
      mask |= 1u << (morphs.vertices[next++].vertex - first);
    }
    words.insert(words.end(), {mask, before});
  }
}

void put_deltas(const BakedMorphs& morphs, std::vector<std::uint32_t>& words) {
  for (const BakedDelta& delta : morphs.deltas) {
    const auto halves = std::bit_cast<std::array<std::uint16_t, 8>>(delta);
    for (std::size_t i = 0; i < halves.size(); i += 2) {
      words.push_back(std::uint32_t{halves[i]} | std::uint32_t{halves[i + 1]} << 16);
    }
  }
}

}  // namespace

std::uint64_t morph_rows(const BakedClip& clip) {
  if (clip.morph_steps == 0) return 1;
  if (clip.loops) return std::uint64_t{clip.frame_count} * clip.morph_steps;
  return (std::max(clip.frame_count, 1u) - 1ull) * clip.morph_steps + 1;
}

MorphPlace morph_place(const BakedClip& clip, const Cursor& cursor, double blend) {
  const std::uint64_t first = clip.first_morph_row;
  if (clip.morph_steps == 0) return {first, first, 0.0};
  const std::uint64_t steps = clip.morph_steps;
  const double at = blend * static_cast<double>(steps);
  const std::uint64_t step = std::min(static_cast<std::uint64_t>(at), steps - 1);
  const std::uint64_t from = first + std::uint64_t{cursor.frame - clip.first_frame} * steps + step;
  const double rest = at - static_cast<double>(step);
  if (!(rest > 0.0)) return {from, from, 0.0};
  const std::uint64_t to = step + 1 < steps ? from + 1 : first + std::uint64_t{cursor.next - clip.first_frame} * steps;
  return {from, to, rest};
}

std::vector<double> morph_weights(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                  double blend) {
  const BakedMorphs& morphs = model.morphs;
  const MorphPlace place = morph_place(clip, cursor, blend);
  std::vector<double> weights;
  weights.reserve(morphs.targets.size());
  for (std::size_t i = 0; i < morphs.targets.size(); ++i) {
    const double from = morphs.weights[static_cast<std::size_t>(place.from) * morphs.targets.size() + i];
    const double to = morphs.weights[static_cast<std::size_t>(place.to) * morphs.targets.size() + i];
    weights.push_back(static_cast<double>(morphs.targets[i].weight_min) +
                      static_cast<double>(morphs.targets[i].weight_step) * glm::mix(from, to, place.blend));
  }
  return weights;
}

MorphedMesh morphed_mesh(const CharacterDraft& model, std::span<const double> weights) {
  MorphedMesh mesh;
  mesh.positions.reserve(model.vertices.size());
  mesh.normals.reserve(model.vertices.size());
  for (const BakedVertex& vertex : model.vertices) {
    mesh.positions.emplace_back(vertex.position);
    mesh.normals.emplace_back(vertex.normal);
  }
  std::size_t next = 0;
  for (const MorphedVertex& vertex : model.morphs.vertices) {
    for (std::uint32_t i = 0; i < vertex.delta_count; ++i) {
      const BakedDelta& delta = model.morphs.deltas[next++];
      const BakedTarget& target = model.morphs.targets[delta.target];
      const double weight = weights[delta.target];
      mesh.positions[vertex.vertex] += weight * static_cast<double>(target.position_step) * steps_of(delta.position);
      mesh.normals[vertex.vertex] += weight * static_cast<double>(target.normal_step) * steps_of(delta.normal);
    }
  }
  return mesh;
}

std::vector<std::uint32_t> morph_words(const CharacterDraft& model) {
  const BakedMorphs& morphs = model.morphs;
  if (morphs.empty()) return {};
  std::vector<std::uint32_t> words(gpu::kMorphHeaderWords, 0);
  const auto here = [&words] { return static_cast<std::uint32_t>(words.size()); };
  put_targets(morphs, words);
  const auto row_words = static_cast<std::uint32_t>((morphs.targets.size() + 1) / 2);
  const std::uint32_t clips = here();
  const auto weights = static_cast<std::uint32_t>(clips + model.clips.size() * gpu::kMorphClipWords);
  for (const BakedClip& clip : model.clips) {
    words.insert(words.end(), {weights + clip.first_morph_row * row_words, clip.morph_steps, clip.first_frame, 0u});
  }
  put_weights(morphs, words);
  words[gpu::kMorphClipsWord] = clips;
  words[gpu::kMorphRowWord] = row_words;
  words[gpu::kMorphBlocksWord] = here();
  put_blocks(morphs, model.vertices.size(), words);
  words[gpu::kMorphRunsWord] = here();
  std::uint32_t deltas = 0;
  for (const MorphedVertex& vertex : morphs.vertices) {
    words.push_back(deltas);
    deltas += vertex.delta_count;
  }
  words.push_back(deltas);
  words[gpu::kMorphDeltasWord] = here();
  put_deltas(morphs, words);
  return words;
}

}  // namespace throng
