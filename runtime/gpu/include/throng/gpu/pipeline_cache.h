// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled pipelines, kept in a file between runs. A cache only saves time: whatever is wrong with its file (cut, from
// another driver, not to be read or written) is never an error, the pipelines are compiled again.
//
// The file is an envelope of ours around Vulkan's bytes, with their size and hash: drivers trust what they are given,
// so nothing that was damaged may reach them.

#include <volk.h>

#include <filesystem>
#include <span>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng {

class PipelineCache {
 public:
  // `file` empty: the cache lives in memory only. `table` and `device` must outlive it.
  PipelineCache(const VolkDeviceTable& table, VkDevice device, const VkPhysicalDeviceProperties& properties,
                std::filesystem::path file);
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;
  ~PipelineCache();  // saves, as far as that is possible

  // For every pipeline of the device; none when there was no memory for one.
  VkPipelineCache get() const { return cache_; }

  // How many of Vulkan's bytes the file gave; 0 when there were none of use.
  std::size_t loaded_bytes() const { return loaded_bytes_; }

  // Writes what is not in the file yet, together with what others put there since it was read. Replaces the file
  // atomically and makes its folder where there is none. The error says why nothing could be kept.
  Result<void> save() const;

 private:
  VkPipelineCache create(std::span<const std::byte> data) const;
  Result<std::vector<std::byte>> data_of(VkPipelineCache cache) const;
  Result<std::vector<std::byte>> merged_with(std::span<const std::byte> theirs) const;

  const VolkDeviceTable& table_;
  VkDevice device_;
  VkPhysicalDeviceProperties properties_;
  std::filesystem::path file_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::size_t loaded_bytes_ = 0;
};

// Vulkan's bytes in their envelope, and out of it again. Opening gives nothing when the envelope is not whole or the
// bytes are not of the device and driver that `properties` describes.
std::vector<std::byte> seal_pipelines(std::span<const std::byte> data);
// Vulkan's bytes in a sealed file; nothing when it is not whole, or of another device or driver.
std::span<const std::byte> open_pipelines(std::span<const std::byte> file,
                                          const VkPhysicalDeviceProperties& properties);

// "pipelines-NAME.bin", with only letters, digits and hyphens of a device's name in it.
std::string pipeline_file_name(std::string_view device_name);

// The folder `throng` in $XDG_CACHE_HOME when that is the absolute path of a folder, or else in .cache of $HOME; empty
// when there is neither. Values as getenv gives them.
std::filesystem::path cache_folder(const char* xdg_cache_home, const char* home);

}  // namespace throng
