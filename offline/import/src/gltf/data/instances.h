// SPDX-License-Identifier: Apache-2.0
#pragma once
// EXT_mesh_gpu_instancing: a node shows its mesh several times.

#include "gltf/file/document.h"
#include "throng/math/transform.h"

namespace throng::detail::gltf {

// How often a node shows its mesh, by its accessors' count; once without the extension.
std::size_t instance_count(const Document& document, const source::Node& node);

// All its attributes have as many values, of types that make places.
Result<void> check_instances(const Document& document, const source::Node& node);

// node_from_instance of each; those with NaN or infinity are left out and counted.
Result<std::vector<Transform>> read_instances(const Document& document, const source::Node& node, Mender& mender);

}  // namespace throng::detail::gltf
