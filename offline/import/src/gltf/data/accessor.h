// SPDX-License-Identifier: Apache-2.0
#pragma once
// Accessors: how their elements lie in memory, and their values decoded. Reading is safe after check_accessors().

#include <cstdint>
#include <vector>

#include "gltf/file/document.h"

namespace throng::detail::gltf {

// An element is `columns` runs of `rows` components; matrices of small components pad each column to four bytes.
struct ElementLayout {
  std::size_t component_size = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t column_stride = 0;

  std::size_t components() const { return rows * columns; }
  std::size_t size() const { return column_stride * (columns - 1) + rows * component_size; }
};

std::size_t component_size(int component_type);
ElementLayout element_layout(const source::Accessor& accessor);

// Every component in order, sparse values put in, as the file stores them: integers as whole numbers.
Result<std::vector<double>> read_raw(const Document& document, std::size_t accessor);

// Reads as above, with normalised integers mapped to [0, 1] or [-1, 1].
Result<std::vector<float>> read_floats(const Document& document, std::size_t accessor);

Result<std::vector<std::uint32_t>> read_integers(const Document& document, std::size_t accessor);

// The factor by which a stored component becomes its value.
double normalising_scale(const source::Accessor& accessor);

// Where an accessor's values come from.
enum class Backing : std::uint8_t {
  bytes,
  zeros,        // neither a buffer view nor sparse values
  placeholder,  // a buffer that glTF lets a file leave open
  missing,      // a buffer that should be there and is not
};
Backing backing_of(const Document& document, std::size_t accessor);

// Whether compression has changed its values.
bool is_lossy(const Document& document, std::size_t accessor);

inline bool has_data(const Document& document, std::size_t accessor) {
  return backing_of(document, accessor) == Backing::bytes;
}

}  // namespace throng::detail::gltf
