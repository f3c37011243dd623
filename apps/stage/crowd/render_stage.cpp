// SPDX-License-Identifier: Apache-2.0
#include "crowd/render_stage.h"

#include "crowd/props.h"
#include "files.h"

using namespace throng;

namespace {

Result<Character> load_asset(const std::string& file) {
  auto loaded = load_model_or_asset(file);
  if (!loaded) return fail(std::move(loaded));
  if (auto* asset = std::get_if<Character>(&*loaded)) return std::move(*asset);
  return fail("{}: is a model, not a baked asset; first run: throng bake {} -o ASSET.throng.glb", file, file);
}

Camera chosen_camera(const RenderOptions& options, Camera camera) {
  if (!options.eye.empty()) camera.eye = {options.eye[0], options.eye[1], options.eye[2]};
  if (!options.target.empty()) camera.target = {options.target[0], options.target[1], options.target[2]};
  if (options.fov > 0.0) camera.vertical_fov_degrees = options.fov;
  return camera;
}

Result<void> hang_prop(const RenderOptions& options, const Character& asset, ModelId model, SceneRenderer& scene) {
  if (options.prop.empty()) return {};
  auto socket = find_socket(asset, options.socket);
  if (!socket) return fail(std::move(socket));
  auto prop = load_prop(options.prop, metre_of(asset), options.import);
  if (!prop) return fail(std::move(prop));
  return scene.add_prop(*prop, model, *socket);
}

SceneSettings scene_settings(const RenderOptions& options, const SceneLook& look) {
  SceneSettings settings;
  settings.width = options.width;
  settings.height = options.height;
  settings.skinning = options.skinning;
  settings.vertex_budget = options.vertex_budget;
  if (options.full_detail) settings.pixel_error = settings.speck_pixels = 0.0f;
  settings.look = look;
  settings.transparent = options.transparent;
  return settings;
}

// Without characters yet.
Result<Stage> empty_stage(const RenderOptions& options, const SceneLook& look) {
  report(options.progress, "compile", 0.0);
  auto device = Device::create({.choice = options.device, .cache_folder = default_cache_folder()});
  if (!device) return fail(std::move(device));
  auto scene = SceneRenderer::create(device->context(), scene_settings(options, look));
  if (!scene) return fail(std::move(scene));
  return Stage{std::move(*device), {}, std::move(*scene), {}};
}

Result<Stage> set_battle(const RenderOptions& options) {
  auto stage = empty_stage(options, Battle::look());
  if (!stage) return stage;
  auto battle = Battle::stage({.far = options.cast.count, .seed = options.cast.seed}, stage->scene);
  if (!battle) return fail(with_context("--scene battle", std::move(battle).error()));
  stage->battle.emplace(std::move(*battle));
  stage->camera = chosen_camera(options, Battle::camera());
  return stage;
}

}  // namespace

Result<Stage> set_stage(RenderOptions& options) {
  if (options.battle) return set_battle(options);
  report(options.progress, "read", 0.0);
  auto asset = load_asset(options.asset);
  if (!asset) return fail(std::move(asset));
  if (options.clip) {
    auto clip = asset->find_clip(*options.clip);
    if (!clip) return fail(with_context(options.asset, std::move(clip).error()));
    options.cast.clip = *clip;
  }
  report(options.progress, "crowd", 0.0);
  auto crowd = options.sheet ? cast_sheet(*asset, *options.cast.clip) : cast_crowd(*asset, options.cast);
  if (!crowd) return fail(std::move(crowd));
  auto stage = empty_stage(options, stage_look(*asset, options.view, options.cast.count));
  if (!stage) return stage;
  SceneRenderer& scene = stage->scene;
  const auto added = scene.add(*asset);
  if (!added) return fail(with_context(options.asset, added.error()));
  if (auto done = hang_prop(options, *asset, *added, scene); !done)
    return fail(with_context(options.asset, std::move(done).error()));
  if (auto done = scene.update(*crowd); !done) return fail(with_context(options.asset, std::move(done).error()));
  stage->crowd = std::move(*crowd);
  const double aspect = static_cast<double>(options.width) / options.height;
  stage->camera = chosen_camera(options, stage_camera(*asset, scene.bounds(), options.view, aspect));
  return stage;
}
