// What a bake promises, on models whose answers are known.
#include <algorithm>

#include "small_models.h"

namespace throng {
namespace {

TEST(Bake, DecodedPosesAreTheSourcesAtTheFrames) {
  const Model model = built(swaying_bar());
  const BakedModel out = baked(model);
  ASSERT_EQ(out.clips.size(), 1u);
  EXPECT_EQ(out.clips[0].frame_count, 30u);
  EXPECT_TRUE(out.clips[0].loops);
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 2e-4) << frame;
}

}  // namespace
}  // namespace throng
