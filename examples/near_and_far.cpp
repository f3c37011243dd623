// SPDX-License-Identifier: Apache-2.0
// Near and far characters behind one handle: a camera flies through a crowd, and whoever it comes close to gets an
// animator that looks at it. Draws the last moment.
//   near_and_far CHARACTER.throng.glb PICTURE.png

#include <fmt/format.h>
#include <throng/animator/graph_json.h>
#include <throng/animator/ik.h>
#include <throng/base/executor.h>
#include <throng/base/try.h>
#include <throng/cast/cast.h>
#include <throng/character/file.h>
#include <throng/character/image.h>
#include <throng/gpu/device.h>
#include <throng/renderer/cast_drawing.h>
#include <throng/scene/scene_renderer.h>

#include <array>
#include <span>

namespace {

constexpr const char* kGraph = R"({
  "layers": [{"name": "base", "states": [
    {"name": "idle", "motion": {"clip": "idle"}},
    {"name": "walk", "motion": {"clip": "walk"}}
  ]}]
})";

// Neck and head turn to the camera, as far as the character is near.
void look_at(throng::NearActor& actor, std::span<const throng::AimBone> bones, const glm::vec3& eye) {
  const throng::Placement& at = actor.placement;
  throng::AimIk aim;
  aim.bones = bones;
  aim.target = glm::inverse(at.rotation) * (eye - at.position) / at.scale;
  aim.weight = actor.presence;
  throng::solve_aim(actor.animator->edit(), aim);
}

throng::Result<void> draw(const char* character_file, const char* picture_file) {
  THRONG_TRY(const throng::Character character, throng::read_character(character_file));
  THRONG_TRY(const auto rig, throng::build_rig(character));
  THRONG_TRY(throng::GraphDraft draft, throng::parse_graph(kGraph, "near_and_far.json"));
  THRONG_TRY(const auto graph, throng::build_graph(std::move(draft), rig));
  THRONG_TRY(const std::uint32_t neck, rig->find_bone("neck"));
  THRONG_TRY(const std::uint32_t head, rig->find_bone("head"));
  const std::array<throng::AimBone, 2> looking{{{neck, 0.5f, 0.6f}, {head, 1.0f, 0.8f}}};

  throng::Clock clock;
  throng::Cast cast({.distance = 6.0f, .budget = 8});
  THRONG_TRY(const throng::ModelId model, cast.add(character, graph));
  THRONG_TRY(const throng::ClipId idle, character.find_clip("idle"));
  THRONG_TRY(const throng::ClipId walk, character.find_clip("walk"));
  for (int i = 0; i < 200; ++i) {
    throng::Spawn spawn;
    spawn.model = model;
    spawn.placement.position = {1.4f * static_cast<float>(i % 14) - 9.1f, 0.0f, -1.6f * static_cast<float>(i / 14)};
    spawn.play = {.clip = i % 2 == 0 ? idle : walk, .offset = 0.17 * i};
    THRONG_CHECK(cast.add(spawn, clock.now()));
  }

  THRONG_TRY(const throng::Device device, throng::Device::create());
  THRONG_TRY(throng::SceneRenderer scene,
             throng::SceneRenderer::create(device.context(), {.width = 960, .height = 540}));
  THRONG_CHECK(scene.add(character));
  throng::CastDrawing drawing;

  throng::ThreadExecutor executor;
  throng::Camera camera;
  for (int image = 0; image <= 60; ++image) {
    clock.advance(1.0 / 60.0);
    camera.eye = {0.05 * image - 2.0, 2.0, 7.0 - 0.05 * image};
    camera.target = camera.eye + glm::dvec3(1.2, -2.5, -12.0);
    const glm::vec3 eye(camera.eye);
    cast.update(clock.now(), {.eye = eye}, executor);
    for (throng::NearActor& actor : cast.near_actors()) look_at(actor, looking, eye);
    THRONG_CHECK(drawing.update(cast, scene.characters()));  // then an image is drawn; here only the last one is
  }
  fmt::print("{} of {} characters are near\n", cast.near_actors().size(), cast.size());
  THRONG_TRY(const throng::Image picture, scene.render(camera, clock.now()));
  return throng::write_png(picture, picture_file);
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
