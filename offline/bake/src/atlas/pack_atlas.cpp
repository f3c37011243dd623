// SPDX-License-Identifier: Apache-2.0
#include "atlas/pack_atlas.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace throng::detail::bake {
namespace {

constexpr std::uint32_t kMaxLayers = 256;  // what every Vulkan device can do
constexpr std::uint64_t kMaxBytes = std::uint64_t{2} << 30;
constexpr std::uint32_t kMostFolds = 4;  // ways tried to fold a frame wider than a layer

std::uint32_t most_rows(const AtlasRules& rules) {
  return rules.shape == AtlasShape::power_of_two ? std::bit_floor(rules.max_size) : rules.max_size;
}

// Widths that a whole number of some clip's frames fills, or that some clip's frames fold into evenly.
std::set<std::uint32_t> widths_for(const std::vector<AtlasNeed>& needs, std::uint32_t texel_words,
                                   const AtlasRules& rules) {
  if (rules.shape == AtlasShape::square) return {rules.max_size};
  std::set<std::uint32_t> widths;
  if (rules.shape == AtlasShape::power_of_two) {
    for (std::uint32_t width = 1; width <= most_rows(rules); width *= 2) widths.insert(width);
    return widths;
  }
  std::set<std::uint32_t> sizes;
  for (const AtlasNeed& need : needs) sizes.insert(ceil_divide(need.words_per_frame, texel_words));
  for (const std::uint32_t texels : sizes) {
    for (std::uint64_t width = texels; width <= rules.max_size && texels > 0; width += texels) {
      widths.insert(static_cast<std::uint32_t>(width));
    }
    const std::uint32_t fewest = ceil_divide(texels, rules.max_size);
    for (std::uint32_t rows = fewest; texels > rules.max_size && rows < fewest + kMostFolds; ++rows) {
      widths.insert(ceil_divide(texels, rows));
    }
  }
  return widths;
}

struct Rows {
  FrameLayout frames;
  std::uint64_t count = 0;
};

std::vector<Rows> rows_for(const std::vector<AtlasNeed>& needs, const Layout& layout) {
  std::vector<Rows> rows;
  for (const AtlasNeed& need : needs) {
    const FrameLayout frames = frame_layout(layout, need.words_per_frame);
    rows.push_back({frames, rows_of(frames, need.frame_count)});
  }
  return rows;
}

// Rows used so far in each layer; a run goes behind them, on a row that its frames can start at.
struct Shelf {
  std::vector<std::uint64_t> used;

  std::uint64_t start_in(std::size_t layer, const Rows& rows) const {
    const std::uint64_t unit = rows.frames.rows_per_frame;
    return (used[layer] + unit - 1) / unit * unit;
  }
  AtlasPlace put(std::size_t layer, const Rows& rows) {
    if (layer == used.size()) used.push_back(0);
    const std::uint64_t start = start_in(layer, rows);
    used[layer] = start + rows.count;
    return {static_cast<std::uint32_t>(layer), frame_of_row(rows.frames, static_cast<std::uint32_t>(start))};
  }
};

std::vector<AtlasPlace> greedily(const std::vector<Rows>& rows, std::uint64_t most, Shelf& shelf) {
  std::vector<AtlasPlace> places;
  for (const Rows& run : rows) {
    std::size_t layer = shelf.used.empty() ? 0 : shelf.used.size() - 1;
    if (!shelf.used.empty() && shelf.start_in(layer, run) + run.count > most) ++layer;
    places.push_back(shelf.put(layer, run));
  }
  return places;
}

// Largest first, each into the layer that it fills best.
std::vector<AtlasPlace> tightly(const std::vector<Rows>& rows, std::uint64_t most, Shelf& shelf) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].count > rows[b].count; });
  std::vector<AtlasPlace> places(rows.size());
  for (const std::size_t i : order) {
    std::size_t best = shelf.used.size();
    std::uint64_t fullest = 0;
    for (std::size_t layer = 0; layer < shelf.used.size(); ++layer) {
      const std::uint64_t end = shelf.start_in(layer, rows[i]) + rows[i].count;
      if (end > most || end <= fullest) continue;
      fullest = end;
      best = layer;
    }
    places[i] = shelf.put(best, rows[i]);
  }
  return places;
}

