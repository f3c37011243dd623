#include "throng/vulkan/skinning.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>

#include "test_device.h"
#include "test_models.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

namespace throng {
namespace {

class Skinning : public test::OnDevice {};

glm::uvec2 split(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

Cursor cpu_cursor(const BakedModel& model, const InstanceRecord& instance, std::uint64_t now) {
  const ClipRecord clip = clip_record(model.clips[instance.clip]);
  return gpu::cursor_at(clip, gpu::phase_at(clip, instance, split(now)));
}

double degrees_between(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
}

// The largest distance to the texels decoded in double, over every vertex of every instance.
struct Deviation {
  double position = 0.0;
  double normal_degrees = 0.0;
};

Deviation deviation_from_decoded(const BakedModel& model, std::span<const InstanceRecord> instances,
                                 const SkinnedCrowd& crowd) {
  Deviation worst;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Cursor& cursor = crowd.cursors[i];
    const auto exact = decode_pose(model, model.clips[instances[i].clip], cursor, double{cursor.blend});
    for (std::size_t v = 0; v < crowd.vertices_per_instance; ++v) {
      const std::size_t at = i * crowd.vertices_per_instance + v;
      worst.position = std::max(worst.position, glm::distance(glm::dvec3(crowd.positions[at]), exact.positions[v]));
      worst.normal_degrees = std::max(worst.normal_degrees, degrees_between(crowd.normals[at], exact.normals[v]));
    }
  }
  return worst;
}

TEST_F(Skinning, FindsTheFramesTheCpuFindsBitForBit) {
  test::ModelShape shape{.bones = 1, .atlas_width = 1, .vertices = 3};
  shape.clip_frames = {1, 2, 3, 7, 30, 61, 300, 1000};
  shape.clip_loops = {true, false, false, true, true, false, true};
  const BakedModel model = test::random_model(shape);
  auto skinner = GpuSkinner::create(context(), model);
  ASSERT_TRUE(skinner) << skinner.error().message;
  std::size_t different_frames = 0;
  for (const std::uint64_t now : {std::uint64_t{0}, std::uint64_t{12345}, std::uint64_t{1} << 33, ~std::uint64_t{0}}) {
    const auto instances = test::random_instances(model, 4096, static_cast<unsigned>(now));
    const auto crowd = skinner->skin(instances, now, SkinSpace::model);
    ASSERT_TRUE(crowd) << crowd.error().message;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const Cursor expected = cpu_cursor(model, instances[i], now);
      ASSERT_EQ(crowd->cursors[i].frame, expected.frame) << "instance " << i << " at " << now;
      ASSERT_EQ(crowd->cursors[i].next, expected.next) << "instance " << i << " at " << now;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(crowd->cursors[i].blend), std::bit_cast<std::uint32_t>(expected.blend));
      if (i > 8 && expected.frame != crowd->cursors[i - 8].frame) ++different_frames;
    }
  }
  EXPECT_GT(different_frames, 5000u) << "the crowd must not all be at one frame for this to mean anything";
}

TEST_F(Skinning, AgreesWithTheDecoderOnRandomModelsThatFoldAndLayer) {
  for (const std::uint32_t width : {1u, 3u, 7u, 64u}) {
    test::ModelShape shape{.bones = 20, .atlas_width = width, .vertices = 300};
    shape.clip_frames = {6, 9, 4, 2, 1};
    shape.clip_loops = {true, false};
    shape.layers = 2;
    shape.seed = width;
    const BakedModel model = test::random_model(shape);
    const auto instances = test::random_instances(model, 200, 5);
    const auto crowd = skin_on_gpu(context(), model, instances, 777, SkinSpace::model);
    ASSERT_TRUE(crowd) << crowd.error().message;
    const Deviation worst = deviation_from_decoded(model, instances, *crowd);
    EXPECT_LT(worst.position, 2e-5) << "atlas width " << width;
    EXPECT_LT(worst.normal_degrees, 0.05) << "atlas width " << width;
  }
}

TEST_F(Skinning, PlacesInstancesByScaleThenRotationThenPosition) {
  const BakedModel model = test::random_model({});
  const auto instances = test::random_instances(model, 64, 9);
  const auto in_model = skin_on_gpu(context(), model, instances, 3, SkinSpace::model);
  const auto in_world = skin_on_gpu(context(), model, instances, 3, SkinSpace::world);
  ASSERT_TRUE(in_model && in_world);
  for (std::size_t i = 0; i < in_model->positions.size(); ++i) {
    const InstanceRecord& instance = instances[i / in_model->vertices_per_instance];
    const glm::dquat q(instance.rotation.w, instance.rotation.x, instance.rotation.y, instance.rotation.z);
    const glm::dvec3 expected =
        q * (glm::dvec3(in_model->positions[i]) * double{instance.scale}) + glm::dvec3(instance.position);
    ASSERT_LT(glm::distance(glm::dvec3(in_world->positions[i]), expected), 1e-4);
    ASSERT_LT(glm::distance(glm::dvec3(in_world->normals[i]), q * glm::dvec3(in_model->normals[i])), 1e-5);
  }
}

