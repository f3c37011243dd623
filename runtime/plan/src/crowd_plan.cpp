// SPDX-License-Identifier: Apache-2.0
#include "throng/plan/crowd_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "throng/plan/clip_boxes.h"
#include "throng/plan/model_record.h"
#include "throng/plan/view_planes.h"
#include "throng/shaders/shared/culling.h"
#include "throng/shaders/shared/texels.h"

namespace throng {
namespace {

using gpu::ModelBox;
using gpu::uint;
using Code = std::uint16_t;

constexpr std::size_t kTexels = sizeof(PlannedCharacter) / sizeof(glm::uvec4);  // of a character

// One image's views, as planes.
struct Views {
  std::array<gpu::ViewRecord, gpu::kMostViews> planes = {};
  uint count = 0;

  uint all() const { return (1u << count) - 1u; }
};

glm::vec3 rotated(const glm::vec4& rotation, const glm::vec3& v) {
  const glm::vec3 axis(rotation);
  const glm::vec3 twice = 2.0f * glm::cross(axis, v);
  return v + rotation.w * twice + glm::cross(axis, twice);
}

// How far inside of a view a point is; below 0 outside.
float depth_in(const gpu::ViewRecord& view, const glm::vec3& point) {
  float inside = gpu::inside_of(view.planes[0], point);
  for (std::size_t i = 1; i < 6; ++i) inside = std::min(inside, gpu::inside_of(view.planes[i], point));
  return inside;
}

bool sees(const gpu::ViewRecord& view, const gpu::WorldBox& box) {
  return std::ranges::all_of(view.planes, [&](const glm::vec4& plane) { return gpu::box_inside(plane, box) >= 0.0f; });
}

gpu::Cursor nearest_frame(const gpu::Cursor& cursor) {
  const uint frame = cursor.blend < 0.5f ? cursor.frame : cursor.next;
  return {frame, frame, 0.0f};
}

gpu::uvec2 split(Ticks now) { return {static_cast<uint>(now), static_cast<uint>(now >> 32)}; }

// Of the meshes: triangles of each level.
std::array<std::uint64_t, gpu::kMostMeshLevels> triangles_of(const Character& model) {
  std::array<std::uint64_t, gpu::kMostMeshLevels> triangles{};
  for (std::size_t level = 0; level < mesh_level_count(model); ++level)
    for (const BakedDraw& draw : level == 0 ? model.draws() : model.levels()[level - 1].draws)
      triangles[level] += draw.index_count / 3;
  return triangles;
}

// A model, and what becomes of its characters.
class ModelPlan {
 public:
  ModelPlan(const Character& model, const LevelQualities& asked)
      : model_(model),
        qualities_(qualities_of(model, asked)),
        part_vertices_(counted_parts(model)),
        triangles_(triangles_of(model)) {
    const std::vector<ClipBox> boxes = clip_boxes(model);
    record_ = model_record(model, boxes, qualities_);
    const std::vector<glm::vec4> rows = box_records(model.bounds(), boxes);
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
      boxes_.push_back({glm::vec3(rows[i]), glm::vec3(rows[i + 1])});
      fade_reach_.push_back(rows[i].w);
    }
    for (const BakedClip& clip : model.clips()) clips_.push_back(clip_record(model, clip));
  }

  bool is_of(const Character& model) const { return model_.same_as(model); }
  const PlannedModel& planned() const { return planned_; }

  // Who is seen in which view, and how tall they are.
  void cull(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays, const Views& views,
            const PlanImage& image) {
    codes_.resize(instances.size());
    histogram_ = {};
    const float reach = gpu::whole_reach(record_.reach, record_.fading_reach, record_.beyond);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      codes_[i] = code_of(instances[i], plays[i], views, image, reach);
      if (codes_[i] != gpu::kUnseen) ++histogram_[gpu::bin_of(codes_[i])];
    }
  }

  // The vertices of all that is seen, with so much allowed.
  std::uint64_t vertices_when(const PlanImage& image, uint relaxed) const {
    std::uint64_t sum = 0;
    for (uint bin = 0; bin < gpu::kSizeBins; ++bin) {
      if (histogram_[bin] == 0) continue;
      const uint level = level_for(image, bin, relaxed);
      if (level < record_.mesh_count) sum += std::uint64_t{histogram_[bin]} * record_.vertex_counts[level];
    }
    return sum;
  }

