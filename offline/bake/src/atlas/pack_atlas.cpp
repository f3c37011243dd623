// SPDX-License-Identifier: Apache-2.0
#include "atlas/pack_atlas.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

constexpr std::uint32_t kMaxLayers = 256;  // what every Vulkan device can do
constexpr std::uint64_t kMaxBytes = std::uint64_t{2} << 30;
constexpr std::uint32_t kMostFolds = 4;  // ways tried to fold a frame wider than a layer

std::uint32_t most_rows(const AtlasRules& rules) {
  return rules.shape == AtlasShape::power_of_two ? std::bit_floor(rules.max_size) : rules.max_size;
}

std::vector<std::uint32_t> frame_sizes(const std::vector<AtlasNeed>& needs, std::uint32_t texel_words) {
  std::vector<std::uint32_t> sizes;
  for (const AtlasNeed& need : needs) sizes.push_back(ceil_divide(need.words_per_frame, texel_words));
  return sizes;
}

// Powers of two. A frame that fits in a row is not folded: it could fill a layer to the last texel, and be a strip of
// two texels by thousands.
std::set<std::uint32_t> powers_for(const std::vector<std::uint32_t>& sizes, const AtlasRules& rules) {
  std::uint32_t narrowest = 1;
  for (const std::uint32_t texels : sizes)
    if (texels <= most_rows(rules)) narrowest = std::max(narrowest, std::bit_ceil(texels));
  std::set<std::uint32_t> widths;
  for (std::uint32_t width = narrowest; width <= most_rows(rules); width *= 2) widths.insert(width);
  return widths;
}

// The width of a classic layout: a frame's, or as much of it as a side may have. Which of the two it is, the layout
// says for half floats; bytes may be folded evenly, so that less is left of a frame's last row.
std::uint32_t classic_width(const std::vector<std::uint32_t>& sizes, const AtlasTexels& texels,
                            const AtlasRules& rules) {
  const std::uint32_t frame = *std::max_element(sizes.begin(), sizes.end());
  const std::uint32_t side = most_rows(rules);
  const std::uint32_t width = texels.words == 1 ? ceil_divide(frame, ceil_divide(frame, side)) : std::min(frame, side);
  return rules.shape == AtlasShape::power_of_two ? std::bit_ceil(width) : width;
}

