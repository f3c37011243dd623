// SPDX-License-Identifier: Apache-2.0
// Every model there is, baked as it is unless told otherwise: every vertex that the GPU puts somewhere is as near the
// source's own curves as the bake says.
#include "every_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "source_check.h"
#include "test_device.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"

namespace throng {
namespace {

constexpr std::size_t kMostVertices = 400000;  // of a model, all clips and moments together
constexpr std::size_t kMostClips = 3;          // of a model

class EveryModelOnGpu : public test::OnDevice, public ::testing::WithParamInterface<std::string> {};

// The first clips, and nothing that only others need. Clips of one name are not told apart here.
BakeSettings settings_for(const Model& model) {
  BakeSettings settings{.levels = 1, .near = false};
  for (const Clip& clip : model.clips()) {
    const bool is_pattern = clip.name.empty() || clip.name.find_first_of("*?[") != std::string::npos;
    const bool is_double = std::ranges::count(model.clips(), clip.name, &Clip::name) > 1;
    if (!is_pattern && !is_double && settings.clips.size() < kMostClips) settings.clips.push_back(clip.name);
  }
  return settings;
}

TEST_P(EveryModelOnGpu, IsWhereTheSourceHasIt) {
  if (GetParam().empty()) GTEST_SKIP() << "no shared models here";
  const auto imported = import_model(test::shared_folder() / "models" / GetParam());
  if (!imported) GTEST_SKIP() << imported.error().message;
  const Model& model = imported->model;
  const BakeSettings settings = settings_for(model);
  if (settings.clips.empty()) GTEST_SKIP() << "no clips that can be named";
  ThreadExecutor executor;
  const auto baked = bake(model, settings, executor);
  if (!baked) GTEST_SKIP() << baked.error().message;
  const std::size_t a_moment = baked->vertices().size() * baked->clips().size();
  const auto moments = static_cast<std::uint32_t>(std::clamp<std::size_t>(kMostVertices / a_moment, 1, 5));
  const test::Cast cast = test::every_clip(*baked, moments);
  const auto crowd = skin_on_gpu(context(), *baked, cast.instances, cast.plays, 0, SkinSpace::model);
  ASSERT_TRUE(crowd) << crowd.error().message;
  const test::Compared compared = test::compare_with_source(model, *baked, cast, *crowd);
  EXPECT_GE(compared.positions, baked->vertices().size() * cast.size());
}

INSTANTIATE_TEST_SUITE_P(All, EveryModelOnGpu, ::testing::ValuesIn(test::every_model()), test::model_test_name);

}  // namespace
}  // namespace throng
