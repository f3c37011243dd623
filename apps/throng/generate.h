// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files of the installed package that are made from the command line itself: its manual, and what shells complete.

#include <filesystem>
#include <string>

#include "throng/base/result.h"
#include "usage.h"

// `kind` is man, bash, zsh or fish; its files are written into a folder that exists.
throng::Result<void> generate(const ProgramUsage& usage, const std::string& kind, const std::filesystem::path& folder);