// A vertex held half by a bone that stays and half by one that turns it upside down.
TEST_F(Skinning, FallsBackToTheNormalAtRestWhereBonesCancelIt) {
  BakedModel model = test::random_model({.bones = 2, .vertices = 3, .clip_frames = {1}, .clip_loops = {true}});
  std::vector<BakedVertex> vertices(model.vertices.begin(), model.vertices.end());
  for (BakedVertex& vertex : vertices) {
    vertex.normal = {0.0f, 0.0f, -1.0f};
    vertex.bones = {0, 1, 0, 0};
    vertex.weights = {32767, 32767, 0, 0};
  }
  model.vertices = vertices;
  std::vector<Texel> texels(model.atlas.texels.begin(), model.atlas.texels.end());
  texels[0] = encode_q16({.rotation = {1, 0, 0, 0}}, model.clips[0].range);
  texels[1] = encode_q16({.rotation = {0, 1, 0, 0}}, model.clips[0].range);
  model.atlas.texels = texels;
  const auto crowd = skin_on_gpu(context(), model, std::array{test::standing(0)}, 0, SkinSpace::model);
  ASSERT_TRUE(crowd) << crowd.error().message;
  for (const glm::vec3& normal : crowd->normals) EXPECT_EQ(normal, glm::vec3(0.0f, 0.0f, -1.0f));
  EXPECT_EQ(decode_pose(model, model.clips[0], crowd->cursors[0], 0.0).normals[0], glm::dvec3(0.0, 0.0, -1.0));
}

TEST_F(Skinning, WorksThroughMoreThanOneBatch) {
  test::ModelShape shape{.vertices = 30000};
  const BakedModel model = test::random_model(shape);
  const auto instances = test::random_instances(model, 150, 2);  // 108 MB of results
  auto skinner = GpuSkinner::create(context(), model);
  ASSERT_TRUE(skinner);
  const auto all = skinner->skin(instances, 5, SkinSpace::world);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->cursors.size(), instances.size());
  const auto last = skinner->skin(std::span(instances).last(1), 5, SkinSpace::world);
  ASSERT_TRUE(last);
  EXPECT_TRUE(std::equal(last->positions.begin(), last->positions.end(), all->positions.end() - 30000));
}

TEST_F(Skinning, RefusesAnInstanceOfAClipThereIsNot) {
  const BakedModel model = test::random_model({});
  const auto crowd = skin_on_gpu(context(), model, std::array{test::standing(2)}, 0);
  ASSERT_FALSE(crowd);
  EXPECT_EQ(crowd.error().message, "instance 0 plays clip 2 of 2");
}

// Instances of every clip at `moments` moments each, and at the very end of those that have one. (A loop has none: what
// lies there is its first frame.)
std::vector<InstanceRecord> every_clip(const BakedModel& model, std::uint32_t moments) {
  std::vector<InstanceRecord> instances;
  for (std::uint32_t clip = 0; clip < model.clips.size(); ++clip) {
    InstanceRecord instance = test::standing(clip);
    for (std::uint32_t i = 0; i < moments; ++i) {
      const auto turn = static_cast<std::uint32_t>((std::uint64_t{i} << 32) / moments);
      instance.phase = {0x9E3779B9u * i, turn + (i * 7919u) % 65536u};
      instances.push_back(instance);
    }
    instance.phase = {0xFFFFFFFFu, 0xFFFFFFFFu};
    if (!model.clips[clip].loops) instances.push_back(instance);
  }
  return instances;
}

// Seconds from the clip's first frame that a cursor stands for.
double seconds_at(const BakedClip& clip, const Cursor& cursor) {
  const double frame = cursor.frame - clip.first_frame + double{cursor.blend};
  const double intervals = clip.loops ? clip.frame_count : clip.frame_count - 1.0;
  return intervals == 0.0 ? 0.0 : frame / intervals * clip.length;
}

// How far from the source the bake says a vertex may be, and a little for the GPU's floats.
struct Allowed {
  double distance = 0.0;
  double degrees = 0.0;
};

