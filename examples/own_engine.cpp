// SPDX-License-Identifier: Apache-2.0
// A crowd inside somebody else's Vulkan engine. The device, the images, the passes and the command buffer are the
// program's (own_vulkan.h); the library records into them.
//   own_engine ASSET.throng.glb PICTURE.png

#include "own_vulkan.h"

#include <throng/character/file.h>
#include <throng/playback/crowd.h>
#include <throng/renderer/character_renderer.h>

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace {

template <class T>
T must(throng::Result<T> result) {
  if (!result) stop(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

throng::Crowd gather(const throng::Character& asset) {
  throng::Crowd crowd(asset);
  for (std::uint32_t i = 0; i < 200; ++i) {
    throng::Spawn spawn;
    spawn.placement.position = {1.1f * (static_cast<float>(i % 20) - 9.5f), 0.0f, -1.4f * static_cast<float>(i / 20)};
    spawn.play = {.clip = throng::ClipId(i * 5 % static_cast<std::uint32_t>(asset.clips().size())), .offset = 0.11 * i};
    spawn.look = {.tint = {.red = 235, .green = static_cast<std::uint8_t>(120 + i % 7 * 15), .blue = 90},
                  .variation = i};
    must(crowd.add(spawn, 0));
  }
  return crowd;
}

// The program's camera: right-handed, looking along -Z, with depth from 1 (near) to 0 (far away) and y down, as
// Vulkan's clip space has it.
struct View {
  glm::vec3 eye{0.0f, 4.0f, 8.5f};
  float fov = glm::radians(38.0f);

  glm::mat4 clip_from_world() const {
    constexpr float kNear = 0.1f;
    const float scale = 1.0f / std::tan(0.5f * fov);
    const float tilt = 0.28f;  // radians down
    const glm::mat4 clip_from_view(scale * kHeight / kWidth, 0, 0, 0, 0, -scale, 0, 0, 0, 0, 0, -1, 0, 0, kNear, 0);
    const float c = std::cos(tilt), s = std::sin(tilt);
    const glm::mat4 view_from_turned(1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1);
    const glm::mat4 turned_from_world(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -eye.x, -eye.y, -eye.z, 1);
    return clip_from_view * view_from_turned * turned_from_world;
  }
};

// What the colour pass is told of light and air. Everything that is not said is 0: no shadows, no clouds.
throng::gpu::SceneUniforms sunshine(const View& view) {
  throng::gpu::SceneUniforms scene{};
  scene.clip_from_world = view.clip_from_world();
  scene.eye = view.eye;
  scene.picture_width = kWidth;
  scene.picture_height = kHeight;
  scene.view_forward = {0.0f, 0.0f, -1.0f};
  scene.sun_direction = glm::normalize(glm::vec3(-0.6f, 0.7f, 0.5f));
  scene.sun_colour = {2.0f, 1.75f, 1.4f};
  scene.sky_colour = {0.3f, 0.38f, 0.5f};
  scene.bounce_colour = {0.2f, 0.18f, 0.16f};
  scene.horizon_colour = scene.zenith_colour = {0.8f, 0.9f, 1.0f};
  scene.exposure = 0.95f;
  scene.metre = 1.0f;
  scene.fog_length = 1e6f;
  return scene;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) stop("usage: own_engine ASSET.throng.glb PICTURE.png");
  const throng::Character asset = must(throng::read_character(argv[1]));
  const throng::Crowd crowd = gather(asset);
  const throng::VulkanContext context = create_device();

  // Once: the formats of the program's own passes, the model, the characters.
  throng::RendererSettings settings;
  settings.targets = {.colour = kColourFormat, .depth = kDepthFormat, .samples = VK_SAMPLE_COUNT_1_BIT};
  throng::CharacterRenderer renderer = must(throng::CharacterRenderer::create(context, settings));
  must(renderer.add(asset));

  // Each image: what changed, what is seen and at what level of detail, then the draws among the program's own.
  const View view;
  throng::RendererImage image{.now = throng::ticks_from_seconds(1.5)};
  image.clip_from_world = view.clip_from_world();
  image.eye = view.eye;
  image.pixels = kHeight / (2.0f * std::tan(0.5f * view.fov));
  OwnImage own(context);
  must(renderer.update(crowd));
  must(renderer.record_prepare(own.commands, image));  // outside any pass
  own.begin_pass(0.0f);                                // depth 0 is far away
  const std::uint32_t draws = renderer.record_colour(own.commands, sunshine(view), {});
  const throng::Image picture = own.finish();

  must(throng::write_png(picture, argv[2]));
  const throng::CrowdCounts counts = renderer.far_counts();
  fmt::print("{} characters seen, {} triangles, {} draw calls; wrote {}\n", counts.in_picture, counts.triangles, draws,
             argv[2]);
}
