// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/pipeline_cache.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include "fault_injection.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/base/file.h"
#include "throng/gpu/gpu_device.h"
#include "throng/renderer/crowd_readback.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

namespace fs = std::filesystem;

class PipelineFile : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    folder_ = fs::temp_directory_path() / fmt::format("throng_pipelines_{}", ::getpid());
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    cached_ = context();
    cached_.pipelines = nullptr;  // what an earlier test compiled would not be compiled again
    cached_.pipeline_cache = folder_ / "deep" / "pipelines.bin";
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
    OnDevice::TearDown();
  }

  const fs::path& file() const { return cached_.pipeline_cache; }

  // Makes and drops something with pipelines.
  void compile() const {
    const auto skinner = CrowdReadback::create(cached_, test::card_model({}));
    ASSERT_TRUE(skinner) << skinner.error().message;
  }
  std::size_t loaded() const { return GpuDevice::create(cached_).value()->pipeline_cache().loaded_bytes(); }
  std::string bytes() const { return read_text_file(file()).value(); }

  fs::path folder_;
  VulkanContext cached_;
};

TEST_F(PipelineFile, IsWrittenWhenTheLastUserGoesAndReadByTheNext) {
  EXPECT_EQ(loaded(), 0u);
  fs::remove_all(file().parent_path());
  {
    const auto skinner = CrowdReadback::create(cached_, test::card_model({}));
    ASSERT_TRUE(skinner);
    EXPECT_FALSE(fs::exists(file())) << "nothing is written while somebody may still compile";
  }
  ASSERT_TRUE(fs::exists(file())) << "its folder is made too";
  EXPECT_GT(loaded(), 0u);
  const auto written = fs::last_write_time(file());
  compile();
  EXPECT_EQ(fs::last_write_time(file()), written) << "what was there already is not written again";
}

TEST_F(PipelineFile, IsWrittenByAnExplicitCall) {
  const auto gpu = GpuDevice::create(cached_).value();
  const auto saved = gpu->pipeline_cache().save();
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(PipelineFile, ThatIsDamagedIsIgnoredAndReplaced) {
  // What is written where there was no file and nothing was compiled: some drivers' caches are then empty.
  EXPECT_EQ(loaded(), 0u);
  const std::string fresh = bytes();
  fs::remove_all(file().parent_path());
  compile();
  const std::string whole = bytes();
  ASSERT_FALSE(whole.empty());
  // One at a time: an NVIDIA driver's cache has megabytes, and a copy for every byte would fill any memory.
  const auto expect_replaced = [&](const std::string& damaged) {
    ASSERT_TRUE(write_file(file(), damaged));
    EXPECT_EQ(loaded(), 0u) << damaged.size() << " bytes";
    EXPECT_EQ(bytes(), fresh) << "a good one takes its place";
  };
  for (const std::string& damaged : {std::string(), std::string("x"), std::string(1000, '\xFF'), whole + "more"})
    expect_replaced(damaged);
  for (const std::size_t keep : {std::size_t{1}, std::size_t{23}, std::size_t{24}, std::size_t{40}, whole.size() - 1})
    expect_replaced(whole.substr(0, keep));
  // Every byte of the head, and some hundred spread over the rest.
  constexpr std::size_t kHead = 128;
  const std::size_t step = std::max<std::size_t>((whole.size() - std::min(whole.size(), kHead)) / 211, 7);
  for (std::size_t at = 0; at < whole.size(); at += at < kHead ? 1 : step) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    expect_replaced(damaged);
  }
}

TEST_F(PipelineFile, OfAnotherDeviceOrDriverIsIgnored) {
  compile();
  const std::string whole = bytes();
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  InstanceFunctions(context().get_instance_proc_addr, context().instance)
      .properties(context().physical_device, &properties);
  const auto opened = [&](const VkPhysicalDeviceProperties& of) {
    return open_pipelines(std::as_bytes(std::span(whole)), of).size();
  };
  EXPECT_GT(opened(properties.properties), 0u);
  VkPhysicalDeviceProperties other = properties.properties;
  other.vendorID += 1;
  EXPECT_EQ(opened(other), 0u);
  other = properties.properties;
  other.deviceID += 1;
  EXPECT_EQ(opened(other), 0u);
  other = properties.properties;
  other.pipelineCacheUUID[VK_UUID_SIZE - 1] ^= 1;
  EXPECT_EQ(opened(other), 0u);
}

TEST_F(PipelineFile, ThatCannotBeWrittenIsNoError) {
  cached_.pipelines = context().pipelines;  // what the file would hold does not matter
  // A file where a folder should be stops everyone, also root, whom permissions do not.
  ASSERT_TRUE(write_file(folder_ / "deep", std::string_view("in the way")));
  compile();
  const auto saved = GpuDevice::create(cached_).value()->pipeline_cache().save();
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().message.find("deep"), std::string::npos) << saved.error().message;

  cached_.pipeline_cache = folder_ / "pipelines.bin";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  compile();
  EXPECT_EQ(fs::exists(file()), ::geteuid() == 0) << "root may write anywhere";
}

TEST_F(PipelineFile, ThatIsAFolderIsNoError) {
  cached_.pipelines = context().pipelines;  // what the file would hold does not matter
  fs::create_directories(file());
  compile();
  EXPECT_TRUE(fs::is_directory(file()));
}

TEST_F(PipelineFile, IsDoneWithoutWhenTheDriverHasNoCache) {
  compile();
  test::FaultyDevice faulty;
  cached_ = faulty.behind(cached_);
  for (const char* function : {"vkCreatePipelineCache", "vkGetPipelineCacheData", "vkMergePipelineCaches"}) {
    faulty.set({.function = function, .for_good = true});
    compile();
    const auto scene = SceneRenderer::create(cached_, {.width = 8, .height = 8, .shadow_size = 8, .contact_size = 0});
    EXPECT_TRUE(scene) << scene.error().message;
  }
}

TEST(PipelineFolder, IsTheUsersCacheFolderWhereThereIsOne) {
  const fs::path here = fs::temp_directory_path();
  const std::string there = here.string();
  EXPECT_EQ(cache_folder(there.c_str(), "/no/such/home"), here / "throng");
  EXPECT_EQ(cache_folder(nullptr, there.c_str()), here / ".cache/throng");
  EXPECT_EQ(cache_folder("relative", there.c_str()), here / ".cache/throng");
  EXPECT_EQ(cache_folder("/no/such/cache", there.c_str()), here / ".cache/throng");
  EXPECT_EQ(cache_folder("", ""), fs::path());
  EXPECT_EQ(cache_folder(nullptr, nullptr), fs::path());
  EXPECT_EQ(cache_folder(nullptr, "/no/such/home"), fs::path());
}

TEST(PipelineFolder, HasAFileForEachDevice) {
  EXPECT_EQ(pipeline_file_name("llvmpipe (LLVM 15.0.6, 256 bits)"), "pipelines-llvmpipe-llvm-15-0-6-256-bits.bin");
  EXPECT_EQ(pipeline_file_name("../../etc/passwd"), "pipelines-etc-passwd.bin");
  EXPECT_EQ(pipeline_file_name(""), "pipelines.bin");
  const auto device = Device::create({.cache_folder = "/somewhere"});
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ(device->context().pipeline_cache, fs::path("/somewhere") / pipeline_file_name(device->info().name));
  EXPECT_EQ(Device::create()->context().pipeline_cache, fs::path());
}

}  // namespace
}  // namespace throng
