// SPDX-License-Identifier: Apache-2.0
// A crowd in a picture: reads a baked asset, places a hundred characters, draws them all.
//   first_crowd ASSET.throng.glb PICTURE.png

#include <fmt/format.h>
#include <throng/base/try.h>
#include <throng/character/file.h>
#include <throng/character/image.h>
#include <throng/gpu/device.h>
#include <throng/playback/crowd.h>
#include <throng/scene/scene_renderer.h>

namespace {

throng::Result<void> draw(const char* asset_file, const char* picture_file) {
  THRONG_TRY(const throng::Character asset, throng::read_character(asset_file));
  THRONG_TRY(const throng::ClipId walk, asset.find_clip("walk"));

  throng::Clock clock;
  throng::Crowd crowd(asset);
  for (int i = 0; i < 100; ++i) {
    throng::Spawn spawn;
    spawn.placement.position = {1.2f * static_cast<float>(i % 10), 0.0f, -1.2f * static_cast<float>(i / 10)};
    spawn.play = {.clip = walk, .offset = 0.037 * i};
    spawn.look = {.tint = {.red = 230, .green = 180, .blue = 120}, .variation = static_cast<std::uint32_t>(i)};
    THRONG_CHECK(crowd.add(spawn, clock.now()));
  }

  THRONG_TRY(const throng::Device device, throng::Device::create());
  THRONG_TRY(throng::SceneRenderer scene,
             throng::SceneRenderer::create(device.context(), {.width = 960, .height = 540}));
  THRONG_CHECK(scene.add(asset));
  THRONG_CHECK(scene.update(crowd));  // again only when somebody does something else

  clock.advance(2.0);  // time passes on the GPU: nothing is touched for it
  THRONG_TRY(const throng::Image image, scene.render(throng::frame_bounds(scene.bounds(), 960.0 / 540.0), clock.now()));
  return throng::write_png(image, picture_file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: first_crowd ASSET.throng.glb PICTURE.png\n");
    return 2;
  }
  if (const auto drawn = draw(argv[1], argv[2]); !drawn) {
    fmt::print(stderr, "{}\n", drawn.error().message);
    return 1;
  }
  fmt::print("wrote {}\n", argv[2]);
}
