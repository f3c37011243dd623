// SPDX-License-Identifier: Apache-2.0
// Which characters are near: chosen by distance, by height in the picture and by how many there may be.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cast_state.h"

namespace throng {

using namespace detail::cast;

namespace {

struct Candidate {
  float prominence = 0.0f;  // how tall it looks, in heights of the picture
  std::uint32_t slot = 0;
};

// Of two who look alike, the one who was there first comes first: the choice does not depend on the order of work.
bool before(const Candidate& a, const Candidate& b) {
  return a.prominence != b.prominence ? a.prominence > b.prominence : a.slot < b.slot;
}

// How tall a thing one unit tall and one unit away looks, in heights of the picture.
float magnification(const CastView& view) {
  const float fov = std::isfinite(view.vertical_fov_degrees) ? view.vertical_fov_degrees : 1.0f;
  const float half = glm::radians(std::clamp(fov, 1.0f, 179.0f)) / 2.0f;
  return 1.0f / (2.0f * std::tan(half));
}

bool is_within(const NearRule& rule, float distance, float height, float slack) {
  return (rule.distance > 0.0f && distance < rule.distance * slack) ||
         (rule.height > 0.0f && height * slack > rule.height);
}

}  // namespace

void Cast::State::choose(const CastView& view, Ticks now) {
  const float magnified = magnification(view);
  std::vector<Candidate> candidates;
  for (std::uint32_t slot = 0; slot < actors.slot_count(); ++slot) {
    if (!actors.holds(slot)) continue;
    const Actor& actor = actors[slot];
    if (actor.nearness == Nearness::far) continue;
    const auto where = crowd.find(actor.instance);
    if (!where) continue;
    const InstanceRecord& record = crowd.instances(where->model)[where->index];
    const float distance = std::max(glm::distance(record.position, view.eye), 1e-6f);
    const float tall = static_cast<float>(model_of(actor.model).height) * std::abs(record.scale);
    const bool holds = actor.near != kNone && !near[actor.near]->leaving;
    const float slack = holds && rule.hysteresis > 0.0f ? 1.0f + rule.hysteresis : 1.0f;  // not a number: none
    const float height = tall * magnified / distance;
    const bool kept = actor.nearness == Nearness::near;
    if (!kept && !is_within(rule, distance, height, slack)) continue;
    candidates.push_back({kept ? std::numeric_limits<float>::infinity() : height * slack, slot});
  }
  const std::size_t chosen = std::min<std::size_t>(candidates.size(), rule.budget);
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(chosen), candidates.end(),
                    before);
  candidates.resize(chosen);

  std::vector<bool> stays(near.size(), false);
  for (const Candidate& one : candidates) {
    if (actors[one.slot].near != kNone) stays[actors[one.slot].near] = true;
  }
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (stays[i]) near[i]->leaving = false;
    if (!stays[i] && !near[i]->leaving) begin_leaving(*near[i], now);
  }
  for (const Candidate& one : candidates) {
    if (actors[one.slot].near == kNone && near.size() < rule.budget) bring_near(one.slot, now);
  }
}

}  // namespace throng
