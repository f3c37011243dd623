// SPDX-License-Identifier: Apache-2.0
#include "near/own_channels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "motion/bone_stillness.h"

namespace throng::detail::bake {
namespace {

// Of the model's size: how far around a bone somebody may hang something on it.
constexpr double kRadius = 0.01;
constexpr double kDrawnShare = 0.25;          // of what is allowed, of bones that vertices follow
constexpr double kUnseen = 0.05;              // of what is allowed: no movement
constexpr double kLeftOut = 0.7;              // of what is allowed that frames may leave out
constexpr std::array kShares{0.0, 0.3, 0.6};  // the same, where fewer frames are stored; 0: all of them
constexpr int kRates = 3;                     // each twice as high as the last
constexpr int kMostTries = 8;                 // of steps
constexpr double kAim = 0.985;                // of what is allowed
constexpr double kCloseEnough = 0.95;
constexpr double kLeastScale = 1e-9;
constexpr std::size_t kMostTransforms = 1u << 18;  // of one clip, 50 MB: what moves longer stays keys

double largest_column(const glm::dmat4& m) {
  return std::max({glm::length(glm::dvec3(m[0])), glm::length(glm::dvec3(m[1])), glm::length(glm::dvec3(m[2]))});
}

// How far the vertices reach that follow the bone, in its own space; less than 0: none does.
std::vector<double> vertex_reaches(const Model& model) {
  std::vector<double> reaches(model.bones().size(), -1.0);
  for (const Mesh& mesh : model.meshes()) {
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      for_each_influence(mesh, v, [&](std::uint16_t number, float weight) {
        if (!(weight > 0.0f)) return;
        const Binding& binding = model.bindings()[number];
        const glm::dvec3 place(binding.bone_from_mesh * glm::dvec4(glm::dvec3(mesh.positions[v]), 1.0));
        reaches[binding.bone] = std::max(reaches[binding.bone], glm::length(place));
      });
    }
  }
  return reaches;
}

// What a slot does in one clip, whatever the steps.
struct Slot {
  std::size_t bone = 0;
  SlotKind kind = SlotKind::rotation;
  std::uint32_t number = 0;
  ChannelGrid grid = {};
  std::vector<glm::dvec4> components = {};  // of every frame
  std::size_t component_count = 3;
  double unit = 1.0;  // a step that moves something by all that is allowed
  bool moves = false;
  bool at_rest = false;  // as its bone's `still`

  double range(std::size_t component) const {
    const auto k = static_cast<glm::length_t>(component);
    const auto [least, most] = std::ranges::minmax_element(components, {}, [k](const glm::dvec4& v) { return v[k]; });
    return (*most)[k] - (*least)[k];
  }
};

// One clip at one rate.
class OwnMotion {
 public:
  OwnMotion(const Model& model, const ClipPlan& plan, const OwnBones& bones, double allowed)
      : bones_(bones), frames_(plan.frames.frame_count), loops_(plan.frames.loops) {
    for (const OwnBone& bone : bones.all) allowed_.push_back(bone.drawn ? kDrawnShare * allowed : allowed);
    sample(model, plan);
    for (std::size_t bone = 0; bone < bones.all.size(); ++bone) {
      const BoneChannels& channels = bones.all[bone].channels;
      if (channels.rotation) slots_.push_back(rotation_slot(bone));
      if (channels.translation) slots_.push_back(vector_slot(bone, SlotKind::translation));
      if (channels.scale) slots_.push_back(vector_slot(bone, SlotKind::scale));
    }
    moves_.assign(bones.all.size(), false);
    for (const Slot& slot : slots_)
      if (slot.moves) moves_[slot.bone] = true;
    for (std::size_t bone = 0; bone < bones.all.size(); ++bone)
      if (const auto above = bones.all[bone].above; above && moves_[*above]) moves_[bone] = true;
  }

  bool moves() const {
    return std::ranges::any_of(slots_, [](const Slot& slot) { return slot.moves; });
  }

  std::vector<std::uint32_t> every_frame() const {
    std::vector<std::uint32_t> stored(frames_);
    for (std::uint32_t frame = 0; frame < frames_; ++frame) stored[frame] = frame;
    return stored;
  }

