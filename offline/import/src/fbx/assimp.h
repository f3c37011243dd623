#pragma once
// What assimp does for us: polygons become triangles of one material each, materials become a colour and an opacity. It
// is given a document that we wrote from checked parts, never the file: it refuses versions before 7100, and was not
// made for broken ones.

#include <memory>

#include "fbx/mesh_source.h"

struct aiScene;

namespace throng::fbx {

class AssimpScene {
 public:
  static Result<AssimpScene> from(const Conversion& conversion, const std::vector<MeshSource>& meshes);

  const aiScene& scene() const { return *scene_; }
  // By their order in aiScene: which material of the file, and none for assimp's own.
  const std::vector<const Object*>& materials() const { return materials_; }

 private:
  std::shared_ptr<const void> importer_;
  const aiScene* scene_ = nullptr;
  std::vector<const Object*> materials_;
};

// The document as bytes. Nodes are named "0", "1", … by their place in `meshes`, materials by their id.
std::vector<char> document_for_assimp(const Conversion& conversion, const std::vector<MeshSource>& meshes);

}  // namespace throng::fbx
