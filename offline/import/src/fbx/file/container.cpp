// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/container.h"

#include "fbx/file/ascii.h"
#include "fbx/file/binary.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

constexpr std::string_view kMagic("Kaydara FBX Binary  \0", 21);
constexpr std::size_t kByteOrderAt = 22;  // behind the magic and 0x1A; zero: the low byte comes first
constexpr std::size_t kVersionAt = 23;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_binary(std::span<const std::byte> bytes) { return text_of(bytes).starts_with(kMagic); }

bool is_ascii(std::span<const std::byte> bytes) {
  constexpr std::size_t kLookedAt = 4096;
  const std::string_view start = text_of(bytes).substr(0, kLookedAt);
  if (start.find('\0') != std::string_view::npos) return false;
  return start.starts_with("; FBX") || start.find("FBXHeaderExtension:") != std::string_view::npos;
}

Result<void> check_version(std::int64_t version) {
  if (version >= kOldestVersion && version <= kNewestVersion) return {};
  return fail("is FBX version {}; versions {} to {} are read: export it again as FBX 2013 or later", version,
              kOldestVersion, kNewestVersion);
}

// Reads the version from the first comment, "; FBX 6.1.0 project file".
std::optional<std::int64_t> version_in_comment(std::string_view text) {
  constexpr std::string_view kStart = "; FBX ";
  if (!text.starts_with(kStart) || text.size() < kStart.size() + 5) return std::nullopt;
  const std::string_view digits = text.substr(kStart.size(), 5);
  const auto digit = [&](std::size_t i) { return static_cast<std::int64_t>(digits[i] - '0'); };
  for (const std::size_t i : {0u, 2u, 4u}) {
    if (digits[i] < '0' || digits[i] > '9') return std::nullopt;
  }
  return digit(0) * 1000 + digit(2) * 100 + digit(4) * 10;
}

Result<File> read_ascii_file(std::string_view text, import::Mender& mender, import::Budget& budget) {
  // An old file may be written in a way this does not read: its version is the better reason.
  const auto told = version_in_comment(text);
  if (told) {
    THRONG_CHECK(check_version(*told));
  }
  THRONG_TRY(auto root, read_ascii(text, mender, budget));
  const Element* header = root.child("FBXHeaderExtension");
  const auto version = integer_at(header ? header->child("FBXVersion") : nullptr, 0);
  if (!version && !told) return fail("does not say which FBX version it is");
  THRONG_CHECK(check_version(version.value_or(told.value_or(0))));
  return File{.version = static_cast<std::uint32_t>(version.value_or(told.value_or(0))),
              .ascii = true,
              .root = std::move(root)};
}

std::uint32_t version_of(std::span<const std::byte> bytes, bool big_endian) {
  std::uint32_t version = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t place = big_endian ? i : 3 - i;
    version = version << 8 | std::to_integer<std::uint32_t>(bytes[kVersionAt + place]);
  }
  return version;
}

Result<File> read_binary_file(std::span<const std::byte> bytes, import::Mender& mender, import::Budget& budget) {
  if (bytes.size() < kVersionAt + 4) return fail("is cut short at byte {}", bytes.size());
  const bool big_endian = bytes[kByteOrderAt] != std::byte{0};
  const BinaryLayout layout{.version = version_of(bytes, big_endian), .big_endian = big_endian};
  THRONG_CHECK(check_version(layout.version));
  THRONG_TRY(auto root, read_binary(bytes, layout, mender, budget));
  return File{.version = layout.version, .ascii = false, .root = std::move(root)};
}

}  // namespace

bool is_fbx(std::span<const std::byte> bytes) { return is_binary(bytes) || is_ascii(bytes); }

Result<File> read_file(std::span<const std::byte> bytes, import::Mender& mender, import::Budget& budget) {
  if (is_binary(bytes)) return read_binary_file(bytes, mender, budget);
  if (is_ascii(bytes)) return read_ascii_file(text_of(bytes), mender, budget);
  return fail("not an FBX file");
}

}  // namespace throng::detail::fbx