  // As few as leave out no more than `share` of what is allowed between them: after each about the farthest that will
  // do.
  std::vector<std::uint32_t> fewest_frames(double share) const {
    const std::uint32_t end = loops_ ? frames_ : frames_ - 1;
    const auto will_do = [&](std::uint32_t from, std::uint32_t length) {
      return error_in(from, from + length, exact(from), exact((from + length) % frames_), share) <= share;
    };
    std::vector<std::uint32_t> stored{0};
    std::uint32_t last = 1;
    for (std::uint32_t from = 0; from < end;) {
      const std::uint32_t longest = std::min(kMostFramesApart, end - from);
      std::uint32_t does = 1, fails = longest + 1, tried = std::min(last, longest);
      while (does + 1 < fails) {
        tried = std::clamp(tried, does + 1, fails - 1);
        (will_do(from, tried) ? does : fails) = tried;
        tried = fails > longest ? 2 * does : (does + fails) / 2;
      }
      last = does;
      from += does;
      if (from < frames_) stored.push_back(from);
    }
    return stored;
  }

  // Of what is allowed: what is left out between the stored frames.
  double left_out(const std::vector<std::uint32_t>& stored) const {
    std::vector<Transform> values;
    for (const std::uint32_t frame : stored) {
      const auto here = exact(frame);
      values.insert(values.end(), here.begin(), here.end());
    }
    return error(stored, values);
  }

  // With the coarsest steps found that keep to what is allowed; nothing where none do.
  std::optional<OwnClip> coarsest(const std::vector<std::uint32_t>& stored) const {
    const double between = left_out(stored);
    if (between >= 1.0) return std::nullopt;
    std::optional<std::vector<SlotMotion>> best;
    double best_distance = 0.0;
    double distance = 1.0 - between;
    for (int i = 0; i < kMostTries; ++i) {
      std::vector<Transform> values;
      std::vector<SlotMotion> tried = rounded(stored, distance, values);
      const double off = error(stored, values);
      if (off <= 1.0 && distance > best_distance) {
        best_distance = distance;
        best = std::move(tried);
      }
      if (off <= 1.0 && off >= kCloseEnough) break;
      const double factor = (kAim - between) / std::max(off - between, 1e-3);
      if (!(factor > 0.0)) break;
      distance = std::max(distance * std::clamp(factor, 0.25, 3.0), 1.02 * best_distance);
    }
    if (!best) return std::nullopt;
    auto encoded = encode_channels(*best, stored, frames_);
    if (!encoded) return std::nullopt;
    return OwnClip{std::move(encoded->words), {encoded->clip, frames_}};
  }

 private:
  // Frames and the moments half-way between them, as the source has them.
  void sample(const Model& model, const ClipPlan& plan) {
    const std::size_t count = bones_.all.size();
    const std::size_t looks = loops_ ? std::size_t{2} * frames_ : std::size_t{2} * frames_ - 1;
    locals_.reserve(looks * count);
    chains_.reserve(looks * count);
    scales_above_.assign(count, kLeastScale);
    for (std::size_t look = 0; look < looks; ++look) {
      const double time = plan.source_time(static_cast<std::uint32_t>(look / 2), 0.5 * static_cast<double>(look % 2));
      const Pose pose = sample_planned(model, plan, time);
      for (std::size_t i = 0; i < count; ++i) {
        Transform local = pose.bones[bones_.all[i].bone];
        local.rotation = glm::normalize(local.rotation);
        // Neighbours in one hemisphere, so that components do not jump.
        if (look > 0 && glm::dot(locals_[locals_.size() - count].rotation, local.rotation) < 0.0)
          local.rotation = -local.rotation;
        locals_.push_back(local);
        const auto above = bones_.all[i].above;
        const glm::dmat4 matrix = to_matrix(local);
        chains_.push_back(above ? chains_[look * count + *above] * matrix : matrix);
      }
      if (look % 2 != 0) continue;
      const std::vector<glm::dmat4> models = model_from_bones(model, pose);
      for (std::size_t i = 0; i < count; ++i) {
        const OwnBone& bone = bones_.all[i];
        const auto parent = model.bones()[bone.bone].parent;
        const double scale = bone.above ? scales_above_[*bone.above] : parent ? largest_column(models[*parent]) : 1.0;
        scales_above_[i] = std::max(scales_above_[i], scale);
      }
    }
  }

