// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/ascii.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "fbx/file/container.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

struct Text {
  std::string_view text;
  import::Mender& mender;
  import::Budget& budget;
  std::size_t at = 0;

  bool done() const { return at >= text.size(); }
  char peek() const { return done() ? '\0' : text[at]; }
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Ends a bare value or a name.
bool ends_word(char c) {
  return is_space(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == ';' || c == '"' || c == '\0';
}

void skip_space(Text& in) {
  while (!in.done()) {
    if (in.peek() == ';') {
      const std::size_t end = in.text.find('\n', in.at);
      in.at = end == std::string_view::npos ? in.text.size() : end;
    } else if (is_space(in.peek())) {
      ++in.at;
    } else {
      return;
    }
  }
}

// Lines are found only to tell them in an error.
std::size_t line_of(const Text& in) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < in.at && i < in.text.size(); ++i) line += in.text[i] == '\n' ? 1 : 0;
  return line;
}

std::string_view take_word(Text& in) {
  const std::size_t start = in.at;
  while (!ends_word(in.peek())) ++in.at;
  return in.text.substr(start, in.at - start);
}

std::string unescaped(std::string_view text) {
  constexpr std::string_view kQuote = "&quot;";
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = text.find(kQuote); at != std::string_view::npos; at = text.find(kQuote)) {
    plain.append(text.substr(0, at));
    plain += '"';
    text.remove_prefix(at + kQuote.size());
  }
  plain.append(text);
  return plain;
}

Result<Value> take_quoted(Text& in) {
  const std::size_t end = in.text.find('"', in.at + 1);
  if (end == std::string_view::npos) return fail("has a quotation that does not end, from line {}", line_of(in));
  const std::string_view text = in.text.substr(in.at + 1, end - in.at - 1);
  in.at = end + 1;
  return Value(unescaped(text));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What Microsoft's runtime prints behind "1.#": a word, and as many digits as the precision asks for.
bool is_microsoft(std::string_view rest, std::string_view name) {
  return rest.starts_with(name) &&
         std::all_of(rest.begin() + static_cast<std::ptrdiff_t>(name.size()), rest.end(), is_digit);
}

// The ways in which programs write what is no finite number: inf, Infinity, nan(ind), snan, IND, 1.#INF00, -1.#IND.
std::optional<double> not_finite(std::string_view word) {
  const double sign = word.starts_with('-') ? -1.0 : 1.0;
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  std::string name = lower(word);
  if (const std::size_t mark = name.find(".#"); mark != std::string::npos) {
    name.erase(0, mark + 2);
    if (is_microsoft(name, "inf")) return sign * std::numeric_limits<double>::infinity();
    for (const char* nan : {"ind", "nan", "qnan", "snan"}) {
      if (is_microsoft(name, nan)) return std::numeric_limits<double>::quiet_NaN();
    }
    return std::nullopt;
  }
  if (name.starts_with("inf")) return sign * std::numeric_limits<double>::infinity();
  for (const char* nan : {"nan", "qnan", "snan", "ind"}) {
    if (name.starts_with(nan)) return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

std::optional<Value> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word.empty()) return std::nullopt;
  const char* const end = word.data() + word.size();
  std::int64_t whole = 0;
  const auto as_whole = std::from_chars(word.data(), end, whole);
  if (as_whole.ec == std::errc{} && as_whole.ptr == end) return Value(whole);
  double real = 0.0;
  const auto as_real = std::from_chars(word.data(), end, real);
  if (as_real.ptr != end || as_real.ec == std::errc::invalid_argument) {
    const auto special = not_finite(word);
    return special ? std::optional<Value>(*special) : std::nullopt;
  }
  if (as_real.ec == std::errc::result_out_of_range) {
    const bool tiny = word.find("e-") != std::string_view::npos || word.find("E-") != std::string_view::npos;
    real = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    if (word.starts_with('-')) real = -real;
  }
  return Value(real);
}

// A number or a letter; nothing where the word is neither.
std::optional<Value> bare_value(std::string_view word) {
  if (word.size() == 1 && is_letter(word[0])) return Value(static_cast<std::int64_t>(word[0]));
  return number_of(word);
}

tl::unexpected<Error> no_value(const Text& in, std::string_view word) {
  return fail("has '{}' where a value should be, in line {}", word.substr(0, 40), line_of(in));
}

Result<Value> take_bare(Text& in) {
  const std::string_view word = take_word(in);
  auto value = bare_value(word);
  if (!value) return no_value(in, word);
  return *std::move(value);
}

// A word that should be in quotation marks is taken as if it were: whoever needs a number there will miss it.
Result<Value> take_number_or_word(Text& in) {
  const std::string_view word = take_word(in);
  auto value = bare_value(word);
  if (value) return *std::move(value);
  // Only a refusal tells the line, which is counted from the beginning: there may be very many such words.
  if (word.empty() || !is_letter(word[0]) || in.mender.is_strict()) return no_value(in, word);
  in.mender.count(import::Fault::value_type);
  return Value(std::string(word));
}

// Whole numbers until the first that is not.
class ArrayValues {
 public:
  void add(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole && !real_) {
      whole_.push_back(*whole);
      return;
    }
    if (!real_) reals_.assign(whole_.begin(), whole_.end());
    real_ = true;
    const auto* number = std::get_if<double>(&value);
    reals_.push_back(number ? *number : static_cast<double>(std::get<std::int64_t>(value)));
  }
  std::size_t size() const { return real_ ? reals_.size() : whole_.size(); }
  Value value() && { return real_ ? Value(std::move(reals_)) : Value(std::move(whole_)); }

 private:
  bool real_ = false;
  std::vector<std::int64_t> whole_;
  std::vector<double> reals_;
};