  // Who is drawn in which list, level by level.
  void gather(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays, const Views& views,
              const PlanImage& image, uint relaxed, CrowdCounts& counts) {
    for (uint bin = 0; bin < gpu::kSizeBins; ++bin) level_of_bin_[bin] = level_for(image, bin, relaxed);
    place_lists(views);
    for (uint view = 0; view < views.count; ++view) rows_[view].resize(list_size(view + 1));
    resize_drawn();
    const gpu::uvec2 now = split(image.now);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const Code code = codes_[i];
      if (code == gpu::kUnseen) continue;
      const uint level = level_of_bin_[gpu::bin_of(code)];
      const uint at = next_[level]++;
      drawn_[at] = drawn_character(instances[i], plays[i], static_cast<uint>(i), level, now);
      counts.vertices += worn_vertices(plays[i], level);
      for (uint view = 0; view < views.count; ++view)
        if ((gpu::views_of(code) & (1u << view)) != 0u) rows_[view][next_[gpu::bucket_of(view + 1, level)]++] = at;
    }
    tell(views, counts);
  }

 private:
  // What its clip, or both of a fade, may reach, in model space.
  ModelBox box_of(const InstanceRecord& instance, const PlayRecord& play) const {
    const uint clip = instance.clips & 0xFFFFu;
    const uint previous = instance.clips >> 16;
    ModelBox box = boxes_[clip + 1];
    if (previous != gpu::kNoClip) {
      box = gpu::fading_box(box, boxes_[previous + 1], fade_reach_[clip + 1]);
    } else if (record_.has_parts != 0) {
      box = gpu::worn_box(box, boxes_[0], play.parts_box);
    }
    box.extent += record_.beyond;
    return box;
  }

  Code code_of(const InstanceRecord& instance, const PlayRecord& play, const Views& views, const PlanImage& image,
               float reach) const {
    if (instance.scale < 0.0f) return gpu::kUnseen;
    // Most are well inside or well outside of a view, which a sphere around them tells at once.
    uint seen = image.culling ? 0u : views.all();
    uint unsure = 0;
    for (uint i = 0; image.culling && i < views.count; ++i) {
      const float inside = depth_in(views.planes[i], instance.position);
      if (inside >= -reach * instance.scale) seen |= 1u << i;
      if (std::abs(inside) <= reach * instance.scale) unsure |= 1u << i;
    }
    if (seen == 0) return gpu::kUnseen;
    const ModelBox box = box_of(instance, play);
    const glm::vec4 rotation = gpu::unpack_rotation(instance.rotation);
    const glm::vec3 centre = instance.position + rotated(rotation, box.centre * instance.scale);
    if ((seen & unsure) != 0u) {
      const glm::vec3 size = box.extent * instance.scale;
      const gpu::WorldBox world{centre, rotated(rotation, {size.x, 0.0f, 0.0f}),
                                rotated(rotation, {0.0f, size.y, 0.0f}), rotated(rotation, {0.0f, 0.0f, size.z})};
      for (uint i = 0; i < views.count; ++i)
        if ((unsure & (1u << i)) != 0u && !sees(views.planes[i], world)) seen &= ~(1u << i);
      if (seen == 0) return gpu::kUnseen;
    }
    const float away = glm::length(centre - image.eye);
    const uint bin = gpu::size_bin(record_.height * instance.scale, image.pixels, away);
    return static_cast<Code>(gpu::make_code(bin, instance.clips >> 16 != gpu::kNoClip, seen));
  }

  // The coarsest level whose surface is off by no more than may be seen, for characters of a bin.
  uint level_for(const PlanImage& image, uint bin, uint relaxed) const {
    const float tallest = gpu::tallest_of(bin);
    if (tallest <= image.speck_pixels * gpu::relaxed_by(relaxed)) return record_.mesh_count;
    const float allowed = gpu::allowed_error(image.pixel_error, relaxed);
    uint level = 0;
    for (uint i = 1; i < record_.mesh_count; ++i)
      if (record_.errors[i] / record_.height * tallest <= allowed) level = i;
    return level;
  }

  // Where each level begins in each list.
  void place_lists(const Views& views) {
    std::array<uint, gpu::kMostBuckets> totals{};
    for (const Code code : codes_) {
      if (code == gpu::kUnseen) continue;
      const uint level = level_of_bin_[gpu::bin_of(code)];
      const uint lists = gpu::lists_of(code);
      for (uint list = 0; list <= views.count; ++list)
        if ((lists & (1u << list)) != 0u) ++totals[gpu::bucket_of(list, level)];
    }
    for (uint list = 0; list <= views.count; ++list) {
      uint next = 0;
      for (uint level = 0; level < gpu::kMostLevels; ++level) {
        const uint bucket = gpu::bucket_of(list, level);
        ranges_[list][level] = {next, totals[bucket]};
        next_[bucket] = next;
        next += totals[bucket];
      }
    }
  }

  uint list_size(uint list) const { return ranges_[list].back().first + ranges_[list].back().count; }

  // With room for whole rows of texels, which are zero behind the last character.
  void resize_drawn() {
    const std::size_t count = list_size(0);
    const std::size_t rows = (count * kTexels + gpu::kTexelsInRow - 1) / gpu::kTexelsInRow;
    texels_ = rows * gpu::kTexelsInRow;
    const std::size_t room = (texels_ + kTexels - 1) / kTexels;
    if (drawn_.size() < room) drawn_.resize(room);
    std::fill(drawn_.begin() + static_cast<std::ptrdiff_t>(count), drawn_.begin() + static_cast<std::ptrdiff_t>(room),
              PlannedCharacter{.instance = {}, .weight = 0.0f});
  }

  PlannedCharacter drawn_character(const InstanceRecord& instance, const PlayRecord& play, uint index, uint level,
                                   const gpu::uvec2& now) const {
    PlannedCharacter drawn;
    drawn.instance = instance;
    drawn.index = index;
    drawn.variation = play.variation;
    drawn.hidden_parts = play.hidden_parts;
    const LevelQuality& quality = qualities_[std::min(level, gpu::kMostMeshLevels - 1u)];
    drawn.quality = quality.bones | level << 8;
    if (level >= record_.mesh_count) return drawn;  // specks are not animated
    const bool still = !quality.interpolated;
    gpu::Cursor cursor = gpu::cursor_at(clips_[play.track.clip], gpu::phase_at(play.track, now));
    if (still) cursor = nearest_frame(cursor);
    drawn.frame = cursor.frame;
    drawn.next = cursor.next;
    drawn.blend = cursor.blend;
    drawn.weight = gpu::fade_weight(play, now);
    drawn.instance.clips = play.track.clip | gpu::kNoClip << 16;
    if (drawn.weight >= 1.0f) return drawn;
    drawn.instance.clips = play.track.clip | play.previous.clip << 16;
    gpu::Cursor previous = gpu::cursor_at(clips_[play.previous.clip], gpu::phase_at(play.previous, now));
    if (still) previous = nearest_frame(previous);
    drawn.previous_frame = previous.frame;
    drawn.previous_next = previous.next;
    drawn.previous_blend = previous.blend;
    return drawn;
  }

  // Vertices of parts that a character does not wear are not animated; specks have none.
  std::uint64_t worn_vertices(const PlayRecord& play, uint level) const {
    if (level >= record_.mesh_count) return 0;
    std::uint64_t vertices = record_.vertex_counts[level];
    if (record_.has_parts == 0) return vertices;
    std::uint64_t hidden = std::uint64_t{play.hidden_parts.y} << 32 | play.hidden_parts.x;
    for (; hidden != 0; hidden &= hidden - 1)
      vertices -= part_vertices_[level * gpu::kPartsCounted + static_cast<std::size_t>(std::countr_zero(hidden))];
    return vertices;
  }

  void tell(const Views& views, CrowdCounts& counts) {
    planned_.drawn = std::span(drawn_).first(list_size(0));
    planned_.levels = ranges_[0];
    planned_.meshed = ranges_[0][record_.mesh_count].first;
    planned_.texels = std::as_bytes(std::span(drawn_)).first(texels_ * sizeof(glm::uvec4));
    for (uint view = 0; view < views.count; ++view) views_[view] = {rows_[view], ranges_[view + 1]};
    planned_.views = std::span(views_).first(views.count);
    counts.drawn += planned_.drawn.size();
    for (uint level = 0; level <= record_.mesh_count; ++level) {
      const std::uint64_t characters = ranges_[1][level].count;
      counts.in_picture += characters;
      if (level == record_.mesh_count) counts.specks += characters;
      if (level < record_.mesh_count) counts.triangles += characters * triangles_[level];
    }
  }

  Character model_;
  LevelQualities qualities_;
  gpu::ModelRecord record_{};
  std::vector<ModelBox> boxes_;    // the model's, then each clip's
  std::vector<float> fade_reach_;  // of each of them
  std::vector<ClipRecord> clips_;
  std::vector<std::uint32_t> part_vertices_;
  std::array<std::uint64_t, gpu::kMostMeshLevels> triangles_;

  std::vector<Code> codes_;
  std::array<uint, gpu::kSizeBins> histogram_{};
  std::array<uint, gpu::kSizeBins> level_of_bin_{};
  std::array<uint, gpu::kMostBuckets> next_{};
  std::array<LevelRanges, gpu::kMostLists> ranges_{};
  std::vector<PlannedCharacter> drawn_;  // with room behind them
  std::size_t texels_ = 0;
  std::array<std::vector<std::uint32_t>, gpu::kMostViews> rows_;
  std::array<PlannedView, gpu::kMostViews> views_{};
  PlannedModel planned_;
};

}  // namespace

