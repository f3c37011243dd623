// SPDX-License-Identifier: Apache-2.0
// The table of options, and those who read it.
#include "throng/bake/options.h"

#include <set>

#include "paths.h"
#include "small_models.h"
#include "throng/base/file.h"

namespace throng {
namespace {

TEST(BakeOptions, HaveEachANameASettingAndAHelpOfTheirOwn) {
  std::set<std::string_view> names, settings, helps;
  for (const BakeOption& option : bake_options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(settings.insert(option.setting).second) << option.setting;
    EXPECT_TRUE(helps.insert(option.help).second) << option.help;
    EXPECT_FALSE(option.label.empty());
    EXPECT_EQ(find_option(option.name), &option);
    EXPECT_EQ(option.applies == nullptr, option.idle.empty()) << "what is idle says why";
  }
  EXPECT_EQ(find_option("fpss"), nullptr);
}

TEST(BakeOptions, ReadWhatTheyWrite) {
  BakeSettings settings{.mode = BakeMode::vertices,
                        .encoding = Encoding::rgbm,
                        .frame_rate = 23.976,
                        .max_error_mm = 0.25,
                        .clips = {"walk*"},
                        .loops = {"run"},
                        .once = {"die"},
                        .max_atlas_size = 512,
                        .shape = AtlasShape::square,
                        .packing = Packing::tight,
                        .root_motion = RootTreatment::strip,
                        .root_bone = "hips",
                        .sockets = "hand.*",
                        .only = {"Body*"},
                        .without = {"*Shield"},
                        .groups = {"arms?=Sword|Axe"},
                        .levels = 3,
                        .tangents = true,
                        .vertex_numbers = true,
                        .merge_vertices = true,
                        .drop_morphs = true,
                        .near = false};
  BakeSettings read;
  for (const BakeOption& option : bake_options()) {
    EXPECT_TRUE(is_default(option, read)) << option.name;
    EXPECT_FALSE(is_default(option, settings)) << option.name << " has no value above: add one";
    ASSERT_TRUE(set_option(option, read, option_text(option, settings))) << option.name;
    EXPECT_FALSE(is_default(option, read)) << option.name;
    EXPECT_EQ(option_text(option, read), option_text(option, settings));
    reset_option(option, settings);
    EXPECT_TRUE(is_default(option, settings)) << option.name;
  }
}

TEST(BakeOptions, RefuseWhatIsOutOfRangeAndChangeNothing) {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"mode", "bone"},        {"encoding", "q17"}, {"fps", "0"},       {"fps", "1001"},  {"fps", "nan"},
      {"max-error", "0"},      {"levels", "0"},     {"levels", "11"},   {"levels", "2x"}, {"atlas-size", "15"},
      {"atlas-size", "16385"}, {"pack", ""},        {"tangents", "yes"}};
  for (const auto& [name, text] : wrong) {
    BakeSettings settings;
    const BakeOption* const option = find_option(name);
    EXPECT_FALSE(set_option(*option, settings, text)) << name << " " << text;
    EXPECT_TRUE(is_default(*option, settings)) << name;
  }
  for (const auto& [name, text] :
       {std::pair{"fps", "0.1"}, {"fps", "1000"}, {"levels", "1"}, {"levels", "10"}, {"atlas-size", "16"}}) {
    BakeSettings settings;
    EXPECT_TRUE(set_option(*find_option(name), settings, text)) << name << " " << text;
  }
}

TEST(BakeOptions, AreCheckedByTheBakeWhichNamesTheSetting) {
  const Model model = built(swaying_bar());
  EXPECT_EQ(refusal(model, {.frame_rate = 0.0}), "`frame_rate` is 0; 0.1 to 1000 are possible");
  EXPECT_EQ(refusal(model, {.max_error_mm = -1.0}), "`max_error_mm` is -1; it must be above 0");
  EXPECT_EQ(refusal(model, {.max_atlas_size = 8}), "`max_atlas_size` is 8; 16 to 16384 are possible");
  EXPECT_EQ(refusal(model, {.levels = 11}), "`levels` is 11; 1 to 10 are possible");
  EXPECT_EQ(refusal(model, {.packing = static_cast<Packing>(7)}), "`packing` is none of: greedy, tight");
}

TEST(BakeOptions, TurnSettingsInMessagesIntoFlags) {
  EXPECT_EQ(with_flags("bake vertices (`mode` vertices) or drop them (`drop_morphs`), `mode`, mode, `nothing`"),
            "bake vertices (--mode vertices) or drop them (--drop-morphs), --mode, mode, `nothing`");
}

TEST(BakeOptions, AreInTheDocumentation) {
  const auto bytes = map_file(test::source_folder() / "docs/baking.md");
  ASSERT_TRUE(bytes) << bytes.error().message;
  const std::string_view page(reinterpret_cast<const char*>(bytes->span().data()), bytes->span().size());
  EXPECT_NE(page.find(options_markdown()), std::string_view::npos) << "docs/baking.md, \"Every option\", should say:\n"
                                                                   << options_markdown();
}

TEST(Millimetres, AreReadFromLengths) {
  EXPECT_EQ(millimetres("0.5mm"), 0.5);
  EXPECT_EQ(millimetres("2"), 2.0);
  EXPECT_EQ(millimetres("1cm"), 10.0);
  EXPECT_EQ(millimetres("0.001m"), 1.0);
  for (const char* wrong : {"", "mm", "0mm", "-1mm", "nan", "inf", "5 miles", "1e999"})
    EXPECT_FALSE(millimetres(wrong)) << wrong;
}

}  // namespace
}  // namespace throng
