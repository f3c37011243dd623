// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the character in the preview wears: the parts that are ticked, and of every group the one that was picked.

#include <memory>
#include <string>
#include <vector>

#include "core/form/bake_form.h"
#include "core/preview/source_model.h"

namespace throng::studio {

class Wardrobe {
 public:
  // Another model begins with what is usual: the first of every group.
  void follow(const std::shared_ptr<const SourceModel>& source);

  // A part of a group takes the place of the one that is worn; the number is that of parts_of() of the model.
  void wear(std::uint32_t part);

  // "" for a part that is in no group.
  std::string group_of(std::uint32_t part) const;

  // Names of all parts that are not worn. Of a group whose picked part is not ticked, the first that is, is worn.
  std::vector<std::string> hidden(const BakeForm& form) const;

 private:
  std::shared_ptr<const SourceModel> source_;
  std::vector<std::uint32_t> worn_;  // of each group
};

}  // namespace throng::studio
