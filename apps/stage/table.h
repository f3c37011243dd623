// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows of text under headings, in columns that line up, no wider than a terminal.

#include <string>
#include <string_view>
#include <vector>

#include "console.h"

struct TableColumn {
  std::string_view heading;
  enum class Kind { name, word, number } kind = Kind::word;  // names are shortened where there is no room for them
  bool spare = false;                                        // left out where that does not help
};

struct TableRow {
  std::vector<std::string> cells;  // one a column
  std::vector<std::string> below;  // lines of their own, further in
};

// Two spaces in. Names are cut in their middle so that it fits; where that is not enough, spare columns are left out,
// the last first.
std::string table_text(const std::vector<TableColumn>& columns, const std::vector<TableRow>& rows,
                       const Paint& paint = Paint());

// "2H_Melee_…_Chop": at most so many columns, its beginning and its end.
std::string shortened(const std::string& name, std::size_t most);

// The same of many: those that differ stay different, where so many columns are enough to tell them by.
std::vector<std::string> shortened_apart(const std::vector<std::string>& names, std::size_t most);

// What all of these begin with, up to a "|" or ":": the name of an armature, as tools put it before every clip. Empty
// where they share none, and of fewer than two.
std::string shared_prefix(const std::vector<std::string>& names);

// The text in lines of at most so many columns, broken between words; every line but the first has `indent` before it,
// and the first is taken to have it.
// A line break in the text stays one.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t most = kMostColumns);
