// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/pipeline_cache.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/gpu/functions.h"

namespace throng {
namespace {

constexpr std::uint64_t kMagic = 0x3150'4950'474E'5254;  // "TRNGPIP1", little-endian

struct Envelope {
  std::uint64_t magic = kMagic;
  std::uint64_t size = 0;  // of what follows
  std::uint64_t hash = 0;  // of what follows
};

bool is_of_device(std::span<const std::byte> data, const VkPhysicalDeviceProperties& properties) {
  VkPipelineCacheHeaderVersionOne header{};
  if (data.size() < sizeof(header)) return false;
  std::memcpy(&header, data.data(), sizeof(header));
  return header.headerSize >= sizeof(header) && header.headerSize <= data.size() &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && header.vendorID == properties.vendorID &&
         header.deviceID == properties.deviceID &&
         std::equal(std::begin(header.pipelineCacheUUID), std::end(header.pipelineCacheUUID),
                    properties.pipelineCacheUUID);
}

bool is_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

}  // namespace

std::vector<std::byte> seal_pipelines(std::span<const std::byte> data) {
  const Envelope envelope{kMagic, data.size(), hash64(data)};
  std::vector<std::byte> file(sizeof(envelope) + data.size());
  std::memcpy(file.data(), &envelope, sizeof(envelope));
  std::ranges::copy(data, file.begin() + sizeof(envelope));
  return file;
}

std::span<const std::byte> open_pipelines(std::span<const std::byte> file,
                                          const VkPhysicalDeviceProperties& properties) {
  Envelope envelope;
  if (file.size() < sizeof(envelope)) return {};
  std::memcpy(&envelope, file.data(), sizeof(envelope));
  const auto data = file.subspan(sizeof(envelope));
  const bool whole = envelope.magic == kMagic && envelope.size == data.size() && envelope.hash == hash64(data);
  return whole && is_of_device(data, properties) ? data : std::span<const std::byte>{};
}

std::string pipeline_file_name(std::string_view device_name) {
  std::string name = "pipelines";
  bool apart = true;
  for (const char c : device_name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) == 0) {
      apart = true;
      continue;
    }
    if (std::exchange(apart, false)) name += '-';
    name += static_cast<char>(std::tolower(letter));
  }
  return name + ".bin";
}

std::filesystem::path cache_folder(const char* xdg_cache_home, const char* home) {
  if (xdg_cache_home != nullptr)
    if (const std::filesystem::path path(xdg_cache_home); path.is_absolute() && is_folder(path)) return path / "throng";
  if (home != nullptr)
    if (const std::filesystem::path path(home); path.is_absolute() && is_folder(path)) return path / ".cache/throng";
  return {};
}

PipelineCache::PipelineCache(const VolkDeviceTable& table, VkDevice device,
                             const VkPhysicalDeviceProperties& properties, std::filesystem::path file)
    : table_(table), device_(device), properties_(properties), file_(std::move(file)) {
  if (!file_.empty()) {
    if (const auto kept = map_file(file_)) {
      const auto data = open_pipelines(kept->span(), properties_);
      if (!data.empty()) cache_ = create(data);
      if (cache_ != VK_NULL_HANDLE) loaded_bytes_ = data.size();
    }
  }
  if (cache_ == VK_NULL_HANDLE) cache_ = create({});
}

PipelineCache::~PipelineCache() {
  if (cache_ == VK_NULL_HANDLE) return;
  (void)save();  // a folder that cannot be written costs the next run its time, nothing else
  table_.vkDestroyPipelineCache(device_, cache_, nullptr);
}

VkPipelineCache PipelineCache::create(std::span<const std::byte> data) const {
  VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  return table_.vkCreatePipelineCache(device_, &info, nullptr, &cache) == VK_SUCCESS ? cache : VK_NULL_HANDLE;
}

Result<std::vector<std::byte>> PipelineCache::data_of(VkPipelineCache cache) const {
  std::vector<std::byte> data;
  VkResult result = VK_INCOMPLETE;
  // Another thread that compiles between the two calls makes the second one say that there is more by now.
  for (int attempt = 0; result == VK_INCOMPLETE && attempt < 4; ++attempt) {
    std::size_t size = 0;
    THRONG_CHECK(check(table_.vkGetPipelineCacheData(device_, cache, &size, nullptr), "read the pipeline cache"));
    data.resize(size);
    result = table_.vkGetPipelineCacheData(device_, cache, &size, data.data());
    data.resize(std::min(size, data.size()));
  }
  THRONG_CHECK(check(result, "read the pipeline cache"));
  return data;
}

Result<void> PipelineCache::save() const {
  if (file_.empty() || cache_ == VK_NULL_HANDLE) return {};
  THRONG_TRY(std::vector<std::byte> ours, data_of(cache_));
  if (const auto kept = map_file(file_)) {
    const auto theirs = open_pipelines(kept->span(), properties_);
    if (std::ranges::equal(theirs, ours)) return {};
    if (auto both = merged_with(theirs); both && std::ranges::equal(theirs, *both))
      return {};
    else if (both)
      ours = *std::move(both);
  }
  if (const auto folder = file_.parent_path(); !folder.empty() && !is_folder(folder)) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
      return fail("{}: cannot make this folder for the pipeline cache: {}", folder.string(), failed.message());
  }
  return write_file(file_, seal_pipelines(ours));
}

Result<std::vector<std::byte>> PipelineCache::merged_with(std::span<const std::byte> theirs) const {
  const VkPipelineCache both = theirs.empty() ? VK_NULL_HANDLE : create(theirs);
  if (both == VK_NULL_HANDLE) return fail("the pipeline cache has nothing to be merged with");
  auto done = check(table_.vkMergePipelineCaches(device_, both, 1, &cache_), "merge pipeline caches");
  auto data = done ? data_of(both) : Result<std::vector<std::byte>>(fail(std::move(done)));
  table_.vkDestroyPipelineCache(device_, both, nullptr);
  return data;
}

}  // namespace throng
