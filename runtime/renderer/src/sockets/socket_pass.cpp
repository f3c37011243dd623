// SPDX-License-Identifier: Apache-2.0
#include "sockets/socket_pass.h"

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
    record.part = socket.part ? socket.part->value : gpu::kOnNoPart;
    records.push_back(record);
  }
  return records;
}

constexpr VkPipelineStageFlags2 kReaders = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
                                           VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
                                           VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;

}  // namespace

Result<SocketProgram> SocketProgram::create(GpuDevice& gpu, const Character& character, const FarPipeline& far,
                                            std::uint32_t model, const Description& description) {
  SocketProgram made;
  const std::vector<SocketRecord> records = socket_records(character);
  made.count_ = static_cast<std::uint32_t>(records.size());
  THRONG_TRY(made.sockets_, upload_values(gpu, std::span<const SocketRecord>(records)));
  made.bindings_.assign(description.bindings, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT});
  THRONG_TRY(made.sets_, DescriptorSets::create(gpu, made.bindings_, 0));
  const std::array layouts{made.sets_.layout(), far.model_layout()};
  THRONG_TRY(made.layout_, pipeline_layout(gpu, layouts, VK_SHADER_STAGE_COMPUTE_BIT, description.batch_bytes));
  THRONG_TRY(made.pipeline_, compute_pipeline(gpu, made.layout_, description.code, far.model(model).constants()));
  return made;
}

Result<void> SocketProgram::make_places(GpuDevice& gpu, FrameRing& ring, std::uint64_t count) {
  const VkDeviceSize bytes = sizeof(gpu::SocketPlace) * count;
  if (bytes <= places_.size()) return {};
  const VkDeviceSize most = gpu.limits().maxStorageBufferRange;
  if (bytes > most)
    return fail("the sockets of all characters take {} bytes but this device binds {} at most; bake fewer sockets",
                bytes, most);
  THRONG_TRY(auto made, Buffer::create(gpu, std::min(std::max(bytes, 2 * places_.size()), most),
                                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                           VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                       MemoryUse::device));
  ring.retire(std::exchange(places_, std::move(made)));
  ++places_number_;
  return {};
}

Result<void> SocketProgram::make_room(GpuDevice& gpu, FrameRing& ring, std::uint64_t place_count,
                                      std::span<const NumberedBuffer> others) {
  THRONG_CHECK(make_places(gpu, ring, place_count));
  std::vector<NumberedBuffer> wanted{{sockets_.get(), 1}, places()};
  wanted.insert(wanted.end(), others.begin(), others.end());
  if (bound_ == wanted) return {};
  THRONG_TRY(auto sets, DescriptorSets::create(gpu, bindings_, 1));
  for (std::uint32_t i = 0; i < wanted.size(); ++i) sets.write_buffer(0, i, BufferRange{wanted[i].buffer});
  ring.retire(std::exchange(sets_, std::move(sets)));
  bound_ = std::move(wanted);
  return {};
}

void SocketProgram::run(const GpuDevice& gpu, VkCommandBuffer commands, VkDescriptorSet model_set,
                        std::uint32_t sockets, std::span<const std::byte> batch) const {
  const VolkDeviceTable& vk = gpu.vk();
  const std::array sets{sets_[0], model_set};
  const std::uint32_t groups = (sockets + gpu::kSocketGroupSize - 1) / gpu::kSocketGroupSize;
  const std::uint32_t wide = std::min(groups, gpu::kWidestGrid);
  memory_barrier(gpu, commands, {kReaders, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT});
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, sets.size(), sets.data(), 0,
                             nullptr);
  vk.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<std::uint32_t>(batch.size()),
                        batch.data());
  vk.vkCmdDispatch(commands, wide, (groups + wide - 1) / wide, 1);
  memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                 {kReaders, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                                VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT});
}

Result<SocketPass> SocketPass::create(GpuDevice& gpu, const Character& character, const FarPipeline& far,
                                      std::uint32_t model) {
  SocketPass pass;
  if (character.sockets().empty()) return pass;
  const SocketProgram::Description description{.code = shader_code::sockets_compute(),
                                               .batch_bytes = sizeof(SocketBatch)};
  THRONG_TRY(pass.program_, SocketProgram::create(gpu, character, far, model, description));
  return pass;
}

Result<SocketBuffer> SocketPass::record(GpuDevice& gpu, VkCommandBuffer commands, FrameRing& ring,
                                        const FarPipeline& far, std::uint32_t model, Ticks now) {
  const std::uint32_t characters = far.prepared_count(model);
  const std::uint32_t count = program_.count();
  if (count == 0 || characters == 0) return SocketBuffer{};
  THRONG_CHECK(program_.make_room(gpu, ring, std::uint64_t{count} * characters, {}));
  const SocketBatch batch{{static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)}, characters, count};
  program_.run(gpu, commands, far.model_set(model), characters * count, batch);
  return SocketBuffer{program_.places().buffer, count, characters};
}

Result<DrawnSocketPass> DrawnSocketPass::create(GpuDevice& gpu, const Character& character, const FarPipeline& far,
                                                std::uint32_t model) {
  DrawnSocketPass pass;
  pass.places_each_ = far.model(model).motion() ? 2 : 1;
  const SocketProgram::Description description{.code = shader_code::prop_places_compute(),
                                               .bindings = 3,  // the third: plans
                                               .batch_bytes = sizeof(DrawnSocketBatch)};
  THRONG_TRY(pass.program_, SocketProgram::create(gpu, character, far, model, description));
  return pass;
}

Result<NumberedBuffer> DrawnSocketPass::record(GpuDevice& gpu, VkCommandBuffer commands, FrameRing& ring,
                                               const FarPipeline& far, std::uint32_t model) {
  const std::uint32_t characters = far.prepared_count(model);
  if (characters == 0) return NumberedBuffer{};
  const std::uint32_t sockets = program_.count() * characters;
  const std::array plans{far.plans()};
  THRONG_CHECK(program_.make_room(gpu, ring, std::uint64_t{places_each_} * sockets, plans));
  program_.run(gpu, commands, far.model_set(model), sockets, DrawnSocketBatch{model, program_.count()});
  return program_.places();
}

}  // namespace throng::detail::renderer
