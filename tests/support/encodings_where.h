// SPDX-License-Identifier: Apache-2.0
#pragma once
// Encodings for tests, out of the table of all there are: a new one is tested wherever its kind is.

#include <vector>

#include "throng/character/encoding.h"

namespace throng::test {

template <class Wanted>
std::vector<Encoding> encodings_where(const Wanted& wanted) {
  std::vector<Encoding> out;
  for (const Encoding encoding : kEncodings)
    if (wanted(info_of(encoding))) out.push_back(encoding);
  return out;
}

inline std::vector<Encoding> vertex_encodings() {
  return encodings_where([](const EncodingInfo& info) { return info.kind == ItemKind::vertex; });
}

// Of bone mode, whatever their kind.
inline std::vector<Encoding> bone_encodings() {
  return encodings_where([](const EncodingInfo& info) { return info.kind != ItemKind::vertex; });
}

// Those that one character may have side by side: a skeleton has slots for local8 or for localv.
inline std::vector<Encoding> bone_encodings_beside_local8() {
  return encodings_where(
      [](const EncodingInfo& info) { return info.kind != ItemKind::vertex && info.kind != ItemKind::channel; });
}

inline std::vector<Encoding> half_encodings() {
  return encodings_where([](const EncodingInfo& info) { return info.half; });
}

inline std::vector<Encoding> one_scale_encodings() {
  return encodings_where([](const EncodingInfo& info) { return info.one_scale; });
}

}  // namespace throng::test
