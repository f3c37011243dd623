// SPDX-License-Identifier: Apache-2.0
// Near and far characters behind one handle: a camera flies through a crowd, and whoever it comes close to gets an
// animator that looks at it. Draws the last moment.
//   near_and_far CHARACTER.throng.glb PICTURE.png

#include <fmt/format.h>
#include <throng/animator/graph_json.h>
#include <throng/animator/ik.h>
#include <throng/base/executor.h>
#include <throng/cast/cast.h>
#include <throng/character/file.h>
#include <throng/character/image.h>
#include <throng/gpu/device.h>
#include <throng/renderer/cast_drawing.h>
#include <throng/scene/scene_renderer.h>

#include <array>

namespace {

constexpr const char* kGraph = R"({
  "layers": [{"name": "base", "states": [
    {"name": "idle", "motion": {"clip": "idle"}},
    {"name": "walk", "motion": {"clip": "walk"}}
  ]}]
})";

// Neck and head turn to the camera, as far as the character is near.
void look_at(throng::NearActor& actor, const throng::Rig& rig, const glm::vec3& eye) {
  const std::array<throng::AimBone, 2> bones{
      {{rig.find_bone("neck").value_or(0), 0.5f, 0.6f}, {rig.find_bone("head").value_or(0), 1.0f, 0.8f}}};
  const throng::Placement& at = actor.placement;
  throng::AimIk aim;
  aim.bones = bones;
  aim.target = glm::inverse(at.rotation) * (eye - at.position) / at.scale;
  aim.weight = actor.presence;
  throng::solve_aim({.rig = rig, .locals = actor.animator->locals(), .models = actor.animator->models()}, aim);
}

throng::Result<void> draw(const char* character_file, const char* picture_file) {
  auto character = throng::read_character(character_file);
  if (!character) return fail(std::move(character));
  auto rig = throng::build_rig(*character);
  if (!rig) return fail(std::move(rig));
  auto draft = throng::parse_graph(kGraph, "near_and_far.json");
  if (!draft) return fail(std::move(draft));
  auto graph = throng::build_graph(std::move(*draft), *rig);
  if (!graph) return fail(std::move(graph));

  throng::Clock clock;
  throng::Cast cast({.distance = 6.0f, .budget = 8});
  auto model = cast.add(*character, *graph);
  if (!model) return fail(std::move(model));
  auto idle = character->find_clip("idle");
  if (!idle) return fail(std::move(idle));
  auto walk = character->find_clip("walk");
  if (!walk) return fail(std::move(walk));
  for (int i = 0; i < 200; ++i) {
    throng::Spawn spawn;
    spawn.model = *model;
    spawn.placement.position = {1.4f * static_cast<float>(i % 14) - 9.1f, 0.0f, -1.6f * static_cast<float>(i / 14)};
    spawn.play = {.clip = i % 2 == 0 ? *idle : *walk, .offset = 0.17 * i};
    if (auto added = cast.add(spawn, clock.now()); !added) return fail(std::move(added));
  }

  auto device = throng::Device::create();
  if (!device) return fail(std::move(device));
  auto scene = throng::SceneRenderer::create(device->context(), {.width = 960, .height = 540});
  if (!scene) return fail(std::move(scene));
  if (auto added = scene->add(*character); !added) return fail(std::move(added));
  throng::CastDrawing drawing;

  throng::ThreadExecutor executor;
  throng::Camera camera;
  for (int image = 0; image <= 60; ++image) {
    clock.advance(1.0 / 60.0);
    camera.eye = {0.05 * image - 2.0, 2.0, 7.0 - 0.05 * image};
    camera.target = camera.eye + glm::dvec3(1.2, -2.5, -12.0);
    const glm::vec3 eye(camera.eye);
    cast.update(clock.now(), {.eye = eye}, executor);
    for (throng::NearActor& actor : cast.near_actors()) look_at(actor, **rig, eye);
  }
  if (auto done = drawing.update(cast, scene->characters()); !done) return done;
  fmt::print("{} of {} characters are near\n", cast.near_actors().size(), cast.size());
  auto picture = scene->render(camera, clock.now());
  if (!picture) return fail(std::move(picture));
  return throng::write_png(*picture, picture_file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: near_and_far CHARACTER.throng.glb PICTURE.png\n");
    return 2;
  }
  if (const auto drawn = draw(argv[1], argv[2]); !drawn) {
    fmt::print(stderr, "{}\n", drawn.error().message);
    return 1;
  }
  fmt::print("wrote {}\n", argv[2]);
}
