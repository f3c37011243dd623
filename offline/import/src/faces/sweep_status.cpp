// SPDX-License-Identifier: Apache-2.0
#include "faces/sweep_status.h"

namespace throng::detail::import {
namespace {

// Priorities that look random keep the tree balanced; these are the same on every run.
std::uint32_t scrambled(std::uint32_t number) {
  std::uint32_t x = number + 0x9E3779B9u;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}

}  // namespace

void SweepStatus::put_in_place_of(std::uint32_t old_child, std::uint32_t new_child, std::uint32_t parent) {
  if (parent == kNone)
    root_ = new_child;
  else if (nodes_[parent].left == old_child)
    nodes_[parent].left = new_child;
  else
    nodes_[parent].right = new_child;
  if (new_child != kNone) nodes_[new_child].parent = parent;
}

// The node takes its parent's place, and the parent becomes its child.
void SweepStatus::rotate_up(std::uint32_t node) {
  const std::uint32_t parent = nodes_[node].parent;
  const bool was_left = nodes_[parent].left == node;
  std::uint32_t& inner = was_left ? nodes_[node].right : nodes_[node].left;
  const std::uint32_t moved = inner;
  (was_left ? nodes_[parent].left : nodes_[parent].right) = moved;
  if (moved != kNone) nodes_[moved].parent = parent;
  put_in_place_of(parent, node, nodes_[parent].parent);
  inner = parent;
  nodes_[parent].parent = node;
}

std::uint32_t SweepStatus::insert_after(std::uint32_t place) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.priority = scrambled(node)});
  if (root_ == kNone) {
    root_ = node;
    return node;
  }
  // It becomes the right child of `place`, or the left child of what comes first behind it.
  std::uint32_t behind = place == kNone ? root_ : nodes_[place].right;
  if (behind == kNone) {
    nodes_[place].right = node;
    nodes_[node].parent = place;
  } else {
    while (nodes_[behind].left != kNone) behind = nodes_[behind].left;
    nodes_[behind].left = node;
    nodes_[node].parent = behind;
  }
  while (nodes_[node].parent != kNone && nodes_[nodes_[node].parent].priority < nodes_[node].priority) rotate_up(node);
  return node;
}

void SweepStatus::erase(std::uint32_t node) {
  while (nodes_[node].left != kNone && nodes_[node].right != kNone) {
    const std::uint32_t left = nodes_[node].left;
    const std::uint32_t right = nodes_[node].right;
    rotate_up(nodes_[left].priority > nodes_[right].priority ? left : right);
  }
  const std::uint32_t child = nodes_[node].left != kNone ? nodes_[node].left : nodes_[node].right;
  put_in_place_of(node, child, nodes_[node].parent);
}

std::uint32_t SweepStatus::before(std::uint32_t node) const {
  if (nodes_[node].left != kNone) {
    std::uint32_t last = nodes_[node].left;
    while (nodes_[last].right != kNone) last = nodes_[last].right;
    return last;
  }
  std::uint32_t child = node;
  std::uint32_t parent = nodes_[node].parent;
  while (parent != kNone && nodes_[parent].left == child) {
    child = parent;
    parent = nodes_[parent].parent;
  }
  return parent;
}

}  // namespace throng::detail::import
