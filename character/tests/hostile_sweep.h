// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every asset that differs from a good one in one field or one byte, with a hash that is right.

#include <algorithm>
#include <functional>

#include "small_asset.h"

namespace throng {

using VisitAsset = std::function<void(std::vector<std::byte> file)>;

// Visits every value of a JSON tree by its path; of a list, the first two stand for the rest.
inline void visit_paths(const nlohmann::ordered_json& json, const nlohmann::ordered_json::json_pointer& path,
                        const std::function<void(const nlohmann::ordered_json::json_pointer&)>& visit) {
  if (!path.empty()) visit(path);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) visit_paths(value, path / key, visit);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(json.size(), 2); ++i) visit_paths(json[i], path / i, visit);
  }
}

// Every field, each replaced by every kind of thing it should not be; or every `every`th of these.
inline void sweep_fields(const Halves& original, const VisitAsset& visit, std::size_t every = 1) {
  using Json = nlohmann::ordered_json;
  const Json things[] = {nullptr,
                         true,
                         -1,
                         0,
                         1,
                         4294967295u,
                         18446744073709551615ull,
                         1e300,
                         -0.5,
                         "",
                         "x",
                         Json::array(),
                         Json::object(),
                         Json::array({1, 2, 3})};
  std::size_t tried = 0;
  Halves halves = original;
  visit_paths(original.json, Json::json_pointer(), [&](const Json::json_pointer& path) {
    const Json before = halves.json[path];
    for (const Json& thing : things) {
      if (tried++ % every != 0) continue;
      halves.json[path] = thing;
      if (auto file = try_put_together(halves)) visit(*std::move(file));
    }
    halves.json[path] = before;
  });
}

// What the hash would not let through if the writer were honest: any byte of any array is another, or any `every`th.
inline void sweep_bytes(const Halves& original, const VisitAsset& visit, std::size_t every = 1) {
  std::size_t tried = 0;
  Halves halves = original;
  for (std::byte& byte : halves.bin) {
    if (++tried % every != 0) continue;
    const std::byte before = byte;
    byte = tried % 2 == 0 ? before ^ std::byte{0x80} : std::byte{0xFF};
    visit(put_together(halves));
    byte = before;
  }
}

}  // namespace throng
