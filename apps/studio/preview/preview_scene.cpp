// SPDX-License-Identifier: Apache-2.0
#include "preview/preview_scene.h"

#include <algorithm>
#include <cmath>

#include "crowd/staging.h"
#include "preview/ground.h"
#include "preview/variant.h"
#include "throng/base/try.h"

namespace throng::studio {
namespace {

constexpr std::size_t kMostVariants = 8;  // kept on the stage

// The parts that are not hidden by name; what is usual where nothing is said.
PartMask worn_parts(const Character& character, const std::vector<std::string>& hidden) {
  if (hidden.empty()) return usual_parts(character.part_groups());
  PartMask parts;
  for (std::uint32_t i = 0; i < character.parts().size(); ++i)
    if (std::ranges::find(hidden, character.parts()[i].name) != hidden.end()) parts.take_off(PartId(i));
  return parts;
}

bool same_cast(const PreviewRequest& a, const PreviewRequest& b) {
  return a.clip == b.clip && a.every_clip == b.every_clip && a.count == b.count && a.hidden == b.hidden;
}

// A crowd, or one that stands at a place and wears what it is told to.
Result<Crowd> cast(const Character& character, const PreviewRequest& request, const glm::dvec3& at) {
  if (request.count > 1) {
    CastSettings settings{.count = request.count, .clip = ClipId(*request.clip)};
    if (request.every_clip) settings.clip.reset();
    return cast_crowd(character, settings);
  }
  Crowd crowd(character);
  Spawn spawn;
  spawn.placement.position = glm::vec3(at);
  spawn.look.parts = worn_parts(character, request.hidden);
  spawn.play.clip = ClipId(*request.clip);
  THRONG_CHECK(crowd.add(spawn, 0));
  return crowd;
}

// Where the source stands for its poses to lie over the bake's, whose root motion may have been taken off. A clip that
// is not in the bake is where its own curves put it.
GroundMotion source_ground(const PreviewRequest& request) {
  if (!request.model || !request.clip || *request.clip >= request.model->clips().size()) return {};
  return inverse(ground_at(request.model->clips()[*request.clip], request.seconds));
}

Placement placed(const GroundMotion& ground, const glm::dvec3& aside) {
  const glm::dquat rotation = rotation_of(ground);
  return {glm::vec3(ground.translation + aside), glm::quat(rotation), 1.0f};
}

std::vector<BonePlace> bone_places(const SourceView& source, const SourcePose& pose, const GroundMotion& ground,
                                   const glm::dvec3& aside) {
  std::vector<BonePlace> places;
  for (std::uint32_t bone = 0; bone < pose.model_from_bones.size(); ++bone) {
    const glm::dvec3 at(position_of(pose.model_from_bones[bone]));
    places.push_back({transform_point(ground, at) + aside, source.parent(bone)});
  }
  return places;
}

}  // namespace

Result<PreviewScene> PreviewScene::create(const VulkanContext& context, const PreviewRequest& request,
                                          const SceneSettings& settings) {
  THRONG_TRY(SceneRenderer renderer, SceneRenderer::create(context, settings));
  PreviewScene scene(std::move(renderer));
  scene.width_ = request.width;
  scene.height_ = request.height;
  return scene;
}

bool PreviewScene::fits(const PreviewRequest& request) const {
  return width_ == request.width && height_ == request.height && variants_.size() <= kMostVariants &&
         (!of_ || !request.source || of_ == request.source);
}

Result<const PreviewScene::Variant*> PreviewScene::variant_for(const PreviewRequest& request) {
  const auto known = std::ranges::find_if(variants_, [&](const Variant& variant) {
    return variant.of == request.model && variant.level == request.level && variant.heat == request.heat &&
           (!variant.heat || variant.full_heat_mm == request.full_heat_mm);
  });
  if (known != variants_.end()) return &*known;
  Character character = *request.model;
  if (request.level) {
    THRONG_TRY(character, at_level(character, *request.level));
  }
  if (request.heat) {
    THRONG_TRY(character, with_heat(character, *request.heat, request.full_heat_mm));
  }
  THRONG_TRY(const ModelId id, renderer_.add(character, {.near = false}));
  variants_.push_back({request.model, request.level, request.heat, request.full_heat_mm, std::move(character), id});
  return &variants_.back();
}

Result<void> PreviewScene::clear_bake() {
  if (!shown_bake_) return {};
  THRONG_CHECK(renderer_.set_instances(*shown_bake_, {}, {}));
  shown_bake_.reset();
  return {};
}

Result<void> PreviewScene::cast_bake(const PreviewRequest& request, const glm::dvec3& at) {
  THRONG_TRY(const Variant* variant, variant_for(request));
  const bool aside = at != glm::dvec3(0.0);
  if (shown_bake_ == variant->id && same_cast(cast_for_, request) && !aside && cast_for_.shows == request.shows)
    return {};
  if (shown_bake_ != variant->id) {
    THRONG_CHECK(clear_bake());
  }
  THRONG_TRY(const Crowd crowd, cast(variant->character, request, at));
  // Another cast altogether, not a change of the last.
  THRONG_CHECK(renderer_.set_instances(variant->id, crowd.instances(ModelId(0)), crowd.plays(ModelId(0))));
  shown_bake_ = variant->id;
  cast_for_ = request;
  return {};
}

Result<void> PreviewScene::clear_source() {
  if (!source_) return {};
  THRONG_CHECK(renderer_.characters().remove(*source_));
  source_.reset();
  return {};
}

Result<void> PreviewScene::cast_source(const PreviewRequest& request, const Placement& at, const SourcePose& pose) {
  const Character& character = request.source->character();
  CharacterRenderer& characters = renderer_.characters();
  if (!source_id_) {
    of_ = request.source;
    THRONG_TRY(source_id_, renderer_.add(character, {.far = false}));
  }
  if (!source_ || source_wears_not_ != request.hidden) {
    THRONG_TRY(const std::vector<PieceRef> pieces,
               pieces_of(character, *source_id_, worn_parts(character, request.hidden)));
    if (source_) {
      THRONG_CHECK(characters.set_pieces(*source_, pieces));
    } else {
      THRONG_TRY(source_, characters.add_near(*source_id_, pieces));
    }
    source_wears_not_ = request.hidden;
  }
  return characters.set_pose(
      *source_, {.model_from_bones = pose.model_from_bones, .morph_weights = pose.morph_weights, .placement = at});
}

// One character is framed by what it does in its clip.
Bounds PreviewScene::framed_one(const PreviewRequest& request) {
  Bounds bounds;
  if (request.shows != Shows::source) {
    const Bounds& clip = request.model->clips()[*request.clip].bounds;
    bounds.add(clip.empty() ? request.model->bounds() : clip);
  }
  if (request.shows == Shows::source) {
    if (!source_framed_ || source_framed_->clip != request.source_clip)
      source_framed_ = {request.source_clip, request.source->bounds(request.source_clip)};
    bounds.add(source_framed_->bounds);
  }
  return bounds;
}

// Another bake of the model, or another model, may be of another size.
void PreviewScene::set_ground(const Character& measured) {
  SceneLook look = renderer_.settings().look;
  look.metre = static_cast<float>(metre_of(measured));
  look.ground_height = static_cast<float>(ground_of(measured));
  renderer_.set_look(look);
}

Result<PreviewPicture> PreviewScene::draw(const PreviewRequest& request) {
  const void* measured = request.model ? static_cast<const void*>(request.model.get()) : request.source.get();
  if (std::exchange(measured_, measured) != measured)
    set_ground(request.model ? *request.model : request.source->character());
  const bool shows_bake = request.shows != Shows::source;
  const bool shows_source = request.shows != Shows::bake;
  const SceneSettings& settings = renderer_.settings();
  const double aspect = static_cast<double>(settings.width) / settings.height;
  PreviewPicture picture;
  glm::dvec3 aside(0.0);
  if (request.count == 1 && request.shows != Shows::both) {
    picture.camera = request.orbit.camera(framed_one(request), aspect);
  } else if (request.shows == Shows::both) {
    // Side by side as the camera sees it: each in the middle of a half that is framed for one.
    picture.camera = request.orbit.camera(framed_one(request), 0.5 * aspect);
    const Camera& camera = picture.camera;
    const glm::dvec3 away = camera.eye - camera.target;
    const double height = 2.0 * glm::length(away) * std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0);
    aside = glm::normalize(glm::cross(glm::dvec3(0.0, 1.0, 0.0), away)) * (0.25 * height * aspect);
  }
  const GroundMotion ground = source_ground(request);
  SourcePose pose;
  if (request.source && request.count == 1) {
    pose = request.source->pose(request.source_clip, request.source_start + request.seconds);
    picture.bones = bone_places(*request.source, pose, ground, shows_source ? -aside : glm::dvec3(0.0));
  }
  picture.source_at = -aside;
  picture.bake_at = aside;
  if (shows_bake) {
    THRONG_CHECK(cast_bake(request, aside));
  } else {
    THRONG_CHECK(clear_bake());
  }
  if (shows_source) {
    THRONG_CHECK(cast_source(request, placed(ground, -aside), pose));
  } else {
    THRONG_CHECK(clear_source());
  }
  if (request.count > 1) picture.camera = request.orbit.camera(renderer_.bounds(), aspect);
  THRONG_TRY(picture.image, renderer_.render(picture.camera, ticks_from_seconds(request.seconds)));
  return picture;
}

}  // namespace throng::studio