  std::span<const Transform> exact(std::uint32_t frame) const {
    return std::span(locals_).subspan(std::size_t{2} * frame * bones_.all.size(), bones_.all.size());
  }

  Slot rotation_slot(std::size_t bone) const {
    const OwnBone& own = bones_.all[bone];
    std::vector<glm::dquat> values;
    for (std::uint32_t frame = 0; frame < frames_; ++frame) values.push_back(exact(frame)[bone].rotation);
    Slot slot{.bone = bone, .kind = SlotKind::rotation, .number = *own.channels.rotation};
    slot.grid = rotation_grid(values);
    slot.component_count = slot.grid.four ? 4 : 3;
    slot.unit = allowed_[bone] / own.reach;
    double off = 0.0;
    for (const glm::dquat& value : values) {
      slot.components.push_back(components_of(slot.grid, value));
      const glm::dquat rest = own.channels.still.rotation;
      off = std::max(off, 2.0 * std::min(glm::length(value - rest), glm::length(value + rest)));
    }
    return finished(slot, off);
  }

  Slot vector_slot(std::size_t bone, SlotKind kind) const {
    const OwnBone& own = bones_.all[bone];
    const bool grows = kind == SlotKind::scale;
    Slot slot{.bone = bone, .kind = kind, .number = grows ? *own.channels.scale : *own.channels.translation};
    slot.grid.kind = kind;
    const glm::dvec3 rest = grows ? own.channels.still.scale : own.channels.still.translation;
    slot.unit = allowed_[bone] / (grows ? own.reach : scales_above_[bone]);
    double off = 0.0;
    for (std::uint32_t frame = 0; frame < frames_; ++frame) {
      const Transform& local = exact(frame)[bone];
      const glm::dvec3 value = grows ? local.scale : local.translation;
      slot.components.emplace_back(value, 0.0);
      off = std::max(off, glm::distance(value, rest));
    }
    return finished(slot, off);
  }

  // `off`: how far it is from its rest.
  static Slot finished(Slot slot, double off) {
    slot.at_rest = off <= kUnseen * slot.unit;
    for (std::size_t c = 0; c < slot.component_count && !slot.at_rest; ++c)
      if (slot.range(c) > kUnseen * slot.unit) slot.moves = true;
    return slot;
  }

  static double most_of(const Slot& slot) {
    double most = 0.0;
    for (const glm::dvec4& v : slot.components)
      most = std::max({most, std::abs(v.x), std::abs(v.y), std::abs(v.z), std::abs(v.w)});
    return most;
  }

  static std::uint32_t bits_in(const Slot& slot, float step) {
    std::uint32_t bits = 0;
    for (std::size_t c = 0; c < slot.component_count; ++c)
      bits += static_cast<std::uint32_t>(
          std::bit_width(static_cast<std::uint64_t>(std::llround(slot.range(c) / static_cast<double>(step)) + 1)));
    return bits;
  }

  // The bits that a step takes often hold a finer one.
  static float step_of(const Slot& slot, double distance) {
    const double most = most_of(slot);
    if (!slot.moves) return channel_step(slot.kind, kUnseen * slot.unit, most);
    const float step = channel_step(slot.kind, distance * slot.unit, most);
    float best = step;
    for (double finer = 0.95 * static_cast<double>(step); finer > 0.5 * static_cast<double>(step); finer *= 0.95) {
      const float tried = channel_step(slot.kind, finer, most);
      if (bits_in(slot, tried) > bits_in(slot, step)) break;
      best = std::min(best, tried);
    }
    return best;
  }

  // `values`: what readers make of it, frame by frame.
  std::vector<SlotMotion> rounded(const std::vector<std::uint32_t>& stored, double distance,
                                  std::vector<Transform>& values) const {
    const std::size_t count = bones_.all.size();
    for (std::size_t i = 0; i < stored.size(); ++i)
      for (const OwnBone& bone : bones_.all) values.push_back(bone.channels.still);
    std::vector<SlotMotion> out(bones_.slots.size());
    for (const Slot& slot : slots_) {
      SlotMotion& motion = out[slot.number];
      motion.grid = slot.grid;
      if (slot.at_rest) continue;
      motion.grid.step = step_of(slot, distance);
      for (std::size_t i = 0; i < stored.size(); ++i) {
        motion.frames.push_back(steps_of(motion.grid, slot.components[slot.moves ? stored[i] : 0]));
        Transform& value = values[i * count + slot.bone];
        if (slot.kind == SlotKind::rotation) value.rotation = rotation_at(motion.grid, motion.frames.back());
        if (slot.kind == SlotKind::translation) value.translation = vector_at(motion.grid, motion.frames.back());
        if (slot.kind == SlotKind::scale) value.scale = vector_at(motion.grid, motion.frames.back());
      }
    }
    return out;
  }

