// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/meshes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gltf/data/accessor.h"
#include "gltf/data/formats.h"
#include "gltf/data/texture_space.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using source::Attributes;

const source::Accessor& accessor_of(const Document& document, std::size_t index) {
  return document.model.accessors[index];
}

Result<void> check_attribute(const Document& document, const std::string& name, std::size_t accessor, bool morph,
                             Mender& mender) {
  const auto semantic = parse_semantic(name);
  if (!semantic) {
    return mender.forgive(Fault::attribute_name,
                          "'{}' is not an attribute glTF knows; names of one's own start with '_'", name);
  }
  if (name.starts_with('_')) {
    if (accessor_of(document, accessor).component_type != kU32) return {};
    return mender.forgive(Fault::attribute_name, "{} is of UNSIGNED_INT, which vertex attributes cannot be", name);
  }
  const auto formats = morph ? morph_formats(semantic->name) : attribute_formats(semantic->name);
  if (formats.empty()) return mender.forgive(Fault::attribute_name, "{} cannot be morphed", name);
  if (!allowed(document, accessor, formats)) {
    auto refusal = fail("{} (accessors[{}]) cannot be {}", name, accessor, describe_format(document, accessor));
    if (!allowed_quantized(document, accessor, formats)) return refusal;
    THRONG_CHECK(mender.forgive(Fault::undeclared_extension, refusal.value()));
  }
  const auto& a = accessor_of(document, accessor);
  if (name == "POSITION" && (a.min.empty() || a.max.empty())) {
    return mender.forgive(Fault::bounds, "POSITION (accessors[{}]) has no min and max", accessor);
  }
  return {};
}

// Sets are numbered 0, 1, 2, … without gaps; the number of them.
Result<std::size_t> count_sets(const Attributes& attributes, std::string_view semantic, Mender& mender) {
  std::size_t count = 0;
  unsigned highest = 0;
  for (const auto& [name, accessor] : attributes) {
    const auto parsed = parse_semantic(name);
    if (!parsed || parsed->name != semantic || !parsed->set) continue;
    ++count;
    highest = std::max(highest, *parsed->set + 1);
  }
  if (highest != count) {
    auto refusal = fail("the sets of {} are not numbered 0, 1, 2, …", semantic);
    // Joints and weights go together by their numbers; the others are found one by one.
    if (semantic == "JOINTS" || semantic == "WEIGHTS") return refusal;
    THRONG_CHECK(mender.forgive(Fault::attribute_sets, refusal.value()));
  }
  return count;
}

Result<void> check_sets(const Attributes& attributes, Mender& mender) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string_view semantic : {"TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"}) {
    THRONG_TRY(auto count, count_sets(attributes, semantic, mender));
    counts[semantic] = count;
  }
  if (counts["JOINTS"] != counts["WEIGHTS"]) {
    return fail("{} sets of JOINTS but {} of WEIGHTS", counts["JOINTS"], counts["WEIGHTS"]);
  }
  return {};
}

Result<void> check_attributes(const Document& document, const Attributes& attributes, Mender& mender) {
  if (attributes.empty()) return {};  // it draws nothing, which is told of on reading
  const std::size_t count = accessor_of(document, attributes.begin()->second).count;
  for (const auto& [name, accessor] : attributes) {
    THRONG_CHECK(check_attribute(document, name, accessor, false, mender));
    const std::size_t here = accessor_of(document, accessor).count;
    if (here != count) return fail("{} has {} values where {} has {}", name, here, attributes.begin()->first, count);
  }
  return check_sets(attributes, mender);
}

Result<void> check_target(const Document& document, const Attributes& base, const Attributes& target, Mender& mender) {
  for (const auto& [name, accessor] : target) {
    THRONG_CHECK(check_attribute(document, name, accessor, true, mender));
    const auto found = base.find(name);
    if (found == base.end()) {
      THRONG_CHECK(
          mender.forgive(Fault::no_base_attribute, "a morph target moves {}, which the primitive does not have", name));
      continue;
    }
    if (accessor_of(document, accessor).count != accessor_of(document, found->second).count) {
      return fail("a morph target has {} values of {} for {} vertices", accessor_of(document, accessor).count, name,
                  accessor_of(document, found->second).count);
    }
  }
  return {};
}

Result<void> check_texture_coordinates(const Document& document, const source::Primitive& primitive, Mender& mender) {
  if (!primitive.material || !document.model.materials[*primitive.material].base_texture) return {};
  const int set = base_colour_space(document, primitive.material).set;
  if (primitive.attributes.contains(fmt::format("TEXCOORD_{}", set))) return {};
  return mender.forgive(Fault::no_texcoords, "its material's texture needs TEXCOORD_{}, which it does not have", set);
}

Result<void> check_indices(const Document& document, const source::Primitive& primitive) {
  const std::size_t index = *primitive.indices;
  if (!allowed(document, index, index_formats())) {
    return fail("its indices (accessors[{}]) cannot be {}", index, describe_format(document, index));
  }
  const auto& accessor = accessor_of(document, index);
  if (!has_data(document, index)) return {};
  THRONG_TRY(auto indices, read_integers(document, index));
  const std::uint32_t restart = component_size(accessor.component_type) == 1   ? 0xFFu
                                : component_size(accessor.component_type) == 2 ? 0xFFFFu
                                                                               : 0xFFFFFFFFu;
  if (primitive.attributes.empty()) return {};
  const std::size_t vertices = accessor_of(document, primitive.attributes.begin()->second).count;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] == restart) return fail("its index {} is {}, the primitive restart value", i, restart);
    if (indices[i] >= vertices)
      return fail("its index {} is {}, past the last of {} vertices", i, indices[i], vertices);
  }
  return {};
}

