// SPDX-License-Identifier: Apache-2.0
// Animations become clips: times, interpolations, merged tracks, events.

#include "gltf_builder.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

TEST(GltfClip, ItsSpanIsFromTheFirstKeyOfAnyChannelToTheLast) {
  GltfBuilder b = triangle_file();
  b.animate(0, "translation", {0.5f, 1.0f}, b.floats("VEC3", {0, 0, 0, 1, 0, 0}), "LINEAR");
  auto& animation = b.json["animations"][0];
  animation["samplers"].push_back(
      {{"input", b.floats("SCALAR", {0.25f, 3.0f})}, {"output", b.floats("VEC3", {1, 1, 1, 2, 2, 2})}});
  animation["channels"].push_back({{"sampler", 1}, {"target", {{"node", 0}, {"path", "scale"}}}});
  animation["samplers"].push_back(
      {{"input", b.floats("SCALAR", {0.4f, 2.0f})}, {"output", b.floats("VEC4", {0, 0, 0, 1, 0, 0, 1, 0})}});
  animation["channels"].push_back({{"sampler", 2}, {"target", {{"node", 0}, {"path", "rotation"}}}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = imported->model.clips()[0];
  EXPECT_EQ(clip.name, "clip 0");
  EXPECT_DOUBLE_EQ(clip.start, 0.25);
  EXPECT_DOUBLE_EQ(clip.end, 3.0);
  ASSERT_EQ(clip.bones.size(), 1u);
  EXPECT_EQ(clip.bones[0].translation.times.size(), 2u);
  EXPECT_EQ(clip.bones[0].scale.values[1], glm::vec3(2));
  EXPECT_EQ(clip.bones[0].rotation.times.size(), 2u);
}

TEST(GltfClip, StepLinearAndCubicAreKeptApart) {
  const double t = 0.25;
  // A cubic from 0, leaving at 3 a second, to 4, arriving at 0 a second.
  const double cubic = (t * t * t - 2 * t * t + t) * 3.0 + (-2 * t * t * t + 3 * t * t) * 4.0;
  const std::pair<const char*, double> cases[] = {{"STEP", 0.0}, {"LINEAR", 1.0}, {"CUBICSPLINE", cubic}};
  for (const auto& [name, expected] : cases) {
    GltfBuilder b = triangle_file();
    const int output = std::string_view(name) == "CUBICSPLINE"
                           ? b.floats("VEC3", {9, 9, 9, 0, 0, 0, 3, 0, 0, 0, 0, 0, 4, 0, 0, 9, 9, 9})
                           : b.floats("VEC3", {0, 0, 0, 4, 0, 0});
    b.animate(0, "translation", {0, 1}, output, name);
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    const Pose pose = sample(imported->model, imported->model.clips()[0], t);
    EXPECT_NEAR(pose.bones[0].translation.x, expected, 1e-6) << name;
  }
}

// A triangle whose third corner a target lifts, on two nodes.
GltfBuilder morphing_file() {
  GltfBuilder b = triangle_file();
  b.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", b.floats("VEC3", {0, 0, 0, 0, 0, 0, 0, 2, 0})}}};
  b.append("nodes", {{"mesh", 0}});
  b.json["scenes"][0]["nodes"].push_back(1);
  return b;
}

GltfBuilder pointing_file(const Json& pointer) {
  GltfBuilder b = morphing_file();
  const int output = b.floats("SCALAR", {0, 1});
  b.animate(0, "pointer", {0, 1}, output, "LINEAR");
  b.json["animations"][0]["channels"][0]["target"] = {
      {"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}};
  b.json["extensionsUsed"] = {"KHR_animation_pointer"};
  b.json["extensionsRequired"] = {"KHR_animation_pointer"};
  return b;
}

TEST(GltfClip, PointersAtWeightsOfANodeAndOfAMeshAreMorphTracks) {
  const auto node = pointing_file("/nodes/1/weights").import();
  ASSERT_TRUE(node) << node.error().message;
  ASSERT_EQ(node->model.clips().at(0).morphs.size(), 1u);
  EXPECT_EQ(node->model.meshes()[node->model.clips()[0].morphs[0].mesh].node, 1u);
  const Pose pose = sample(node->model, node->model.clips()[0], 0.25);
  EXPECT_NEAR(pose.morph_weights[node->model.clips()[0].morphs[0].mesh][0], 0.25, 1e-6);
  const auto mesh = pointing_file("/meshes/0/weights").import();
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->model.clips().at(0).morphs.size(), 2u) << "both nodes show the mesh";
}

struct PointedWeight {
  std::string pointer;
  std::vector<float> times;
  std::vector<float> values;
  const char* interpolation = "LINEAR";
};

// A triangle with three targets, half of the last of which is in at rest.
GltfBuilder file_of_pointed_weights(const std::vector<PointedWeight>& weights) {
  GltfBuilder b = triangle_file();
  for (const float up : {1.0f, 2.0f, 3.0f}) {
    b.json["meshes"][0]["primitives"][0]["targets"].push_back(
        {{"POSITION", b.floats("VEC3", {0, 0, 0, 0, 0, 0, 0, up, 0})}});
  }
  b.json["meshes"][0]["weights"] = {0.0, 0.0, 0.5};
  Json animation;
  for (const auto& [pointer, times, values, interpolation] : weights) {
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size()},
         {"target", {{"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}}}});
    animation["samplers"].push_back({{"input", b.floats("SCALAR", times)},
                                     {"output", b.floats("SCALAR", values)},
                                     {"interpolation", interpolation}});
  }
  b.append("animations", animation);
  b.json["extensionsUsed"] = {"KHR_animation_pointer"};
  return b;
}

void expect_weights(const Imported& imported, double time, const std::vector<double>& wanted, double tolerance = 1e-6) {
  const Pose pose = sample(imported.model, imported.model.clips().at(0), time);
  ASSERT_EQ(pose.morph_weights.at(0).size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(pose.morph_weights[0][i], wanted[i], tolerance) << "target " << i << " at " << time << " s";
}

// Curves of single weights have key times of their own, and what none moves stays at rest.
TEST(GltfClip, PointersAtSingleWeightsAreOneMorphTrackOfAllTheirKeys) {
  const auto imported = file_of_pointed_weights({{"/nodes/0/weights/1", {0, 1}, {0, 1}},
                                                 {"/meshes/0/weights/0", {0.25f, 0.75f, 2}, {0, 1, 0.5f}}})
                            .import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = imported->model.clips().at(0);
  ASSERT_EQ(clip.morphs.size(), 1u);
  EXPECT_EQ(clip.morphs[0].weights.times, (std::vector<float>{0, 0.25f, 0.75f, 1, 2}));
  EXPECT_EQ(clip.start, 0.0);
  EXPECT_EQ(clip.end, 2.0);
  expect_weights(*imported, 0.125, {0.0, 0.125, 0.5});
  expect_weights(*imported, 0.5, {0.5, 0.5, 0.5});
  expect_weights(*imported, 0.875, {0.95, 0.875, 0.5});
  expect_weights(*imported, 1.375, {0.75, 1.0, 0.5});
}

// Each as it would be alone: a cubic from 0, leaving at 3 a second, to 4, arriving at 0 a second; a step; a line.
TEST(GltfClip, SingleWeightsOfDifferentKindsKeepTheirShapes) {
  const auto imported = file_of_pointed_weights({{"/nodes/0/weights/0", {0, 1}, {9, 0, 3, 0, 4, 9}, "CUBICSPLINE"},
                                                 {"/nodes/0/weights/1", {0, 0.5f, 0.8f}, {1, 2, 3}, "STEP"},
                                                 {"/nodes/0/weights/2", {0.1f, 0.3f, 0.7f}, {1, 3, 2}}})
                            .import();
  ASSERT_TRUE(imported) << imported.error().message;
  for (const double t : {0.05, 0.2, 0.3, 0.45, 0.499, 0.5, 0.6, 0.79, 0.8, 0.9, 1.0}) {
    const double cubic = (t * t * t - 2 * t * t + t) * 3.0 + (-2 * t * t * t + 3 * t * t) * 4.0;
    const double step = t < 0.5 ? 1.0 : t < 0.8 ? 2.0 : 3.0;
    const double line = t < 0.1 ? 1.0 : t < 0.3 ? 1.0 + (t - 0.1) * 10.0 : t < 0.7 ? 3.0 - (t - 0.3) * 2.5 : 2.0;
    expect_weights(*imported, t == 0.8 ? 0.8000001 : t, {cubic, step, line}, 2e-6);
  }
  const auto steps = file_of_pointed_weights({{"/nodes/0/weights/0", {0, 1}, {0, 1}, "STEP"},
                                              {"/nodes/0/weights/1", {0, 0.5f}, {1, 2}, "STEP"}})
                         .import();
  ASSERT_TRUE(steps) << steps.error().message;
  EXPECT_EQ(steps->model.clips()[0].morphs.at(0).weights.interpolation, Interpolation::step);
  expect_weights(*steps, 0.75, {0.0, 2.0, 0.5});
}

TEST(GltfClip, AWeightThatTwoChannelsMoveIsRefused) {
  const PointedWeight one{"/nodes/0/weights/1", {0, 1}, {0, 1}};
  const PointedWeight same{"/meshes/0/weights/1", {0, 1}, {0, 1}};
  const PointedWeight all{"/nodes/0/weights", {0, 1}, {0, 1, 0, 1, 0, 1}};
  for (const auto& weights : {std::vector{one, same}, {one, all}, {all, one}}) {
    const auto imported = file_of_pointed_weights(weights).import();
    ASSERT_FALSE(imported);
    EXPECT_NE(imported.error().message.find("two channels animate the weights of nodes[0]"), std::string::npos)
        << imported.error().message;
  }
}

TEST(GltfClip, PointersElsewhereAreLeftOutAndCounted) {
  for (const Json& pointer :
       {Json("/materials/0/emissiveFactor"), Json("/nodes/9/weights"), Json("/nodes/1"), Json("/nodes/weights"),
        Json("/nodes/-1/weights"), Json("/nodes/1/weights/1"), Json("/nodes/1/weights/"), Json("/nodes/1/weights/0x"),
        Json("/meshes/1/weights/0"), Json(""), Json(7), Json::array()}) {
    const auto imported = pointing_file(pointer).import();
    ASSERT_TRUE(imported) << pointer << ": " << imported.error().message;
    EXPECT_TRUE(mentions(imported->notes, "1 animation channel without a node left out")) << pointer;
  }
}

TEST(GltfClip, NormalisedIntegerRotationsAreFractionsOfUnitLength) {
  GltfBuilder b = triangle_file();
  const int rotations = b.accessor<std::int16_t>({0, 0, 0, 32767, 0, 0, 23170, 23170}, "VEC4", kI16, true);
  b.animate(0, "rotation", {0, 1}, rotations, "LINEAR");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Pose pose = sample(imported->model, imported->model.clips()[0], 1.0);
  EXPECT_NEAR(pose.bones[0].rotation.z, std::sqrt(0.5), 1e-4);
  EXPECT_NEAR(glm::length(pose.bones[0].rotation), 1.0, 1e-9);
}

TEST(GltfClip, RotationsOffUnitLengthAreNormalisedWithANoteAndStrictlyOnlyThoseSlightlyOff) {
  GltfBuilder b = triangle_file();
  b.animate(0, "rotation", {0, 1}, b.floats("VEC4", {0, 0, 0, 1, 0, 0, 0, 1.005f}), "LINEAR");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_FLOAT_EQ(imported->model.clips()[0].bones[0].rotation.values[1].w, 1.0f);
  EXPECT_TRUE(mentions(imported->notes, "1 rotation key was not of unit length"));

  GltfBuilder wrong = triangle_file();
  wrong.animate(0, "rotation", {0, 1}, wrong.floats("VEC4", {0, 0, 0, 1, 0, 0, 0, 1.05f}), "LINEAR");
  EXPECT_FALSE(wrong.import({.strict = true}));
  const auto mended = wrong.import();
  ASSERT_TRUE(mended) << mended.error().message;
  EXPECT_FLOAT_EQ(mended->model.clips()[0].bones[0].rotation.values[1].w, 1.0f);
  EXPECT_EQ(mended->repairs.quaternions_fixed, 1u);
}

TEST(GltfClip, ChannelsOfNodesOutsideTheSceneOrWithoutANodeAreLeftOutWithANote) {
  GltfBuilder b = triangle_file();
  b.append("nodes", {{"name", "elsewhere"}});
  b.animate(1, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 0, 0}), "LINEAR");
  b.json["animations"][0]["channels"].push_back({{"sampler", 0}, {"target", {{"path", "translation"}}}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.clips().size(), 1u);
  EXPECT_TRUE(imported->model.clips()[0].bones.empty());
  EXPECT_TRUE(mentions(imported->notes, "1 animation channel of a node outside the scene"));
  EXPECT_TRUE(mentions(imported->notes, "1 animation channel without a node"));
}

TEST(GltfClip, EventsComeFromExtrasInOrderAndThoseOutsideTheClipAreLeftOut) {
  GltfBuilder b = triangle_file();
  b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 0, 0}), "LINEAR");
  b.json["animations"][0]["name"] = "walk";
  b.json["animations"][0]["extras"] = {{"events",
                                        {{{"time", 0.75}, {"name", "right foot"}},
                                         {{"time", 0.25}, {"name", "left foot"}},
                                         {{"time", 2.0}, {"name", "late"}},
                                         {{"name", "timeless"}},
                                         "not an event"}}};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = imported->model.clips()[0];
  EXPECT_EQ(clip.name, "walk");
  ASSERT_EQ(clip.events.size(), 2u);
  EXPECT_EQ(clip.events[0].name, "left foot");
  EXPECT_DOUBLE_EQ(clip.events[1].time, 0.75);
  EXPECT_TRUE(mentions(imported->notes, "1 event outside its"));
  EXPECT_TRUE(mentions(imported->notes, "2 events in extras left out"));
}

TEST(GltfClip, OneKeyIsAPose) {
  for (const char* interpolation : {"LINEAR", "STEP"}) {
    GltfBuilder b = triangle_file();
    b.animate(0, "translation", {0.75f}, b.floats("VEC3", {1, 2, 3}), interpolation);
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    const Clip& clip = imported->model.clips()[0];
    EXPECT_DOUBLE_EQ(clip.start, 0.75);
    EXPECT_DOUBLE_EQ(clip.end, 0.75);
    EXPECT_EQ(clip.length(), 0.0);
    for (const double time : {0.0, 0.75, 9.0}) {
      EXPECT_EQ(sample(imported->model, clip, time).bones[0].translation, glm::dvec3(1, 2, 3)) << interpolation;
    }
  }
}

TEST(GltfClip, ThatStartsLateHoldsItsFirstKeyBeforeAndItsLastBehind) {
  GltfBuilder b = triangle_file();
  b.animate(0, "translation", {2, 3}, b.floats("VEC3", {1, 0, 0, 5, 0, 0}), "LINEAR");
  auto& animation = b.json["animations"][0];
  animation["samplers"].push_back(
      {{"input", b.floats("SCALAR", {2.5f, 4.0f})}, {"output", b.floats("VEC3", {1, 1, 1, 2, 2, 2})}});
  animation["channels"].push_back({{"sampler", 1}, {"target", {{"node", 0}, {"path", "scale"}}}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = imported->model.clips()[0];
  EXPECT_DOUBLE_EQ(clip.start, 2.0);
  EXPECT_DOUBLE_EQ(clip.end, 4.0);
  struct Row {
    double time, x, scale;
  };
  for (const Row& row : {Row{0, 1, 1}, Row{2, 1, 1}, Row{2.25, 2, 1}, Row{3.25, 5, 1.5}, Row{9, 5, 2}}) {
    const Pose pose = sample(imported->model, clip, row.time);
    EXPECT_NEAR(pose.bones[0].translation.x, row.x, 1e-6) << row.time;
    EXPECT_NEAR(pose.bones[0].scale.y, row.scale, 1e-6) << row.time;
  }
}

TEST(GltfClip, LoopsComeFromExtrasOrStayOpen) {
  const std::pair<Json, std::optional<bool>> cases[] = {{{{"loops", true}}, true},
                                                        {{{"loops", false}}, false},
                                                        {{{"other", 1}}, std::nullopt},
                                                        {Json("just text"), std::nullopt},
                                                        {{{"loops", "yes"}}, std::nullopt}};
  for (const auto& [extras, expected] : cases) {
    GltfBuilder b = triangle_file();
    b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 0, 0}), "LINEAR");
    b.json["animations"][0]["extras"] = extras;
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->model.clips()[0].loops, expected) << extras;
    EXPECT_EQ(mentions(imported->notes, "1 'loops' in extras left out"), extras.dump() == R"({"loops":"yes"})")
        << extras;
  }
}

TEST(GltfClip, ExtrasThatAreNoEventsAreLeftOutWithANote) {
  const std::pair<Json, std::string> cases[] = {
      {{{"events", "noon"}}, "1 event"},
      {{{"events", {{{"time", "noon"}, {"name", "a"}}, {{"time", 1}, {"name", 2}}}}}, "2 events"},
      {{{"events", {1, nullptr, {{"time", 0.5}, {"name", "good"}}}}}, "2 events"}};
  for (const auto& [extras, count] : cases) {
    GltfBuilder b = triangle_file();
    b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 0, 0}), "LINEAR");
    b.json["animations"][0]["extras"] = extras;
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(mentions(imported->notes, count + " in extras left out")) << extras;
  }
}

}  // namespace
}  // namespace throng::test
