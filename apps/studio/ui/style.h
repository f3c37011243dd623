// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the window looks: its font and colours.

#include <imgui.h>

#include "core/report/report_view.h"
#include "throng/character/image.h"

namespace throng::studio {

namespace colour {
inline const ImVec4 kProblem{0.96f, 0.45f, 0.40f, 1.0f};
inline const ImVec4 kWarning{0.95f, 0.72f, 0.34f, 1.0f};
inline const ImVec4 kGood{0.50f, 0.80f, 0.55f, 1.0f};
inline const ImVec4 kQuiet{0.60f, 0.61f, 0.64f, 1.0f};
inline const ImVec4 kAccent{0.88f, 0.52f, 0.28f, 1.0f};

ImVec4 of(Grade grade);
}  // namespace colour

// Sets the current context's style and loads a font, the best of those installed; returns the font's picture.
Image dress(float scale);

}  // namespace throng::studio
