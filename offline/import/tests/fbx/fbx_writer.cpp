// SPDX-License-Identifier: Apache-2.0
#include "fbx_writer.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace throng::test {

std::string deflated_zeros(std::size_t count, std::size_t entry_size) {
  const std::string zeros(count * entry_size, '\0');
  uLongf length = compressBound(static_cast<uLong>(zeros.size()));
  std::string packed(length, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(zeros.data()),
            static_cast<uLong>(zeros.size()), 9);
  packed.resize(length);
  const std::uint32_t head[3] = {static_cast<std::uint32_t>(count), 1, static_cast<std::uint32_t>(length)};
  return std::string(reinterpret_cast<const char*>(head), sizeof(head)) + packed;
}
namespace {

constexpr std::uint32_t kVersion = 7400;
constexpr std::size_t kNullRecord = 13;  // three offsets and an empty name

}  // namespace

template <class T>
void Writer::raw(const T& value) {
  out_.resize(out_.size() + sizeof value);
  std::memcpy(out_.data() + out_.size() - sizeof value, &value, sizeof value);
  if (big_endian_) std::reverse(out_.end() - sizeof value, out_.end());
}

Writer::Writer(bool big_endian) : big_endian_(big_endian) {
  constexpr std::string_view kMagic("Kaydara FBX Binary  \0\x1A", 22);
  out_.assign(kMagic.begin(), kMagic.end());
  out_.push_back(big_endian ? '\1' : '\0');
  raw(kVersion);
}

void Writer::put(std::size_t at, std::uint32_t value) {
  char* const place = out_.data() + at;
  std::memcpy(place, &value, sizeof value);
  if (big_endian_) std::reverse(place, place + sizeof value);
}

// An element's head says how many values it has and how long they are.
void Writer::close_values() {
  if (open_.empty() || open_.back().has_children) return;
  const Open& open = open_.back();
  put(open.head + 4, open.values);
  put(open.head + 8, static_cast<std::uint32_t>(out_.size() - open.values_begin));
}

void Writer::begin(std::string_view name) {
  close_values();
  if (!open_.empty()) open_.back().has_children = true;
  Open open{.head = out_.size(), .values_begin = 0, .values = 0, .has_children = false};
  for (int i = 0; i < 3; ++i) raw(std::uint32_t{0});
  out_.push_back(static_cast<char>(name.size()));
  out_.insert(out_.end(), name.begin(), name.end());
  open.values_begin = out_.size();
  open_.push_back(open);
}

void Writer::end() {
  close_values();
  if (open_.back().has_children) out_.insert(out_.end(), kNullRecord, '\0');
  if (ends_) put(open_.back().head, static_cast<std::uint32_t>(out_.size()));
  open_.pop_back();
}

void Writer::value(char type) {
  ++open_.back().values;
  out_.push_back(type);
}

void Writer::id(std::int64_t number) {
  value('L');
  raw(number);
}

void Writer::integer(std::int32_t number) {
  value('I');
  raw(number);
}

void Writer::real(double number) {
  value('D');
  raw(number);
}

void Writer::text(std::string_view characters) {
  value('S');
  raw(static_cast<std::uint32_t>(characters.size()));
  out_.insert(out_.end(), characters.begin(), characters.end());
}

void Writer::bytes(std::string_view content) {
  value('R');
  raw(static_cast<std::uint32_t>(content.size()));
  out_.insert(out_.end(), content.begin(), content.end());
}

void Writer::value_of_type(char type, std::string_view content) {
  value(type);
  out_.insert(out_.end(), content.begin(), content.end());
}

template <class T>
void Writer::array(char type, std::span<const T> values) {
  value(type);
  raw(static_cast<std::uint32_t>(values.size()));
  raw(std::uint32_t{0});
  raw(static_cast<std::uint32_t>(values.size_bytes()));
  for (const T& entry : values) raw(entry);
}

void Writer::reals(std::span<const double> values) { array('d', values); }
void Writer::integers(std::span<const std::int32_t> values) { array('i', values); }

void Writer::element(std::string_view name, std::int32_t number) {
  begin(name);
  integer(number);
  end();
}

void Writer::element(std::string_view name, std::string_view characters) {
  begin(name);
  text(characters);
  end();
}

void Writer::element(std::string_view name, std::span<const double> values) {
  begin(name);
  reals(values);
  end();
}

void Writer::element(std::string_view name, std::span<const std::int32_t> values) {
  begin(name);
  integers(values);
  end();
}

std::vector<char> Writer::finish() {
  out_.insert(out_.end(), kNullRecord, '\0');
  return std::move(out_);
}

}  // namespace throng::test
