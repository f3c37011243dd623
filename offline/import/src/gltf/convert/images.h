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
struct FileImage {
  std::size_t same_as = 0;  // the first image of the same bytes: this one's number, where there is none before
  Result<LoadedImage> loaded = fail("is the same as one before");
  bool at_fault = false;  // where it could not be loaded: by the file's fault, and not for a format that is not read
};

// Every image of the file. What those take that a material shows is added up: one that goes beyond what the file may
// take is refused. WebP that nothing shows stays as it is.
std::vector<FileImage> load_images(const Document& document);

}  // namespace throng::detail::gltf
