// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "joints.h"
#include "ragdoll_state.h"
#include "throng/base/try.h"
#include "throng/ragdoll/ragdoll_controller.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

float smooth(double t) {
  const auto x = static_cast<float>(std::clamp(t, 0.0, 1.0));
  return x * x * (3.0f - 2.0f * x);
}

// The topmost body with most mass at and below it: a body, not a sword that lies beside it.
std::uint32_t main_body(const RagdollSetup& setup) {
  const auto bodies = setup.bodies();
  std::vector<float> mass(bodies.size());
  std::uint32_t best = 0;
  for (std::size_t i = bodies.size(); i-- > 0;) {
    mass[i] += bodies[i].mass;
    if (bodies[i].parent >= 0) {
      mass[static_cast<std::size_t>(bodies[i].parent)] += mass[i];
    } else if (bodies[best].parent >= 0 || mass[i] >= mass[best]) {
      best = static_cast<std::uint32_t>(i);
    }
  }
  return best;
}

}  // namespace

const char* to_text(RagdollPhase phase) {
  switch (phase) {
    case RagdollPhase::animated:
      return "animated";
    case RagdollPhase::falling:
      return "falling";
    case RagdollPhase::settled:
      return "settled";
    case RagdollPhase::getting_up:
      return "getting up";
  }
  return "unknown";
}

RagdollController::RagdollController(const RagdollWorld& world, std::shared_ptr<const RagdollSetup> setup,
                                     const RagdollControllerSettings& settings)
    : ragdoll_(world, std::move(setup)), settings_(settings), world_(state_of(world)) {
  const Rig& rig = ragdoll_.setup().rig();
  models_.resize(rig.bone_count());
  models_before_.resize(rig.bone_count());
  drawn_.resize(rig.group_count());
  drawn_models_.resize(rig.bone_count());
}

void RagdollController::remember(const PoseEdit& pose, const glm::mat4& world_from_model, double dt) {
  std::swap(models_, models_before_);
  world_from_model_before_ = world_from_model_;
  // They may be longer than the rig wants them.
  std::copy_n(pose.models.begin(), models_.size(), models_.begin());
  world_from_model_ = world_from_model;
  seconds_ = dt;
  poses_ = std::min(poses_ + 1, 2);
}

bool RagdollController::update(const PoseEdit& pose, const glm::mat4& world_from_model, double dt) {
  if (!pose.fits() || &pose.rig != &ragdoll_.setup().rig() || !is_finite(world_from_model)) return false;
  const double seconds = dt > 0.0 && std::isfinite(dt) ? dt : 0.0;
  phase_seconds_ += seconds;
  if (phase_ == RagdollPhase::falling || phase_ == RagdollPhase::settled) update_fall(pose, world_from_model);
  if (phase_ == RagdollPhase::getting_up) update_get_up(pose, world_from_model);
  remember(pose, world_from_model, seconds);
  return true;
}

Result<void> RagdollController::fall(std::optional<std::uint32_t> from) {
  if (poses_ == 0) return fail("ragdoll: it has no pose to fall from; update it once before");
  RagdollStart start{.models = models_, .world_from_model = world_from_model_, .from = from};
  if (poses_ > 1) {
    start.models_before = models_before_;
    start.seconds = static_cast<float>(seconds_);
    start.world_from_model_before = world_from_model_before_;
  }
  THRONG_CHECK(ragdoll_.start(start));
  phase_ = RagdollPhase::falling;
  phase_seconds_ = 0.0;
  weight_ = 1.0f;
  return {};
}

void RagdollController::update_fall(const PoseEdit& pose, const glm::mat4& world_from_model) {
  ragdoll_.follow(pose.models, world_from_model);
  ragdoll_.write(pose, world_from_model);
  std::copy_n(pose.locals.begin(), drawn_.size(), drawn_.begin());
  model_from_root_ = pose.model_from_root;
  // What hangs on an animated body has nowhere to settle.
  if (phase_ == RagdollPhase::settled || ragdoll_.from()) return;
  const bool still = ragdoll_.motion().still_seconds >= settings_.settle_seconds;
  if (still || phase_seconds_ >= settings_.max_fall_seconds) phase_ = RagdollPhase::settled;
}

