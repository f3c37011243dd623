// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/check_document.h"

#include "gltf/check/accessors.h"
#include "gltf/check/animations.h"
#include "gltf/check/budget.h"
#include "gltf/check/looks.h"
#include "gltf/check/meshes.h"
#include "gltf/check/scenes.h"
#include "gltf/check/view_usage.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {

// What reading costs is bounded before anything is read, and values are looked at last.
Result<void> check_document(const Document& document, Mender& mender) {
  for (const auto check : {check_accessors, check_budget, check_view_usage, check_hierarchy, check_nodes, check_skins,
                           check_meshes, check_animations, check_cameras, check_images, check_accessor_data}) {
    THRONG_CHECK(check(document, mender));
  }
  return {};
}

}  // namespace throng::detail::gltf
