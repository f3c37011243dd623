// SPDX-License-Identifier: Apache-2.0
// A crowd whose animation texture has several layers, against the same crowd with one: where frames lie is nobody's
// business but the texture's.
#include <gtest/gtest.h>

#include <algorithm>

#include "mannequin_model.h"
#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/bake/bake.h"

namespace throng {
namespace {

using test::OwnRenderer;

constexpr Ticks kNow = 5 * kTicksPerSecond / 3;

struct Case {
  Encoding encoding = Encoding::q16;
  std::uint32_t side = 0;  // of layers that hold a few clips, or a part of one
  Skinning way = Skinning::vertex;
};
void PrintTo(const Case& tested, std::ostream* stream) { *stream << name_of(tested.encoding); }

class Layers : public test::OnDevice, public ::testing::WithParamInterface<Case> {
 protected:
  Character baked(AtlasShape shape, std::optional<std::uint32_t> side) const {
    BakeSettings settings{.encoding = GetParam().encoding, .frame_rate = 15.0, .max_atlas_size = side, .shape = shape};
    settings.mode = is_vertex_encoding(GetParam().encoding) ? BakeMode::vertices : BakeMode::bones;
    settings.clips = {"walk", "wave", "jump", "cheer"};
    settings.levels = 1;
    settings.tangents = true;
    ThreadExecutor executor;
    auto made = bake(model_, settings, executor);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(made).value();
  }

  // A few dozen, in every clip at many moments, some in cross-fades.
  std::vector<float> picture(const Character& character) {
    auto renderer =
        CharacterRenderer::create(context(), {.targets = OwnRenderer::targets(), .skinning = GetParam().way}).value();
    EXPECT_TRUE(renderer.add(character));
    test::Cast cast = test::random_cast(character, 24, 3, true);
    for (std::size_t i = 0; i < cast.size(); ++i) {
      const auto across = static_cast<float>(i % 6), back = static_cast<float>(i / 6);
      cast.instances[i].position = {across - 2.5f, -0.5f, -1.5f * back};
      cast.instances[i].scale = 1.0f;
    }
    EXPECT_TRUE(renderer.set_instances(ModelId(0), cast.instances, cast.plays));
    OwnRenderer own(context());
    std::vector<float> red = own.draw(renderer, kNow);
    EXPECT_EQ(renderer.far_counts().drawn, cast.size());
    return red;
  }

 private:
  Model model_ = test::mannequin_model();
};

TEST_P(Layers, MakeNoDifferenceToThePicture) {
  const Character one = baked(AtlasShape::exact, std::nullopt);
  ASSERT_EQ(one.atlas().layer_count, 1u);
  const Character several = baked(AtlasShape::exact, GetParam().side);
  ASSERT_GT(several.atlas().layer_count, 1u) << "clips start the next layer where they do not fit";
  const Character running = baked(AtlasShape::square, GetParam().side);
  ASSERT_GT(running.atlas().layer_count, 1u);
  const FrameLayout frames = frame_layout(running, running.clips()[0]);
  EXPECT_TRUE(std::ranges::any_of(running.clips(), [&](const BakedClip& clip) {
    return clip.first_frame + clip.frame_count > frames_per_layer(frames, running.atlas().height);
  })) << "a clip runs on from one layer to the next";
  const std::vector<float> expected = picture(one);
  EXPECT_GT(std::ranges::count_if(expected, [](float red) { return red > 0.0f; }), 400);
  EXPECT_EQ(picture(several), expected);
  EXPECT_EQ(picture(running), expected);
}

// Sides that hold the longest clip of 27 frames, but not all of them.
INSTANTIATE_TEST_SUITE_P(Encodings, Layers,
                         ::testing::Values(Case{Encoding::q16, 32, Skinning::vertex},
                                           Case{Encoding::local8, 32, Skinning::compute},
                                           Case{Encoding::v8, 400, Skinning::compute}),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param.encoding));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace throng
