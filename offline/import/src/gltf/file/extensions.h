// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which extensions a file may require, and the names of those that are asked for in several places.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

inline constexpr const char* kDraco = "KHR_draco_mesh_compression";
inline constexpr const char* kExtMeshopt = "EXT_meshopt_compression";
inline constexpr const char* kKhrMeshopt = "KHR_meshopt_compression";
inline constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";
inline constexpr const char* kAnimationPointer = "KHR_animation_pointer";
inline constexpr const char* kSpecularGlossiness = "KHR_materials_pbrSpecularGlossiness";

// Refuses a file that cannot be read without an extension that is not known; notes those that it can be read without.
Result<void> check_extensions(Document& document, Mender& mender);

}  // namespace throng::detail::gltf
