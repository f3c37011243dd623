// SPDX-License-Identifier: Apache-2.0
#include "bones/channel_error.h"

#include <algorithm>
#include <cmath>

#include "throng/shaders/shared/channels.h"

namespace throng::detail::bake {

using namespace simd;

// A link's transform at four sample times.
struct ChannelError::Scratch::Link {
  Double4 w, x, y, z;  // its rotation
  Points4 position;
  Double4 scale;
};

ChannelError::Scratch::Scratch() = default;
ChannelError::Scratch::~Scratch() = default;

namespace {

using Link = ChannelError::Scratch::Link;

// By how much of the model's size the source may differ from its links before it is compared point by point: more than
// what weights of 16 bits leave out.
constexpr double kLeftOut = 3e-6;
constexpr std::size_t kLeftOverLooks = 16;

Link splat(const BoneSample& s) {
  return {splat4(s.rotation.w),
          splat4(s.rotation.x),
          splat4(s.rotation.y),
          splat4(s.rotation.z),
          {splat4(s.position.x), splat4(s.position.y), splat4(s.position.z)},
          splat4(s.scale)};
}

Double4 four(const std::array<double, 4>& v) { return {Double2{v[0], v[1]}, Double2{v[2], v[3]}}; }

// Interpolates as mixed_rotation() and glm::mix() do.
Link between(const BoneSample& from, const BoneSample& to, const std::array<double, 4>& blends) {
  const double cosine = glm::dot(from.rotation, to.rotation);
  const auto near = static_cast<float>(std::abs(cosine));
  std::array<double, 4> ours{}, theirs{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto by = static_cast<double>(gpu::turned_blend(near, static_cast<float>(blends[i])));
    const double rest = 1.0 - by;
    const double length = std::sqrt(rest * rest + by * by + 2.0 * rest * by * std::abs(cosine));
    ours[i] = rest / length;
    theirs[i] = (cosine < 0.0 ? -by : by) / length;
  }
  const Double4 a = four(ours);
  const Double4 b = four(theirs);
  const Double4 t = four(blends);
  const auto mixed = [&t](double one, double other) { return splat4(one) + (other - one) * t; };
  return {from.rotation.w * a + to.rotation.w * b,
          from.rotation.x * a + to.rotation.x * b,
          from.rotation.y * a + to.rotation.y * b,
          from.rotation.z * a + to.rotation.z * b,
          {mixed(from.position.x, to.position.x), mixed(from.position.y, to.position.y),
           mixed(from.position.z, to.position.z)},
          mixed(from.scale, to.scale)};
}

Points4 turned(const Link& by, const Points4& v) {
  const Points4 q{by.x, by.y, by.z};
  const Points4 across = cross(q, v);
  const Points4 twice = across + across;
  return v + by.w * twice + cross(q, twice);
}

Link chained(const Link& a, const Link& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
          a.position + a.scale * turned(a, b.position),  a.scale * b.scale};
}

// Rows of three and an offset.
std::array<Double4, 12> to_matrix(const Link& l) {
  const Double4 s = l.scale;
  const Double4 two = s + s;
  const Double4 x = two * l.x;
  const Double4 y = two * l.y;
  const Double4 z = two * l.z;
  const Double4 xx = x * l.x, yy = y * l.y, zz = z * l.z, xy = x * l.y, xz = x * l.z, yz = y * l.z;
  const Double4 wx = x * l.w, wy = y * l.w, wz = z * l.w;
  return {s - yy - zz, xy - wz,     xz + wy,     l.position.x,  //
          xy + wz,     s - xx - zz, yz - wx,     l.position.y,  //
          xz - wy,     yz + wx,     s - xx - yy, l.position.z};
}

std::array<double, 12> to_matrix(const BoneSample& sample) {
  const glm::dmat3 m = glm::mat3_cast(sample.rotation) * sample.scale;
  const glm::dvec3& p = sample.position;
  return {m[0][0], m[1][0], m[2][0], p.x, m[0][1], m[1][1], m[2][1], p.y, m[0][2], m[1][2], m[2][2], p.z};
}

Float4 as_floats(const Double4& v) {
  return Float4{static_cast<float>(v.low[0]), static_cast<float>(v.low[1]), static_cast<float>(v.high[0]),
                static_cast<float>(v.high[1])};
}

bool is_same(const BoneSample& a, const BoneSample& b) {
  return a.rotation == b.rotation && a.position == b.position && a.scale == b.scale;
}

}  // namespace

