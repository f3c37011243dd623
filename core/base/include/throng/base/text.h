// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names and lists in messages.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace throng {

// A to Z become a to z; every other byte stays, so UTF-8 stays UTF-8.
std::string lower(std::string_view text);

// "mixamorig:Hips" → "Hips": what follows the last ':' or '|', where files put the name of a rig.
std::string_view without_namespace(std::string_view name);

// How many names a message lists before it says "and 12 more".
inline constexpr std::size_t kNamesListed = 8;

// "'hip', 'knee', 'foot' and 12 more"; "none" for an empty list.
std::string listed(std::span<const std::string> names, std::size_t most = kNamesListed);

// "a, b and c": the word before the last is `last`.
std::string joined(std::span<const std::string> words, std::string_view last);

// "1,234,567"
std::string grouped(std::uint64_t value);

// "1 layer", "2 layers", "1,234 vertices": the plural is the singular with an s unless it is given.
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = {});

// A sentence about so many of something: of every "[mesh has|meshes have]" in it the half that fits the number. Told of
// 1, "[mesh has|meshes have] no normals" is "1 mesh has no normals".
std::string in_number(std::uint64_t count, std::string_view sentence);

// The names that `wanted` may have been meant to be, nearest first and each once, at most `most`: those a few letters
// away (changed, added, left out, or swapped with their neighbour) and those that hold it or that it holds. Case and
// namespaces do not count. Of names longer than 128 bytes only the beginning is compared.
std::vector<std::string> near_matches(std::string_view wanted, std::span<const std::string> names,
                                      std::size_t most = 3);

// How a message about a name that does not exist ends: "did you mean 'walk' or 'walk_back'?"; when no name is near,
// "there are 'idle', 'run' and 12 more"; "there are none".
std::string did_you_mean(std::string_view wanted, std::span<const std::string> names);

// Text from outside, fit for a terminal: what would move its cursor, break the line, turn the direction of writing or
// hide is written out, as are bytes that are no UTF-8. Control characters (C0, DEL and C1, as bytes or as UTF-8) and
// those bytes become \x1b; separators of lines and characters that steer bidirectional text, \u202e (\U000e0041).
std::string printable(std::string_view text);

// The same for text that is JSON: such characters can only be in its strings, where \u202e is one spelling of them.
std::string printable_json(std::string_view json);

// Columns of a terminal that UTF-8 text takes: two for the characters of Chinese, Japanese and Korean and for pictures,
// none for marks that combine with the one before.
std::size_t columns_of(std::string_view text);

// Control characters become spaces, and what is longer than 600 bytes is cut, never inside a UTF-8 character: text from
// a file cannot break a message into lines or flood it.
std::string one_line(std::string text);

}  // namespace throng
