#include <algorithm>

#include "asset_json.h"
#include "check_baked_model.h"
#include "format.h"
#include "glb.h"
#include "read_mesh.h"
#include "throng/base/file.h"

namespace throng {
namespace {

using Json = nlohmann::json;

// A mapping and a vector are aligned well enough; bytes from the middle of something else may not be.
SharedBytes aligned(SharedBytes bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % format::kAlignment == 0) return bytes;
  return SharedBytes(std::vector<std::byte>(bytes.span().begin(), bytes.span().end()));
}

Result<const Json*> find_extension(const Json& root) {
  JsonFields fields(root, "glTF");
  const Json& extension = fields.object(fields.object(root, "extensions"), std::string(format::kExtension).c_str());
  if (auto ok = fields.result(); !ok) return fail(std::move(ok));
  return &extension;
}

Result<void> fill(const Json& root, std::span<const std::byte> bin, BakedModel& model) {
  const auto extension = find_extension(root);
  if (!extension) return fail(extension.error());
  auto views = read_buffer_views(root, bin);
  if (!views) return fail(std::move(views));
  const auto atlas_view = read_extension(**extension, model);
  if (!atlas_view) return fail(atlas_view.error());
  auto texels = view_as<Texel>(*views, *atlas_view);
  if (!texels) return fail(std::move(texels));
  model.atlas.texels = *texels;
  if (auto ok = read_mesh(root, *views, model); !ok) return ok;
  return check_baked_model(model);
}

}  // namespace

Result<BakedModel> decode_asset(SharedBytes bytes) {
  BakedModel model;
  model.storage = aligned(std::move(bytes));
  auto parts = open_glb(model.storage.span());
  if (!parts) return fail(std::move(parts));
  auto root = parse_json(parts->json);
  if (!root) return fail(std::move(root));
  if (auto ok = fill(*root, parts->bin, model); !ok) return fail(std::move(ok));
  return model;
}

Result<BakedModel> read_asset(const std::filesystem::path& path) {
  auto bytes = map_file(path);
  if (!bytes) return fail(std::move(bytes));
  auto model = decode_asset(*std::move(bytes));
  if (!model) return fail(in(path.string(), model.error()));
  return model;
}

bool looks_like_asset(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto magic = reader.u32();
  if (!magic || *magic != format::kMagic) return false;
  if (!reader.u32() || !reader.u32()) return false;
  const auto json_length = reader.u32();
  const auto json_type = reader.u32();
  if (!json_length || !json_type || *json_type != format::kChunkJson) return false;
  const auto json = reader.take(std::min<std::size_t>(*json_length, reader.remaining()));
  const std::string_view text(reinterpret_cast<const char*>(json->data()), json->size());
  return text.find(fmt::format("\"{}\"", format::kExtension)) != std::string_view::npos;
}

}  // namespace throng
