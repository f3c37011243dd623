#include "fbx/assimp.h"

#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <charconv>

namespace throng::fbx {
namespace {

// There are no files: what assimp needs is in the document.
class NoFiles final : public Assimp::IOSystem {
 public:
  bool Exists(const char*) const override { return false; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char*, const char*) override { return nullptr; }
  void Close(Assimp::IOStream*) override {}
};

void set_up(Assimp::Importer& importer) {
  importer.SetIOHandler(new NoFiles);  // the importer owns it
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ALL_MATERIALS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_STRICT_MODE, false);
}

const Object* material_named(const Document& document, std::string_view name) {
  ObjectId id = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), id);
  if (parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) return nullptr;
  const Object* object = document.find(id);
  return object && object->kind == Kind::material ? object : nullptr;
}

const aiScene* read(Assimp::Importer& importer, const std::vector<char>& document, std::string& problem) {
  try {
    const aiScene* scene = importer.ReadFileFromMemory(document.data(), document.size(), aiProcess_Triangulate, "fbx");
    if (!scene) problem = importer.GetErrorString();
    return scene;
  } catch (const std::exception& error) {
    problem = error.what();
    return nullptr;
  }
}

}  // namespace

Result<AssimpScene> AssimpScene::from(const Conversion& c, const std::vector<MeshSource>& meshes) {
  auto importer = std::make_shared<Assimp::Importer>();
  set_up(*importer);
  std::string problem;
  AssimpScene result;
  result.scene_ = read(*importer, document_for_assimp(c, meshes), problem);
  result.importer_ = importer;
  if (!result.scene_) return fail("assimp cannot read the meshes: {}", problem);
  for (unsigned i = 0; i < result.scene_->mNumMaterials; ++i) {
    result.materials_.push_back(material_named(c.document, result.scene_->mMaterials[i]->GetName().C_Str()));
  }
  return result;
}

}  // namespace throng::fbx
