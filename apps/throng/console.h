#pragma once
// What the program says while it works: results on standard output, everything else on standard error.

#include <fmt/format.h>

#include <string>

#include "throng/base/progress.h"
#include "throng/base/result.h"

void print_error(const throng::Error& error);
void print_note(const std::string& note);

// Shows progress on a terminal once the work has taken more than a moment; stays quiet in a pipe.
throng::Progress console_progress();

// "1,234,567"
std::string grouped(std::uint64_t value);
// "1.2 MB"
std::string readable_bytes(std::uint64_t bytes);
