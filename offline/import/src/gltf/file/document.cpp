// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/document.h"

#include <charconv>
#include <tuple>

#include "gltf/data/draco_primitives.h"
#include "gltf/data/meshopt_views.h"
#include "gltf/file/buffers.h"
#include "gltf/file/container.h"
#include "gltf/file/extensions.h"
#include "gltf/file/json.h"
#include "gltf/file/schema.h"
#include "import_budget.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
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

}  // namespace

Document::Document() : json(std::make_unique<Json>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<Document> load_document(const std::filesystem::path& path, SharedBytes file, std::uint64_t budget,
                               Mender& mender) {
  Document document;
  document.path = path;
  document.budget = budget;
  document.file = std::move(file);
  document.files = NamedFiles(path, document.file);
  THRONG_TRY(auto container, open_container(document.file, mender));
  document.binary_chunk = container.binary;
  document.notes = std::move(container.notes);
  THRONG_TRY(const auto text, without_byte_order_mark(container.json, mender));
  THRONG_TRY(auto json, parse_json(text, mender));
  *document.json = std::move(json);
  THRONG_CHECK(check_schema(*document.json, mender));
  THRONG_CHECK(check_version(document));
  THRONG_CHECK(check_extensions(document, mender));
  document.model = read_source(*document.json);
  THRONG_CHECK(load_buffers(document, mender));
  // What is decoded is counted before it is, and once more with all that is made of it (check_budget).
  import::Budget decoding(budget, document.files.bytes());
  THRONG_CHECK(decompress_views(document, decoding));
  THRONG_CHECK(decompress_primitives(document, decoding, mender));
  return document;
}

}  // namespace throng::detail::gltf
