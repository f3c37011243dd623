// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small glTF files made in memory, for tests: values go into one buffer, one view and one accessor each.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "throng/import/import.h"

namespace throng::test {

using Json = nlohmann::json;

inline constexpr int kI8 = 5120, kU8 = 5121, kI16 = 5122, kU16 = 5123, kU32 = 5125, kF32 = 5126;

// A folder of its own for each test, gone when the test ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("throng_") + info->test_suite_name() + "_" + info->name();
    for (char& c : name) c = c == '/' ? '_' : c;
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path_); }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// `json["buffers"]` may list further buffers from index 1 on.
class GltfBuilder {
 public:
  GltfBuilder() { json = {{"asset", {{"version", "2.0"}}}}; }

  Json json;

  // Puts values into the buffer as they are and returns the index of the view over them.
  template <class T>
  int view(const std::vector<T>& values) {
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    const std::size_t size = values.size() * sizeof(T);
    return append("bufferViews", {{"buffer", 0}, {"byteOffset", add(values)}, {"byteLength", size}});
  }

  template <class T>
  int accessor(const std::vector<T>& values, const std::string& type, int component_type, bool normalized = false) {
    const std::size_t width = components(type);
    Json accessor = {{"bufferView", view(values)},
                     {"componentType", component_type},
                     {"count", values.size() / width},
                     {"type", type}};
    if (normalized) accessor["normalized"] = true;
    for (std::size_t c = 0; c < width; ++c) {
      T low = values[c];
      T high = values[c];
      for (std::size_t i = c; i < values.size(); i += width) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      accessor["min"].push_back(low);
      accessor["max"].push_back(high);
    }
    return append("accessors", accessor);
  }

  int floats(const std::string& type, const std::vector<float>& values) { return accessor(values, type, kF32); }

  int append(const std::string& collection, const Json& entry) {
    json[collection].push_back(entry);
    return static_cast<int>(json[collection].size()) - 1;
  }

  // An animation of one channel on one node.
  int animate(int node, const std::string& path, const std::vector<float>& times, int output,
              const std::string& interpolation) {
    return append(
        "animations",
        {{"channels", {{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}}},
         {"samplers", {{{"input", floats("SCALAR", times)}, {"output", output}, {"interpolation", interpolation}}}}});
  }

  std::string gltf() const {
    Json whole = json;
    if (!bytes_.empty()) {
      whole["buffers"][0] = {{"byteLength", bytes_.size()},
                             {"uri", "data:application/octet-stream;base64," + base64(bytes_)}};
    }
    return whole.dump();
  }

  std::string glb() const {
    Json whole = json;
    std::string binary = bytes_;
    if (!binary.empty()) whole["buffers"][0] = {{"byteLength", binary.size()}};
    std::string text = whole.dump();
    while (text.size() % 4 != 0) text += ' ';
    while (binary.size() % 4 != 0) binary += '\0';
    const std::size_t size = 12 + 8 + text.size() + (binary.empty() ? 0 : 8 + binary.size());
    std::string out = "glTF" + u32(2) + u32(size) + u32(text.size()) + "JSON" + text;
    if (!binary.empty()) out += u32(binary.size()) + std::string("BIN\0", 4) + binary;
    return out;
  }

  Result<Imported> import(const ImportSettings& settings = {}) const {
    return import_gltf(ScratchFolder().write("built.gltf", gltf()), settings);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  std::size_t add(const std::vector<T>& values) {
    const std::size_t offset = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return offset;
  }
  static std::size_t components(const std::string& type) {
    if (type == "SCALAR") return 1;
    if (type == "MAT4") return 16;
    return static_cast<std::size_t>(type.back() - '0');
  }
  static std::string u32(std::size_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    std::string text(4, '\0');
    std::memcpy(text.data(), &bits, 4);
    return text;
  }

  std::string bytes_;
};

// One triangle (0,0,0) (1,0,0) (0,1,0) as a primitive.
inline Json triangle(GltfBuilder& builder) {
  return {{"attributes", {{"POSITION", builder.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})}}}};
}

// The same on one node in one scene.
inline GltfBuilder triangle_file() {
  GltfBuilder builder;
  builder.append("meshes", {{"primitives", {triangle(builder)}}});
  builder.append("nodes", {{"mesh", 0}});
  builder.append("scenes", {{"nodes", {0}}});
  return builder;
}

inline bool mentions(const std::vector<std::string>& notes, std::string_view text) {
  for (const std::string& note : notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace throng::test
