// SPDX-License-Identifier: Apache-2.0
#include "pass_marks.h"

#include <algorithm>

#include "throng/base/try.h"

namespace throng::detail::scene {

constexpr std::size_t kMarks = 10;  // what is prepared, eight views and one to spare

Result<PassMarks> PassMarks::create(const GpuDevice& gpu) {
  PassMarks marks;
  marks.gpu_ = &gpu;
  for (std::size_t i = 0; i < kMarks; ++i) {
    const VkEventCreateInfo info{.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event = VK_NULL_HANDLE;
    THRONG_CHECK(check(gpu.vk().vkCreateEvent(gpu.device(), &info, nullptr, &event), "create an event"));
    marks.events_.emplace_back(gpu, event,
                               [](const GpuDevice& g, VkEvent e) { g.vk().vkDestroyEvent(g.device(), e, nullptr); });
  }
  return marks;
}

Result<void> PassMarks::begin() {
  for (std::size_t i = 0; i < used_; ++i)
    THRONG_CHECK(check(gpu_->vk().vkResetEvent(gpu_->device(), events_[i].get()), "reset an event"));
  used_ = 0;
  return {};
}

void PassMarks::mark(VkCommandBuffer commands) {
  if (used_ == events_.size()) return;
  gpu_->vk().vkCmdSetEvent(commands, events_[used_++].get(), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

double PassMarks::share() const {
  if (used_ == 0) return 0.0;
  const auto done = std::count_if(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(used_),
                                  [&](const VkOwned<VkEvent>& event) {
                                    return gpu_->vk().vkGetEventStatus(gpu_->device(), event.get()) == VK_EVENT_SET;
                                  });
  return static_cast<double>(done) / static_cast<double>(used_);
}

}  // namespace throng::detail::scene
