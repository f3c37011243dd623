// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_stage.h"

#include <algorithm>

#include "crowd/staging.h"

namespace throng::studio {
namespace {

// A software device draws a quarter of the pixels and coarser shadows: a picture that moves beats a sharp one that does
// not.
SceneSettings scene_settings(const PreviewRequest& request, bool software) {
  SceneSettings settings;
  const std::uint32_t shrink = software ? 2 : 1;
  settings.width = std::max(request.width / shrink, 16u);
  settings.height = std::max(request.height / shrink, 16u);
  settings.shadow_size = software ? 1024 : 4096;
  settings.contact_size = software ? 512 : 2048;
  settings.look.metre = static_cast<float>(metre_of(*request.model));
  settings.look.ground_height = static_cast<float>(ground_of(*request.model));
  return settings;
}

bool same_scene(const PreviewRequest& a, const PreviewRequest& b) {
  return a.model == b.model && a.width == b.width && a.height == b.height;
}

bool same_cast(const PreviewRequest& a, const PreviewRequest& b) {
  return a.clip == b.clip && a.every_clip == b.every_clip && a.count == b.count;
}

// One character is framed by what it does in its clip, a crowd by all of it.
Bounds framed(const PreviewRequest& request, const SceneRenderer& scene) {
  if (request.count > 1) return scene.bounds();
  const Bounds& clip = request.model->clips()[request.clip].bounds;
  return clip.empty() ? request.model->bounds() : clip;
}

}  // namespace

Result<void> PreviewStage::make_scene(const PreviewRequest& request) {
  scene_.reset();
  auto scene = SceneRenderer::create(device_->context(), scene_settings(request, is_software()));
  if (!scene) return fail(std::move(scene));
  scene_ = std::move(*scene);
  return {};
}

Result<void> PreviewStage::cast(const PreviewRequest& request) {
  const Character& model = *request.model;
  CastSettings settings{.count = request.count, .clip = ClipId(request.clip)};
  if (request.every_clip && request.count > 1) settings.clip.reset();
  auto crowd = cast_crowd(model, settings);
  if (!crowd) return fail(std::move(crowd));
  if (!same_scene(made_for_, request))
    if (auto added = scene_->add(model); !added) return fail(std::move(added));
  // Another cast altogether, not a change of the last.
  return scene_->set_instances(ModelId(0), crowd->instances(ModelId(0)), crowd->plays(ModelId(0)));
}

Result<void> PreviewStage::prepare(const PreviewRequest& request) {
  if (!device_) {
    auto device = Device::create(settings_);
    if (!device) return fail(std::move(device));
    device_ = std::move(*device);
  }
  const bool scene_stays = scene_ && same_scene(made_for_, request);
  if (scene_stays && same_cast(made_for_, request)) return {};
  if (!scene_stays) {
    made_for_ = {};
    if (auto made = make_scene(request); !made) return made;
  }
  if (auto done = cast(request); !done) {
    scene_.reset();
    return done;
  }
  made_for_ = request;
  return {};
}

Result<Image> PreviewStage::draw(const PreviewRequest& request) {
  if (!request.model || request.clip >= request.model->clips().size()) return fail("preview: there is no clip to play");
  if (auto ready = prepare(request); !ready) return fail(std::move(ready));
  const SceneSettings& settings = scene_->settings();
  const double aspect = static_cast<double>(settings.width) / settings.height;
  return scene_->render(request.orbit.camera(framed(request, *scene_), aspect), ticks_from_seconds(request.seconds));
}

Result<Image> run_guarded_draw(PreviewStage& stage, const PreviewRequest& request) {
  try {
    return stage.draw(request);
  } catch (const std::exception& error) {
    return fail("preview: {}", error.what());
  }
}

}  // namespace throng::studio
