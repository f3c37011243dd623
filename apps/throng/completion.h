// SPDX-License-Identifier: Apache-2.0
#pragma once
// What shells read to complete a command line of ours.

#include <string>

#include "usage.h"

std::string bash_completion(const ProgramUsage& usage);
std::string zsh_completion(const ProgramUsage& usage);
std::string fish_completion(const ProgramUsage& usage);
