// SPDX-License-Identifier: Apache-2.0
#pragma once
// JSON as it is written: text, put together from the inside out. It is freed without allocating, which nlohmann's trees
// are not, so that a file can be given up when memory has run out.

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace throng::detail::character {

class JsonText {
 public:
  JsonText(bool value) : text_(value ? "true" : "false") {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonText(Integer value) : text_(std::to_string(value)) {}
  JsonText(double value);
  // What is not UTF-8 gets replacement characters.
  JsonText(std::string_view value);
  JsonText(const std::string& value) : JsonText(std::string_view(value)) {}
  JsonText(const char* value) : JsonText(std::string_view(value)) {}

  const std::string& text() const { return text_; }

 protected:
  struct Verbatim {};
  JsonText(Verbatim, std::string_view text) : text_(text) {}

  // Puts `more` before the bracket that ends the text, and a comma before it where it is not the first.
  void append(std::string_view more, std::string_view more_still = {});

 private:
  std::string text_;
};

class JsonArray : public JsonText {
 public:
  JsonArray(std::initializer_list<JsonText> elements = {});
  void add(const JsonText& element);
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

struct JsonField {
  std::string_view key;
  JsonText value;
};

class JsonObject : public JsonText {
 public:
  JsonObject(std::initializer_list<JsonField> fields = {});
  // Each key once.
  void add(std::string_view key, const JsonText& value);
};

}  // namespace throng::detail::character
