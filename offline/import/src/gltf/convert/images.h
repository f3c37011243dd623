// SPDX-License-Identifier: Apache-2.0
#pragma once
// Images stay encoded; here they are found, and told apart by their first bytes.

#include "gltf/file/document.h"
#include "throng/model/model.h"

namespace throng::detail::gltf {

struct LoadedImage {
  ImageSource source;       // PNG or JPEG
  std::string stored_type;  // as the file has it; WebP becomes PNG
};

// An image's encoded bytes and its type by content, or why there are none.
Result<LoadedImage> load_image(const Document& document, std::size_t image);

}  // namespace throng::detail::gltf
