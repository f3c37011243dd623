// SPDX-License-Identifier: Apache-2.0
#include "near/near_readback.h"

#include <algorithm>
#include <bit>

#include "throng/base/try.h"
#include "throng/character/codecs/packed_direction.h"
#include "throng/gpu/vertex_pool.h"
#include "throng/shaders/shared/near.h"

namespace throng::detail::renderer {
namespace {

constexpr VkDeviceSize kPooledBytes = VertexPool::kVertexBytes;
constexpr VkDeviceSize kTangentBytes = VertexPool::kTangentBytes;
static_assert(kPooledBytes == sizeof(glm::uvec4) && kTangentBytes == sizeof(std::uint32_t));

Result<Buffer> buffer_for(GpuDevice& gpu, std::vector<Buffer>& free, VkDeviceSize bytes) {
  const auto fits = std::ranges::find_if(free, [&](const Buffer& buffer) { return buffer.size() >= bytes; });
  if (fits == free.end())
    return Buffer::create(gpu, std::max(bytes, kPooledBytes), VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback);
  Buffer buffer = std::move(*fits);
  free.erase(fits);
  return buffer;
}

// Unpacks a tangent that pool.glsl packed.
glm::vec4 unpacked_tangent(std::uint32_t word) {
  if (word == gpu::kNoTangent) return glm::vec4(0.0f);
  return {unpacked_direction(word), (word & 0x10000u) != 0 ? -1.0f : 1.0f};
}

void unpack(const Buffer& buffer, std::uint32_t count, bool tangents, VertexReadback& into) {
  for (std::uint32_t i = 0; i < count; ++i) {
    glm::uvec4 words;
    std::memcpy(&words, buffer.mapped() + i * kPooledBytes, sizeof(words));
    into.positions.emplace_back(std::bit_cast<float>(words.x), std::bit_cast<float>(words.y),
                                std::bit_cast<float>(words.z));
    into.normals.push_back(unpacked_direction(words.w));
  }
  for (std::uint32_t i = 0; tangents && i < count; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, buffer.mapped() + count * kPooledBytes + i * kTangentBytes, sizeof(word));
    into.tangents.push_back(unpacked_tangent(word));
  }
}

}  // namespace

Result<std::uint64_t> NearReadbacks::request(GpuDevice& gpu, CharacterId character, const PieceRef& piece,
                                             std::uint32_t vertex_count, bool tangents) {
  if (requests_.size() >= most_)
    return fail("{} requests for vertices are under way, and there may be {}; take what has come with poll()",
                requests_.size(), most_);
  THRONG_TRY(auto buffer, buffer_for(gpu, free_, vertex_count * (kPooledBytes + kTangentBytes)));
  Request& made = requests_.emplace_back();
  made.result = {.character = character, .piece = piece, .request = ++last_};
  made.buffer = std::move(buffer);
  made.vertex_count = vertex_count;
  made.tangents = tangents;
  return last_;
}

std::vector<NearReadbacks::Waiting> NearReadbacks::waiting() const {
  std::vector<Waiting> all;
  for (const Request& request : requests_)
    if (request.image == 0)
      all.push_back({request.result.character, request.result.piece, request.buffer.get(), request.vertex_count,
                     request.tangents});
  return all;
}

void NearReadbacks::recorded(std::uint64_t image, std::span<const Waiting> found) {
  std::size_t at = 0;
  for (Request& request : requests_) {
    if (request.image != 0) continue;
    request.image = image;
    request.found = found[at++].from.has_value();
  }
}

void NearReadbacks::dropped(std::uint64_t image) {
  for (Request& request : requests_)
    if (request.image == image) request.image = 0;
}

std::vector<VertexReadback> NearReadbacks::take(std::uint64_t finished, std::uint64_t now) {
  std::vector<VertexReadback> taken;
  for (Request& request : requests_) {
    if (request.image == 0 || request.image > finished) continue;
    request.result.latency = now - request.image;
    if (request.found) unpack(request.buffer, request.vertex_count, request.tangents, request.result);
    taken.push_back(std::move(request.result));
    free_.push_back(std::move(request.buffer));
    request.vertex_count = 0;
  }
  std::erase_if(requests_, [&](const Request& request) { return request.image != 0 && request.image <= finished; });
  // Enough for as many again; the largest are kept.
  std::ranges::sort(free_, std::greater{}, &Buffer::size);
  if (free_.size() > most_) free_.resize(most_);
  return taken;
}

}  // namespace throng::detail::renderer