AtlasPlacement finished(const Layout& layout, const Shelf& shelf, std::vector<AtlasPlace> places,
                        const AtlasRules& rules) {
  const std::uint64_t tallest = *std::max_element(shelf.used.begin(), shelf.used.end());
  auto height = static_cast<std::uint32_t>(tallest);
  if (rules.shape == AtlasShape::power_of_two) height = std::bit_ceil(height);
  if (rules.shape == AtlasShape::square) height = rules.max_size;
  return {layout, height, static_cast<std::uint32_t>(shelf.used.size()), std::move(places)};
}

bool takes_less(const AtlasPlacement& a, const AtlasPlacement& b) {
  const bool a_allowed = a.layer_count <= kMaxLayers;
  const bool b_allowed = b.layer_count <= kMaxLayers;
  if (a_allowed != b_allowed) return a_allowed;
  if (a.texels() != b.texels()) return a.texels() < b.texels();
  return a.layer_count < b.layer_count;
}

// Nothing when some run fits no layer of this width.
std::optional<AtlasPlacement> placed_at(const std::vector<AtlasNeed>& needs, const Layout& layout,
                                        const AtlasRules& rules) {
  const std::vector<Rows> rows = rows_for(needs, layout);
  const std::uint64_t most = most_rows(rules);
  for (const Rows& run : rows) {
    if (run.count == 0 || run.count > most) return std::nullopt;
  }
  Shelf shelf;
  auto places = greedily(rows, most, shelf);
  AtlasPlacement best = finished(layout, shelf, std::move(places), rules);
  if (rules.packing == Packing::greedy) return best;
  Shelf tight_shelf;
  auto tight_places = tightly(rows, most, tight_shelf);
  AtlasPlacement tight = finished(layout, tight_shelf, std::move(tight_places), rules);
  return takes_less(tight, best) ? tight : best;
}

tl::unexpected<Error> too_large(const std::vector<AtlasNeed>& needs, std::uint32_t texel_words,
                                const AtlasRules& rules) {
  const std::uint32_t side = most_rows(rules);
  for (const AtlasNeed& need : needs) {
    const FrameLayout frames = frame_layout({side, texel_words}, need.words_per_frame);
    const std::uint32_t holds = frames_per_layer(frames, side);
    if (need.frame_count <= holds) continue;
    return fail(
        "clip '{}' has {} frames of {} texels; an atlas of {} × {} holds {}: cut the clip, lower the frame rate or "
        "raise the atlas size",
        need.name, need.frame_count, frames.texels_per_frame, side, side, holds);
  }
  return fail("the frames of these clips fit no atlas of {} × {} together: raise the atlas size or bake them apart",
              side, side);
}

}  // namespace

std::uint32_t texel_words_for(std::span<const Encoding> encodings) {
  const bool whole = std::all_of(encodings.begin(), encodings.end(), [](Encoding encoding) {
    return !is_half(encoding) && words_per_item(encoding, false) % 4 == 0;
  });
  return whole ? 4 : 2;
}

Result<AtlasPlacement> place_frames(const std::vector<AtlasNeed>& needs, std::uint32_t texel_words,
                                    const AtlasRules& rules) {
  std::optional<AtlasPlacement> best;
  for (const std::uint32_t width : widths_for(needs, texel_words, rules)) {
    auto placement = placed_at(needs, {width, texel_words}, rules);
    if (placement && (!best || takes_less(*placement, *best))) best = std::move(placement);
  }
  if (!best) return too_large(needs, texel_words, rules);
  if (best->layer_count > kMaxLayers) {
    return fail(
        "the clips need {} atlas layers of {} × {}; at most {} are possible: bake fewer clips, lower the frame rate or "
        "raise the atlas size",
        best->layer_count, best->layout.width, best->height, kMaxLayers);
  }
  if (best->bytes() > kMaxBytes) {
    return fail(
        "the animation texture needs {} bytes; at most {} are possible: bake fewer clips, lower the frame rate or "
        "choose a smaller encoding",
        best->bytes(), kMaxBytes);
  }
  return *std::move(best);
}

}  // namespace throng::detail::bake
