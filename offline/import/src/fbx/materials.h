#pragma once
// Materials and the pictures of their base colours.

#include "fbx/assimp.h"

namespace throng::fbx {

struct MaterialProperty {
  std::string name;
  std::vector<double> values;
};

// What assimp works out colour and opacity from. Physically based materials name their base colour otherwise; here it
// has the old name.
std::vector<MaterialProperty> material_properties(const Document& document, const Object& material);

// The materials of the draft, in assimp's order, which is how its meshes number them.
void convert_materials(Conversion& conversion, const AssimpScene& assimp);

// The bytes of the picture that a texture shows: held in the file, or from the model's own folder and below.
Result<ImageSource> load_picture(const Conversion& conversion, const Object& texture);

}  // namespace throng::fbx