BoneSample composed(const BoneSample& outer, const BoneSample& inner) {
  return {outer.rotation * inner.rotation, outer.position + outer.scale * (outer.rotation * inner.position),
          outer.scale * inner.scale};
}

ChannelError::ChannelError(const BoneBakeInputs& bake, const ComparedPoints& points, const ClipPlan& plan,
                           std::span<const ChannelLook> looks, const LinksAt& links_at)
    : skeleton_(*bake.skeleton), looks_(looks) {
  fix_points(skeleton_, points);
  truth_.reserve(looks.size() * carriers_.size());
  for (const ChannelLook& look : looks) {
    const std::span<const BoneSample> links = links_at(look);
    for (const std::uint32_t link : carriers_) truth_.push_back(to_matrix(links[link]));
  }
  find_left_overs(bake, points, plan);
}

// Columns that hang on one link move as one.
void ChannelError::fix_points(const Skeleton& skeleton, const ComparedPoints& points) {
  constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  std::vector<std::uint32_t> carrier_of(skeleton.links.size(), kNone);
  for (const ComparedPoint& point : points.all) {
    Point& fixed = points_.emplace_back();
    fixed.first = static_cast<std::uint32_t>(influences_.size());
    for (std::size_t i = 0; i < 4 && point.bound.baked_weights[i] > 0.0; ++i) {
      const std::uint32_t column = point.bound.columns[i];
      std::uint32_t& carrier = carrier_of[skeleton.column_link[column]];
      if (carrier == kNone) {
        carrier = static_cast<std::uint32_t>(carriers_.size());
        carriers_.push_back(skeleton.column_link[column]);
      }
      const BoneSample& link_from_mesh = skeleton.link_from_mesh[column];
      const glm::dvec3 place = link_from_mesh.position + link_from_mesh.scale * (link_from_mesh.rotation * point.baked);
      const glm::vec4 weighed(glm::dvec4(place, 1.0) * point.bound.baked_weights[i]);
      const auto same = [&](const Influence& other) { return other.carrier == carrier; };
      const auto others = std::span(influences_).subspan(fixed.first);
      if (const auto known = std::ranges::find_if(others, same); known != others.end()) {
        known->point += weighed;
      } else {
        influences_.push_back({carrier, weighed});
      }
    }
    fixed.count = static_cast<std::uint32_t>(influences_.size()) - fixed.first;
  }
}

glm::dvec3 ChannelError::moved(std::size_t look, const Influence& influence) const {
  const Matrix& m = truth_[look * carriers_.size() + influence.carrier];
  const glm::dvec4 p(influence.point);
  return {m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3] * p.w, m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7] * p.w,
          m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11] * p.w};
}

// Influences beyond the fourth, and scales that are nearly uniform: what the source does and links do not is looked for
// at a few moments, and kept for all where there is any.
void ChannelError::find_left_overs(const BoneBakeInputs& bake, const ComparedPoints& points, const ClipPlan& plan) {
  const auto left_over_at = [&](std::size_t look, const std::vector<glm::dmat4>& palette, std::size_t point) {
    const ComparedPoint& source = points.all[point];
    glm::dvec3 off(0.0);
    for (std::size_t i = 0; i < kMostInfluences && source.bound.source_weights[i] > 0.0; ++i)
      off -= source.bound.source_weights[i] *
             glm::dvec3(palette[source.bound.bindings[i]] * glm::dvec4(source.source, 1.0));
    for (const Influence& influence : influences_of(point)) off += moved(look, influence);
    return off;
  };
  const auto palette_of = [&](std::size_t look) {
    return palette_at(bake.source, plan, plan.source_time(looks_[look].frame, looks_[look].blend));
  };
  const double most = kLeftOut * bake.shape.size;
  bool any = false;
  const std::size_t step = 1 + looks_.size() / kLeftOverLooks;
  for (std::size_t look = 0; look < looks_.size() && !any; look += step) {
    const std::vector<glm::dmat4> palette = palette_of(look);
    for (std::size_t p = 0; p < points_.size() && !any; ++p) any = glm::length(left_over_at(look, palette, p)) > most;
  }
  if (!any) return;
  left_overs_.reserve(looks_.size() * points_.size());
  for (std::size_t look = 0; look < looks_.size(); ++look) {
    const std::vector<glm::dmat4> palette = palette_of(look);
    for (std::size_t p = 0; p < points_.size(); ++p) left_overs_.emplace_back(left_over_at(look, palette, p));
  }
}

