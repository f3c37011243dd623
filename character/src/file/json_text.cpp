// SPDX-License-Identifier: Apache-2.0
#include "file/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace throng::detail::character {
namespace {

// The shortest number that reads back as the same. A whole one keeps a point, so that it is seen not to count things.
std::string number_text(double value) {
  if (!std::isfinite(value)) return "null";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

JsonText::JsonText(double value) : text_(number_text(value)) {}

JsonText::JsonText(std::string_view value)
    : text_(nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {}

void JsonText::append(std::string_view more, std::string_view more_still) {
  const char bracket = text_.back();
  text_.pop_back();
  if (text_.size() > 1) text_ += ',';
  text_ += more;
  text_ += more_still;
  text_ += bracket;
}

JsonArray::JsonArray(std::initializer_list<JsonText> elements) : JsonText(Verbatim(), "[]") {
  for (const JsonText& element : elements) add(element);
}

void JsonArray::add(const JsonText& element) {
  append(element.text());
  ++size_;
}

JsonObject::JsonObject(std::initializer_list<JsonField> fields) : JsonText(Verbatim(), "{}") {
  for (const JsonField& field : fields) add(field.key, field.value);
}

void JsonObject::add(std::string_view key, const JsonText& value) { append(JsonText(key).text() + ':', value.text()); }

}  // namespace throng::detail::character
