// SPDX-License-Identifier: Apache-2.0
#include "core/batch.h"

#include <gtest/gtest.h>

#include <fstream>

#include "throng/character/file.h"
#include "waiting.h"

namespace throng::studio {
namespace {

BakeForm quick() {
  BakeForm form;
  form.settings.levels = 1;
  form.settings.near = false;
  form.bounded = false;
  return form;
}

void wait(Batch& batch) {
  ASSERT_TRUE(test::wait_until([&] {
    batch.poll();
    return !batch.running();
  }));
}

TEST(Batch, BakesOneAfterAnotherAndGoesOnAfterAFailure) {
  const test::Folder folder;
  const std::string broken = folder.file("broken.glb");
  std::ofstream(broken) << "glTF and nothing more";
  JobRunner jobs;
  Batch batch(jobs);
  BakeForm form = quick();
  form.clips = {{.name = "a clip of another model", .length = 1.0}};
  form.clips[0].baked = false;
  batch.start({broken, "builtin:mannequin"}, form, folder.file(""));
  EXPECT_TRUE(batch.running());
  wait(batch);
  ASSERT_EQ(batch.items().size(), 2u);
  EXPECT_EQ(batch.items()[0].state, BatchItem::State::failed);
  EXPECT_NE(batch.items()[0].says.find("broken.glb"), std::string::npos);
  // Thirty frames a second, unbounded, are too few for some of its clips: that is said, and written all the same.
  EXPECT_EQ(batch.items()[1].state, BatchItem::State::doubtful) << batch.items()[1].says;
  EXPECT_NE(batch.items()[1].says.find("off by more than"), std::string::npos) << batch.items()[1].says;
  const auto read = read_character(batch.items()[1].output);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->clips().size(), test::mannequin().clips().size()) << "all clips, whatever was ticked elsewhere";
  EXPECT_TRUE(read->levels().empty()) << "with the fields of the form";
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(Batch, LeavesOutWhatWaitsWhenItIsStopped) {
  const test::Folder folder;
  JobRunner jobs;
  Batch batch(jobs);
  batch.start({folder.file("a.glb"), folder.file("b.glb")}, quick(), folder.file(""));
  batch.stop();
  wait(batch);
  ASSERT_EQ(batch.items().size(), 1u);
  EXPECT_EQ(batch.items()[0].state, BatchItem::State::failed) << "there is no such file";
}

TEST(Batch, RefusesModelsThatWouldBeWrittenOverEachOther) {
  const test::Folder folder;
  std::filesystem::create_directory(folder.file("other"));
  for (const char* name : {"mage.gltf", "other/mage.gltf", "mage.throng.glb"}) std::ofstream(folder.file(name)) << "x";
  JobRunner jobs;
  Batch batch(jobs);
  for (const char* second : {"other/mage.gltf", "mage.throng.glb"}) {
    batch.start({folder.file("mage.gltf"), folder.file(second)}, quick(), folder.file(""));
    EXPECT_FALSE(batch.running());
    EXPECT_TRUE(batch.items().empty());
    for (const std::string& part : {folder.file("mage.throng.glb: "), folder.file("mage.gltf"), folder.file(second)})
      EXPECT_NE(batch.problem().find(part), std::string::npos) << batch.problem();
  }
  batch.start({folder.file("other/mage.gltf")}, quick(), folder.file("other"));
  EXPECT_EQ(batch.problem(), "");
  EXPECT_EQ(batch.items().size(), 1u);
  wait(batch);
}

TEST(Batch, GoesOnWithWhatIsAddedWhileItRuns) {
  const test::Folder folder;
  JobRunner jobs;
  Batch batch(jobs);
  batch.start({"builtin:mannequin"}, quick(), folder.file(""));
  ASSERT_TRUE(batch.running());
  batch.start({folder.file("a.glb")}, quick(), folder.file(""));
  batch.start({"builtin:mannequin"}, quick(), folder.file(""));
  EXPECT_NE(batch.problem().find("would be written there"), std::string::npos) << "it is being written";
  wait(batch);
  ASSERT_EQ(batch.items().size(), 2u);
  EXPECT_TRUE(read_character(batch.items()[0].output)) << "what was going on goes first";
  EXPECT_NE(batch.items()[0].state, BatchItem::State::baking);
  EXPECT_EQ(batch.items()[1].model, folder.file("a.glb"));
  EXPECT_EQ(batch.items()[1].state, BatchItem::State::failed) << "there is no such file";
  batch.start({folder.file("b.glb")}, quick(), folder.file(""));
  EXPECT_EQ(batch.items().size(), 1u) << "what is finished makes room";
  wait(batch);
}

}  // namespace
}  // namespace throng::studio
