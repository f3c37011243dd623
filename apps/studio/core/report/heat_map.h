// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds where on a character the bake is off: every vertex of a baked clip against the source's own curves.

#include <memory>

#include "core/studio.h"
#include "preview/heat.h"

namespace throng::studio {

struct HeatQuestion {
  std::shared_ptr<const BakeResult> result;
  std::shared_ptr<const Imported> source;  // that it was baked from
  std::uint32_t clip = 0;                  // of the bake

  friend bool operator==(const HeatQuestion&, const HeatQuestion&) = default;
};

// Looks at every frame and at seven moments between two; of long clips, at fewer. For a worker's thread. Refused: a
// clip that the source does not have, and one whose root motion was dropped, which leaves nothing to compare with.
Result<HeatMap> find_heat(const HeatQuestion& question);

}  // namespace throng::studio
