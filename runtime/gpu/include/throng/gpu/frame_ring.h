// SPDX-License-Identifier: Apache-2.0
#pragma once
// Images in flight. A renderer has a slot of buffers for each, which take turns: recording an image may begin once the
// image that had its slot before has finished. What an image may still read is retired here instead of destroyed, and
// goes when its last reader must have finished.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace throng {

class FrameRing {
 public:
  // A ring of as many slots as images may be in flight, one at least.
  explicit FrameRing(std::uint32_t images_in_flight = 2) : size_(std::max(images_in_flight, 1u)) {}

  std::uint32_t size() const { return size_; }  // how many slots there are
  // Images recorded so far; those that were dropped do not count.
  std::uint64_t recorded() const { return recorded_; }
  // The slot of the image that is recorded next.
  std::size_t slot() const { return static_cast<std::size_t>(recorded_ % size_); }
  // The slot of the image that was recorded last.
  std::size_t last_slot() const { return static_cast<std::size_t>((recorded_ + size_ - 1) % size_); }

  // An image was recorded: the next one takes the next slot.
  void advance() {
    ++recorded_;
    may_drop_ = true;
  }
  // The image that was recorded last is never submitted: its slot is free again. False where there is none, or it was
  // dropped already.
  bool drop() {
    if (!std::exchange(may_drop_, false)) return false;
    --recorded_;
    return true;
  }

  // Keeps an object until no image that is in flight can use it any more.
  template <class T>
  void retire(T object) {
    retired_.push_back({recorded_, std::make_shared<T>(std::move(object))});
  }
  // Called when an image begins to be recorded: the one that had its slot before has finished.
  void release_finished() {
    std::erase_if(retired_, [&](const Retired& old) { return old.image + size_ <= recorded_; });
  }
  std::size_t retired_count() const { return retired_.size(); }  // objects that are kept for images in flight

 private:
  struct Retired {
    std::uint64_t image = 0;
    std::shared_ptr<void> object;
  };

  std::uint32_t size_;
  std::uint64_t recorded_ = 0;
  bool may_drop_ = false;
  std::vector<Retired> retired_;
};

}  // namespace throng
