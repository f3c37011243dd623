// A crowd in a picture: reads a baked asset, places a hundred characters, listens to one, draws them all.
//   first_crowd ASSET.throng.glb PICTURE.png

#include <fmt/format.h>
#include <throng/asset/image.h>
#include <throng/playback/crowd.h>
#include <throng/vulkan/device.h>
#include <throng/vulkan/scene_renderer.h>

namespace {

throng::Result<void> draw(const char* asset_file, const char* picture_file) {
  auto asset = throng::read_asset(asset_file);
  if (!asset) return fail(std::move(asset));
  auto walk = asset->find_clip("walk");
  if (!walk) return fail(std::move(walk));

  throng::Crowd crowd(*asset);
  for (int i = 0; i < 100; ++i) {
    throng::Placement placement;
    placement.position = {1.2f * static_cast<float>(i % 10), 0.0f, -1.2f * static_cast<float>(i / 10)};
    auto added = crowd.add(placement, {.clip = *walk, .offset = 0.037 * i}, {.red = 230, .green = 180, .blue = 120}, 0);
    if (!added) return fail(std::move(added));
  }

  // Time passes in the shader; the CPU only listens, and only to whom it wants.
  throng::Clock clock;
  const throng::Ticks before = clock.now();
  clock.advance(2.0);
  crowd.fire_events(0, before, clock.now(), [&](std::uint32_t event) {
    fmt::print("instance 0: {}\n", asset->clips[*walk].events[event].name);
  });

  auto device = throng::Device::create();
  if (!device) return fail(std::move(device));
  auto scene = throng::SceneRenderer::create(device->context(), {.width = 960, .height = 540});
  if (!scene) return fail(std::move(scene));
  if (auto added = scene->add_crowd(*asset, crowd.records()); !added) return fail(std::move(added));
  auto image = scene->render(throng::frame_bounds(scene->bounds(), 960.0 / 540.0), clock.now());
  if (!image) return fail(std::move(image));
  return throng::write_png(*image, picture_file);
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
