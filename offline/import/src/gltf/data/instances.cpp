// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/instances.h"

#include <array>

#include "gltf/data/accessor.h"
#include "gltf/data/formats.h"
#include "throng/base/try.h"
#include "throng/math/directions.h"

namespace throng::detail::gltf {
namespace {

// Their formats are those of the keys of the same name.
struct Attribute {
  const char* name;
  const char* path;
};
constexpr std::array<Attribute, 3> kAttributes = {
    {{"TRANSLATION", "translation"}, {"ROTATION", "rotation"}, {"SCALE", "scale"}}};

// The values of an attribute, or none where it is left out or has no data.
Result<std::vector<float>> read_attribute(const Document& document, const source::Node& node, const char* name) {
  const auto found = node.instances->find(name);
  if (found == node.instances->end()) return std::vector<float>{};
  return read_floats(document, found->second);
}

}  // namespace

std::size_t instance_count(const Document& document, const source::Node& node) {
  if (!node.instances) return 1;
  return document.model.accessors[node.instances->begin()->second].count;
}

Result<void> check_instances(const Document& document, const source::Node& node) {
  if (!node.instances) return {};
  const std::size_t count = instance_count(document, node);
  for (const Attribute& attribute : kAttributes) {
    const auto found = node.instances->find(attribute.name);
    if (found == node.instances->end()) continue;
    if (!allowed(document, found->second, key_value_formats(attribute.path)))
      return fail("has instances whose {} (accessors[{}]) cannot be {}", attribute.name, found->second,
                  describe_format(document, found->second));
    const std::size_t here = document.model.accessors[found->second].count;
    if (here != count) return fail("has {} instances by one attribute and {} by another", count, here);
  }
  return {};
}

Result<std::vector<Transform>> read_instances(const Document& document, const source::Node& node, Mender& mender) {
  THRONG_TRY(const auto translations, read_attribute(document, node, "TRANSLATION"));
  THRONG_TRY(const auto rotations, read_attribute(document, node, "ROTATION"));
  THRONG_TRY(const auto scales, read_attribute(document, node, "SCALE"));
  std::vector<Transform> instances;
  for (std::size_t i = 0; i < instance_count(document, node); ++i) {
    Transform t;
    const auto vector = [i](const std::vector<float>& v) { return glm::dvec3(v[i * 3], v[i * 3 + 1], v[i * 3 + 2]); };
    if (!translations.empty()) t.translation = vector(translations);
    if (!scales.empty()) t.scale = vector(scales);
    if (!rotations.empty()) {
      const float* q = rotations.data() + i * 4;
      const glm::dquat rotation(q[3], q[0], q[1], q[2]);
      // A rotation without length turns nothing.
      t.rotation = glm::length(rotation) == 0.0 ? glm::dquat(1.0, 0.0, 0.0, 0.0) : glm::normalize(rotation);
    }
    if (is_finite(t))
      instances.push_back(t);
    else
      mender.count(Fault::instance);
  }
  return instances;
}

}  // namespace throng::detail::gltf