Lying RagdollController::lying() const {
  if (!ragdoll_.running()) return Lying::face_up;
  const RagdollSetup& setup = ragdoll_.setup();
  const std::uint32_t hips = main_body(setup);
  glm::vec3 forward(0.0f);
  for (std::uint32_t i = 0; i < setup.bodies().size(); ++i) {
    const RagdollBody& body = setup.bodies()[i];
    if (i != hips && guess_limb(setup.rig().bone_name(body.bone), {}) != Limb::spine) continue;
    const glm::quat now = rotation_of(glm::mat3(ragdoll_.world_from_bone(i)));
    const glm::quat rest = rigid_of(setup.rig().rest_models()[body.bone]).rotation;
    forward += body.mass * (now * glm::conjugate(rest) * settings_.forward);
  }
  return forward.y >= 0.0f ? Lying::face_up : Lying::face_down;
}

Result<glm::mat4> RagdollController::get_up(std::span<const Affine> clip_start) {
  const bool lies = (phase_ == RagdollPhase::falling || phase_ == RagdollPhase::settled) && !ragdoll_.from();
  if (!lies) return fail("ragdoll: it is {}; only one that lies can get up", to_text(phase_));
  if (clip_start.size() != models_.size()) {
    return fail("ragdoll: {} models for a rig of {} bones", clip_start.size(), models_.size());
  }
  if (!std::all_of(clip_start.begin(), clip_start.end(), [](const Affine& a) { return is_finite(a); })) {
    return fail("ragdoll: the clip's pose is not finite");
  }
  const std::uint32_t body = main_body(ragdoll_.setup());
  const Rigid lies_at = rigid_of(ragdoll_.world_from_bone(body));
  const Rigid stands_at = rigid_of(clip_start[ragdoll_.setup().bodies()[body].bone]);
  // The part about the vertical of the rotation from the clip's to the lying body.
  const glm::quat heading = twist_about(lies_at.rotation * glm::conjugate(stands_at.rotation), {0.0f, 1.0f, 0.0f});
  const float scale = scale_of(world_from_model_);
  const glm::vec3 reach(0.0f, 2.0f * ragdoll_.setup().size() * scale, 0.0f);
  const auto ground = world_->cast_static(lies_at.at, lies_at.at - reach);
  glm::vec3 at = lies_at.at - heading * (stands_at.at * scale);
  at.y = ground ? ground->point.y : world_from_model_[3].y;

  glm::mat4 world_from_model = glm::mat4_cast(heading);
  for (int c = 0; c < 3; ++c) world_from_model[c] *= scale;
  world_from_model[3] = glm::vec4(at, 1.0f);
  // The pose that lies, as seen from there.
  const PoseEdit drawn{ragdoll_.setup().rig(), drawn_, drawn_models_, model_from_root_};
  if (phase_seconds_ == 0.0) return fail("ragdoll: it has not been drawn falling yet; update it once before");
  ragdoll_.write(drawn, world_from_model);
  ragdoll_.stop();
  phase_ = RagdollPhase::getting_up;
  phase_seconds_ = 0.0;
  return world_from_model;
}

void RagdollController::recover() {
  if (phase_ != RagdollPhase::falling && phase_ != RagdollPhase::settled) return;
  phase_ = RagdollPhase::getting_up;
  phase_seconds_ = 0.0;
}

void RagdollController::update_get_up(const PoseEdit& pose, const glm::mat4& world_from_model) {
  const double whole = settings_.get_up_seconds;
  weight_ = whole > 0.0 ? 1.0f - smooth(phase_seconds_ / whole) : 0.0f;
  if (weight_ <= 0.0f) {
    ragdoll_.stop();
    phase_ = RagdollPhase::animated;
    phase_seconds_ = 0.0;
    weight_ = 0.0f;
    return;
  }
  if (ragdoll_.running()) {
    ragdoll_.follow(pose.models, world_from_model);
    ragdoll_.write(pose, world_from_model, weight_);
    return;
  }
  OverrideJob{.rig = pose.rig, .under = pose.locals, .over = drawn_, .weight = weight_, .locals = pose.locals}.run();
  LocalToModelJob{
      .rig = pose.rig, .locals = pose.locals, .models = pose.models, .model_from_root = pose.model_from_root}
      .run();
}

}  // namespace throng
