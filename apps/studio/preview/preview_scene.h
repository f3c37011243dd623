// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scene of one size for one model: the bake, or its errors in colours, or one of its coarser levels, and the model it
// is made from beside it.

#include <optional>
#include <vector>

#include "preview/preview_worker.h"
#include "throng/scene/scene_renderer.h"

namespace throng::studio {

class PreviewScene {
 public:
  static Result<PreviewScene> create(const VulkanContext& context, const PreviewRequest& request,
                                     const SceneSettings& settings);

  // Whether it can show what is asked for. Bakes of one model come onto the same stage; in the end it is full.
  bool fits(const PreviewRequest& request) const;

  // After an error the scene is not to be used any more.
  Result<PreviewPicture> draw(const PreviewRequest& request);

 private:
  // What of the bake is on the stage: the bake itself, or it at a level or in colours.
  struct Variant {
    std::shared_ptr<const Character> of;
    std::optional<std::uint32_t> level;
    std::shared_ptr<const HeatMap> heat;
    double full_heat_mm = 0.0;
    Character character;
    ModelId id;
  };
  struct Framed {
    std::optional<std::uint32_t> clip;
    Bounds bounds;
  };

  explicit PreviewScene(SceneRenderer renderer) : renderer_(std::move(renderer)) {}
  Result<const Variant*> variant_for(const PreviewRequest& request);
  Result<void> cast_bake(const PreviewRequest& request, const glm::dvec3& at);
  Result<void> cast_source(const PreviewRequest& request, const Placement& at, const SourcePose& pose);
  Result<void> clear_bake();
  Result<void> clear_source();
  void set_ground(const Character& measured);
  Bounds framed_one(const PreviewRequest& request);

  SceneRenderer renderer_;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  const void* measured_ = nullptr;  // what the ground was laid for
  std::vector<Variant> variants_;
  std::optional<ModelId> shown_bake_;
  PreviewRequest cast_for_;               // that the bake's instances were placed for
  std::shared_ptr<const SourceView> of_;  // the model on the stage
  std::optional<ModelId> source_id_;
  std::optional<CharacterId> source_;
  std::vector<std::string> source_wears_not_;
  std::optional<Framed> source_framed_;
};

}  // namespace throng::studio
