// SPDX-License-Identifier: Apache-2.0
#include "core/form/fixes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "throng/bake/bake.h"
#include "throng/base/executor.h"
#include "waiting.h"

namespace throng::studio {
namespace {

// What the bake says to these fields.
std::string problem_of(const BakeForm& form) {
  const auto settings = settings_of(form);
  if (!settings) return settings.error().message;
  SerialExecutor executor;
  const auto baked = bake(test::mannequin(), *settings, executor);
  return baked ? "" : baked.error().message;
}

BakeForm walk_only() {
  BakeForm form;
  form.clips = clip_choices(test::mannequin(), {});
  form.parts = part_choices(test::mannequin(), {});
  for (ClipChoice& clip : form.clips) clip.baked = clip.name == "walk";
  form.settings.levels = 1;
  return form;
}

// Each way to go wrong is refused, and the button beside it mends it.
TEST(Fixes, MendWhatABakeRefuses) {
  const auto broken = [](auto change) {
    BakeForm form = walk_only();
    change(form);
    return form;
  };
  const std::vector<std::pair<std::string, BakeForm>> all{
      {"Tick all clips", broken([](BakeForm& f) { std::ranges::for_each(f.clips, [](auto& c) { c.baked = false; }); })},
      {"Bake all parts", broken([](BakeForm& f) { std::ranges::for_each(f.parts, [](auto& p) { p.baked = false; }); })},
      {"Bake all parts", broken([](BakeForm& f) { f.settings.without = {"no such part"}; })},
      {"Clear the sockets", broken([](BakeForm& f) { f.settings.sockets = "no_such_bone"; })},
      {"Find the root bone", broken([](BakeForm& f) { f.settings.root_bone = "no_such_bone"; })},
      {"Guess the groups", broken([](BakeForm& f) { f.settings.groups = {"not a group"}; })},
      {"Use the default texture size", broken([](BakeForm& f) {
         encoding_field(f) = Encoding::q16;  // which needs a texture
         f.settings.max_atlas_size = 16;
       })}};
  for (const auto& [label, form] : all) {
    const std::string problem = problem_of(form);
    ASSERT_FALSE(problem.empty()) << label;
    const auto fixes = bake_fixes(problem, form);
    const auto fix = std::ranges::find(fixes, label, &Fix::label);
    ASSERT_NE(fix, fixes.end()) << label << " for: " << problem;
    BakeForm mended = fix->form;
    if (label == "Tick all clips") mended = walk_only();  // all of them take a while
    EXPECT_EQ(problem_of(mended), "") << label;
  }
  EXPECT_TRUE(bake_fixes("", walk_only()).empty());
  EXPECT_TRUE(bake_fixes("the disk is on fire", walk_only()).empty()) << "nothing to offer";
}

TEST(Fixes, MakeAMissingFolderAndEmbedWhatCannotBeLinked) {
  const test::Folder folder;
  const auto fixes = save_fixes("cannot write", {}, folder.file("not/there/a.throng.glb"));
  ASSERT_EQ(fixes.size(), 1u);
  EXPECT_EQ(fixes[0].kind, FixKind::make_folder);
  EXPECT_EQ(fixes[0].folder, folder.file("not/there"));
  EXPECT_TRUE(save_fixes("cannot write", {}, folder.file("a.throng.glb")).empty()) << "that folder is there";
  BakeForm linked;
  linked.link_textures = true;
  const auto embed = save_fixes("image 'x' lies inside the model's file; leave out --link-textures", linked, "a.glb");
  ASSERT_EQ(embed.size(), 1u);
  EXPECT_FALSE(embed[0].form.link_textures);
}

}  // namespace
}  // namespace throng::studio
