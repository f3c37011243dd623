#include "gltf/document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "gltf/container.h"
#include "gltf/json.h"
#include "gltf/schema.h"

namespace throng::gltf {
namespace {

using Json = nlohmann::json;

struct Version {
  int major = 0;
  int minor = 0;
};

bool operator>(const Version& a, const Version& b) { return std::tie(a.major, a.minor) > std::tie(b.major, b.minor); }

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto [dot, bad_major] = std::from_chars(text.data(), end, version.major);
  if (bad_major != std::errc{} || dot == end || *dot != '.' || text.front() == '-') return std::nullopt;
  const auto [rest, bad_minor] = std::from_chars(dot + 1, end, version.minor);
  if (bad_minor != std::errc{} || rest != end || dot[1] == '-') return std::nullopt;
  return version;
}

Result<void> check_version(Document& document) {
  const Json& asset = (*document.json)["asset"];
  const auto text = asset["version"].get<std::string>();
  const auto version = parse_version(text);
  if (!version) return fail("asset.version '{}' is not of the form major.minor", text);
  const auto minimum_text = asset.value("minVersion", text);
  const auto minimum = parse_version(minimum_text);
  if (!minimum) return fail("asset.minVersion '{}' is not of the form major.minor", minimum_text);
  if (*minimum > *version) return fail("asset.minVersion {} is above asset.version {}", minimum_text, text);
  if (version->major != 2) return fail("glTF version {}; only 2.0 is supported, so export it anew as glTF 2.0", text);
  if (version->minor != 0) document.note("glTF version {} read as 2.0", text);
  return {};
}

// tinygltf sees only what it is needed for: no bytes, no pictures, and none of the free-form parts.
void strip(Json& value) {
  if (value.is_object()) {
    value.erase("extras");
    value.erase("extensions");
  }
  if (value.is_structured()) {
    for (Json& inner : value) strip(inner);
  }
}

bool known_component_type(int type) {
  return type == TINYGLTF_COMPONENT_TYPE_BYTE || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE ||
         type == TINYGLTF_COMPONENT_TYPE_SHORT || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ||
         type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT || type == TINYGLTF_COMPONENT_TYPE_FLOAT;
}

// tinygltf refuses a whole file for one accessor of a type it does not know, even if nothing uses it. Such an accessor
// is remembered as not understood and shown to tinygltf as a plain one.
void plain_accessors(Json& accessors, std::vector<bool>& understood) {
  constexpr std::array<std::string_view, 7> kTypes = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
  for (Json& accessor : accessors) {
    const bool type = std::find(kTypes.begin(), kTypes.end(), accessor["type"].get<std::string>()) != kTypes.end();
    const bool component = known_component_type(accessor["componentType"].get<int>());
    understood.push_back(type && component);
    if (!type) accessor["type"] = "SCALAR";
    if (!component) accessor["componentType"] = TINYGLTF_COMPONENT_TYPE_FLOAT;
  }
}

// tinygltf refuses indices without a buffer view, which glTF allows. Until it has read them, such accessors name a
// view.
void lend_views(Json& json) {
  for (Json& accessor : json["accessors"]) {
    if (accessor.contains("bufferView")) continue;
    accessor["bufferView"] = 0;
    if (!json.contains("bufferViews")) json["bufferViews"] = Json::array({{{"buffer", 0}, {"byteLength", 1}}});
  }
}

void take_views_back(const Json& original, tinygltf::Model& model) {
  const Json& accessors = listed(original, "accessors");
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    if (!accessors[i].contains("bufferView")) model.accessors[i].bufferView = -1;
  }
  model.bufferViews.resize(listed(original, "bufferViews").size());
}

std::size_t count_channels(const Json& animations) {
  std::size_t count = 0;
  for (const Json& animation : animations) count += animation["channels"].size();
  return count;
}

Json reduced(Document& document) {
  constexpr std::array<std::string_view, 5> kUnused = {"buffers", "images", "cameras", "extensionsUsed",
                                                       "extensionsRequired"};
  Json json = Json::object();
  for (const auto& [name, value] : document.json->items()) {
    if (std::find(kUnused.begin(), kUnused.end(), name) == kUnused.end()) json[name] = value;
  }
  strip(json);
  if (json.contains("accessors")) {
    plain_accessors(json["accessors"], document.understood);
    lend_views(json);
  }
  return json;
}

}  // namespace

Document::Document() : json(std::make_unique<Json>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<void> read_typed(Document& document) {
  const Json json = reduced(document);
  for (const Json& view : listed(*document.json, "bufferViews"))
    document.declared_targets.push_back(view.value("target", 0));
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  tinygltf::TinyGLTF reader;
  std::string error;
  std::string warning;
  try {
    if (!reader.LoadASCIIFromString(&document.model, &error, &warning, text.data(), static_cast<unsigned>(text.size()),
                                    "")) {
      return fail("tinygltf cannot read it: {}", error);
    }
  } catch (const std::exception& exception) {
    return fail("tinygltf cannot read it: {}", exception.what());
  }
  take_views_back(*document.json, document.model);
  std::size_t channels = 0;
  for (const auto& animation : document.model.animations) channels += animation.channels.size();
  document.channels_without_node = count_channels(listed(json, "animations")) - channels;
  return {};
}

Result<Document> load_document(const std::filesystem::path& path, SharedBytes file) {
  Document document;
  document.path = path;
  document.file = std::move(file);
  auto container = open_container(document.file);
  if (!container) return fail(std::move(container));
  document.binary_chunk = container->binary;
  document.notes = std::move(container->notes);
  auto json = parse_json(container->json);
  if (!json) return fail(std::move(json));
  *document.json = std::move(*json);
  if (auto ok = check_schema(*document.json); !ok) return fail(std::move(ok));
  if (auto ok = check_version(document); !ok) return fail(std::move(ok));
  if (auto ok = check_extensions(document); !ok) return fail(std::move(ok));
  if (auto ok = read_typed(document); !ok) return fail(std::move(ok));
  if (auto ok = load_buffers(document); !ok) return fail(std::move(ok));
  if (auto ok = decompress_views(document); !ok) return fail(std::move(ok));
  if (auto ok = decompress_primitives(document); !ok) return fail(std::move(ok));
  return document;
}

Result<void> check_document(Document& document) {
  for (const auto check : {check_accessors, check_budget, check_view_usage, check_hierarchy, check_nodes, check_skins,
                           check_meshes, check_animations, check_accessor_data}) {
    if (auto ok = check(document); !ok) return ok;
  }
  return {};
}

}  // namespace throng::gltf
