// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures that an asset names instead of holding: how their paths are written, and reading them.

#include <string>
#include <string_view>

#include "throng/character/character.h"

namespace throng::detail::character {

// Whether a path, '/' between its parts, leads to a file in the asset's folder or below it and nowhere else.
bool is_link(std::string_view path);

// The path as glTF writes it: what URIs keep for themselves, and all that is not ASCII, in percents.
std::string uri_of(std::string_view path);

// The path of a URI that uri_of() or another program wrote, or an error when it is not a link.
Result<std::string> path_of_uri(std::string_view uri);

// Maps the files that the model's images name, from `folder` on.
Result<void> load_links(CharacterDraft& model, const std::filesystem::path& folder);

}  // namespace throng::detail::character
