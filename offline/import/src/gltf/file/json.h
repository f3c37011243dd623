// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reading a JSON document that has passed the schema.

#include <nlohmann/json.hpp>
#include <string_view>

namespace throng::detail::gltf {

// A top-level array, or an empty one where it is left out or, as images may be, is no array.
inline const nlohmann::json& collection_of(const nlohmann::json& document, std::string_view collection) {
  static const nlohmann::json kNone = nlohmann::json::array();
  const auto found = document.find(collection);
  return found != document.end() && found->is_array() ? *found : kNone;
}

// An extension object of `owner`, or null.
inline const nlohmann::json* extension_of(const nlohmann::json& owner, std::string_view name) {
  const auto extensions = owner.find("extensions");
  if (extensions == owner.end()) return nullptr;
  const auto found = extensions->find(name);
  return found == extensions->end() ? nullptr : &*found;
}

}  // namespace throng::detail::gltf
