// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the program says while it works: results on standard output, everything else on standard error.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "throng/base/progress.h"
#include "throng/base/result.h"
#include "throng/base/text.h"

using throng::printable;

void print_error(const throng::Error& error);
void print_note(const std::string& note);
void print_warning(const std::string& warning);

// Shows progress on a terminal once the work has taken more than a moment; stays quiet in a pipe.
throng::Progress console_progress();

// What a program may print as JSON, whatever bytes a path or a name is made of.
std::string to_text(const nlohmann::ordered_json& json);

// "1,234,567"
std::string grouped(std::uint64_t value);
// "1.2 MB"
std::string readable_bytes(std::uint64_t bytes);

// The most memory this process has held so far, in bytes; 0 where the system does not tell.
std::uint64_t peak_memory();
