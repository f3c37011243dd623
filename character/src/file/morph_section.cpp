// SPDX-License-Identifier: Apache-2.0
#include "file/morph_section.h"

#include "file/json_fields.h"
#include "file/json_values.h"
#include "file/read_mesh.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

JsonObject target_json(const BakedTarget& target) {
  return {{"name", target.name},
          {"weightMin", static_cast<double>(target.weight_min)},
          {"weightStep", static_cast<double>(target.weight_step)},
          {"positionStep", static_cast<double>(target.position_step)},
          {"normalStep", static_cast<double>(target.normal_step)}};
}

BakedTarget read_target(JsonFields& fields, const Json& json) {
  return {fields.text(json, "name"), static_cast<float>(fields.number(json, "weightMin")),
          static_cast<float>(fields.number(json, "weightStep")),
          static_cast<float>(fields.number(json, "positionStep")),
          static_cast<float>(fields.number(json, "normalStep"))};
}

std::uint32_t read_view(JsonFields& fields, const char* key) {
  return fields.u32(fields.object(fields.root(), key), "bufferView");
}

}  // namespace

std::optional<JsonObject> morphs_json(const BakedMorphs& morphs, const AddView& add_view) {
  if (morphs.empty()) return std::nullopt;
  JsonObject json = {{"targets", list_json(morphs.targets, target_json)}};
  const auto put = [&](const char* key, std::span<const std::byte> bytes) {
    if (const auto view = add_view(bytes)) json.add(key, JsonObject{{"bufferView", *view}});
  };
  put("weights", std::as_bytes(morphs.weights));
  put("vertices", std::as_bytes(morphs.vertices));
  put("deltas", std::as_bytes(morphs.deltas));
  return json;
}

Result<void> read_morphs(const Json& json, const std::vector<std::span<const std::byte>>& views,
                         CharacterDraft& model) {
  JsonFields fields(json, "morphs");
  for (const Json& target : fields.array(json, "targets")) {
    if (!target.is_object()) fields.refuse("'targets' holds something that is not an object");
    if (!fields.ok()) break;
    model.morphs.targets.push_back(read_target(fields, target));
  }
  const std::uint32_t weights = read_view(fields, "weights");
  const std::uint32_t vertices = read_view(fields, "vertices");
  const std::uint32_t deltas = read_view(fields, "deltas");
  THRONG_CHECK(fields.result());
  THRONG_TRY(model.morphs.weights, view_as<std::uint16_t>(views, weights));
  THRONG_TRY(model.morphs.vertices, view_as<MorphedVertex>(views, vertices));
  THRONG_TRY(model.morphs.deltas, view_as<BakedDelta>(views, deltas));
  return {};
}

}  // namespace throng::detail::character
