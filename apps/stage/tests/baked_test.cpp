// SPDX-License-Identifier: Apache-2.0
// Models that are baked for a picture, and what is kept of them.
#include "render/baked.h"

#include <gtest/gtest.h>

#include <fstream>

#include "files.h"
#include "mannequins.h"
#include "throng/base/file.h"

namespace throng {
namespace {

namespace fs = std::filesystem;

class BakedCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("throng-cache-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_file(folder_ / name, text));
    return folder_ / name;
  }
  // A triangle whose positions are in a file of their own.
  std::string triangle(const std::string& buffer = "a b.bin") {
    std::vector<float> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
    EXPECT_TRUE(write_file(folder_ / buffer, std::as_bytes(std::span(corners))));
    return write("triangle.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
      "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
      "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"a%20b.bin","byteLength":36}]})")
        .string();
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "baked", none)) files.push_back(entry.path());
    return files;
  }
  BakedSettings settings() { return {.folder = folder_, .said = &said_}; }

  fs::path folder_;
  std::vector<std::string> said_;
};

TEST_F(BakedCache, BakesOnceAndSaysSoOnce) {
  const std::string model = triangle();
  const auto first = load_baked(model, settings());
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(said_.empty()) << "a model without clips and normals has notes";
  ASSERT_EQ(kept().size(), 1u);
  said_.clear();
  const auto again = load_baked(model, settings());
  ASSERT_TRUE(again);
  EXPECT_TRUE(said_.empty());
  EXPECT_EQ(again->vertices().size(), first->vertices().size());
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(BakedCache, KeepsOneForEveryProgramAndEveryWayToRead) {
  const std::string model = triangle();
  const auto number_kept = [&](const BakedSettings& with) {
    EXPECT_TRUE(load_baked(model, with));
    return kept().size();
  };
  BakedSettings with = settings();
  EXPECT_EQ(number_kept(with), 1u);
  with.program = "another build";
  EXPECT_EQ(number_kept(with), 2u);
  with.import.strict = true;
  EXPECT_EQ(number_kept(with), 3u);
  with.import.influences = 8;
  EXPECT_EQ(number_kept(with), 4u);
  with.import.budget = std::uint64_t{1} << 30;
  EXPECT_EQ(number_kept(with), 5u) << "a larger one may find better";
  EXPECT_EQ(number_kept(settings()), 5u) << "the first is still there";
}

TEST_F(BakedCache, KnowsAModelByItsOwnBytesAndByThoseOfWhatItNames) {
  const std::string model = triangle();
  ASSERT_TRUE(load_baked(model, settings()));
  std::vector<float> other{0, 0, 0, 1, 0, 0, 0, 0.5f, 0};
  ASSERT_TRUE(write_file(folder_ / "a b.bin", std::as_bytes(std::span(other))));
  said_.clear();
  ASSERT_TRUE(load_baked(model, settings()));
  EXPECT_FALSE(said_.empty()) << "baked anew";
  EXPECT_EQ(kept().size(), 2u);
  BakedSettings strict = settings();
  strict.import.influences = 8;
  ASSERT_TRUE(load_baked(model, strict));
  EXPECT_EQ(kept().size(), 3u) << "settings count";
}

TEST_F(BakedCache, IsLeftAloneWhenAskedAndDoesNotMatterWhenItCannotBeWritten) {
  const std::string model = triangle();
  BakedSettings none = settings();
  none.cache = false;
  ASSERT_TRUE(load_baked(model, none));
  EXPECT_TRUE(kept().empty());
  write("baked", "a file where the folder should be");
  EXPECT_TRUE(load_baked(model, settings()));
}

TEST_F(BakedCache, BakesAnewWhatIsDamaged) {
  const std::string model = triangle();
  ASSERT_TRUE(load_baked(model, settings()));
  ASSERT_EQ(kept().size(), 1u);
  fs::resize_file(kept()[0], 100);
  EXPECT_TRUE(load_baked(model, settings()));
  EXPECT_GT(fs::file_size(kept()[0]), 100u) << "and mends it";
}

TEST(PictureBake, NamesTheCommandWhoseOptionsItsWarningsName) {
  EXPECT_EQ(with_bake_flags("a jump, unless named in `once`"), "a jump, unless named in throng bake --once");
  EXPECT_EQ(with_bake_flags("`loops`, `root_motion` and `loops`"),
            "throng bake --loop, throng bake --root-motion and throng bake --loop");
  EXPECT_EQ(with_bake_flags("the clip `walk`"), "the clip `walk`");
}

TEST(PictureBake, TakesWalksThatLeaveTheirPlaceOffTheirPoses) {
  const double walk = test::kMannequinWalk *
                      test::mannequin_model().clips()[test::mannequin_model().find_clip("walk").value()].length();
  for (const auto& [heights, treatment] :
       {std::pair{0.25, RootTreatment::keep}, std::pair{0.35, RootTreatment::extract}})
    for (const glm::dvec2 way : {glm::dvec2(0, 1), glm::dvec2(-0.6, 0.8)}) {
      const Model model = test::travelling_mannequin(way * (heights * 1.8 / walk));
      EXPECT_EQ(picture_bake(model).root_motion, treatment) << heights << " of its height";
    }
}

TEST_F(BakedCache, DropsWhatWasUsedLongestAgo) {
  const fs::path folder = folder_ / "baked";
  fs::create_directories(folder);
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 5; ++i) {
    const fs::path path = folder / (std::to_string(i) + ".throng.glb");
    ASSERT_TRUE(write_file(path, std::string(1000, 'x')));
    fs::last_write_time(path, now - std::chrono::hours(10 - i));
  }
  ASSERT_TRUE(write_file(folder / "left.throng.glb.abc", std::string("draft")));
  fs::last_write_time(folder / "left.throng.glb.abc", now - std::chrono::hours(3));
  ASSERT_TRUE(write_file(folder / "fresh.throng.glb.def", std::string("somebody writes it now")));
  sweep_cache(folder, 2500);
  EXPECT_FALSE(fs::exists(folder / "2.throng.glb"));
  EXPECT_TRUE(fs::exists(folder / "3.throng.glb"));
  EXPECT_TRUE(fs::exists(folder / "4.throng.glb"));
  EXPECT_FALSE(fs::exists(folder / "left.throng.glb.abc"));
  EXPECT_TRUE(fs::exists(folder / "fresh.throng.glb.def"));
}

TEST_F(BakedCache, FindsTheNamesInOtherFilesToo) {
  const std::string fbx =
      "Kaydara FBX Binary\x20\x20\x01\x02"
      "C:\\art\\Knight Skin.PNG\x01\x05..\\textures/cape.jpg\"";
  const auto files = named_files(folder_ / "knight.fbx", std::as_bytes(std::span(fbx)));
  const auto has = [&](const fs::path& file) { return std::ranges::find(files, file) != files.end(); };
  EXPECT_TRUE(has(folder_ / "Knight Skin.PNG"));
  EXPECT_TRUE(has(folder_ / "knight.fbm" / "Knight Skin.PNG"));
  EXPECT_TRUE(has(folder_ / "cape.jpg"));
}

}  // namespace
}  // namespace throng
