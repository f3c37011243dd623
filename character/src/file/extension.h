// SPDX-License-Identifier: Apache-2.0
#pragma once
// The extension's JSON object and back. Buffer view numbers and the glTF objects around it are the caller's.

#include <optional>

#include "file/json_fields.h"
#include "file/json_text.h"
#include "throng/character/character.h"

namespace throng::detail::character {

// The buffer views that the extension names; arrays that are empty have none.
struct ExtensionViews {
  std::optional<std::uint32_t> atlas = {};
  std::optional<std::uint32_t> channels = {};  // of localv, from version 4 on
  std::optional<std::uint32_t> table = {};
  std::optional<std::uint32_t> baked_from_source = {};
  std::optional<std::uint32_t> vertex_parts = {};
  std::optional<std::uint32_t> skin_vertices = {};  // of bone mode, from version 3 on
};

// Everything of the extension, in the order docs/asset-format.md lists it, the hash's digits as zeros.
JsonObject extension_json(const Character& model, const ExtensionViews& views);
// `morphs`: the character has morph targets.
JsonObject clip_json(const BakedClip& clip, bool morphs);

// What is in the file but not in the model's own fields.
struct ReadExtension {
  ExtensionViews views;
  std::vector<glm::vec4> table;  // of version 1, which has it in its JSON; every clip shares the one
  UploadData upload;             // from version 3 on, but for its arrays
  bool has_upload = false;
};

// Fills the model's fields that the extension carries; its arrays stay empty. Ranges are checked afterwards by
// build_character.
Result<ReadExtension> read_extension(const Json& extension, CharacterDraft& model);

// `version`: the file's major version.
BakedClip read_clip(JsonFields& fields, const Json& json, std::uint32_t version);
ErrorFigures read_figures(JsonFields& fields, const Json& json);

// Words of localv: what their slots are, and where a clip's lie.
JsonObject slots_json(const std::vector<SlotKind>& slots, std::uint32_t view);
std::vector<SlotKind> read_slots(JsonFields& fields, const Json& json);
JsonObject channels_json(const ChannelClip& clip);
ChannelClip read_channels(JsonFields& fields, const Json& json);

}  // namespace throng::detail::character
