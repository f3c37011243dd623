// SPDX-License-Identifier: Apache-2.0
#include "file/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "file/format.h"

namespace throng::detail::character {

Json::Json(Value value) : value_(std::move(value)) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

double Json::number() const { return is_whole() ? static_cast<double>(whole()) : std::get<double>(value_); }

std::span<const Json> Json::elements() const {
  if (!is_array()) return {};
  return *std::get<std::unique_ptr<Array>>(value_);
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const Object& members = *std::get<std::unique_ptr<Object>>(value_);
  const auto found =
      std::ranges::lower_bound(members, key, {}, [](const Member& m) { return std::string_view(m.key); });
  return found != members.end() && found->key == key ? &found->value : nullptr;
}

// What nlohmann's parser tells of a document becomes a Json. Its own tree is not for us: built with a watch for keys
// given twice it takes time in the square of any array's objects, and freeing it allocates.
class JsonBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  // What the parser calls; false ends the parse.
  bool null() { return add(std::monostate()); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t& /*written*/) { return add(value); }
  bool string(string_t& value) { return add(std::make_unique<std::string>(std::move(value))); }
  static bool binary(binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*unknown*/) { return open(std::make_unique<Json::Object>()); }
  bool start_array(std::size_t /*unknown*/) { return open(std::make_unique<Json::Array>()); }
  bool key(string_t& value) {
    object_of(*open_.back()).push_back({std::move(value), Json()});
    return true;
  }
  bool end_object();
  bool end_array() {
    open_.pop_back();
    return true;
  }
  static bool parse_error(std::size_t /*byte*/, const std::string& /*token*/, const nlohmann::json::exception&) {
    return false;
  }

  const std::optional<std::string>& twice() const { return twice_; }
  bool too_deep() const { return too_deep_; }
  Json document() && { return std::move(root_); }

 private:
  static Json::Array& array_of(Json& json) { return *std::get<std::unique_ptr<Json::Array>>(json.value_); }
  static Json::Object& object_of(Json& json) { return *std::get<std::unique_ptr<Json::Object>>(json.value_); }

  bool add(Json::Value value) {
    place(std::move(value));
    return true;
  }
  bool open(Json::Value value);
  Json& place(Json::Value value);

  Json root_;
  std::vector<Json*> open_;  // they stay where they are, for what holds one does not grow meanwhile
  std::optional<std::string> twice_;
  bool too_deep_ = false;
};

Json& JsonBuilder::place(Json::Value value) {
  if (open_.empty()) return root_ = Json(std::move(value));
  Json& parent = *open_.back();
  if (parent.is_object()) return object_of(parent).back().value = Json(std::move(value));
  array_of(parent).push_back(Json(std::move(value)));
  return array_of(parent).back();
}

bool JsonBuilder::open(Json::Value value) {
  too_deep_ = open_.size() >= format::kMaxJsonDepth;
  if (too_deep_) return false;
  open_.push_back(&place(std::move(value)));
  return true;
}

bool JsonBuilder::end_object() {
  Json::Object& members = object_of(*open_.back());
  open_.pop_back();
  std::ranges::sort(members, {}, &Json::Member::key);
  const auto same = std::ranges::adjacent_find(members, {}, &Json::Member::key);
  if (same != members.end()) twice_ = same->key;
  return !twice_;
}

Result<Json> parse_json(std::string_view text) {
  JsonBuilder builder;
  const bool parsed = nlohmann::json::sax_parse(text, &builder);
  if (builder.too_deep()) return fail("its JSON is nested deeper than {} levels", format::kMaxJsonDepth);
  if (builder.twice()) return fail("its JSON names '{}' twice in one object", *builder.twice());
  if (!parsed) return fail("its JSON is not valid");
  Json json = std::move(builder).document();
  if (!json.is_object()) return fail("its JSON is not an object");
  return json;
}

}  // namespace throng::detail::character
