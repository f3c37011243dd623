// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clips of another file that are added to those a model has.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "throng/import/import.h"

namespace throng::detail::import {

// Names of clips, so that each is given once.
class ClipNames {
 public:
  explicit ClipNames(const std::vector<Clip>& clips);

  // `name`, or with the first number behind it that makes it new; it is taken from then on.
  std::string take(const std::string& name);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::uint64_t> last_;  // by name: the number that was given last
};

// `onto` with the clips that `draft` has, some of which came out of `from`, the file `from_name`. What the two may take
// is added up.
Result<Imported> with_clips(Imported onto, ModelDraft draft, const Imported& from, const std::string& from_name);

}  // namespace throng::detail::import
