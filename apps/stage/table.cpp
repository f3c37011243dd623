// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <algorithm>
#include <map>
#include <set>

#include "throng/base/text.h"

using throng::columns_of;

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kShortestName = 8;

// The bytes of the character at `at`: UTF-8's later bytes start with the bits 10.
std::size_t character_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) ++end;
  return end - at;
}

// Character by character, each looked at once: a name may be as long as its file.
std::string_view beginning(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size();) {
    const std::size_t bytes = character_at(text, end);
    columns += columns_of(text.substr(end, bytes));
    if (columns > most) break;
    end += bytes;
  }
  return text.substr(0, end);
}

std::string_view ending(std::string_view text, std::size_t most) {
  std::size_t begin = 0;
  for (std::size_t columns = columns_of(text); columns > most;) {
    const std::size_t bytes = character_at(text, begin);
    columns -= std::min(columns, columns_of(text.substr(begin, bytes)));
    begin += bytes;
  }
  return text.substr(begin);
}

// So many columns, of which its end has `end`.
std::string cut(const std::string& name, std::size_t most, std::size_t end) {
  return std::string(beginning(name, most - 1 - end)) + "…" + std::string(ending(name, end));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, columns_of(text)), ' ');
  return right ? space + text : text + space;
}

// A column that is shown, and how wide.
struct Shown {
  std::size_t column = 0;
  std::size_t width = 0;
  bool is_name = false;
};

std::size_t total(const std::vector<Shown>& shown, bool with_short_names) {
  std::size_t sum = kIndent;
  for (const Shown& one : shown)
    sum += (with_short_names && one.is_name ? std::min(one.width, kShortestName) : one.width) + kGap;
  return sum - kGap;
}

// Leaves out spare columns until names can be short enough, then takes away from the widest name until it fits.
void fit(const std::vector<TableColumn>& columns, std::size_t most, std::vector<Shown>& shown) {
  for (std::size_t i = shown.size(); i-- > 0 && total(shown, true) > most;) {
    if (columns[shown[i].column].spare) shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));
  }
  while (total(shown, false) > most) {
    Shown* widest = nullptr;
    for (Shown& one : shown) {
      const bool can = one.is_name && one.width > kShortestName;
      if (can && (widest == nullptr || one.width > widest->width)) widest = &one;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

}  // namespace

std::string shortened(const std::string& name, std::size_t most) {
  if (columns_of(name) <= most) return name;
  if (most < 3) return std::string(beginning(name, most));
  return cut(name, most, (most - 1) / 3);
}

std::vector<std::string> shortened_apart(const std::vector<std::string>& names, std::size_t most) {
  std::vector<std::string> out;
  std::map<std::string, std::set<std::string>> alike;  // names by what is left of them
  for (const std::string& name : names) alike[out.emplace_back(shortened(name, most))].insert(name);
  for (const auto& [short_name, same] : alike) {
    if (same.size() < 2) continue;
    // The more of their ends is kept, the sooner they differ.
    for (std::size_t end = (most + 2) / 3; end < most; ++end) {
      std::set<std::string> told;
      for (const std::string& name : same) told.insert(cut(name, most, end));
      if (told.size() < same.size()) continue;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (same.contains(names[i])) out[i] = cut(names[i], most, end);
      break;
    }
  }
  return out;
}

std::string shared_prefix(const std::vector<std::string>& names) {
  if (names.size() < 2) return "";
  std::string_view shared = names.front();
  for (const std::string& name : names) {
    const auto differ = std::ranges::mismatch(shared, name);
    shared = shared.substr(0, static_cast<std::size_t>(differ.in1 - shared.begin()));
    // Something must be left of each.
    if (shared.size() == name.size()) shared.remove_suffix(1);
  }
  return std::string(shared.substr(0, shared.find_last_of("|:") + 1));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t most) {
  std::string out;
  std::size_t used = indent;
  bool first_word = true;
  std::size_t broken = 0;  // bytes left of a word whose beginning is on the line above
  while (!text.empty()) {
    if (text.front() == '\n') {
      out += '\n' + std::string(indent, ' ');
      used = indent;
      first_word = true;
      text.remove_prefix(1);
      continue;
    }
    const std::size_t spaces = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = broken > 0 ? broken : std::min(text.find_first_of(" \n", spaces), text.size());
    // One that no line has room for is broken.
    const std::string_view word =
        beginning(text.substr(spaces, end - spaces), std::max<std::size_t>(most - std::min(most, indent), 2));
    broken = end - spaces - word.size();
    text.remove_prefix(spaces + word.size());
    if (word.empty()) continue;
    const std::size_t width = columns_of(word);
    if (!first_word && used + spaces + width > most) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
    } else {
      out += std::string(first_word ? 0 : spaces, ' ');
      used += first_word ? 0 : spaces;
    }
    out += word;
    used += width;
    first_word = false;
  }
  return out;
}

std::string table_text(const std::vector<TableColumn>& columns, const std::vector<TableRow>& rows, const Paint& paint) {
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    shown.push_back({i, columns_of(columns[i].heading), columns[i].kind == TableColumn::Kind::name});
    for (const TableRow& row : rows) shown[i].width = std::max(shown[i].width, columns_of(row.cells[i]));
  }
  fit(columns, paint.columns(), shown);
  std::vector<std::vector<std::string>> cells(columns.size());  // of each column that is shown
  for (const Shown& one : shown) {
    for (const TableRow& row : rows) cells[one.column].push_back(row.cells[one.column]);
    cells[one.column] = shortened_apart(cells[one.column], one.width);
  }
  const auto line = [&](const auto& cell) {
    std::string text(kIndent, ' ');
    for (const auto& [i, width, is_name] : shown) {
      const bool right = columns[i].kind == TableColumn::Kind::number;
      text += padded(shortened(std::string(cell(i)), width), width, right) + std::string(kGap, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text = paint.faint(line([&](std::size_t i) { return columns[i].heading; })) + '\n';
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += line([&](std::size_t i) { return cells[i][r]; }) + '\n';
    for (const std::string& below : rows[r].below)
      text += std::string(2 * kIndent, ' ') + wrapped(below, 3 * kIndent, paint.columns()) + '\n';
  }
  return text;
}
