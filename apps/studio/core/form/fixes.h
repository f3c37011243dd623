// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a button beside an error can do about it.

#include <string>
#include <vector>

#include "core/form/bake_form.h"

namespace throng::studio {

enum class FixKind : std::uint8_t { form, make_folder };

struct Fix {
  std::string label;  // on the button
  FixKind kind = FixKind::form;
  BakeForm form = {};       // with which it should work: the fields are set to it and baked again
  std::string folder = {};  // to be made, so that the asset can be written into it
};

// For the message of a bake that was refused, with the fields it was refused with. Empty: it is for the user to say.
std::vector<Fix> bake_fixes(const std::string& problem, const BakeForm& form);

// For an asset that could not be written to `output`.
std::vector<Fix> save_fixes(const std::string& problem, const BakeForm& form, const std::string& output);

}  // namespace throng::studio
