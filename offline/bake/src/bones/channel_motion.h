// SPDX-License-Identifier: Apache-2.0
#pragma once
// One clip at one rate as channels of localv: what its links do, rounded to steps of any size, and how far that is off
// the source.
//
// Rounding is closed-loop: each link is told to go where it belongs in the model from where its parent was rounded to,
// so that errors of orientation do not add up along a chain. A step of a link then moves what is between it and the
// next link that turns, and no more: that is its reach, and steps are inverse to it. What stands still in a clip takes
// no part, since it would have to move to make up for others.

#include "bones/channel_error.h"
#include "throng/character/channels.h"

namespace throng::detail::bake {

// What the slots hold, and what readers make of it.
struct RoundedMotion {
  std::vector<std::uint32_t> stored;  // frames of the clip, ascending
  std::vector<SlotMotion> slots;
  std::vector<BoneSample> links;  // parent_from_link: all of the first stored frame, then all of the next
};

class ChannelMotion {
 public:
  // `points`: of the model, by which errors are seen. The skeleton's slots are of localv, and the clip has no misfit.
  ChannelMotion(const BoneBakeInputs& bake, const ComparedPoints& points, const ClipPlan& plan);
  ChannelMotion(const ChannelMotion&) = delete;
  ChannelMotion& operator=(const ChannelMotion&) = delete;

  // About what it holds.
  std::uint64_t bytes() const;

  // What is kept of all looks together, at most; of longer clips every second, third … frame and what follows it is
  // looked at. What comes of it is measured at all of them.
  static constexpr double kMostLookBytes = 256.0 * 1024.0 * 1024.0;
  static double bytes_of_look(const BoneBakeInputs& bake, const ComparedPoints& points);
  // How often an interval is looked at where the source turns no corner.
  static int even_looks(const FramePlan& frames);

  // All frames, or as few of them as leave out no more than `allowed` (the model's units) between them.
  std::vector<std::uint32_t> every_frame() const;
  std::vector<std::uint32_t> fewest_frames(double allowed) const;

  // Steps that move nothing by much more than `distance`, in the model's units, before they add up; for each link times
  // its share (none: 1).
  RoundedMotion rounded(std::vector<std::uint32_t> stored, double distance, std::span<const double> shares) const;

  // For each link the largest error of a point that it, or a link below it, carries.
  std::vector<double> errors_below(const RoundedMotion& motion) const;

  // The largest distance of a point from where the source has it, at frames, between them and where the source turns a
  // corner: of rounded motion, or of what stored frames leave out alone. Stops looking once it is past `enough`.
  double error(const RoundedMotion& motion, double enough) const {
    return error_of(motion.stored, motion.links, enough);
  }
  double error_between(std::span<const std::uint32_t> stored) const;
  // The same at the stored frames alone.
  double error_at_frames(const RoundedMotion& motion) const;

  // The clip's words.
  Result<EncodedClip> encoded(const RoundedMotion& motion) const;

 private:
  class Rounder;

  // What a slot does, whatever the steps.
  struct Slot {
    ChannelGrid grid;
    std::uint32_t component_count = 3;
    glm::dvec4 first{0.0};  // its components in the first frame
    std::array<double, 4> least{}, most{};
    bool moves = false;
    bool at_rest = false;  // throughout
    std::size_t link = 0;
    double unit = 1.0;  // step that moves what it carries by 1 in the model
    double fine = 1.0;  // step of what does not move: it takes no bits
  };

  std::vector<ChannelLook> find_looks(double bytes_a_look);
  std::span<const BoneSample> sample_links(const ChannelLook& look);
  void sample_frames(std::size_t before);
  void sample_at(const ChannelLook& look);
  std::vector<BoneSample> models_at(std::size_t frame) const;
  void find_reaches();
  void gather_slots();
  static void take(const glm::dvec4& components, std::size_t frame, Slot& slot);
  Slot rotation_slot(std::size_t link) const;
  template <class ValueOf>
  Slot vector_slot(std::size_t link, SlotKind kind, bool moves, double unit, double fine,
                   const ValueOf& value_of) const;
  void find_still_links();
  // How large a unit of what a link's translation says is, where it is largest.
  double scale_above(std::size_t link) const;
  // `worst`: of every point, the largest squared error so far; none: nobody asks.
  double error_of(std::span<const std::uint32_t> stored, std::span<const BoneSample> links, double enough,
                  std::span<float> worst = {}) const;
  std::span<const BoneSample> frame_of(std::span<const BoneSample> links, std::size_t frame) const {
    return links.subspan(frame * link_count_, link_count_);
  }

  const BoneBakeInputs& bake_;
  const Skeleton& skeleton_;
  ClipPlan plan_;
  std::size_t frames_ = 0;
  std::size_t link_count_ = 0;
  std::vector<BoneSample> links_;                     // parent_from_link as the source has it, frame by frame
  std::vector<std::uint8_t> turns_, shifts_, grows_;  // by link: it moves in this clip
  std::vector<double> reach_;                         // by link
  std::vector<double> largest_;                       // by link: its scale in the model, where it is largest
  std::vector<Slot> slots_;
  std::vector<std::size_t> first_looks_;  // by frame, and one more behind the last
  std::vector<ChannelLook> looks_;
  std::vector<BoneSample> looked_at_;  // model_from_link at the last look that was sampled
  std::size_t sampled_ = 0;            // frames
  ChannelError error_;
};

}  // namespace throng::detail::bake
