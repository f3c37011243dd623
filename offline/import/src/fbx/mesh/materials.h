// SPDX-License-Identifier: Apache-2.0
#pragma once
// Materials and the pictures of their base colours.

#include <map>
#include <optional>

#include "fbx/mesh/mesh_source.h"

namespace throng::detail::fbx {

// The draft's materials: those that some polygon has, in the order in which they are first asked for.
class Materials {
 public:
  explicit Materials(Conversion& conversion) : c_(conversion) {}

  // The number of a material in the draft. Null is the plain white one of polygons that name none.
  std::uint32_t number_of(const Object* material);

 private:
  void add_texture(const Object& source, Material& material);
  std::optional<std::uint32_t> picture_number(const Object& texture);

  Conversion& c_;
  std::map<const Object*, std::uint32_t> numbers_;
  std::map<const Object*, std::optional<std::uint32_t>> pictures_;  // by what holds them; none: it cannot be read
};

}  // namespace throng::detail::fbx
