// SPDX-License-Identifier: Apache-2.0
#include "socket_pass.h"

#include <algorithm>

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/pipelines.h"
#include "throng/gpu/upload.h"

namespace throng::detail::renderer {
namespace {

using gpu::DrawnSocketBatch;
using gpu::SocketBatch;
using gpu::SocketRecord;

static_assert(sizeof(SocketRecord) == 48 && offsetof(SocketRecord, bone) == 28 && sizeof(gpu::SocketPlace) == 48);
static_assert(sizeof(SocketBatch) == 16);

std::vector<SocketRecord> socket_records(const Character& model) {
  std::vector<SocketRecord> records;
  for (const BakedSocket& socket : model.sockets()) {
    const Transform& place = socket.mesh_from_socket;
    SocketRecord record{};
    const glm::dquat turn = glm::normalize(glm::dquat(place.rotation));
    record.rotation = glm::vec4(turn.x, turn.y, turn.z, turn.w);
    record.position = glm::vec3(place.translation);
    record.scale = glm::vec3(place.scale);
    record.bone = socket.bone;
    records.push_back(record);
  }
  return records;
}

constexpr BindingSpec kStorage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
constexpr std::array kBindings{kStorage, kStorage};                 // sockets, places
constexpr std::array kDrawnBindings{kStorage, kStorage, kStorage};  // … and plans

constexpr VkPipelineStageFlags2 kReaders = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                                           VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
                                           VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;

// A buffer for so many places: another one where there is not enough room. False: it is the one there was.
Result<bool> make_room(GpuDevice& gpu, FrameRing& ring, std::uint64_t count, Buffer& places) {
  const VkDeviceSize bytes = sizeof(gpu::SocketPlace) * count;
  if (bytes <= places.size()) return false;
  const VkDeviceSize most = gpu.limits().maxStorageBufferRange;
  if (bytes > most)
    return fail("the sockets of all characters take {} bytes but this device binds {} at most; bake fewer sockets",
                bytes, most);
  THRONG_TRY(auto made, Buffer::create(gpu, std::min(std::max(bytes, 2 * places.size()), most),
                                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                           VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                       MemoryUse::device));
  ring.retire(std::exchange(places, std::move(made)));
  return true;
}

struct SocketDispatch {
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::array<VkDescriptorSet, 2> sets = {};
  std::uint32_t threads = 0;
};

template <class Batch>
void run(const GpuDevice& gpu, VkCommandBuffer commands, const SocketDispatch& what, const Batch& batch) {
  const VolkDeviceTable& vk = gpu.vk();
  const std::uint32_t groups = (what.threads + gpu::kSocketGroupSize - 1) / gpu::kSocketGroupSize;
  const std::uint32_t wide = std::min(groups, gpu::kWidestGrid);
  memory_barrier(gpu, commands, {kReaders, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, what.pipeline);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, what.layout, 0,
                             static_cast<std::uint32_t>(what.sets.size()), what.sets.data(), 0, nullptr);
  vk.vkCmdPushConstants(commands, what.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
  vk.vkCmdDispatch(commands, wide, (groups + wide - 1) / wide, 1);
  memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kReaders, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                                VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT});
}

}  // namespace

Result<SocketPass> SocketPass::create(GpuDevice& gpu, const Character& baked, const CrowdPipeline& crowd,
                                      std::uint32_t model) {
  SocketPass pass;
  pass.count_ = static_cast<std::uint32_t>(baked.sockets().size());
  if (pass.count_ == 0) return pass;
  const std::vector<SocketRecord> records = socket_records(baked);
  THRONG_TRY(pass.sockets_, upload_buffer(gpu, std::as_bytes(std::span(records)), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
  THRONG_TRY(pass.sets_, DescriptorSets::create(gpu, kBindings, 0));
  const std::array layouts{pass.sets_.layout(), crowd.model_layout()};
  THRONG_TRY(pass.layout_, pipeline_layout(gpu, layouts, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(SocketBatch)));
  THRONG_TRY(pass.pipeline_,
             compute_pipeline(gpu, pass.layout_, shader_code::sockets_compute(), crowd.model(model).constants()));
  return pass;
}

Result<SocketBuffer> SocketPass::record(GpuDevice& gpu, VkCommandBuffer commands, CrowdPipeline& crowd,
                                        std::uint32_t model, Ticks now) {
  const std::uint32_t characters = crowd.prepared_count(model);
  if (count_ == 0 || characters == 0) return SocketBuffer{};
  THRONG_TRY(const bool other, make_room(gpu, crowd.ring(), std::uint64_t{count_} * characters, places_));
  bound_ = bound_ && !other;  // until sets are made: that may fail, and is then done with the next image
  if (!bound_) {
    THRONG_TRY(auto sets, DescriptorSets::create(gpu, kBindings, 1));
    sets.write_buffer(0, 0, sockets_);
    sets.write_buffer(0, 1, places_);
    crowd.ring().retire(std::exchange(sets_, std::move(sets)));
    bound_ = true;
  }
  const SocketBatch batch{{static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)}, characters, count_};
  run(gpu, commands, {pipeline_, layout_, {sets_[0], crowd.model_set(model)}, characters * count_}, batch);
  return SocketBuffer{places_.get(), count_, characters};
}

Result<DrawnSocketPass> DrawnSocketPass::create(GpuDevice& gpu, const Character& baked, const CrowdPipeline& crowd,
                                                std::uint32_t model) {
  DrawnSocketPass pass;
  pass.count_ = static_cast<std::uint32_t>(baked.sockets().size());
  pass.places_each_ = crowd.model(model).motion() ? 2 : 1;
  const std::vector<SocketRecord> records = socket_records(baked);
  THRONG_TRY(pass.sockets_, upload_buffer(gpu, std::as_bytes(std::span(records)), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
  THRONG_TRY(pass.sets_, DescriptorSets::create(gpu, kDrawnBindings, 0));
  const std::array layouts{pass.sets_.layout(), crowd.model_layout()};
  THRONG_TRY(pass.layout_, pipeline_layout(gpu, layouts, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(DrawnSocketBatch)));
  THRONG_TRY(pass.pipeline_,
             compute_pipeline(gpu, pass.layout_, shader_code::prop_places_compute(), crowd.model(model).constants()));
  return pass;
}

Result<VkBuffer> DrawnSocketPass::record(GpuDevice& gpu, VkCommandBuffer commands, CrowdPipeline& crowd,
                                         std::uint32_t model) {
  const std::uint32_t characters = crowd.prepared_count(model);
  if (characters == 0) return VkBuffer{VK_NULL_HANDLE};
  const std::uint32_t sockets = count_ * characters;
  THRONG_TRY(const bool other, make_room(gpu, crowd.ring(), std::uint64_t{places_each_} * sockets, places_));
  if (other) bound_plans_ = VK_NULL_HANDLE;
  // Models that are added bring other plans.
  if (bound_plans_ != crowd.plans().get()) {
    THRONG_TRY(auto sets, DescriptorSets::create(gpu, kDrawnBindings, 1));
    sets.write_buffer(0, 0, sockets_);
    sets.write_buffer(0, 1, places_);
    sets.write_buffer(0, 2, crowd.plans());
    crowd.ring().retire(std::exchange(sets_, std::move(sets)));
    bound_plans_ = crowd.plans().get();
  }
  run(gpu, commands, {pipeline_, layout_, {sets_[0], crowd.model_set(model)}, sockets},
      DrawnSocketBatch{model, count_});
  return places_.get();
}

}  // namespace throng::detail::renderer