  double error(const std::vector<std::uint32_t>& stored, std::span<const Transform> values) const {
    const std::size_t count = bones_.all.size();
    double most = 0.0;
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const bool last = i + 1 == stored.size();
      const auto from = values.subspan(i * count, count);
      const auto to = last && !loops_ ? from : values.subspan((last ? 0 : i + 1) * count, count);
      most = std::max(
          most, error_in(stored[i], last ? frames_ : stored[i + 1], from, to, std::numeric_limits<double>::infinity()));
    }
    return most;
  }

  // The largest part of what is allowed that a bone is off by, from one frame to before another; gives up past
  // `enough`.
  double error_in(std::uint32_t first, std::uint32_t end, std::span<const Transform> from,
                  std::span<const Transform> to, double enough) const {
    const std::size_t count = bones_.all.size();
    const std::size_t end_look = std::min(std::size_t{2} * end, locals_.size() / count);
    std::vector<glm::dmat4> chain(count);
    double most = 0.0;
    for (std::size_t look = std::size_t{2} * first; look < end_look && most <= enough; ++look) {
      const double blend = (0.5 * static_cast<double>(look) - first) / (end - first);
      for (std::size_t i = 0; i < count; ++i) {
        if (!moves_[i] && look > 0) continue;
        const OwnBone& bone = bones_.all[i];
        const glm::dmat4 matrix = to_matrix({glm::mix(from[i].translation, to[i].translation, blend),
                                             mixed_rotation(from[i].rotation, to[i].rotation, blend),
                                             glm::mix(from[i].scale, to[i].scale, blend)});
        chain[i] = bone.above ? (moves_[*bone.above] || look == 0 ? chain[*bone.above] : chains_[*bone.above]) * matrix
                              : matrix;
        most = std::max(most, distance(chain[i], chains_[look * count + i], i) / allowed_[i]);
      }
    }
    return most;
  }

  // How far what is around a bone is from where it belongs, at most.
  double distance(const glm::dmat4& is, const glm::dmat4& belongs, std::size_t bone) const {
    double turned = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double length = glm::length(belongs[axis]);
      if (length > kLeastScale) turned = std::max(turned, glm::length(is[axis] - belongs[axis]) / length);
    }
    return scales_above_[bone] * glm::length(is[3] - belongs[3]) + bones_.all[bone].radius * turned;
  }

  const OwnBones& bones_;
  std::uint32_t frames_;
  bool loops_;
  std::vector<double> allowed_;       // by bone
  std::vector<Transform> locals_;     // by look and bone
  std::vector<glm::dmat4> chains_;    // the same: to the parent of the first of these bones above it
  std::vector<double> scales_above_;  // by bone: how large a unit of its chain's parent is in the model, at most
  std::vector<Slot> slots_;
  std::vector<bool> moves_;  // by bone, those above it among them
};

// The frames that are tried, from the fewest.
std::vector<FramePlan> frames_to_try(const ClipPlan& plan, std::uint32_t intervals) {
  if (!(plan.frames.length > 0.0)) return {FramePlan{plan.frames.loops, 1, plan.frames.length}};
  std::vector<FramePlan> out;
  double rate = intervals / plan.frames.length;
  for (int i = 0; i < kRates; ++i, rate *= 2.0) out.push_back(replanned_frames(plan, rate));
  return out;
}

}  // namespace

