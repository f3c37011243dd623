// SPDX-License-Identifier: Apache-2.0
#include "preview/preview_stage.h"

#include <algorithm>

#include "throng/base/try.h"

namespace throng::studio {
namespace {

// A software device draws what moves in fewer pixels, with plain shading and coarser shadows: a picture that moves
// beats a sharp one that does not. What stands still is drawn as sharp as anywhere.
SceneSettings scene_settings(const PreviewRequest& request, bool software) {
  const bool quick = software && !request.still;
  SceneSettings settings;
  const std::uint32_t shrink = quick ? 2 : 1;
  settings.width = std::max(request.width / shrink, 16u);
  settings.height = std::max(request.height / shrink, 16u);
  settings.shadow_size = quick ? 1024 : software ? 2048 : 4096;
  settings.contact_size = settings.shadow_size / 2;
  settings.shading = quick ? Shading::plain : Shading::full;
  return settings;
}

}  // namespace

Result<PreviewScene*> PreviewStage::scene_for(const PreviewRequest& request) {
  if (!device_) {
    THRONG_TRY(device_, Device::create(settings_));
  }
  const bool software = device_->info().kind == DeviceKind::software;
  std::optional<PreviewScene>& scene = software && !request.still ? moving_ : still_;
  if (scene && scene->fits(request)) return &*scene;
  scene.reset();
  THRONG_TRY(scene, PreviewScene::create(device_->context(), request, scene_settings(request, software)));
  return &*scene;
}

Result<PreviewPicture> PreviewStage::draw(const PreviewRequest& request) {
  const bool bake = request.shows != Shows::source;
  const bool source = request.shows != Shows::bake;
  const bool has_clip = request.model && request.clip && *request.clip < request.model->clips().size();
  if ((bake && !has_clip) || (source && !request.source)) return fail("preview: there is no clip to play");
  THRONG_TRY(PreviewScene * scene, scene_for(request));
  auto picture = scene->draw(request);
  if (!picture) {  // half of it may be in place
    moving_.reset();
    still_.reset();
  }
  return picture;
}

Result<PreviewPicture> run_guarded_draw(PreviewStage& stage, const PreviewRequest& request) {
  try {
    return stage.draw(request);
  } catch (const std::exception& error) {
    return fail("preview: {}", error.what());
  }
}

}  // namespace throng::studio
