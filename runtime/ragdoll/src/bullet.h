// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bullet, and the way to and from its types. Inside is metres.

#include <btBulletDynamicsCommon.h>

#include "rigid.h"

namespace throng::detail::ragdoll {

inline btVector3 to_bullet(const glm::vec3& v) { return {v.x, v.y, v.z}; }
inline btQuaternion to_bullet(const glm::quat& q) { return {q.x, q.y, q.z, q.w}; }
inline btTransform to_bullet(const Rigid& r) { return btTransform(to_bullet(r.rotation), to_bullet(r.at)); }
inline glm::vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline glm::quat from_bullet(const btQuaternion& q) { return glm::normalize(glm::quat(q.w(), q.x(), q.y(), q.z())); }
inline Rigid from_bullet(const btTransform& t) { return {from_bullet(t.getOrigin()), from_bullet(t.getRotation())}; }

}  // namespace throng::detail::ragdoll
