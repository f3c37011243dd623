// Buffer views lie inside their buffers, accessors inside their views, aligned, with values that are what they declare.

#include <algorithm>
#include <cmath>

#include "gltf/accessor.h"

namespace throng::gltf {
namespace {

// Elements that come from nowhere (zeros, perhaps overridden) cost memory no file size vouches for.
constexpr std::size_t kMaxUnbackedComponents = 16u << 20;
// All accessors together; beyond it a file is an attack on the reader's patience, since views may overlap.
constexpr std::size_t kMaxComponents = 1u << 30;
constexpr std::size_t kMatrixAlignment = 4;

Result<void> check_views(const Document& document) {
  for (std::size_t i = 0; i < document.model.bufferViews.size(); ++i) {
    const auto& view = document.model.bufferViews[i];
    const std::uint64_t length = document.buffers[static_cast<std::size_t>(view.buffer)].byte_length;
    if (view.byteOffset > length || view.byteLength > length - view.byteOffset) {
      return fail("bufferViews[{}] (offset {}, length {}) does not fit buffers[{}] of {} bytes", i, view.byteOffset,
                  view.byteLength, view.buffer, length);
    }
    if (view.byteStride > view.byteLength) {
      return fail("bufferViews[{}].byteStride {} is above its byteLength {}", i, view.byteStride, view.byteLength);
    }
    if (view.byteStride != 0 && document.declared_targets[i] == TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER) {
      return fail("bufferViews[{}] holds indices but has a byteStride", i);
    }
  }
  return {};
}

// `count` elements of `size` bytes, `stride` apart, from `offset` on, in a view of `length` bytes.
bool fits(std::uint64_t length, std::uint64_t offset, std::uint64_t count, std::uint64_t stride, std::uint64_t size) {
  if (offset > length || size > length - offset) return false;
  return count - 1 <= (length - offset - size) / stride;
}

Result<void> check_placement(const Document& document, const tinygltf::Accessor& accessor) {
  const auto& view = document.model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
  const ElementLayout layout = element_layout(accessor);
  const std::size_t stride = view.byteStride != 0 ? view.byteStride : layout.size();
  if (stride < layout.size()) return fail("its elements of {} bytes overlap at a stride of {}", layout.size(), stride);
  if (accessor.byteOffset % layout.component_size != 0 ||
      (accessor.byteOffset + view.byteOffset) % layout.component_size != 0 || stride % layout.component_size != 0) {
    return fail("its data is not aligned to its components of {} bytes", layout.component_size);
  }
  if (layout.columns > 1 && accessor.byteOffset % kMatrixAlignment != 0)
    return fail("its matrices are not aligned to four bytes");
  if (fits(view.byteLength, accessor.byteOffset, accessor.count, stride, layout.size())) return {};
  return fail("its {} elements from byte {} do not fit bufferViews[{}] of {} bytes", accessor.count,
              accessor.byteOffset, accessor.bufferView, view.byteLength);
}

Result<void> check_sparse_part(const Document& document, int view_index, std::size_t offset, std::size_t count,
                               std::size_t alignment, std::size_t size) {
  const auto index = static_cast<std::size_t>(view_index);
  const auto& view = document.model.bufferViews[index];
  if (view.byteStride != 0 || document.declared_targets[index] != 0) {
    return fail("its sparse data in bufferViews[{}] has a byteStride or a target", view_index);
  }
  if ((view.byteOffset + offset) % alignment != 0) return fail("its sparse data is not aligned");
  if (fits(view.byteLength, offset, count, size, size)) return {};
  return fail("its sparse data does not fit bufferViews[{}]", view_index);
}

Result<void> check_sparse(const Document& document, const tinygltf::Accessor& accessor) {
  const auto& sparse = accessor.sparse;
  const auto count = static_cast<std::size_t>(sparse.count);
  if (count > accessor.count) return fail("its sparse part overrides {} of {} elements", count, accessor.count);
  const int type = sparse.indices.componentType;
  if (type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE && type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT &&
      type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) {
    return fail("its sparse indices are of component type {}, not an unsigned integer", type);
  }
  const std::size_t index_size = component_size(type);
  const ElementLayout layout = element_layout(accessor);
  if (auto ok = check_sparse_part(document, sparse.indices.bufferView,
                                  static_cast<std::size_t>(sparse.indices.byteOffset), count, index_size, index_size);
      !ok) {
    return ok;
  }
  return check_sparse_part(document, sparse.values.bufferView, static_cast<std::size_t>(sparse.values.byteOffset),
                           count, layout.component_size, layout.size());
}

Result<void> check_declaration(const tinygltf::Accessor& accessor, std::size_t components) {
  const bool integer = accessor.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT &&
                       accessor.componentType != TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
  if (accessor.normalized && !integer) return fail("only 8-bit and 16-bit integers can be normalized");
  for (const auto* bounds : {&accessor.minValues, &accessor.maxValues}) {
    if (!bounds->empty() && bounds->size() != components) {
      return fail("its min or max has {} values for {} components", bounds->size(), components);
    }
  }
  return {};
}

Result<void> check_accessor(const Document& document, std::size_t index, std::size_t& total) {
  const tinygltf::Accessor& accessor = document.model.accessors[index];
  const std::size_t components = element_layout(accessor).components();
  if (auto ok = check_declaration(accessor, components); !ok) return ok;
  const bool decoded = document.decoded_accessors.contains(index);
  if (accessor.bufferView < 0 && !decoded && accessor.count > kMaxUnbackedComponents / components) {
    return fail("{} elements without a buffer view; at most {} values are read so", accessor.count,
                kMaxUnbackedComponents);
  }
  if (accessor.bufferView >= 0 && !decoded) {
    if (auto ok = check_placement(document, accessor); !ok) return ok;
  }
  total += accessor.count * components;
  if (total > kMaxComponents) return fail("all accessors together have more than {} values", kMaxComponents);
  return accessor.sparse.isSparse ? check_sparse(document, accessor) : Result<void>{};
}

// Exporters print bounds with fewer digits than a float has; a whole element out of bounds is something else.
double bounds_tolerance(const tinygltf::Accessor& accessor, std::size_t component) {
  if (accessor.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT) return 0.0;
  constexpr double kPrintedDigits = 1e-5;
  const double low = component < accessor.minValues.size() ? std::abs(accessor.minValues[component]) : 0.0;
  const double high = component < accessor.maxValues.size() ? std::abs(accessor.maxValues[component]) : 0.0;
  return kPrintedDigits * std::max(1.0, std::max(low, high));
}

Result<void> check_values(const tinygltf::Accessor& accessor, bool bounded, const std::vector<double>& values) {
  const std::size_t width = std::max<std::size_t>(1, element_layout(accessor).components());
  std::vector<double> low(width, -std::numeric_limits<double>::infinity());
  std::vector<double> high(width, std::numeric_limits<double>::infinity());
  for (std::size_t c = 0; c < width; ++c) {
    if (bounded && !accessor.minValues.empty()) low[c] = accessor.minValues[c] - bounds_tolerance(accessor, c);
    if (bounded && !accessor.maxValues.empty()) high[c] = accessor.maxValues[c] + bounds_tolerance(accessor, c);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (!std::isfinite(value)) return fail("element {} is not finite", i / width);
    if (value < low[i % width] || value > high[i % width]) {
      return fail("element {} is {}, outside the declared min and max", i / width, value);
    }
  }
  return {};
}

}  // namespace

Result<void> check_accessors(const Document& document) {
  if (auto ok = check_views(document); !ok) return ok;
  std::size_t total = 0;
  for (std::size_t i = 0; i < document.model.accessors.size(); ++i) {
    if (!document.understood[i]) continue;
    if (auto ok = check_accessor(document, i, total); !ok) {
      return fail("accessors[{}]: {}", i, ok.error().message);
    }
  }
  return {};
}

Result<void> check_accessor_data(const Document& document) {
  for (std::size_t i = 0; i < document.model.accessors.size(); ++i) {
    const tinygltf::Accessor& accessor = document.model.accessors[i];
    if (!document.understood[i] || !has_data(document, i)) continue;
    auto values = read_raw(document, i);
    if (!values) return fail(std::move(values));
    if (auto ok = check_values(accessor, !is_lossy(document, i), *values); !ok)
      return fail("accessors[{}]: {}", i, ok.error().message);
  }
  return {};
}

}  // namespace throng::gltf
