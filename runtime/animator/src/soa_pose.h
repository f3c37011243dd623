#pragma once
// The transforms of four bones in registers, and what the jobs that mix poses ask of their spans.

#include <span>

#include "float4.h"
#include "throng/animator/rig.h"

namespace throng::soa {

struct Vector {
  Float4 x, y, z;
};

inline Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(const Vector& a, const Vector& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vector operator*(const Vector& a, Float4 s) { return {a.x * s, a.y * s, a.z * s}; }

inline Vector load_vector(const float (&rows)[3][4]) { return {load(rows[0]), load(rows[1]), load(rows[2])}; }
inline void store(float (&rows)[3][4], const Vector& v) {
  store(rows[0], v.x);
  store(rows[1], v.y);
  store(rows[2], v.z);
}

struct Lanes {
  Vector translation;
  Quaternion rotation;
  Vector scale;
};

inline Lanes load(const SoaTransform& group) {
  return {load_vector(group.translation), load_quaternion(group.rotation), load_vector(group.scale)};
}
inline void store(SoaTransform& to, const Lanes& lanes) {
  store(to.translation, lanes.translation);
  store(to.rotation, lanes.rotation);
  store(to.scale, lanes.scale);
}

template <class Mask>
Vector chosen(Mask mask, const Vector& a, const Vector& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}
template <class Mask>
Quaternion chosen(Mask mask, const Quaternion& a, const Quaternion& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z, mask ? a.w : b.w};
}

// How much of something reaches the four bones of a group.
inline Float4 masked(std::span<const float> mask, std::size_t group) {
  return mask.empty() ? splat(1.0f) : load(mask.data() + 4 * group);
}

inline bool mask_fits(const Rig& rig, std::span<const float> mask) {
  return mask.empty() || mask.size() >= 4 * rig.group_count();
}
inline bool morphs_fit(const Rig& rig, std::span<const float> morphs) {
  return morphs.empty() || morphs.size() >= rig.morph_count();
}

}  // namespace throng::soa
