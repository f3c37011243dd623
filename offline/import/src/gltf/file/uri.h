// SPDX-License-Identifier: Apache-2.0
#pragma once
// URIs of buffers and images: data URIs are decoded, relative ones become paths that stay inside the file's folder.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::gltf {

struct DataUri {
  std::string media_type;  // as written; empty when left out
  std::vector<std::byte> bytes;
};

bool is_data_uri(std::string_view uri);

// True for "scheme:…", which names something that is not a file beside this one.
bool has_scheme(std::string_view uri);

Result<DataUri> decode_data_uri(std::string_view uri);

// Strict: the standard or the URL alphabet, padding optional, nothing else.
Result<std::vector<std::byte>> decode_base64(std::string_view text);

// The file a relative URI names, under `folder`. Absolute paths, schemes and ways out of the folder are refused.
Result<std::filesystem::path> resolve_uri(const std::filesystem::path& folder, std::string_view uri);

}  // namespace throng::detail::gltf
