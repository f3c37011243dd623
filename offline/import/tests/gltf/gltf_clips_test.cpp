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

TEST(GltfClip, PointersElsewhereAreLeftOutAndCounted) {
  for (const Json& pointer : {Json("/materials/0/emissiveFactor"), Json("/nodes/9/weights"), Json("/nodes/1"),
                              Json("/nodes/weights"), Json("/nodes/-1/weights"), Json(""), Json(7), Json::array()}) {
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