// Integers and values that compression has changed cannot be unit vectors exactly; they are normalised on reading.
bool is_exact(const Document& document, std::size_t accessor) {
  return document.model.accessors[accessor].component_type == kF32 && !is_lossy(document, accessor);
}

// Numbers that are none at all are left to whoever reads them.
template <class Number>
Result<void> forgive_number(Mender& mender, Number number, Fault fault,
                            fmt::format_string<std::size_t&, Number&> refusal, std::size_t index) {
  if (!std::isfinite(number)) return mender.pass_on(refusal, index, number);
  return mender.forgive(fault, refusal, index, number);
}

Result<void> check_normals(const Document& document, std::size_t accessor, Mender& mender) {
  if (!is_exact(document, accessor) || !has_data(document, accessor)) return {};
  THRONG_TRY(auto values, read_floats(document, accessor));
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    const double length = std::hypot(values[i], values[i + 1], values[i + 2]);
    // Exporters write zeros where a triangle has no area; those are repaired. Any other length is a mistake.
    if (length != 0.0 && std::abs(length - 1.0) > kUnitVectorTolerance) {
      THRONG_CHECK(forgive_number(mender, length, Fault::normal_length, "normal {} has length {}, not 1", i / 3));
    }
  }
  return {};
}

Result<void> check_tangents(const Document& document, std::size_t accessor, Mender& mender) {
  if (!has_data(document, accessor)) return {};
  THRONG_TRY(auto values, read_floats(document, accessor));
  const bool exact = is_exact(document, accessor);
  const bool lossy = is_lossy(document, accessor);
  for (std::size_t i = 0; i + 3 < values.size(); i += 4) {
    const double length = std::hypot(values[i], values[i + 1], values[i + 2]);
    // As with normals, zeros are repaired.
    if (exact && length != 0.0 && std::abs(length - 1.0) > kUnitVectorTolerance) {
      THRONG_CHECK(forgive_number(mender, length, Fault::tangent_length, "tangent {} has length {}, not 1", i / 4));
    }
    if (!lossy && std::abs(values[i + 3]) != 1.0f) {
      THRONG_CHECK(
          forgive_number(mender, values[i + 3], Fault::tangent_side, "tangent {} has a w of {}, not -1 or 1", i / 4));
    }
  }
  return {};
}

// Values of an attribute that lie between two numbers, unless they are counted as `fault`.
struct Range {
  float low;
  float high;
  Fault fault;
};
constexpr Range kColours{0.0f, 1.0f, Fault::colour_range};
constexpr Range kWeights{0.0f, std::numeric_limits<float>::max(), Fault::negative_weight};

Result<void> check_between(const Document& document, const std::string& name, std::size_t accessor, const Range& range,
                           Mender& mender) {
  if (!has_data(document, accessor)) return {};
  THRONG_TRY(auto values, read_floats(document, accessor));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= range.low && values[i] <= range.high) continue;
    if (std::isnan(values[i])) continue;  // for check_accessor_data
    auto ok = std::isfinite(values[i])
                  ? mender.forgive(range.fault, "value {} of {} is {}, out of range", i, name, values[i])
                  : mender.pass_on("value {} of {} is {}, out of range", i, name, values[i]);
    if (!ok) return ok;
  }
  return {};
}

Result<void> check_vertex_values(const Document& document, const Attributes& attributes, Mender& mender) {
  for (const auto& [name, accessor] : attributes) {
    Result<void> ok;
    if (name == "NORMAL") ok = check_normals(document, accessor, mender);
    if (name == "TANGENT") ok = check_tangents(document, accessor, mender);
    if (name.starts_with("COLOR_")) ok = check_between(document, name, accessor, kColours, mender);
    if (name.starts_with("WEIGHTS_")) ok = check_between(document, name, accessor, kWeights, mender);
    if (!ok) return ok;
  }
  return {};
}

Result<void> check_primitive(const Document& document, const source::Primitive& primitive, Mender& mender) {
  THRONG_CHECK(check_attributes(document, primitive.attributes, mender));
  for (const auto& target : primitive.targets) {
    THRONG_CHECK(check_target(document, primitive.attributes, target, mender));
  }
  THRONG_CHECK(check_texture_coordinates(document, primitive, mender));
  if (primitive.indices) {
    THRONG_CHECK(check_indices(document, primitive));
  }
  return check_vertex_values(document, primitive.attributes, mender);
}

}  // namespace

Result<void> check_meshes(const Document& document, Mender& mender) {
  for (std::size_t m = 0; m < document.model.meshes.size(); ++m) {
    const auto& mesh = document.model.meshes[m];
    const std::size_t targets = mesh.target_count();
    if (!mesh.weights.empty() && mesh.weights.size() != targets) {
      THRONG_CHECK(mender.forgive(Fault::weight_count, "meshes[{}] has {} for {}", m,
                                  counted(mesh.weights.size(), "weight"), counted(targets, "morph target")));
    }
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
      if (mesh.primitives[p].targets.size() != targets) {
        return fail("meshes[{}].primitives[{}] has {} morph targets; the first has {}", m, p,
                    mesh.primitives[p].targets.size(), targets);
      }
      if (auto ok = check_primitive(document, mesh.primitives[p], mender); !ok) {
        return fail("meshes[{}].primitives[{}]: {}", m, p, ok.error().message);
      }
    }
  }
  return {};
}

}  // namespace throng::detail::gltf
