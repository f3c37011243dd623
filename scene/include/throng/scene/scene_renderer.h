// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures of crowds without a window: a ground, a sky, a sun with soft shadows, and a crowd of any number of models,
// with near characters among them, drawn into memory.
//
//   auto device = Device::create();
//   auto scene = SceneRenderer::create(device->context(), {.width = 1280, .height = 720});
//   scene->add(character);
//   scene->update(crowd);
//   Image picture = *scene->render(camera, now);      // again and again, for a film: only `camera` and `now` change
//
// Drawing the same thing twice on one device gives the same bytes. A SceneRenderer is used by one thread at a time.

#include <chrono>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>

#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/character/image.h"
#include "throng/gpu/device.h"
#include "throng/playback/crowd.h"
#include "throng/renderer/character_renderer.h"
#include "throng/scene/camera.h"
#include "throng/scene/scene_look.h"
#include "throng/scene/scene_view.h"

namespace throng {

// The size of the pictures, and what may be spent on them.
struct SceneSettings {
  std::uint32_t width = 1280;
  std::uint32_t height = 720;
  std::uint32_t samples = 4;          // 1, 2, 4 or 8, as far as the device can
  std::uint32_t shadow_size = 2048;   // texels a side of each of the sun's maps
  std::uint32_t cascades = 4;         // most maps of the sun, each for another distance: 1 to 4
  std::uint32_t contact_size = 1024;  // of the map that darkens the ground under characters; 0: none
  Skinning skinning = Skinning::automatic;
  Shading shading = Shading::full;  // plain: also of the ground, and a sky without clouds
  DrawnOn drawn_on = DrawnOn::automatic;
  std::uint32_t pool_vertices = RendererSettings{}.pool_vertices;
  // The next four are those of RendererImage.
  bool culling = true;
  float pixel_error = 1.0f;
  float speck_pixels = 6.0f;
  std::uint32_t vertex_budget = 0;
  // Leaves out characters that stood behind others in the last picture: pictures that follow each other get faster in
  // dense crowds seen from among them, but what comes out from behind something appears one picture late.
  bool occlusion = false;
  // Neither ground nor sky: a picture is transparent where there are no characters, by how much of a pixel they cover.
  bool transparent = false;
  SceneLook look{};

  operator ViewSettings() const {  // NOLINT(google-explicit-constructor,hicpp-explicit-conversions): a part of them
    return {width, height, shadow_size, cascades, contact_size, transparent, look};
  }
};

// What one picture took.
struct DrawReport {
  // Draw calls recorded in the colour pass: one per material of each model, near and far together, one for its specks,
  // one a prop. Without a GPU near and far characters of a model have calls of their own.
  std::uint32_t colour_draws = 0;
  std::uint32_t shadow_draws = 0;    // the same, in the shadow passes
  std::uint64_t far_characters = 0;  // in the crowd
  CrowdCounts far = {};              // of those that were drawn
  NearCounts near = {};
};

class SceneRenderer {
 public:
  // Compiles every pipeline. Refused in words: sizes or sample counts beyond the device's limits.
  static Result<SceneRenderer> create(const VulkanContext& context, const SceneSettings& settings);
  SceneRenderer(SceneRenderer&&) noexcept;
  SceneRenderer& operator=(SceneRenderer&&) noexcept;
  ~SceneRenderer();

  // Uploads a model; CharacterRenderer::add says what is refused.
  Result<ModelId> add(const Character& character, const ModelSettings& settings = {});

  // Hangs a mesh on a socket of every far character of a model.
  Result<void> add_prop(const PropMesh& mesh, ModelId model, SocketId socket);

  // Takes over what changed in the crowd. Not needed for time to pass.
  Result<void> update(const Crowd& crowd);

  // All far characters of one model, for those who keep records of their own.
  Result<void> set_instances(ModelId model, std::span<const InstanceRecord> instances,
                             std::span<const PlayRecord> plays);

  // For near characters, whose poses come from the CPU: add them there and set their poses, or hand it to a
  // CastDrawing; every picture shows them among the crowd, under the same sun. Its images are this renderer's to
  // record.
  CharacterRenderer& characters();

  // A box around every character, whatever frame they are at, and around near ones as they are; empty without
  // characters.
  Bounds bounds() const;

  // The picture at `now`, in ticks (clock.h), read back: RGBA, sRGB, opaque unless SceneSettings::transparent, and then
  // with colours that are not multiplied by alpha.
  Result<Image> render(const Camera& camera, Ticks now);

  // The same without reading back: returns when the GPU is done.
  Result<DrawReport> draw(const Camera& camera, Ticks now);

  // Both in two steps, for callers who measure: submit() is what the CPU does for a picture, finish() waits for the
  // GPU. picture() is what was read back last. A picture that was not waited for is, by the next submit().
  Result<void> submit(const Camera& camera, Ticks now, bool read_back = false);
  Result<DrawReport> finish();  // waits for the picture that was begun, and tells what drawing it took
  Image picture() const;        // the picture that was finished last
  // While one waits for a picture that takes long: whether it is done, waiting no longer than that; and the share of
  // its passes that the GPU is through with.
  Result<bool> wait_for(std::chrono::nanoseconds most);
  double progress() const;  // from 0 to 1

  // What the last render or draw took.
  const DrawReport& report() const;

  const SceneSettings& settings() const;  // as it was made with
  void set_look(const SceneLook& look);   // another ground, sky and sun, from the next picture on
  // What may be left out, from the next picture on: see SceneSettings.
  void set_detail(bool culling, float pixel_error, float speck_pixels, std::uint32_t vertex_budget);

 private:
  struct State;
  explicit SceneRenderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
