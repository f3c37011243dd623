// SPDX-License-Identifier: Apache-2.0
// Triangles that are sorted out before they are drawn: those alone that nobody would see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dice.h"
#include "far/far_pipeline.h"
#include "image_passes.h"
#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/gpu/upload.h"

namespace throng {
namespace {

using namespace detail::renderer;
using test::OwnRenderer;

constexpr double kPixels = 64.0;  // of the picture, either way: what is seen lies between -1 and 1

using Corners = std::array<glm::dvec2, 3>;  // in pixels

double cross(const glm::dvec2& a, const glm::dvec2& b) { return a.x * b.y - a.y * b.x; }
// Below 0 where it faces the eye.
double area(const Corners& t) { return cross(t[1] - t[0], t[2] - t[0]); }

// Whether the triangle, grown by so many pixels, has a sample inside.
bool covers(const Corners& t, std::span<const glm::dvec2> samples, double grown) {
  const double turn = area(t) < 0.0 ? -1.0 : 1.0;
  glm::dvec2 low = glm::min(t[0], glm::min(t[1], t[2])) - grown, high = glm::max(t[0], glm::max(t[1], t[2])) + grown;
  low = glm::max(glm::floor(low), 0.0);
  high = glm::min(glm::floor(high), kPixels - 1.0);
  for (double y = low.y; y <= high.y; ++y)
    for (double x = low.x; x <= high.x; ++x)
      for (const glm::dvec2& sample : samples) {
        const glm::dvec2 point = glm::dvec2(x, y) + sample;
        bool inside = true;
        for (std::size_t i = 0; i < 3; ++i) {
          const glm::dvec2 along = t[(i + 1) % 3] - t[i];
          inside = inside && turn * cross(along, point - t[i]) / glm::length(along) >= -grown;
        }
        if (inside) return true;
      }
  return false;
}

// Triangles of all sizes, some beside the picture, most smaller than a pixel.
std::vector<Corners> random_triangles(std::size_t count) {
  test::Dice dice(5);
  const auto place = [&](double from, double to) { return from + (to - from) * dice.below(1u << 20) / (1u << 20); };
  std::vector<Corners> triangles;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::exp2(place(-3.0, i % 8 == 0 ? 5.0 : 1.0));
    const glm::dvec2 centre(place(-8.0, kPixels + 8.0), place(-8.0, kPixels + 8.0));
    Corners corners;
    for (glm::dvec2& corner : corners) corner = centre + size * glm::dvec2(place(-1.0, 1.0), place(-1.0, 1.0));
    triangles.push_back(corners);
  }
  return triangles;
}

// A character of these triangles, which stands still.
struct Shape {
  std::vector<BakedVertex> vertices;
  std::vector<std::uint32_t> indices;
  std::optional<Character> character;
};
Shape shape_of(std::span<const Corners> triangles) {
  Shape shape;
  CharacterDraft draft = test::card_draft({});
  for (const Corners& corners : triangles)
    for (const glm::dvec2& corner : corners) {
      BakedVertex vertex = draft.vertices[0];
      vertex.position = glm::vec3(glm::vec2(corner / kPixels * 2.0 - 1.0), 0.0f);
      shape.indices.push_back(static_cast<std::uint32_t>(shape.vertices.size()));
      shape.vertices.push_back(vertex);
    }
  draft.sources = {{.vertex_count = static_cast<std::uint32_t>(shape.vertices.size())}};
  draft.vertices = shape.vertices;
  draft.indices = shape.indices;
  draft.draws = {{0, 0, static_cast<std::uint32_t>(shape.indices.size())}};
  draft.bounds = {{-2.0, -2.0, -0.1}, {2.0, 2.0, 0.1}};
  for (BakedClip& clip : draft.clips) clip.bounds = draft.bounds;
  shape.character = test::built(std::move(draft));
  return shape;
}

class Sifting : public test::OnDevice {
 protected:
  // How often each triangle is left for drawing, of so many characters that stand in one place.
  std::vector<std::uint32_t> kept(const Shape& shape, std::uint32_t samples, bool one_sided, std::uint32_t characters) {
    const auto gpu = GpuDevice::create(context()).value();
    SharedImages images = SharedImages::create(*gpu, 1, 1u << 20).value();
    FarPipelineSettings settings;
    settings.texels = true;
    settings.sift_samples = samples;
    settings.qualities.fill({});
    FarPipeline far = FarPipeline::create(gpu, images, settings).value();
    EXPECT_TRUE(far.add(*shape.character, draw_table_of(*shape.character, nullptr)));
    const Buffer triangles = upload_triangles(*gpu, *shape.character, nullptr).value();
    EXPECT_TRUE(far.sift(0, triangles, std::array{one_sided ? 1u : 0u}));
    test::Cast cast;
    for (std::uint32_t i = 0; i < characters; ++i) cast.add(test::standing(0));
    EXPECT_TRUE(far.set_instances(0, cast.instances, cast.plays));
    RendererImage image;
    image.width = image.height = static_cast<std::uint32_t>(kPixels);
    image.clip_from_world[3].z = 0.5f;
    image.culling = false;
    image.speck_pixels = 0.0f;
    const auto room = [](VkDeviceSize bytes, const std::shared_ptr<GpuDevice>& on) {
      return Buffer::create(*on, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback).value();
    };
    EXPECT_TRUE(gpu->run(
        [&](VkCommandBuffer commands) { EXPECT_TRUE(record_image(*gpu, commands, image, images, far, nullptr)); }));
    EXPECT_TRUE(far.is_sifted(0));
    const TriangleSift& sift = far.sift_of(0);
    const std::array from{&sift.counts(), &sift.commands(), &sift.indices()};
    std::vector<Buffer> read;
    for (const Buffer* buffer : from) read.push_back(room(buffer->size(), gpu));
    EXPECT_TRUE(gpu->run([&](VkCommandBuffer commands) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        const VkBufferCopy all{0, 0, from[i]->size()};
        gpu->vk().vkCmdCopyBuffer(commands, from[i]->get(), read[i].get(), 1, &all);
      }
    }));
    const auto count = *reinterpret_cast<const std::uint32_t*>(read[0].mapped());
    const auto* found = reinterpret_cast<const gpu::CommandRecord*>(read[1].mapped());
    const auto* indices = reinterpret_cast<const std::uint32_t*>(read[2].mapped());
    std::vector<std::uint32_t> times(shape.indices.size() / 3, 0);
    EXPECT_EQ(count, (characters + gpu::kSiftTogether - 1) / gpu::kSiftTogether);
    for (std::uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(found[i].instance_count, 1u);
      EXPECT_EQ(found[i].first_instance, gpu::kFirstSifted + i * gpu::kSiftTogether);
      for (std::uint32_t at = 0; at < found[i].index_count; at += 3) {
        const std::uint32_t index = indices[found[i].first_index + at];
        EXPECT_LT(index >> sift.bits(), std::min(gpu::kSiftTogether, characters - i * gpu::kSiftTogether));
        ++times[(index & ((1u << sift.bits()) - 1u)) / 3];
      }
    }
    return times;
  }
};

