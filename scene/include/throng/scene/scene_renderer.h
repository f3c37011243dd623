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

namespace throng {

// World space is right-handed with +Y up.
struct Camera {
  glm::dvec3 eye{0.0, 1.6, 6.0};
  glm::dvec3 target{0.0, 1.0, 0.0};
  double vertical_fov_degrees = 32.0;
};

// A camera that sees all of `bounds` in a picture of that aspect (width / height), from `yaw_degrees` around +Y (0:
// from +Z) and `pitch_degrees` above the horizon.
Camera frame_bounds(const Bounds& bounds, double aspect, double yaw_degrees = 28.0, double pitch_degrees = 14.0,
                    double vertical_fov_degrees = 32.0);

// How the scene looks. Colours are linear light, 1 being white paper in full sun before exposure.
struct SceneLook {
  glm::vec3 sun_direction{-0.62f, 0.58f, 0.42f};  // towards the sun; any length but 0
  glm::vec3 sun_colour{2.95f, 2.52f, 1.92f};
  glm::vec3 sky_colour{0.40f, 0.54f, 0.78f};     // light from above
  glm::vec3 bounce_colour{0.36f, 0.31f, 0.27f};  // light from below
  glm::vec3 ground_albedo{0.47f, 0.465f, 0.455f};
  glm::vec3 zenith_colour{0.20f, 0.44f, 0.88f};   // of the background
  glm::vec3 horizon_colour{1.28f, 1.25f, 1.20f};  // of the background, and of the fog
  float rim = 0.35f;                              // strength of the light on silhouettes
  float exposure = 0.9f;
  float ground_height = 0.0f;
  float fog_start = 0.0f;  // metres from the camera; both 0: from the camera's distance to its target
  float fog_end = 0.0f;    // metres from the camera to where 63 % of what is seen is fog
  // How fast shadows soften with distance from what casts them: the sun's radius over its distance.
  float sun_softness = 0.035f;
  float variation = 1.0f;  // how much characters of one material differ in colour; 0: not at all
  float paving = 1.0f;     // how much the ground's slabs and stains show; 0: plain
  float clouds = 0.35f;    // how much of the sky they cover
  float metre = 1.0f;      // how long a metre is in world units: softness and bias are measured in it
};

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
};

// What one picture took.
struct DrawReport {
  // Draw calls recorded in the colour pass: one per material of each model, near and far together, one for its specks,
  // one a prop.
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
