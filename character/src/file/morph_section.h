// SPDX-License-Identifier: Apache-2.0
#pragma once
// Morph targets of far characters in a file: the extension's object "morphs".

#include <optional>

#include "file/near_section.h"

namespace throng::detail::character {

// The JSON of morph targets; nothing where there are none.
std::optional<JsonObject> morphs_json(const BakedMorphs& morphs, const AddView& add_view);

// Reads what morphs_json wrote. The model's storage must be there.
Result<void> read_morphs(const Json& json, const std::vector<std::span<const std::byte>>& views, CharacterDraft& model);

}  // namespace throng::detail::character