OwnBones own_bones(const Model& model, std::span<const ClipPlan> plans, std::span<const MotionSource> clips,
                   const CharacterDraft& draft, std::span<const std::optional<Transform>> still) {
  const std::size_t count = model.bones().size();
  std::vector<bool> wanted(count);
  for (std::size_t bone = 0; bone < count; ++bone) wanted[bone] = !still[bone];
  for (const PoseLink& link : draft.skeleton)
    if (link.bone) wanted[*link.bone] = false;
  const double size = standing_height(model);
  const Pose first = sample_planned(model, plans[0], plans[0].clip.start);
  std::vector<BoneMoves> moved(count);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!clips[i].frames) continue;
    const ClipPlan& plan = plans[i];
    const std::uint32_t looks = 2 * plan.frames.frame_count;
    for (std::uint32_t look = 0; look < looks; ++look) {
      const Pose pose = sample_planned(model, plan, plan.clip.start + plan.frames.length * look / looks);
      for (std::size_t bone = 0; bone < count; ++bone)
        if (wanted[bone]) moved[bone] |= moves_of(first.bones[bone], pose.bones[bone], size);
    }
  }
  OwnBones out;
  const std::vector<double> reaches = vertex_reaches(model);
  const std::vector<glm::dmat4> models = model_from_bones(model, first);
  std::vector<std::optional<std::size_t>> number(count);
  for (std::uint32_t bone = 0; bone < count; ++bone) {
    if (!wanted[bone]) continue;
    number[bone] = out.all.size();
    OwnBone& own = out.all.emplace_back();
    own.bone = bone;
    if (const auto parent = model.bones()[bone].parent) own.above = number[*parent];
    own.drawn = reaches[bone] >= 0.0;
    own.radius = std::max(kRadius * size, reaches[bone] * largest_column(models[bone]));
    own.reach = own.radius;
    own.channels = {true, {}, {}, {}, first.bones[bone]};
    own.channels.still.rotation = glm::normalize(own.channels.still.rotation);
  }
  for (std::size_t i = out.all.size(); i-- > 0;) {
    const OwnBone& own = out.all[i];
    if (!own.above) continue;
    OwnBone& above = out.all[*own.above];
    above.reach = std::max(above.reach, own.reach + glm::distance(models[own.bone][3], models[above.bone][3]));
  }
  const auto add_slots = [&](bool BoneMoves::*moves, std::optional<std::uint32_t> BoneChannels::*slot, SlotKind kind) {
    for (OwnBone& own : out.all) {
      if (!(moved[own.bone].*moves)) continue;
      own.channels.*slot = static_cast<std::uint32_t>(out.slots.size());
      out.slots.push_back(kind);
    }
  };
  add_slots(&BoneMoves::turns, &BoneChannels::rotation, SlotKind::rotation);
  add_slots(&BoneMoves::shifts, &BoneChannels::translation, SlotKind::translation);
  add_slots(&BoneMoves::grows, &BoneChannels::scale, SlotKind::scale);
  return out;
}

std::optional<OwnClip> own_clip(const Model& model, const ClipPlan& plan, const OwnBones& bones,
                                std::uint32_t intervals, double allowed) {
  for (const FramePlan& frames : frames_to_try(plan, intervals)) {
    if (std::size_t{2} * frames.frame_count * bones.all.size() > kMostTransforms) return std::nullopt;
    const OwnMotion motion(model, replanned(plan, frames), bones, allowed);
    if (!motion.moves()) {
      FramePlan one = frames;
      one.frame_count = 1;
      return OwnMotion(model, replanned(plan, one), bones, allowed).coarsest({0});
    }
    if (motion.left_out(motion.every_frame()) > kLeftOut) continue;
    std::optional<OwnClip> best;
    for (const double share : kShares) {
      auto tried = motion.coarsest(share > 0.0 ? motion.fewest_frames(share) : motion.every_frame());
      if (tried && (!best || tried->words.size() < best->words.size())) best = std::move(tried);
    }
    if (best) return best;
  }
  return std::nullopt;
}

Transform own_transform(const OwnBone& bone, const ChannelReader& reader, const ChannelFrames& at) {
  const BoneChannels& channels = bone.channels;
  Transform out = channels.still;
  if (channels.rotation) out.rotation = reader.rotation(*channels.rotation, at).value_or(out.rotation);
  if (channels.translation) out.translation = reader.vector(*channels.translation, at).value_or(out.translation);
  if (channels.scale) out.scale = reader.vector(*channels.scale, at).value_or(out.scale);
  return out;
}

}  // namespace throng::detail::bake
