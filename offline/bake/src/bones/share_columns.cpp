// SPDX-License-Identifier: Apache-2.0
#include "bones/share_columns.h"

#include <algorithm>
#include <cmath>

#include "motion/nearly_equal.h"

namespace throng::detail::bake {
namespace {

// For each column, the first one that it moves like.
using Classes = std::vector<std::size_t>;

// Splits classes by what the columns do at one time. `matrices`: one per column.
void split(const glm::dmat4* matrices, Classes& classes) {
  struct Part {
    std::size_t of = 0;
    std::size_t head = 0;
  };
  std::vector<Part> parts;
  for (std::size_t column = 0; column < classes.size(); ++column) {
    const std::size_t old = classes[column];
    if (old == column || nearly_equal(matrices[old], matrices[column])) continue;
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) {
      return p.of == old && nearly_equal(matrices[p.head], matrices[column]);
    });
    classes[column] = part == parts.end() ? column : part->head;
    if (part == parts.end()) parts.push_back({old, column});
  }
}

Classes classes_in(const ColumnSamples& samples) {
  Classes classes(samples.column_count, 0);
  for (std::uint32_t frame = 0; frame < samples.frame_count; ++frame) {
    split(samples.matrices.data() + samples.at(frame, 0), classes);
    if (samples.has_halfway[frame] != 0) split(samples.halfway.data() + samples.at(frame, 0), classes);
  }
  return classes;
}

// Columns that are of one class in both.
Classes meet(const Classes& a, const Classes& b) {
  Classes out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    out[i] = i;
    for (std::size_t j = 0; j < i && out[i] == i; ++j) {
      if (out[j] == j && a[i] == a[j] && b[i] == b[j]) out[i] = j;
    }
  }
  return out;
}

}  // namespace

std::size_t share_columns(ColumnSampleCache& cache, Columns& columns, Executor& executor) {
  std::vector<Classes> by_clip(cache.size());
  executor.run(cache.size(), [&](std::size_t clip) {
    by_clip[clip] = cache.with(clip, [](const ColumnSamples& samples) { return classes_in(samples); });
  });
  Classes classes(columns.all.size(), 0);
  for (const Classes& clip : by_clip) classes = meet(classes, clip);
  std::vector<std::size_t> kept;
  std::vector<std::uint32_t> renumbered(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] == i) kept.push_back(i);
    renumbered[i] = classes[i] == i ? static_cast<std::uint32_t>(kept.size() - 1) : renumbered[classes[i]];
  }
  if (kept.size() == classes.size()) return 0;
  for (auto& column : columns.of_binding) {
    if (column) column = renumbered[*column];
  }
  for (BakedSocket& socket : columns.sockets) socket.bone = renumbered[socket.bone];
  std::vector<Column> all;
  for (const std::size_t i : kept) all.push_back(columns.all[i]);
  columns.all = std::move(all);
  cache.keep_columns(kept);
  return classes.size() - kept.size();
}

}  // namespace throng::detail::bake
