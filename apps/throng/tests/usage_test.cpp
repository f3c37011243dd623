// SPDX-License-Identifier: Apache-2.0
// Help, manual, completion and messages, from a command line of their own.
#include "usage.h"

#include <gtest/gtest.h>

#include "command.h"
#include "completion.h"
#include "help_text.h"
#include "man_page.h"
#include "wrong_usage.h"

namespace {

// One of each kind of option.
class Usage : public testing::Test {
 protected:
  Usage() {
    app_.require_subcommand(1);
    CLI::App& cook = *app_.add_subcommand("cook", "Cook a dish");
    cook.footer("Examples:\n  throng cook soup --heat 3   it's hot\n  throng cook 'a\\b'\n\nA long story.\n.dotted");
    cook.add_option("DISH", dish_, "What to cook")->required();
    cook.add_option("--heat", heat_, "How hot")->check(number_between(0.0, 10.0))->capture_default_str();
    add_choice(
        cook, "-s,--style", {"slow", "fast"}, [this](std::size_t word) { style_ = word; }, "How (default: slow)");
    cook.add_option("--kind", kind_, "Of words in braces")->check(CLI::IsMember({"red", "green"}));
    cook.add_option("--spice", spices_, "A spice")->allow_extra_args(false)->option_text("NAME");
    cook.add_option("--book", book_, "Where it is written")->option_text("FILE");
    cook.add_flag("--lid,!--no-lid", lid_, "With a lid");
    cook.add_flag("--secret", secret_, "Nobody sees it")->group("");
    app_.add_subcommand("wash", "Wash up")->add_flag("--foam", foam_, "With foam");
  }

  const CommandUsage& cook() {
    usage_ = usage_of(app_);
    return usage_.commands[0];
  }
  const OptionUsage& option(const std::string& name) {
    const auto& options = cook().options;
    return *std::find_if(options.begin(), options.end(), [&](const OptionUsage& o) { return o.long_name == name; });
  }
  std::string wrong(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      return wrong_usage(app_, error);
    }
    return "";
  }

  CLI::App app_{"A kitchen", "throng"};
  ProgramUsage usage_;
  std::string dish_, kind_, book_;
  std::vector<std::string> spices_;
  double heat_ = 5.0;
  std::size_t style_ = 0;
  bool lid_ = true, secret_ = false, foam_ = false;
};

TEST_F(Usage, HasEveryOptionButThoseThatAreHidden) {
  std::vector<std::string> names;
  for (const OptionUsage& one : cook().options) names.push_back(one.long_name);
  EXPECT_EQ(names, (std::vector<std::string>{"help", "heat", "style", "kind", "spice", "book", "lid"}));
  EXPECT_EQ(cook().positionals[0].name, "DISH");
}

TEST_F(Usage, KnowsWhatAnOptionTakes) {
  EXPECT_EQ(option("heat").value, "NUMBER");
  EXPECT_EQ(option("heat").help, "How hot (default: 5)");
  EXPECT_EQ(option("style").short_name, "s");
  EXPECT_EQ(option("style").choices, (std::vector<std::string>{"slow", "fast"}));
  EXPECT_EQ(option("kind").choices.size(), 2u) << "of CLI11's own check";
  EXPECT_TRUE(option("spice").repeatable);
  EXPECT_EQ(option("spice").help, "A spice; repeatable");
  EXPECT_TRUE(takes_file(option("book").value));
  EXPECT_EQ(option("lid").off_name, "no-lid");
  EXPECT_EQ(option("lid").value, "");
}

TEST_F(Usage, ReadsExamplesAndParagraphsFromTheFooter) {
  ASSERT_EQ(cook().examples.size(), 2u);
  EXPECT_EQ(cook().examples[0].command, "throng cook soup --heat 3");
  EXPECT_EQ(cook().examples[0].what, "it's hot");
  EXPECT_EQ(cook().examples[1].command, "throng cook 'a\\b'");
  EXPECT_EQ(cook().paragraphs, (std::vector<std::string>{"A long story.", ".dotted"}));
}

TEST_F(Usage, ReadsAsHelp) {
  const std::string text = help_text(usage_, cook(), Paint());
  EXPECT_NE(text.find("Usage: throng cook [OPTIONS] DISH\n"), std::string::npos);
  EXPECT_NE(text.find("\n  -s, --style slow|fast     How (default: slow)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n      --[no-]lid            With a lid\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST_F(Usage, ReadsAsAManPageThatTroffDoesNotMistake) {
  const std::string page = man_page(usage_, cook(), "1.2");
  EXPECT_NE(page.find("\\fB\\-s\\fR, \\fB\\-\\-style\\fR \\fIslow|fast\\fR"), std::string::npos) << page;
  EXPECT_NE(page.find("it\\(aqs hot"), std::string::npos) << page;
  EXPECT_NE(page.find("a\\eb"), std::string::npos) << "a backslash is one";
  EXPECT_NE(page.find("\n\\&.dotted\n"), std::string::npos) << "a line that begins with a dot is text";
  EXPECT_EQ(man_page_name(cook()), "throng-cook");
}

TEST_F(Usage, QuotesWhatShellsWouldRead) {
  option("heat");
  usage_.commands[0].options[1].help = "It's [hot]: $HOME";
  EXPECT_NE(zsh_completion(usage_).find("'--heat[It'\\''s \\[hot\\]\\: $HOME]:NUMBER: '"), std::string::npos)
      << zsh_completion(usage_);
  EXPECT_NE(fish_completion(usage_).find("-l heat -x -d 'It'\\''s [hot]: $HOME'"), std::string::npos);
  EXPECT_NE(bash_completion(usage_).find("cook,-s|cook,--style) _throng_words 'slow fast'"), std::string::npos);
}

TEST_F(Usage, AnswersWrongWordsInOneLine) {
  EXPECT_EQ(wrong({"cook", "soup"}), "");
  EXPECT_EQ(wrong({"cok", "soup"}), "there is no command cok; did you mean cook?");
  EXPECT_EQ(wrong({"cook", "--haet", "3", "soup"}), "cook has no option --haet; did you mean --heat?");
  EXPECT_EQ(wrong({"cook", "soup", "--foam"}), "cook has no option --foam; wash has it");
  EXPECT_EQ(wrong({"wash", "soup"}), "wash does not know what to do with 'soup'");
  EXPECT_EQ(wrong({"cook", "soup", "--heat", "nan"}), "--heat: 'nan' is no number from 0 to 10");
  EXPECT_EQ(wrong({"cook", "soup", "--style", "slo"}), "--style: 'slo' is none of: slow, fast");
  EXPECT_EQ(wrong({"cook"}), "cook needs DISH: What to cook");
  refuse_values_of_flags(app_);
  EXPECT_EQ(wrong({"cook", "soup", "--lid=maybe"}), "--lid takes no value");
  EXPECT_EQ(wrong({"cook", "soup", "--no-lid=7"}), "--no-lid takes no value");
  EXPECT_EQ(wrong({"cook", "soup", "--no-lid"}), "");
}

}  // namespace
