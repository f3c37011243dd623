// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lets as many pieces of work run side by side as fit into so many bytes.

#include <condition_variable>
#include <mutex>

namespace throng::detail::bake {

class MemoryGate {
 public:
  explicit MemoryGate(double bytes) : left_(bytes) {}

  // Calls work() as soon as there is room for so many bytes; alone, where there never is.
  template <class Work>
  auto with(double bytes, const Work& work) {
    const Pass pass(*this, bytes);
    return work();
  }

 private:
  class Pass {
   public:
    Pass(MemoryGate& gate, double bytes) : gate_(gate), bytes_(bytes) {
      std::unique_lock lock(gate_.mutex_);
      gate_.freed_.wait(lock, [&] { return gate_.inside_ == 0 || bytes_ <= gate_.left_; });
      ++gate_.inside_;
      gate_.left_ -= bytes_;
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      const std::lock_guard lock(gate_.mutex_);
      --gate_.inside_;
      gate_.left_ += bytes_;
      gate_.freed_.notify_all();
    }

   private:
    MemoryGate& gate_;
    double bytes_;
  };

  std::mutex mutex_;
  std::condition_variable freed_;
  double left_;
  int inside_ = 0;
};

}  // namespace throng::detail::bake
