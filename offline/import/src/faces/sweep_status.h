// SPDX-License-Identifier: Apache-2.0
#pragma once
// The edges that a sweep line crosses, from left to right: a balanced tree (treap) whose nodes are known by number, so
// that an edge is replaced by the next one of its chain without a search. Nothing in it relies on edges being in order,
// so an outline that crosses itself costs time and nothing else.

#include <cstdint>
#include <vector>

namespace throng::detail::import {

class SweepStatus {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  explicit SweepStatus(std::size_t most_nodes) { nodes_.reserve(most_nodes); }

  // The last node that `is_left` is true of, where it is true of a first part of them.
  template <class IsLeft>
  std::uint32_t last_left(IsLeft is_left) const {
    std::uint32_t best = kNone;
    for (std::uint32_t node = root_; node != kNone;) {
      const bool left = is_left(node);
      if (left) best = node;
      node = left ? nodes_[node].right : nodes_[node].left;
    }
    return best;
  }

  // A new node behind `place`, or before all others for kNone. Nodes are numbered 0, 1, 2, … as they are made.
  std::uint32_t insert_after(std::uint32_t place);
  void erase(std::uint32_t node);
  std::uint32_t before(std::uint32_t node) const;

 private:
  struct Node {
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;
    std::uint32_t parent = kNone;
    std::uint32_t priority = 0;
  };

  void put_in_place_of(std::uint32_t old_child, std::uint32_t new_child, std::uint32_t parent);
  void rotate_up(std::uint32_t node);

  std::vector<Node> nodes_;
  std::uint32_t root_ = kNone;
};

}  // namespace throng::detail::import
