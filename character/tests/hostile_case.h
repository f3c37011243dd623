// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small asset changed in one way, with a hash that is right: it must be refused for what is wrong with it.

#include <cstring>
#include <functional>

#include "small_asset.h"

namespace throng {

struct HostileCase {
  const char* name;
  std::function<void(Halves&)> change;
};

inline void PrintTo(const HostileCase& c, std::ostream* out) { *out << c.name; }

inline std::string hostile_case_name(const testing::TestParamInfo<HostileCase>& info) { return info.param.name; }

inline void expect_refused(const Character& model, const HostileCase& hostile) {
  Halves halves = taken_apart(file_of(model));
  hostile.change(halves);
  const std::string message = refusal(put_together(halves));
  EXPECT_NE(message, "");
  EXPECT_EQ(message.find("hash does not match"), std::string::npos) << message;
}

// The buffer view of an array that the extension names ("atlas", "table", "bakedFromSource").
inline std::size_t view_of(Halves& h, const char* array) {
  return h.extension()[array]["bufferView"].get<std::size_t>();
}

// The buffer view of an accessor of the mesh.
inline std::size_t accessor_view(Halves& h, std::size_t accessor) {
  return h.json["accessors"][accessor]["bufferView"].get<std::size_t>();
}

// Where things are in the files of small_model().
enum SmallAccessor : std::size_t {
  kPosition = 0,
  kBones = 4,
  kWeights = 5,
  kTangents = 6,
  kNumbers = 7,
  kFirstIndices = 8
};

// Overwrites bytes of an array.
template <class T>
void poke(Halves& h, std::size_t view, std::size_t offset, T value) {
  const auto start = h.json["bufferViews"][view]["byteOffset"].get<std::size_t>();
  std::memcpy(h.bin.data() + start + offset, &value, sizeof value);
}

}  // namespace throng