void ChannelError::pose(const Interval& interval, const std::array<std::size_t, 4>& looks, Scratch& scratch) const {
  std::array<double, 4> blends{};
  for (std::size_t i = 0; i < 4; ++i) {
    const ChannelLook& look = looks_[looks[i]];
    blends[i] = (look.frame - interval.first_frame + look.blend) / interval.length;
  }
  scratch.models.resize(skeleton_.links.size());
  for (std::size_t i = 0; i < skeleton_.links.size(); ++i) {
    const auto& parent = skeleton_.links[i].parent;
    const BoneSample& from = interval.from[i];
    const BoneSample& to = interval.to[i];
    const Link own = is_same(from, to) ? splat(from) : between(from, to, blends);
    scratch.models[i] = parent ? chained(scratch.models[*parent], own) : own;
  }
  scratch.off.resize(carriers_.size());
  const std::size_t count = carriers_.size();
  for (std::size_t c = 0; c < count; ++c) {
    const std::array<Double4, 12> told = to_matrix(scratch.models[carriers_[c]]);
    std::array<const double*, 4> true_rows{};
    for (std::size_t i = 0; i < 4; ++i) true_rows[i] = truth_[looks[i] * count + c].data();
    for (std::size_t k = 0; k < 12; ++k) {
      const Double4 truth{Double2{true_rows[0][k], true_rows[1][k]}, Double2{true_rows[2][k], true_rows[3][k]}};
      scratch.off[c][k] = as_floats(told[k] - truth);
    }
  }
}

// Squared, by look.
[[gnu::always_inline]] inline Float4 ChannelError::errors_of(std::size_t point, const std::array<std::size_t, 4>& looks,
                                                             const Scratch& scratch) const {
  Float4 x{}, y{}, z{};
  if (!left_overs_.empty()) {
    for (std::size_t i = 0; i < 4; ++i) {
      const glm::vec3& off = left_overs_[looks[i] * points_.size() + point];
      x[i] = off.x;
      y[i] = off.y;
      z[i] = off.z;
    }
  }
  for (const Influence& influence : influences_of(point)) {
    const std::array<Float4, 12>& m = scratch.off[influence.carrier];
    const glm::vec4& p = influence.point;
    x += m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3] * p.w;
    y += m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7] * p.w;
    z += m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11] * p.w;
  }
  return x * x + y * y + z * z;
}

float ChannelError::largest(const Interval& interval, float enough, Scratch& scratch, std::span<float> worst) const {
  const auto most_of = [](Float4 v) { return std::max({v[0], v[1], v[2], v[3]}); };
  float most = 0.0f;
  for (std::size_t first = interval.first_look; first < interval.end_look && most <= enough; first += 4) {
    std::array<std::size_t, 4> looks{};
    for (std::size_t i = 0; i < 4; ++i) looks[i] = std::min(first + i, interval.end_look - 1);
    pose(interval, looks, scratch);
    Float4 here{};
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const Float4 errors = errors_of(p, looks, scratch);
      here = greatest(here, errors);
      if (!worst.empty()) worst[p] = std::max(worst[p], most_of(errors));
    }
    most = std::max(most, most_of(here));
  }
  return most;
}

}  // namespace throng::detail::bake