struct CrowdPlan::State {
  LevelQualities asked;
  std::vector<ModelPlan> models;
  CrowdCounts counts;

  void take(const Crowd& crowd) {
    if (models.size() > crowd.model_count()) models.clear();
    for (std::uint32_t i = 0; i < crowd.model_count(); ++i) {
      const Character& character = crowd.character(ModelId(i));
      if (i == models.size()) {
        models.emplace_back(character, asked);
      } else if (!models[i].is_of(character)) {
        models[i] = ModelPlan(character, asked);
      }
    }
  }

  // The least that must be allowed for the vertices to fit, in steps.
  uint fitting(const PlanImage& image) const {
    if (image.vertex_budget == 0) return 0;
    for (uint relaxed = 0; relaxed + 1 < gpu::kSizeBins; ++relaxed) {
      std::uint64_t sum = 0;
      for (const ModelPlan& model : models) sum += model.vertices_when(image, relaxed);
      if (sum <= image.vertex_budget) return relaxed;
    }
    return gpu::kSizeBins - 1u;
  }
};

CrowdPlan::CrowdPlan(const LevelQualities& asked) : state_(std::make_unique<State>(State{asked, {}, {}})) {}
CrowdPlan::CrowdPlan(CrowdPlan&&) noexcept = default;
CrowdPlan& CrowdPlan::operator=(CrowdPlan&&) noexcept = default;
CrowdPlan::~CrowdPlan() = default;

Result<void> CrowdPlan::run(const Crowd& crowd, const PlanImage& image) {
  if (image.views.empty() || image.views.size() > gpu::kMostViews)
    return fail("an image has {} views; 1 to {} are possible", image.views.size(), gpu::kMostViews);
  Views views;
  for (const glm::mat4& view : image.views) views.planes[views.count++] = view_of(view);
  State& state = *state_;
  state.take(crowd);
  for (std::uint32_t i = 0; i < state.models.size(); ++i)
    state.models[i].cull(crowd.instances(ModelId(i)), crowd.plays(ModelId(i)), views, image);
  const uint relaxed = state.fitting(image);
  state.counts = {};
  for (std::uint32_t i = 0; i < state.models.size(); ++i)
    state.models[i].gather(crowd.instances(ModelId(i)), crowd.plays(ModelId(i)), views, image, relaxed, state.counts);
  return {};
}

std::size_t CrowdPlan::model_count() const { return state_->models.size(); }
const PlannedModel& CrowdPlan::model(ModelId model) const { return state_->models[model.value].planned(); }
const CrowdCounts& CrowdPlan::counts() const { return state_->counts; }

}  // namespace throng
