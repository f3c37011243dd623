// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/uri.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

// Enough of a URI to recognise it in a message; data URIs run to megabytes.
std::string shortened(std::string_view uri) {
  constexpr std::size_t kShown = 60;
  return uri.size() <= kShown ? std::string(uri) : std::string(uri.substr(0, kShown)) + "…";
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

Result<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) return fail("the URI '{}' has a '%' without two hex digits", shortened(text));
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$&-^_.+*'`|~%").find(c) != std::string_view::npos;
  });
}

bool is_media_type(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && is_token(text.substr(0, slash)) && is_token(text.substr(slash + 1));
}

// "a/b;charset=x;base64": the media type, and whether base64 follows. Every parameter but the last must be name=value.
struct DataHeader {
  std::string media_type;
  bool base64 = false;
};

Result<DataHeader> parse_data_header(std::string_view header) {
  DataHeader parsed;
  std::size_t end = header.find(';');
  parsed.media_type = header.substr(0, end);
  if (!parsed.media_type.empty() && !is_media_type(parsed.media_type)) return fail("a media type is 'type/subtype'");
  while (end != std::string_view::npos) {
    const std::size_t start = end + 1;
    end = header.find(';', start);
    const std::string_view parameter = header.substr(start, end == std::string_view::npos ? end : end - start);
    if (parameter == "base64" && end == std::string_view::npos) {
      parsed.base64 = true;
    } else if (parameter.find('=') == std::string_view::npos) {
      return fail("a parameter lacks its '='");
    }
  }
  return parsed;
}

}  // namespace

bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  return colon != std::string_view::npos && uri.find_first_of("/?#") > colon;
}

Result<std::vector<std::byte>> decode_base64(std::string_view text) {
  if (text.size() % 4 == 0) {
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return fail("base64 data of {} digits is cut short", text.size());
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = base64_value(c);
    if (value < 0) return fail("base64 data has a character that is no base64 digit");
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<std::byte>(bits >> count & 0xFF));
    }
  }
  return bytes;
}

Result<DataUri> decode_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return fail("the data URI '{}' has no ','", shortened(uri));
  const std::string_view scheme = "data:";
  auto header = parse_data_header(uri.substr(scheme.size(), comma - scheme.size()));
  if (!header) return fail("the data URI '{}' is malformed: {}", shortened(uri), header.error().message);
  if (header->base64) {
    auto bytes = decode_base64(uri.substr(comma + 1));
    if (!bytes) return fail("the data URI '{}' is malformed: {}", shortened(uri), bytes.error().message);
    return DataUri{std::move(header->media_type), std::move(*bytes)};
  }
  THRONG_TRY(auto text, percent_decoded(uri.substr(comma + 1)));
  const auto bytes = std::as_bytes(std::span(text));
  return DataUri{std::move(header->media_type), {bytes.begin(), bytes.end()}};
}

Result<std::filesystem::path> resolve_uri(const std::filesystem::path& folder, std::string_view uri) {
  if (has_scheme(uri)) {
    return fail("the URI '{}' is not a relative path; only files beside this one are read", shortened(uri));
  }
  THRONG_TRY(auto decoded, percent_decoded(uri));
  // A drive letter or a scheme may hide behind percent signs; a backslash separates folders elsewhere.
  const bool absolute = decoded.starts_with('/') || decoded.starts_with('\\') || has_scheme(decoded);
  if (decoded.empty() || absolute || decoded.find('\0') != std::string::npos) {
    return fail("the URI '{}' is not a relative path; only files beside this one are read", shortened(uri));
  }
  std::string separated = decoded;
  std::replace(separated.begin(), separated.end(), '\\', '/');
  const auto normal = std::filesystem::path(separated).lexically_normal();
  if (!normal.empty() && *normal.begin() == "..") {
    return fail("the URI '{}' leaves the file's folder; move the file it names beside this one", shortened(uri));
  }
  return folder / decoded;
}

}  // namespace throng::detail::gltf