constexpr std::array kOneSample{glm::dvec2(0.5, 0.5)};
constexpr std::array kFourSamples{glm::dvec2(0.375, 0.125), glm::dvec2(0.875, 0.375), glm::dvec2(0.125, 0.625),
                                  glm::dvec2(0.625, 0.875)};

TEST_F(Sifting, KeepsWhatFacesTheEyeAndCoversASampleAndHardlyAnythingElse) {
  const std::vector<Corners> triangles = random_triangles(3000);
  const Shape shape = shape_of(triangles);
  for (const std::uint32_t samples : {1u, 4u})
    for (const bool one_sided : {true, false}) {
      SCOPED_TRACE(fmt::format("{} samples, {}", samples, one_sided ? "one side" : "both sides"));
      const std::span<const glm::dvec2> places = samples == 1 ? std::span<const glm::dvec2>(kOneSample) : kFourSamples;
      const std::vector<std::uint32_t> times = kept(shape, samples, one_sided, 37);
      std::size_t seen = 0, unseen = 0, too_many = 0;
      for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Corners& t = triangles[i];
        if ((!one_sided || area(t) < 0.0) && covers(t, places, 0.0)) {
          ++seen;
          EXPECT_EQ(times[i], 37u) << "triangle " << i;
        } else if ((one_sided && area(t) > 0.3) || !covers(t, places, 0.05)) {
          ++unseen;
          too_many += times[i] > 0 ? 1 : 0;
          EXPECT_TRUE(times[i] == 0 || times[i] == 37) << "triangle " << i;
        }
      }
      EXPECT_GT(seen, 150u);
      EXPECT_GT(unseen, 300u);
      EXPECT_LT(too_many, unseen / 8) << "long thin ones between several samples";
    }
}

// Among them, before and behind the eye.
TEST_F(Sifting, LeavesThePictureAsItIs) {
  for (const Encoding encoding : {Encoding::localv, Encoding::q16})
    for (const bool double_sided : {false, true}) {
      SCOPED_TRACE(fmt::format("{}{}", name_of(encoding), double_sided ? ", both sides" : ""));
      CharacterDraft draft = test::random_draft(test::folding_shape({encoding}));
      for (Material& material : draft.materials) material.double_sided = double_sided;
      const Character model = test::built(std::move(draft));
      test::Cast cast = test::random_cast(model, 200, 9, true);
      auto crowd =
          CharacterRenderer::create(context(), {.targets = OwnRenderer::targets(), .drawn_on = DrawnOn::software})
              .value();
      ASSERT_TRUE(crowd.add(model));
      ASSERT_TRUE(crowd.set_instances(ModelId(0), cast.instances, cast.plays));
      OwnRenderer own(context());
      for (const double away : {0.5, 4.0, 60.0}) {
        own.camera.eye = {0.0, 1.0, away};
        own.knows_size = true;
        const auto sifted = own.draw(crowd, 777);
        own.knows_size = false;
        const auto whole = own.draw(crowd, 777);
        EXPECT_GT(std::ranges::count_if(whole, [](float red) { return red > 0.0f; }), 20);
        EXPECT_EQ(sifted, whole) << away;
      }
    }
}

}  // namespace
}  // namespace throng
