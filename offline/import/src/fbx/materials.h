#pragma once
// Materials and the pictures of their base colours.

#include <map>

#include "fbx/mesh_source.h"

namespace throng::fbx {

// The draft's materials: those that some polygon has, in the order in which they are first asked for.
class Materials {
 public:
  explicit Materials(Conversion& conversion) : c_(conversion) {}

  // The number of a material in the draft. Null is the plain white one of polygons that name none.
  std::uint32_t number_of(const Object* material);

 private:
  Conversion& c_;
  std::map<const Object*, std::uint32_t> numbers_;
};

// The bytes of the picture that a texture shows: held in the file, or from the model's own folder and below.
Result<ImageSource> load_picture(const Conversion& conversion, const Object& texture);

}  // namespace throng::fbx
