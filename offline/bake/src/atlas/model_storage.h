// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one block of bytes that a baked model's arrays are views into: words of the atlas first, to be written in place.

#include "mesh/baked_mesh.h"

namespace throng::detail::bake {

class ModelStorage {
 public:
  // Mesh, table and words of localv are copied, of the vertices of vertex mode what is not in its frames; words are 0.
  ModelStorage(BakeMode mode, const BakedMesh& mesh, const std::vector<glm::vec4>& table,
               const std::vector<std::uint32_t>& channel_words, std::uint64_t word_count);

  std::span<std::uint32_t> words();

  // Gives the model the bytes, and views into them.
  void move_into(CharacterDraft& model) &&;

 private:
  struct Place {
    std::size_t first = 0;  // byte
    std::size_t count = 0;
  };
  template <class T>
  Place copy(const std::vector<T>& values);

  std::vector<std::byte> bytes_;
  Place words_, vertices_, surfaces_, tangents_, indices_, vertex_parts_, baked_from_source_, table_, channel_words_;
};

// Everything of the mesh that is not an array: parts, levels, sources, looks.
void move_lists(BakedMesh& mesh, CharacterDraft& model);

}  // namespace throng::detail::bake
