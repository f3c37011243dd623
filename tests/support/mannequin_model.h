// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mannequin, made once for all tests of a program: it takes as long as most of them.

#include "throng/mannequin/mannequin.h"

namespace throng::test {

inline const Model& mannequin_model() {
  static const Model model = make_mannequin();
  return model;
}

}  // namespace throng::test
