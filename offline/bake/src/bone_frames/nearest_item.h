// SPDX-License-Identifier: Apache-2.0
#pragma once
// What to store of a column so that its vertices, not its pivot, come out nearest to where they belong.
//
// A rotation that is off by one part in 30,000 about a pivot half a metre away moves all vertices alike, and the
// position can take that back. And a quaternion of four integers may be a little shorter than one, since every reader
// normalises it: of a few dozen lengths, one rounds better than the others, and leaves the position nearer to a place
// it can have.

#include "motion/rigid.h"
#include "throng/character/codecs/bone_codecs.h"

namespace throng::detail::bake {

// The vertices that follow a column.
struct ItemShape {
  glm::dvec3 middle{0.0};
  glm::dvec3 reach{0.0};  // from it, along each axis, of the farthest; each counted by its weight
};

// q16, x16, q12, q8: the sample whose position puts the middle in its place, turned and scaled as the encoding will
// give it back. Of the range only the scale counts.
BoneSample balanced(Encoding encoding, const Rigid& rigid, const glm::dvec3& pivot, const ItemShape& shape,
                    const ClipRange& range);

// q16: the same with the best of many lengths for the quaternion, 0.995 to 1, in the range's box.
BoneSample nearest_q16(const Rigid& rigid, const glm::dvec3& pivot, const ItemShape& shape, const ClipRange& range);

}  // namespace throng::detail::bake
