// SPDX-License-Identifier: Apache-2.0
// Eight floats at a time give the bits that four at a time give, so that a pose does not depend on the processor.

#include "jobs/jobs_kernels.h"

#include <cstring>

#include "compiled_rig.h"
#include "rig_models.h"
#include "rig_poses.h"

namespace throng {

using namespace detail::animator;

namespace {

using namespace test;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

class JobsKernels : public testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    if (!kernels::has_wide()) GTEST_SKIP() << "this processor computes with four floats only";
  }

  const std::shared_ptr<const Rig> rig_ = test::compiled_rig(dancing_model(GetParam())).value();

  // The pose of a clip in the middle of one of its intervals.
  std::vector<SoaTransform> pose(std::uint32_t clip) const {
    TestCharacter character(*rig_, clip);
    EXPECT_TRUE(character.sample(0.31f));
    return character.locals;
  }
};

TEST_P(JobsKernels, SampleTheSameBits) {
  std::vector<SoaTransform> narrow = pose(1), wide = narrow;
  for (const KeyList& list : rig_->motion().keys(0).lists) {
    for (const float fraction : {0.0f, 0.123f, 0.5f, 0.999f, 1.0f}) {
      for (std::uint32_t key = 0; key + 1 < list.times.size(); ++key) {
        kernels::sample_narrow(list, key, fraction, narrow.data());
        kernels::sample_wide(list, key, fraction, wide.data());
        ASSERT_TRUE(same_bits(narrow, wide)) << "key " << key << ", fraction " << fraction;
      }
    }
  }
  EXPECT_FALSE(same_bits(wide, pose(1))) << "something was sampled";
}

TEST_P(JobsKernels, BlendTheSameBits) {
  const auto first = pose(0), second = pose(2);
  std::vector<SoaTransform> narrow(first.size()), wide(first.size());
  for (const float weight : {0.0f, 0.3f, 0.5f, 1.0f}) {
    const kernels::Pair pair{first.data(), second.data(), 1.0f - weight, weight};
    kernels::blend_pair_narrow(pair, first.size(), narrow.data());
    kernels::blend_pair_wide(pair, first.size(), wide.data());
    EXPECT_TRUE(same_bits(narrow, wide)) << weight;
  }
  EXPECT_FALSE(same_bits(wide, first));
}

TEST_P(JobsKernels, PlaceBonesAtTheSameBits) {
  const auto locals = pose(3);
  const Affine root{
      {glm::vec4(0.5f, 0.1f, 0.0f, 1.0f), glm::vec4(-0.1f, 0.5f, 0.2f, 2.0f), glm::vec4(0.0f, 0.3f, 2.0f, 3.0f)}};
  std::vector<Affine> narrow(rig_->bone_count()), wide(rig_->bone_count());
  kernels::to_models_narrow(locals.data(), rig_->parents(), root, narrow.data());
  kernels::to_models_wide(locals.data(), rig_->parents(), root, wide.data());
  EXPECT_TRUE(same_bits(narrow, wide));
  EXPECT_FALSE(same_bits(wide, std::vector<Affine>(wide.size())));
}

INSTANTIATE_TEST_SUITE_P(Bones, JobsKernels, testing::Values(3u, 4u, 5u, 8u, 12u, 14u, 23u, 64u));

}  // namespace
}  // namespace throng
