// SPDX-License-Identifier: Apache-2.0
// Props on sockets: every character carries a torch in its right hand. The torch is another model of the same crowd,
// put where the socket is.
//   sockets ASSET.throng.glb PICTURE.png

#include <fmt/format.h>
#include <throng/bake/bake.h>
#include <throng/base/try.h>
#include <throng/character/file.h>
#include <throng/character/image.h>
#include <throng/gpu/device.h>
#include <throng/playback/crowd.h>
#include <throng/scene/scene_renderer.h>

#include <algorithm>

namespace {

// A stick, 5 × 60 × 5 cm, made by hand; import_model("torch.glb") would do as well.
throng::Result<throng::Character> make_torch() {
  constexpr glm::vec3 kHalf{0.025f, 0.3f, 0.025f};
  throng::Mesh mesh;
  for (int face = 0; face < 6; ++face) {
    glm::vec3 n(0.0f), u(0.0f), v(0.0f);
    n[face % 3] = face < 3 ? 1.0f : -1.0f;
    u[(face + 1) % 3] = n[face % 3];
    v[(face + 2) % 3] = 1.0f;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const glm::vec3& corner : {n - u - v, n + u - v, n + u + v, n - u + v}) {
      mesh.positions.push_back(corner * kHalf);
      mesh.normals.push_back(n);
      mesh.influences.push_back(throng::bound_to(0));
    }
    for (const std::uint32_t i : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(first + i);
  }
  throng::ModelDraft draft;
  draft.name = "torch";
  draft.bones.emplace_back().name = "torch";
  draft.bindings.emplace_back();
  draft.materials.emplace_back().base_colour = {0.45f, 0.16f, 0.05f, 1.0f};
  draft.meshes.push_back(std::move(mesh));
  THRONG_TRY(const throng::Model model, throng::build_model(std::move(draft)));
  throng::ThreadExecutor executor;
  return throng::bake(model, {}, executor);  // without clips: one frame, its rest pose
}

throng::Placement placement_of(const throng::SocketPlace& place) {
  return {glm::vec3(place.position), glm::quat(place.rotation), static_cast<float>(place.scale)};
}

throng::Result<void> draw(const char* asset_file, const char* picture_file) {
  THRONG_TRY(const throng::Character person, throng::read_character(asset_file));
  THRONG_TRY(const throng::Character torch, make_torch());
  THRONG_TRY(const throng::SocketId hand, person.find_socket("hand.R"));

  throng::Clock clock;
  throng::Crowd crowd(person);
  const throng::ModelId torches = crowd.add(torch);
  struct Carrier {
    throng::InstanceId person, torch;
  };
  std::vector<Carrier> carriers;
  for (std::uint32_t i = 0; i < 24; ++i) {
    throng::Spawn spawn;
    spawn.placement.position = {1.3f * static_cast<float>(i % 6), 0.0f, -1.5f * static_cast<float>(i / 6)};
    spawn.play = {.clip = throng::ClipId(i % static_cast<std::uint32_t>(person.clips().size())), .offset = 0.21 * i};
    THRONG_TRY(const throng::InstanceId walker, crowd.add(spawn, clock.now()));
    THRONG_TRY(const throng::InstanceId carried, crowd.add({.model = torches}, clock.now()));
    carriers.push_back({walker, carried});
  }

  clock.advance(1.0);
  for (const Carrier& carrier : carriers) {
    THRONG_TRY(const throng::SocketPlace place, crowd.socket(carrier.person, hand, clock.now()));
    THRONG_CHECK(crowd.place(carrier.torch, placement_of(place)));
  }

  THRONG_TRY(const throng::Device device, throng::Device::create());
  THRONG_TRY(throng::SceneRenderer scene,
             throng::SceneRenderer::create(device.context(), {.width = 960, .height = 540}));
  THRONG_CHECK(scene.add(person));
  THRONG_CHECK(scene.add(torch));
  THRONG_CHECK(scene.update(crowd));
  THRONG_TRY(const throng::Image image, scene.render(throng::frame_bounds(scene.bounds(), 960.0 / 540.0), clock.now()));
  return throng::write_png(image, picture_file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: sockets ASSET.throng.glb PICTURE.png\n");
    return 2;
  }
  if (const auto drawn = draw(argv[1], argv[2]); !drawn) {
    fmt::print(stderr, "{}\n", drawn.error().message);
    return 1;
  }
  fmt::print("wrote {}\n", argv[2]);
}
