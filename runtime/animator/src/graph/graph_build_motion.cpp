// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "graph/graph_build.h"
#include "graph/motion_weights.h"
#include "throng/base/try.h"

namespace throng::detail::animator {
namespace {

class MotionBuilder {
 public:
  MotionBuilder(const GraphBuilder& builder, StateMotion& motion) : builder_(builder), motion_(motion) {}

  // `group`: of clocks, that the clips in it keep time with.
  Result<TreeChild> add(const MotionDraft& source, const Place& place, std::uint32_t group, bool reversed,
                        std::size_t depth) {
    if (source.kind == MotionKind::none) return fail_at(place, "a child needs a clip or a tree");
    return source.kind == MotionKind::clip ? add_leaf(source, place, group, reversed)
                                           : add_tree(source, place, group, reversed, depth);
  }

 private:
  Result<TreeChild> add_leaf(const MotionDraft& source, const Place& place, std::uint32_t group, bool reversed) {
    const auto clip = builder_.rig.find_clip(source.clip);
    if (!clip) return fail_at(place, clip.error());
    if (motion_.leaves.size() == kMaxLeaves) return fail_at(place, "a motion has at most {} clips", kMaxLeaves);
    const RigClip& played = builder_.rig.clips()[clip->value];
    const bool loops = source.loops.value_or(played.loops) && played.length > 0.0f;
    motion_.leaves.push_back({.clip = *clip,
                              .length = static_cast<double>(played.length),
                              .loops = loops,
                              .reversed = reversed,
                              .group = group,
                              .cursors = motion_.cursors,
                              .cursor_count = played.cursor_count});
    motion_.cursors += played.cursor_count;
    motion_.loops |= loops;
    motion_.has_events |= !played.events.empty();
    return TreeChild{.is_leaf = true, .index = static_cast<std::uint32_t>(motion_.leaves.size() - 1)};
  }

  Result<TreeChild> add_tree(const MotionDraft& source, const Place& place, std::uint32_t group, bool reversed,
                             std::size_t depth) {
    if (depth >= kMaxDepth) return fail_at(place, "trees are nested deeper than {}", kMaxDepth);
    if (source.children.empty()) return fail_at(place.in("children"), "a tree needs a child");
    if (source.children.size() > kMaxChildren) {
      return fail_at(place.in("children"), "{} children; a tree has at most {}", source.children.size(), kMaxChildren);
    }
    Tree tree{.kind = source.kind};
    THRONG_CHECK(add_axes(source, place, tree));
    for (std::size_t i = 0; i < source.children.size(); ++i) {
      const Place at = place.at("children", i);
      THRONG_TRY(const TreeChild child, add_child(source, source.children[i], at, group, reversed, depth));
      tree.children.push_back(child);
    }
    if (tree.kind == MotionKind::blend_1d) {
      std::stable_sort(tree.children.begin(), tree.children.end(),
                       [](const TreeChild& a, const TreeChild& b) { return a.at.x < b.at.x; });
    }
    if (tree.kind == MotionKind::cartesian || tree.kind == MotionKind::directional) {
      tree.bands = make_bands(tree.kind, tree.children);
    }
    motion_.trees.push_back(std::move(tree));
    return TreeChild{.is_leaf = false, .index = static_cast<std::uint32_t>(motion_.trees.size() - 1)};
  }

  Result<void> add_axes(const MotionDraft& source, const Place& place, Tree& tree) const {
    if (source.kind == MotionKind::direct) return {};
    if (source.x.empty()) return fail_at(place.in("x"), "a tree needs the parameter it is looked up with");
    THRONG_TRY(auto x, builder_.real_parameter(source.x, place.in("x")));
    tree.x = x;
    if (source.kind == MotionKind::blend_1d) return {};
    if (source.y.empty()) return fail_at(place.in("y"), "a tree in two dimensions needs a second parameter");
    THRONG_TRY(auto y, builder_.real_parameter(source.y, place.in("y")));
    tree.y = y;
    return {};
  }

  Result<TreeChild> add_child(const MotionDraft& parent, const MotionDraft& source, const Place& place,
                              std::uint32_t group, bool reversed, std::size_t depth) {
    if (!std::isfinite(source.at.x) || !std::isfinite(source.at.y))
      return fail_at(place.in("at"), "the place is not finite");
    if (!std::isfinite(source.time_scale) || source.time_scale == 0.0f) {
      return fail_at(place.in("time_scale"), "{} is not possible; use a number other than 0", source.time_scale);
    }
    std::uint32_t weight = kNone;
    if (parent.kind == MotionKind::direct) {
      if (source.weight.empty())
        return fail_at(place.in("weight"), "a child of a direct tree needs a weight parameter");
      THRONG_TRY(weight, builder_.real_parameter(source.weight, place.in("weight")));
    }
    if (!source.synchronised && motion_.groups == kMaxLeaves) {
      return fail_at(place.in("synchronised"), "a motion has at most {} times of its own", kMaxLeaves);
    }
    const std::uint32_t own = source.synchronised ? kNone : motion_.groups++;
    THRONG_TRY(TreeChild child, add(source, place, source.synchronised ? group : own,
                                    reversed != (source.time_scale < 0.0f), depth + 1));
    child.at = source.at;
    child.weight_parameter = weight;
    child.time_scale = static_cast<double>(source.time_scale);
    child.group = own;
    return child;
  }

  const GraphBuilder& builder_;
  StateMotion& motion_;
};

}  // namespace

Result<std::uint32_t> GraphBuilder::add_motion(const MotionDraft& source, const Place& place) {
  if (source.kind == MotionKind::none) return kNone;
  StateMotion motion;
  THRONG_TRY(auto root, MotionBuilder(*this, motion).add(source, place, 0, false, 0));
  motion.root = root;
  data.motions.push_back(std::move(motion));
  return static_cast<std::uint32_t>(data.motions.size() - 1);
}

}  // namespace throng::detail::animator
