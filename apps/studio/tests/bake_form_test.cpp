// SPDX-License-Identifier: Apache-2.0
#include "core/form/bake_form.h"

#include <gtest/gtest.h>

#include <array>

#include "core/form/form_fields.h"
#include "core/form/option_help.h"
#include "waiting.h"

namespace throng::studio {
namespace {

using Names = std::vector<std::string>;

BakeForm form_of_mannequin() {
  BakeForm form;
  form.clips = clip_choices(test::mannequin(), {});
  return form;
}

ClipChoice& clip(BakeForm& form, const std::string& name) {
  for (ClipChoice& choice : form.clips)
    if (choice.name == name) return choice;
  ADD_FAILURE() << name;
  return form.clips.front();
}

void keep_only(BakeForm& form, const Names& names) {
  for (ClipChoice& choice : form.clips) choice.baked = false;
  for (const std::string& name : names) clip(form, name).baked = true;
}

TEST(BakeForm, BakesEveryClipWithTheUsualSettingsUnlessToldOtherwise) {
  const auto settings = settings_of(form_of_mannequin());
  ASSERT_TRUE(settings);
  const BakeSettings usual;
  EXPECT_TRUE(settings->clips.empty());
  EXPECT_EQ(settings->mode, usual.mode);
  EXPECT_FALSE(settings->encoding);
  EXPECT_EQ(settings->max_error_mm, usual.max_error_mm);
  EXPECT_EQ(settings->frame_rate, usual.frame_rate);
  EXPECT_EQ(settings->max_atlas_size, usual.max_atlas_size);
  EXPECT_EQ(settings->levels, usual.levels);
}

TEST(BakeForm, NamesTheTickedClipsAndTheirLoopFlags) {
  BakeForm form = form_of_mannequin();
  keep_only(form, {"walk", "wave"});
  clip(form, "wave").loop = LoopChoice::once;
  clip(form, "walk").loop = LoopChoice::loops;
  clip(form, "run").loop = LoopChoice::once;  // not baked: not asked for
  const auto settings = settings_of(form);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->clips, (Names{"walk", "wave"}));
  EXPECT_EQ(settings->loops, Names{"walk"});
  EXPECT_EQ(settings->once, Names{"wave"});
}

TEST(BakeForm, RefusesAChoiceOfNoClips) {
  BakeForm form = form_of_mannequin();
  keep_only(form, {});
  const auto settings = settings_of(form);
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().message, "no clip is chosen; tick one");
  EXPECT_TRUE(settings_of(BakeForm{})) << "a model without clips is baked at rest";
}

TEST(BakeForm, KeepsAnEncodingForEachMode) {
  BakeForm form;
  encoding_field(form) = Encoding::q8;
  form.settings.mode = BakeMode::vertices;
  EXPECT_FALSE(settings_of(form)->encoding);
  encoding_field(form) = Encoding::rgbm;
  EXPECT_EQ(settings_of(form)->encoding, Encoding::rgbm);
  form.settings.mode = BakeMode::bones;
  EXPECT_EQ(settings_of(form)->encoding, Encoding::q8);
}

TEST(BakeForm, LeavesOutWhatTheOtherModeWouldTake) {
  BakeForm form;
  form.settings.merge_vertices = form.settings.drop_morphs = true;
  EXPECT_TRUE(settings_of(form)->drop_morphs);
  EXPECT_FALSE(settings_of(form)->merge_vertices);
  form.settings.mode = BakeMode::vertices;
  EXPECT_FALSE(settings_of(form)->drop_morphs);
  EXPECT_TRUE(settings_of(form)->merge_vertices);
}

TEST(BakeForm, KeepsChoicesOfClipsThatAreStillThere) {
  std::vector<ClipChoice> before = form_of_mannequin().clips;
  before[1].baked = false;
  before[1].loop = LoopChoice::once;
  before[0].name = "gone";
  const auto now = clip_choices(test::mannequin(), before);
  EXPECT_EQ(now[1], before[1]);
  EXPECT_TRUE(now[0].baked);
}

TEST(BakeForm, NamesThePartsThatAreLeftOutOrKeptWhicheverAreFewer) {
  BakeForm form;
  form.parts = {{"body", 10}, {"sword", 3}, {"shield", 4}, {"axe", 5}};
  EXPECT_TRUE(settings_of(form)->without.empty());
  form.parts[1].baked = false;
  EXPECT_EQ(settings_of(form)->without, Names{"sword"});
  EXPECT_TRUE(settings_of(form)->only.empty());
  form.parts[2].baked = form.parts[3].baked = false;
  EXPECT_EQ(settings_of(form)->only, Names{"body"});
  EXPECT_TRUE(settings_of(form)->without.empty());
  form.parts[0].baked = false;
  ASSERT_FALSE(settings_of(form));
  EXPECT_EQ(settings_of(form).error().message, "no part is chosen; tick one");
}

