// SPDX-License-Identifier: Apache-2.0
#pragma once
// JSON, written front to back.

#include <cmath>
#include <concepts>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "throng/base/result.h"

namespace throng::web {

class JsonWriter {
 public:
  std::string take() && { return std::move(text_); }

  void value(std::string_view text) {
    separate();
    text_ += '"';
    for (const char c : text) add(c);
    text_ += '"';
  }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::same_as<bool> auto yes) { plain(yes ? "true" : "false"); }
  void value(std::floating_point auto number) {
    if (std::isfinite(number)) {
      plain(fmt::format("{}", number));
    } else {
      null();
    }
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void value(T number) { plain(fmt::format("{}", number)); }
  void null() { plain("null"); }

  // What `body` writes is inside.
  void array(const auto& body) { within('[', ']', body); }
  void object(const auto& body) { within('{', '}', body); }

  void key(std::string_view name) {
    value(name);
    text_ += ':';
    first_ = true;
  }
  void field(std::string_view name, const auto& of) {
    key(name);
    value(of);
  }
  void array_of(const auto& values, const auto& write) {
    array([&] {
      for (const auto& one : values) write(one);
    });
  }
  void numbers(std::initializer_list<double> values) {
    array_of(values, [this](double number) { value(number); });
  }

 private:
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  void plain(std::string_view text) {
    separate();
    text_ += text;
  }
  void within(char open, char close, const auto& body) {
    separate();
    text_ += open;
    first_ = true;
    body();
    text_ += close;
    first_ = false;
  }
  void add(char c) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text_ += c;
    }
  }

  std::string text_;
  bool first_ = true;  // nothing stands before it that a comma would part it from
};

}  // namespace throng::web