Allowed allowed_at(const BakedModel& baked, const Cursor& cursor) {
  const ErrorFigures& frames = baked.error.at_frames;
  const ErrorFigures& between = baked.error.between;
  Allowed allowed;
  allowed.distance = std::max(frames.max_mm, between.max_mm) / baked.error.mm_per_unit + 1e-4 * baked.bounds.diagonal();
  // Between frames normals were measured half-way only, so the worst may be a little worse.
  allowed.degrees =
      0.1 + (cursor.blend == 0.0f ? frames.normal_max_degrees
                                  : 1.25 * std::max(frames.normal_max_degrees, between.normal_max_degrees));
  return allowed;
}

struct Compared {
  std::size_t positions = 0;
  std::size_t normals = 0;
};

// Every vertex against the source's own curves, in double, until one is too far. Returns how many were compared.
Compared compare_with_source(const Model& model, const BakedModel& baked, std::span<const InstanceRecord> instances,
                             const SkinnedCrowd& crowd) {
  Compared compared;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const BakedClip& clip = baked.clips[instances[i].clip];
    const Pose pose =
        sample(model, model.clips()[instances[i].clip], clip.source_start + seconds_at(clip, crowd.cursors[i]));
    const auto palette = skinning_palette(model, pose);
    const Allowed allowed = allowed_at(baked, crowd.cursors[i]);
    for (const BakedSource& source : baked.sources) {
      for (std::size_t m = 0; m < model.meshes().size(); ++m) {
        const Mesh& mesh = model.meshes()[m];
        if (mesh.node != source.node || mesh.primitive != source.primitive) continue;
        const SkinnedVertices exact = skin_mesh(model, m, pose, palette);
        EXPECT_EQ(exact.positions.size(), source.vertex_count);
        for (std::size_t v = 0; v < exact.positions.size(); ++v, ++compared.positions) {
          const std::size_t at = i * crowd.vertices_per_instance + source.first_vertex + v;
          EXPECT_LE(glm::distance(glm::dvec3(crowd.positions[at]), exact.positions[v]), allowed.distance)
              << "clip " << clip.name << ", instance " << i << ", vertex " << v;
          if (!exact.normals.empty()) {
            ++compared.normals;
            EXPECT_LE(degrees_between(crowd.normals[at], exact.normals[v]), allowed.degrees)
                << "clip " << clip.name << ", instance " << i << ", vertex " << v;
          }
          if (::testing::Test::HasFailure()) return compared;
        }
      }
    }
  }
  return compared;
}

void expect_true_to_source(const VulkanContext& context, const Model& model, std::uint32_t moments) {
  ThreadExecutor executor;
  const auto baked = bake(model, {}, executor);
  ASSERT_TRUE(baked) << baked.error().message;
  const auto instances = every_clip(*baked, moments);
  const auto crowd = skin_on_gpu(context, *baked, instances, 0, SkinSpace::model);
  ASSERT_TRUE(crowd) << crowd.error().message;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Cursor expected = cpu_cursor(*baked, instances[i], 0);
    ASSERT_EQ(crowd->cursors[i].frame, expected.frame);
    ASSERT_EQ(crowd->cursors[i].blend, expected.blend);
  }
  const Deviation worst = deviation_from_decoded(*baked, instances, *crowd);
  EXPECT_LT(worst.position, 1e-5 * baked->bounds.diagonal());
  EXPECT_LT(worst.normal_degrees, 0.1);
  const Compared compared = compare_with_source(model, *baked, instances, *crowd);
  EXPECT_GE(compared.positions, baked->vertices.size() * instances.size());
  std::size_t with_normals = 0;
  for (const Mesh& mesh : model.meshes()) with_normals += mesh.normals.size();
  EXPECT_GE(compared.normals, with_normals * instances.size());
}

TEST_F(Skinning, IsTrueToTheMannequinsOwnCurves) { expect_true_to_source(context(), make_mannequin(), 9); }

class SkinningOfFiles : public Skinning, public ::testing::WithParamInterface<const char*> {};

TEST_P(SkinningOfFiles, IsTrueToTheSourcesOwnCurves) {
  const auto path = std::filesystem::path(THRONG_SHARED_DIR) / "models" / "gltf" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  auto imported = import_model(path);
  ASSERT_TRUE(imported) << imported.error().message;
  expect_true_to_source(context(), imported->model, 7);
}

INSTANTIATE_TEST_SUITE_P(Models, SkinningOfFiles,
                         ::testing::Values("khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb",
                                           "kaykit/Knight.glb"),
                         [](const auto& tested) { return std::filesystem::path(tested.param).stem().string(); });

}  // namespace
}  // namespace throng
