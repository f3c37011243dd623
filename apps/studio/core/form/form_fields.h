// SPDX-License-Identifier: Apache-2.0
#pragma once
// The fields of a form by name and in words, as scripts give them: the names and words of `throng bake`, without the
// dashes.

#include <string>

#include "core/form/bake_form.h"

namespace throng::studio {

// set_field(form, "mode", "vertices"). Flags take on and off; what a bake may choose takes "auto" too; max-error takes
// "off". The error names the words there are.
Result<void> set_field(BakeForm& form, const std::string& name, const std::string& value);

// "source", "loops" or "once".
const char* word(LoopChoice loop);

}  // namespace throng::studio
