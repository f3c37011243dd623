// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a file keeps for near characters: the motion and the packed meshes, as the extension's object "near".

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "file/json.h"
#include "file/json_text.h"
#include "throng/character/character.h"

namespace throng::detail::character {

// Makes a buffer view of bytes that outlive the writing; nothing where there are none.
using AddView = std::function<std::optional<std::uint32_t>(std::span<const std::byte>)>;

// The JSON of what near characters need; nothing where there is nothing to write.
std::optional<JsonObject> near_json(const CharacterDraft& model, const AddView& add_view);

// Reads what near_json wrote. The model's materials and its storage must be there.
Result<void> read_near(const Json& near, const std::vector<std::span<const std::byte>>& views, CharacterDraft& model);

}  // namespace throng::detail::character
