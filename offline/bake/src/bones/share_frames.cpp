// SPDX-License-Identifier: Apache-2.0
#include "bones/share_frames.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motion/nearly_equal.h"

namespace throng::detail::bake {
namespace {

bool same_pose(const glm::dmat4* a, const glm::dmat4* b, std::size_t columns) {
  for (std::size_t i = 0; i < columns; ++i) {
    if (!nearly_equal(a[i], b[i])) return false;
  }
  return true;
}

// One number a frame that equal poses agree on to within `slack`: what finds them without comparing all with all.
struct Marks {
  std::vector<double> of_frame;
  double slack = 0.0;
};

// Every entry counts with a weight of its own, so that poses which differ hardly ever agree.
Marks marks_of(const ColumnSamples& samples) {
  Marks marks;
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    double sum = 0.0;
    double size = 0.0;
    std::uint32_t noise = 1;
    for (std::size_t column = 0; column < samples.column_count; ++column) {
      const glm::dmat4& m = samples.matrices[samples.at(frame, column)];
      for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r) {
          noise = noise * 1664525u + 1013904223u;
          sum += m[c][r] * (noise / 4294967296.0);
          size += std::abs(m[c][r]) + 1.0;
        }
      }
    }
    marks.of_frame.push_back(sum);
    marks.slack = std::max(marks.slack, 4.0 * kNearlyEqual * size);
  }
  return marks;
}

bool is_run_of(const ColumnSampleCache& cache, std::size_t guest, std::size_t host, std::uint32_t offset) {
  return cache.with(guest, [&](const ColumnSamples& g) {
    return cache.with(host, [&](const ColumnSamples& h) {
      for (std::uint32_t frame = 0; frame < g.frame_count; ++frame) {
        const glm::dmat4* const theirs = h.matrices.data() + h.at(offset + frame, 0);
        if (!same_pose(g.matrices.data() + g.at(frame, 0), theirs, g.column_count)) return false;
      }
      return true;
    });
  });
}

struct Mark {
  double value = 0.0;
  std::size_t clip = 0;
  std::uint32_t frame = 0;
};

class Finder {
 public:
  Finder(const ColumnSampleCache& cache, const std::vector<Encoding>& encodings, const std::vector<std::uint8_t>& alone,
         std::vector<Marks> marks)
      : cache_(cache), encodings_(encodings), alone_(alone), marks_(std::move(marks)), shares_(marks_.size()) {}

  // Longest first: each becomes a host, or the guest of one that is.
  std::vector<FrameShare> run() {
    std::vector<std::size_t> order(marks_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return marks_[a].of_frame.size() > marks_[b].of_frame.size();
    });
    for (const std::size_t clip : order) {
      shares_[clip] = {clip, 0};
      if (alone_[clip] != 0) continue;
      const auto host = host_of(clip);
      if (host) shares_[clip] = *host;
      if (!host) add_host(clip);
    }
    return shares_;
  }

 private:
  void add_host(std::size_t clip) {
    std::vector<Mark> added;
    for (std::uint32_t frame = 0; frame < marks_[clip].of_frame.size(); ++frame) {
      added.push_back({marks_[clip].of_frame[frame], clip, frame});
    }
    const auto less = [](const Mark& a, const Mark& b) { return a.value < b.value; };
    std::stable_sort(added.begin(), added.end(), less);
    const auto middle = sorted_.insert(sorted_.end(), added.begin(), added.end());
    std::inplace_merge(sorted_.begin(), middle, sorted_.end(), less);
  }

  std::optional<FrameShare> host_of(std::size_t guest) const {
    const Marks& marks = marks_[guest];
    const double first = marks.of_frame[0];
    const auto from = std::lower_bound(sorted_.begin(), sorted_.end(), first - marks.slack,
                                       [](const Mark& mark, double value) { return mark.value < value; });
    for (auto mark = from; mark != sorted_.end() && mark->value <= first + marks.slack; ++mark) {
      if (encodings_[mark->clip] != encodings_[guest] || !marks_agree(guest, *mark)) continue;
      if (is_run_of(cache_, guest, mark->clip, mark->frame)) return FrameShare{mark->clip, mark->frame};
    }
    return std::nullopt;
  }

  bool marks_agree(std::size_t guest, const Mark& start) const {
    const Marks& g = marks_[guest];
    const Marks& h = marks_[start.clip];
    if (start.frame + g.of_frame.size() > h.of_frame.size()) return false;
    for (std::size_t i = 0; i < g.of_frame.size(); ++i) {
      if (std::abs(g.of_frame[i] - h.of_frame[start.frame + i]) > g.slack) return false;
    }
    return true;
  }

  const ColumnSampleCache& cache_;
  const std::vector<Encoding>& encodings_;
  const std::vector<std::uint8_t>& alone_;
  std::vector<Marks> marks_;
  std::vector<FrameShare> shares_;
  std::vector<Mark> sorted_;  // of the hosts so far, by value
};

}  // namespace

bool stands_still(const ColumnSamples& samples) {
  const glm::dmat4* const first = samples.matrices.data();
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    if (!same_pose(first, samples.matrices.data() + samples.at(frame, 0), samples.column_count)) return false;
    if (samples.has_halfway[frame] == 0) continue;
    if (!same_pose(first, samples.halfway.data() + samples.at(frame, 0), samples.column_count)) return false;
  }
  return true;
}

std::vector<FrameShare> share_frames(const ColumnSampleCache& cache, const std::vector<Encoding>& encodings,
                                     const std::vector<std::uint8_t>& alone, Executor& executor) {
  std::vector<Marks> marks(cache.size());
  executor.run(cache.size(), [&](std::size_t clip) {
    if (alone[clip] != 0) return;
    marks[clip] = cache.with(clip, [](const ColumnSamples& samples) { return marks_of(samples); });
  });
  return Finder(cache, encodings, alone, std::move(marks)).run();
}

}  // namespace throng::detail::bake
