// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/extensions.h"

#include <algorithm>

#include "gltf/file/json.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

// Requiring one of these is no reason to refuse: it is understood, or changes only how a surface looks, as all do that
// bring materials and pictures.
constexpr std::string_view kReadable[] = {
    "KHR_mesh_quantization",
    kDraco,
    kExtMeshopt,
    kKhrMeshopt,
    "KHR_lights_punctual",
    "MSFT_texture_dds",
    "KHR_node_visibility",
    kAnimationPointer,
    kInstancing,
    "EXT_lights_image_based",
    "KHR_xmp_json_ld",
    "KHR_xmp",
    "THRONG_animation_textures",
};

bool readable(std::string_view name) {
  return std::find(std::begin(kReadable), std::end(kReadable), name) != std::end(kReadable) ||
         name.starts_with("KHR_materials_") || name.starts_with("KHR_texture_") || name.starts_with("EXT_texture_");
}

Result<void> check_required(const Json& required, const Json& used, Mender& mender) {
  for (const Json& entry : required) {
    const auto name = entry.get<std::string>();
    if (std::find(used.begin(), used.end(), entry) == used.end()) {
      THRONG_CHECK(mender.forgive(Fault::undeclared_extension,
                                  "extensionsRequired names {}, which extensionsUsed does not", name));
    }
    if (!readable(name)) return fail("it requires the extension {}, which is not supported", name);
  }
  return {};
}

}  // namespace

Result<void> check_extensions(Document& document, Mender& mender) {
  const Json& json = *document.json;
  const Json& used = collection_of(json, "extensionsUsed");
  THRONG_CHECK(check_required(collection_of(json, "extensionsRequired"), used, mender));
  for (const Json& entry : used) {
    const auto name = entry.get<std::string>();
    // Not required, so the file says it can be read without; what the extension adds is missing all the same.
    if (!readable(name)) document.note("extension {} is not supported; what it adds is left out", name);
  }
  if (!collection_of(json, "cameras").empty())
    document.note("{}", in_number(collection_of(json, "cameras").size(), "[camera|cameras] left out"));
  return {};
}

}  // namespace throng::detail::gltf
