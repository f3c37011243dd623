// SPDX-License-Identifier: Apache-2.0
// What levels say of their errors, for every model there is, with all its clips and all its levels.
#include "level_truth.h"
#include "shared_models.h"

namespace throng {
namespace {

constexpr double kSlack = 1.1;  // of the error that is stored: what a level may be off by
constexpr double kTwice = 2.0;  // of the error of a plain simplification

// Poses are looked at from few points, and those that are worst from many.
constexpr std::size_t kMomentsLookedAt = 24;
constexpr std::size_t kMostMoments = 160;  // of models of very many clips: two of each
constexpr LevelTruth kQuickly{40};
constexpr std::size_t kWorst = 4;
constexpr LevelTruth kClosely{1200};

using Surfaces = std::vector<std::vector<Corners>>;

// The moments in which some level is off most, of what is stored for it, as far as a quick look tells; the worst first.
std::vector<TruthMoment> worst_moments(const Model& model, const Character& out, const Surfaces& levels,
                                       std::mt19937& random) {
  const std::size_t clips = std::max<std::size_t>(1, model.clips().size());
  const std::size_t of_each = std::max<std::size_t>(2, kMomentsLookedAt / clips);
  std::vector<TruthMoment> moments = moments_at_random(model, of_each, random);
  std::ranges::shuffle(moments, random);
  if (moments.size() > kMostMoments) moments.resize(kMostMoments);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t m = 0; m < moments.size(); ++m) {
    std::vector<double> errors(levels.size(), 0.0);
    add_true_errors(model, out, levels, moments[m], kQuickly, random, errors);
    double off = 0.0;
    for (std::size_t i = 0; i < errors.size(); ++i)
      off = std::max(off, errors[i] / std::max(out.levels()[i].error, 1e-12));
    order.emplace_back(-off, m);
  }
  std::ranges::sort(order);
  std::vector<TruthMoment> worst;
  for (std::size_t i = 0; i < std::min(kWorst, order.size()); ++i) worst.push_back(moments[order[i].second]);
  return worst;
}

class LevelsOfEveryModel : public testing::TestWithParam<std::size_t> {};

// Against points all over both surfaces in the source's poses, and the level of about a third of the triangles against
// what simplification of the joined mesh by positions at rest alone makes of as many.
TEST_P(LevelsOfEveryModel, AreAsFarOffAsTheySayAndNoMoreThanTwiceAPlainSimplification) {
  const std::vector<std::filesystem::path> files = every_model();
  if (files.empty()) GTEST_SKIP() << "no shared models here";
  const std::filesystem::path& file = files[GetParam()];
  const auto imported = import_model(file);
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  BakeSettings settings;
  settings.max_error_mm.reset();  // levels do not depend on it
  settings.near = false;
  settings.memory_budget = imported->budget;  // as every command has it
  SerialExecutor executor;
  const auto out = bake(model, settings, executor);
  const bool empty = !out && out.error().message.find("no triangles") != std::string::npos;
  if (empty) GTEST_SKIP() << out.error().message;
  ASSERT_TRUE(out) << out.error().message;
  if (out->levels().empty()) return;
  Surfaces surfaces;
  for (const BakedLevel& level : out->levels()) surfaces.push_back(triangles_of(*out, level.draws));
  std::mt19937 random(11);
  const std::vector<TruthMoment> worst = worst_moments(model, *out, surfaces, random);
  const auto from_a_third = [&](const std::vector<Corners>& level) {
    return std::abs(std::log(3.0 * static_cast<double>(level.size()) / triangle_count(out->draws())));
  };
  const std::size_t third =
      static_cast<std::size_t>(std::ranges::min_element(surfaces, {}, from_a_third) - surfaces.begin());
  surfaces.push_back(plainly_simplified(model, *out, surfaces[third].size()));
  const std::size_t plain = surfaces.back().size();
  std::vector<double> errors(surfaces.size(), 0.0);
  for (const TruthMoment& moment : worst) add_true_errors(model, *out, surfaces, moment, kClosely, random, errors);
  double most = 0.0;
  for (std::size_t i = 0; i < out->levels().size(); ++i) {
    const double stored = out->levels()[i].error;
    EXPECT_LE(errors[i], kSlack * stored + 1e-9) << "level " << i + 1;
    most = std::max(most, errors[i] / std::max(stored, 1e-12));
  }
  RecordProperty("true error of what is stored", fmt::format("{:.3f}", most));
  // Not where it cannot be done that way.
  const std::size_t ours = surfaces[third].size();
  if (plain == 0 || plain > ours + ours / 10) return;
  EXPECT_LE(errors[third], kTwice * errors.back() + 1e-3 * out->bounds().diagonal())
      << ours << " and " << plain << " triangles";
}

INSTANTIATE_TEST_SUITE_P(Shared, LevelsOfEveryModel,
                         testing::Range(std::size_t{0}, std::max<std::size_t>(1, every_model().size())),
                         [](const auto& number) {
                           const auto files = every_model();
                           std::string name = fmt::format("{}_", number.param);
                           for (const char c : files.empty() ? "none" : files[number.param].stem().string())
                             name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace throng