Result<void> expect(Text& in, char wanted) {
  skip_space(in);
  if (in.peek() != wanted) return fail("lacks a '{}' in line {}", wanted, line_of(in));
  ++in.at;
  return {};
}

Result<void> take_array_values(Text& in, ArrayValues& values) {
  skip_space(in);
  while (in.peek() != '}') {
    THRONG_TRY(auto value, take_bare(in));
    THRONG_CHECK(in.budget.spend(kBytesOfArrayValue, "numbers"));
    values.add(value);
    skip_space(in);
    if (in.peek() != ',') break;
    ++in.at;
    skip_space(in);
  }
  return expect(in, '}');
}

// `*3 { a: 1,2,3 }`, and `*0 { a: }` or `*0 { }`.
Result<Value> take_array(Text& in) {
  ++in.at;
  const auto count = number_of(take_word(in));
  const auto* wanted = count ? std::get_if<std::int64_t>(&*count) : nullptr;
  if (!wanted) return fail("has an array without a size in line {}", line_of(in));
  THRONG_CHECK(expect(in, '{'));
  skip_space(in);
  ArrayValues values;
  if (in.peek() == 'a') {
    ++in.at;
    THRONG_CHECK(expect(in, ':'));
  }
  THRONG_CHECK(take_array_values(in, values));
  if (*wanted < 0 || values.size() != static_cast<std::size_t>(*wanted)) {
    return fail("has an array of {} values that should have {}, up to line {}", values.size(), *wanted, line_of(in));
  }
  return std::move(values).value();
}

Result<Value> take_value(Text& in) {
  if (in.peek() == '"') return take_quoted(in);
  if (in.peek() == '*') return take_array(in);
  return take_number_or_word(in);
}

// True when a line ended on the way.
bool skip_space_to_new_line(Text& in) {
  const std::size_t start = in.at;
  skip_space(in);
  return in.text.substr(start, in.at - start).find('\n') != std::string_view::npos;
}

// What cannot be the name of the next element.
bool begins_value(char c) { return is_digit(c) || c == '-' || c == '"' || c == '*'; }

// The list ends with its line, unless that line ends in a comma or the next begins with one. It may begin in the line
// after its name (Blender's 6100 keys). An empty place before a comma is no value.
Result<void> take_values(Text& in, Element& element) {
  bool comma = true;
  bool first = true;
  while (true) {
    const bool new_line = skip_space_to_new_line(in);
    if (in.peek() == ',') {
      ++in.at;
      comma = true;
      first = false;
      continue;
    }
    if (in.done() || in.peek() == '{' || in.peek() == '}') return {};
    if (new_line && (!comma || (first && !begins_value(in.peek())))) return {};
    if (!comma) return fail("lacks a ',' in line {}", line_of(in));
    THRONG_TRY(auto value, take_value(in));
    THRONG_CHECK(in.budget.spend(kBytesOfValue, "values"));
    element.values.push_back(std::move(value));
    comma = false;
    first = false;
  }
}

Result<void> take_children(Text& in, int depth, Element& parent);

Result<Element> take_element(Text& in, int depth) {
  if (depth >= kDeepest) return fail("has elements nested more than {} deep", kDeepest);
  Element element{.name = std::string(take_word(in)), .values = {}, .children = {}};
  if (element.name.empty()) return fail("has '{}' where a name should be, in line {}", in.peek(), line_of(in));
  THRONG_CHECK(expect(in, ':'));
  THRONG_CHECK(take_values(in, element));
  if (in.peek() == '{') {
    ++in.at;
    THRONG_CHECK(take_children(in, depth + 1, element));
    THRONG_CHECK(expect(in, '}'));
  }
  return element;
}

Result<void> take_children(Text& in, int depth, Element& parent) {
  skip_space(in);
  while (!in.done() && in.peek() != '}') {
    THRONG_CHECK(in.budget.spend(kBytesOfElement, "elements"));
    THRONG_TRY(auto element, take_element(in, depth));
    parent.children.push_back(std::move(element));
    skip_space(in);
  }
  return {};
}

}  // namespace

Result<Element> read_ascii(std::string_view text, import::Mender& mender, import::Budget& budget) {
  Text in{.text = text, .mender = mender, .budget = budget, .at = 0};
  Element root;
  THRONG_CHECK(take_children(in, 0, root));
  if (!in.done()) return fail("has a '}}' too many in line {}", line_of(in));
  return root;
}

}  // namespace throng::detail::fbx
