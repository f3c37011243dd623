// SPDX-License-Identifier: Apache-2.0
#pragma once
// The plain glTF half of an asset: buffer views, the mesh, materials and pictures.

#include <span>
#include <vector>

#include "file/json.h"
#include "throng/character/character.h"

namespace throng::detail::character {

// Every buffer view as the bytes it names.
Result<std::vector<std::span<const std::byte>>> read_buffer_views(const Json& root, std::span<const std::byte> bin);

// A view as values of `T`, or an error when the view is not there, not a whole number of them or not aligned.
template <class T>
Result<std::span<const T>> view_as(const std::vector<std::span<const std::byte>>& views, std::uint32_t index) {
  if (index >= views.size()) return fail("buffer view {} of {} is named", index, views.size());
  const auto bytes = views[index];
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) == 0;
  if (bytes.size() % sizeof(T) != 0 || !aligned) {
    return fail("buffer view {} of {} bytes is not whole elements of {} bytes", index, bytes.size(), sizeof(T));
  }
  return std::span<const T>(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
}

// Fills vertices, tangents, indices, parts, materials and images; the model's storage, which must be set, keeps the
// bytes alive.
Result<void> read_mesh(const Json& root, const std::vector<std::span<const std::byte>>& views, CharacterDraft& model);

}  // namespace throng::detail::character
