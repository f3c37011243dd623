// SPDX-License-Identifier: Apache-2.0
// Which clips a bake takes, and which it is told to loop.
#include "plans.h"

namespace throng {
using namespace detail::bake;
namespace {

Model with_clips(const std::vector<std::string>& names) {
  ModelDraft draft = swaying_bar();
  const Clip clip = draft.clips[0];
  draft.clips.clear();
  for (const std::string& name : names) {
    draft.clips.push_back(clip);
    draft.clips.back().name = name;
  }
  return built(draft);
}

std::vector<std::string> names_of(const Planned& planned) {
  std::vector<std::string> names;
  for (const ClipPlan& plan : planned.plans) names.push_back(plan.clip.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(ClipSelection, EveryClipWithoutAPattern) {
  EXPECT_EQ(names_of(planned(with_clips({"run", "walk", "idle"}))), (Names{"run", "walk", "idle"}));
}

TEST(ClipSelection, KeepsTheModelsOrderAndItsIndices) {
  const Planned out = planned(with_clips({"run", "walk", "idle", "walk_left"}), {.clips = {"walk*", "run"}});
  ASSERT_EQ(names_of(out), (Names{"run", "walk", "walk_left"}));
  EXPECT_EQ(out.plans[0].source, 0u);
  EXPECT_EQ(out.plans[1].source, 1u);
  EXPECT_EQ(out.plans[2].source, 3u);
}

TEST(ClipSelection, ANameThatIsSpelledExactlySoIsMeantItself) {
  EXPECT_EQ(names_of(planned(with_clips({"a*", "ab", "a?c"}), {.clips = {"a*"}})), (Names{"a*"}));
  EXPECT_EQ(names_of(planned(with_clips({"ab", "ac"}), {.clips = {"a*"}})), (Names{"ab", "ac"}));
}

TEST(ClipSelection, APatternThatMatchesNothingIsRefusedWithTheNames) {
  const Model model = with_clips({"run", "walk"});
  EXPECT_EQ(planned(model, {.clips = {"run", "fly*"}}).error,
            "model 'bar': no clip is named 'fly*' or matches it; there are 'run', 'walk'");
  EXPECT_NE(planned(model, {.loops = {"fly"}}).error.find("'fly'"), std::string::npos);
  EXPECT_NE(planned(model, {.once = {"Walk"}}).error.find("did you mean 'walk'?"), std::string::npos);
}

TEST(ClipSelection, LoopsAndOnceOverrideModelAndGuess) {
  const Model model = with_clips({"run", "walk", "idle"});
  const Planned out = planned(model, {.loops = {"walk"}, .once = {"r*"}});
  ASSERT_EQ(out.plans.size(), 3u);
  EXPECT_FALSE(out.plans[0].frames.loops);
  EXPECT_EQ(out.plans[0].frames.frame_count, 31u);
  EXPECT_TRUE(out.plans[1].frames.loops);
  EXPECT_TRUE(out.plans[2].frames.loops);
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_EQ(out.notes[0], "guessed to loop: 'idle'");
}

TEST(ClipSelection, BothToLoopAndOnceIsRefused) {
  const std::string error = planned(with_clips({"run", "walk"}), {.loops = {"*"}, .once = {"walk"}}).error;
  EXPECT_NE(error.find("clip 'walk' is asked both to loop and to play once"), std::string::npos) << error;
}

TEST(ClipSelection, AModelWithoutClipsHasItsRestPose) {
  const Model model = built(bar_draft());
  const Planned out = planned(model, {.clips = {"rest"}});
  ASSERT_EQ(names_of(out), (Names{"rest"}));
  EXPECT_FALSE(out.plans[0].source.has_value());
  EXPECT_EQ(out.plans[0].frames.frame_count, 1u);
  EXPECT_NE(planned(model, {.clips = {"walk"}}).error.find("there are 'rest'"), std::string::npos);
}

}  // namespace
}  // namespace throng