// Widths that a whole number of some clip's frames fills, or that some clip's frames fold into evenly.
std::set<std::uint32_t> widths_for(const std::vector<std::uint32_t>& sizes, const AtlasTexels& texels,
                                   const AtlasRules& rules) {
  if (rules.shape == AtlasShape::square) return {rules.max_size};
  if (!texels.classic.empty()) return {classic_width(sizes, texels, rules)};
  if (rules.shape == AtlasShape::power_of_two) return powers_for(sizes, rules);
  std::set<std::uint32_t> widths;
  for (const std::uint32_t size : std::set(sizes.begin(), sizes.end())) {
    for (std::uint64_t width = size; width <= rules.max_size && size > 0; width += size) {
      widths.insert(static_cast<std::uint32_t>(width));
    }
    const std::uint32_t fewest = ceil_divide(size, rules.max_size);
    for (std::uint32_t rows = fewest; size > rules.max_size && rows < fewest + kMostFolds; ++rows) {
      widths.insert(ceil_divide(size, rows));
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

// One behind the other, through as many layers as it takes.
std::vector<AtlasPlace> running_on(const std::vector<Rows>& rows, const std::vector<AtlasNeed>& needs,
                                   std::uint32_t height, Shelf& shelf) {
  std::vector<AtlasPlace> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FrameLayout& frames = rows[i].frames;
    std::size_t layer = shelf.used.empty() ? 0 : shelf.used.size() - 1;
    if (!shelf.used.empty() && shelf.start_in(layer, rows[i]) + frames.rows_per_frame > height) ++layer;
    places.push_back(shelf.put(layer, {frames, 0}));
    const LayerFrame last =
        layer_frame(frames, height, places[i].layer, places[i].first_frame + needs[i].frame_count - 1);
    shelf.used.resize(last.layer + std::size_t{1}, height);
    shelf.used[last.layer] = rows_of(frames, last.frame + std::uint64_t{1});
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

// How many times as long as wide.
std::uint32_t length_of(const AtlasPlacement& placement) {
  const std::uint32_t width = placement.layout.width;
  return std::max(width, placement.height) / std::min(width, placement.height);
}

// Layers of powers of two: a shape that is long is taken only where there is no other.
bool is_long(const AtlasPlacement& placement, const AtlasRules& rules) {
  constexpr std::uint32_t kLongest = 4;
  return rules.shape == AtlasShape::power_of_two && length_of(placement) > kLongest;
}

bool takes_less(const AtlasPlacement& a, const AtlasPlacement& b, const AtlasRules& rules) {
  const bool a_allowed = a.layer_count <= kMaxLayers;
  const bool b_allowed = b.layer_count <= kMaxLayers;
  if (a_allowed != b_allowed) return a_allowed;
  if (is_long(a, rules) != is_long(b, rules)) return is_long(b, rules);
  if (a.texels() != b.texels()) return a.texels() < b.texels();
  if (a.layer_count != b.layer_count) return a.layer_count < b.layer_count;
  return rules.shape == AtlasShape::power_of_two && length_of(a) < length_of(b);
}

// Places all in an atlas of this width; nothing when some run fits no layer of it.
std::optional<AtlasPlacement> placed_at(const std::vector<AtlasNeed>& needs, const Layout& layout,
                                        const AtlasRules& rules) {
  const std::vector<Rows> rows = rows_for(needs, layout);
  const std::uint32_t most = most_rows(rules);
  const bool runs_on = rules.shape == AtlasShape::square;
  for (const Rows& run : rows) {
    if (run.count == 0 || (runs_on ? run.frames.rows_per_frame : run.count) > most) return std::nullopt;
  }
  Shelf shelf;
  if (runs_on) {
    auto places = running_on(rows, needs, most, shelf);
    return finished(layout, shelf, std::move(places), rules);
  }
  auto places = greedily(rows, most, shelf);
  AtlasPlacement best = finished(layout, shelf, std::move(places), rules);
  if (rules.packing == Packing::greedy) return best;
  Shelf tight_shelf;
  auto tight_places = tightly(rows, most, tight_shelf);
  AtlasPlacement tight = finished(layout, tight_shelf, std::move(tight_places), rules);
  return takes_less(tight, best, rules) ? tight : best;
}

tl::unexpected<Error> too_large(const std::vector<AtlasNeed>& needs, const AtlasTexels& texels,
                                const AtlasRules& rules) {
  const std::uint32_t side = most_rows(rules);
  for (const AtlasNeed& need : needs) {
    const FrameLayout frames = frame_layout({side, texels.words, !texels.classic.empty()}, need.words_per_frame);
    const std::uint32_t holds = frames_per_layer(frames, side);
    if (holds == 0)
      return fail("a frame of clip '{}' takes {} texels; an atlas of {} × {} holds {}: raise the atlas size", need.name,
                  frames.texels_per_frame, side, side, std::uint64_t{side} * side);
    if (need.frame_count <= holds) continue;
    return fail(
        "clip '{}' has {} frames of {} texels; an atlas of {} × {} holds {}: cut the clip, lower the frame rate, raise "
        "the atlas size or let clips run on from layer to layer (`shape` square)",
        need.name, need.frame_count, frames.texels_per_frame, side, side, holds);
  }
  return fail("the frames of these clips fit no atlas of {} × {} together: raise the atlas size or bake them apart",
              side, side);
}

// Refuses frames wider than a row where shaders read a frame from one row.
Result<void> check_unfolded(const std::vector<AtlasNeed>& needs, const AtlasTexels& texels, const AtlasRules& rules) {
  if (texels.folds) return {};
  for (const AtlasNeed& need : needs) {
    const std::uint32_t size = ceil_divide(need.words_per_frame, texels.words);
    if (size <= most_rows(rules)) continue;
    return fail(
        "clip '{}' is in {}, which keeps a frame in one row of the texture, and a frame of {} texels is wider than {}: "
        "raise the atlas size, or choose an encoding whose frames may fold, such as q16 or rows",
        need.name, texels.classic, size, most_rows(rules));
  }
  return {};
}

}  // namespace

AtlasRules rules_of(const BakeSettings& settings) {
  const std::uint32_t usual = settings.shape == AtlasShape::square ? kSquareAtlasSize : kMaxAtlasSize;
  return {settings.max_atlas_size.value_or(usual), settings.shape, settings.packing};
}

AtlasTexels texels_for(std::span<const Encoding> encodings) {
  AtlasTexels texels;
  const std::uint32_t first = encodings.empty() ? 0 : info_of(encodings[0]).texel_words;
  bool alike = first != 0;
  bool whole = true;
  for (const Encoding encoding : encodings) {
    const EncodingInfo& info = info_of(encoding);
    alike &= info.texel_words == first;
    whole &= info.texel_words == 0 && info.words % 4 == 0;
    if (info.texel_words == 0) continue;
    texels.classic = info.name;
    texels.folds &= info.kind == ItemKind::vertex;
  }
  texels.words = alike ? first : whole ? 4 : 2;
  return texels;
}

Result<AtlasPlacement> place_frames(const std::vector<AtlasNeed>& needs, const AtlasTexels& texels,
                                    const AtlasRules& rules) {
  THRONG_CHECK(check_unfolded(needs, texels, rules));
  std::optional<AtlasPlacement> best;
  for (const std::uint32_t width : widths_for(frame_sizes(needs, texels.words), texels, rules)) {
    auto placement = placed_at(needs, {width, texels.words, !texels.classic.empty()}, rules);
    if (placement && (!best || takes_less(*placement, *best, rules))) best = std::move(placement);
  }
  if (!best) return too_large(needs, texels, rules);
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