TEST(BakeForm, DiffersWhenAnyOfSeveralPatternsDoes) {
  BakeForm a;
  a.settings.groups = {"hat=A|B", "shield?=C"};
  BakeForm b = a;
  EXPECT_EQ(a, b);
  b.settings.groups[1] = "shield=C";
  EXPECT_NE(a, b);
}

TEST(CommandLine, SaysOnlyWhatDiffersFromTheDefaults) {
  const Sources sources{.model = "knight.glb", .clip_files = {}, .side_file = {}, .scene = {}};
  EXPECT_EQ(command_line(sources, {}, "k.throng.glb"), "throng bake knight.glb -o k.throng.glb");
}

TEST(CommandLine, SaysEverythingThatWasSet) {
  BakeForm form = form_of_mannequin();
  keep_only(form, {"walk", "run"});
  clip(form, "walk").loop = LoopChoice::loops;
  clip(form, "run").loop = LoopChoice::once;
  const std::vector<std::pair<std::string, std::string>> fields{
      {"mode", "vertices"},     {"encoding", "rgbm"},      {"fps", "24"},     {"max-error", "0.25mm"},
      {"atlas-size", "1024"},   {"atlas-shape", "square"}, {"pack", "tight"}, {"sockets", "hand.*|it's"},
      {"root-motion", "strip"}, {"root-bone", "-odd"},     {"levels", "2"},   {"tangents", "on"},
      {"merge-vertices", "on"}, {"link-textures", "on"}};
  for (const auto& [name, value] : fields) {
    const auto done = set_field(form, name, value);
    EXPECT_TRUE(done) << done.error().message;
  }
  const Sources sources{.model = "my knight.glb", .clip_files = {"a.fbx"}, .side_file = "e.json", .scene = "arena"};
  EXPECT_EQ(command_line(sources, form, "out.throng.glb"),
            "throng bake 'my knight.glb' -o out.throng.glb --clips a.fbx --events e.json --scene arena"
            " --clip walk --clip run --loop walk --once run --mode vertices --encoding rgbm --fps 24"
            " --max-error 0.25mm --atlas-size 1024 --atlas-shape square --pack tight --sockets 'hand.*|it'\\''s'"
            " --root-motion strip --root-bone=-odd --levels 2 --tangents --merge-vertices --link-textures");
}

TEST(FormFields, RefuseWhatIsNoneOfTheirWords) {
  std::string encodings;
  for (const Encoding encoding : kEncodings)
    encodings += fmt::format("{}{}", encodings.empty() ? "" : ", ", name_of(encoding));
  const std::vector<std::array<std::string, 3>> wrong{
      {"mode", "bone", "mode: 'bone' is none of: bones, vertices"},
      {"encoding", "v8", "encoding: 'v8' is an encoding of the other mode; set the mode first"},
      {"encoding", "q17", "encoding: 'q17' is no encoding; there are: " + encodings},
      {"fps", "0", "fps: '0' is no number from 0.1 to 1000"},
      {"fps", "nan", "fps: 'nan' is no number from 0.1 to 1000"},
      {"levels", "11", "levels: '11' is no whole number from 1 to 10"},
      {"levels", "2x", "levels: '2x' is no whole number from 1 to 10"},
      {"max-error", "-1mm", "max-error: '-1mm' is no length above 0 such as 0.5mm, nor off"},
      {"tangents", "yes", "tangents: 'yes' is neither on nor off"}};
  for (const auto& [name, value, message] : wrong) {
    BakeForm form;
    const auto done = set_field(form, name, value);
    ASSERT_FALSE(done) << name << " " << value;
    EXPECT_EQ(done.error().message, message);
    EXPECT_EQ(form, BakeForm{}) << "what is refused changes nothing";
  }
  BakeForm form;
  const auto unknown = set_field(form, "colour", "red");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("atlas-shape"), std::string::npos);
}

TEST(OptionHelp, KnowsEveryOptionTheWindowShows) {
  const OptionHelp help;
  for (const char* option :
       {"MODEL",        "--output",   "--clips",         "--events",         "--scene",       "--clip",
        "--loop",       "--once",     "--mode",          "--encoding",       "--fps",         "--max-error",
        "--atlas-size", "--pack",     "--sockets",       "--atlas-shape",    "--root-bone",   "--root-motion",
        "--levels",     "--tangents", "--link-textures", "--merge-vertices", "--drop-morphs", "--only",
        "--without",    "--group"}) {
    EXPECT_FALSE(help.of(option).empty()) << option;
  }
  EXPECT_EQ(help.of("--levels"), "Levels of detail, the full mesh among them");
  EXPECT_EQ(help.of("--no-such-option"), "");
}

}  // namespace
}  // namespace throng::studio
