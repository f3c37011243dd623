// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/accessors.h"

#include <algorithm>
#include <cmath>

#include "gltf/data/accessor.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

// Elements that come from nowhere (zeros, perhaps overridden) cost memory no file size vouches for.
constexpr std::size_t kMaxUnbackedComponents = 16u << 20;
// All accessors together; beyond it a file is an attack on the reader's patience, since views may overlap.
constexpr std::size_t kMaxComponents = 1u << 30;
constexpr std::size_t kMatrixAlignment = 4;

Result<void> check_views(const Document& document, Mender& mender) {
  for (std::size_t i = 0; i < document.model.buffer_views.size(); ++i) {
    const auto& view = document.model.buffer_views[i];
    const std::uint64_t length = document.buffers[view.buffer].byte_length;
    if (view.byte_offset > length || view.byte_length > length - view.byte_offset) {
      return fail("bufferViews[{}] (offset {}, length {}) does not fit buffers[{}] of {} bytes", i, view.byte_offset,
                  view.byte_length, view.buffer, length);
    }
    if (view.byte_stride > view.byte_length) {
      THRONG_CHECK(mender.forgive(Fault::stride, "bufferViews[{}].byteStride {} is above its byteLength {}", i,
                                  view.byte_stride, view.byte_length));
    }
    if (view.byte_stride != 0 && view.target == kIndexTarget) {
      THRONG_CHECK(mender.forgive(Fault::stride, "bufferViews[{}] holds indices but has a byteStride", i));
    }
  }
  return {};
}

// `count` elements of `size` bytes, `stride` apart, from `offset` on, in a view of `length` bytes.
bool fits(std::uint64_t length, std::uint64_t offset, std::uint64_t count, std::uint64_t stride, std::uint64_t size) {
  if (offset > length || size > length - offset) return false;
  return count - 1 <= (length - offset - size) / stride;
}

Result<void> check_placement(const Document& document, const source::Accessor& accessor, Mender& mender) {
  const auto& view = document.model.buffer_views[*accessor.buffer_view];
  const ElementLayout layout = element_layout(accessor);
  const std::size_t stride = view.byte_stride != 0 ? view.byte_stride : layout.size();
  if (stride < layout.size()) return fail("its elements of {} bytes overlap at a stride of {}", layout.size(), stride);
  if (accessor.byte_offset % layout.component_size != 0 ||
      (accessor.byte_offset + view.byte_offset) % layout.component_size != 0 || stride % layout.component_size != 0) {
    THRONG_CHECK(mender.forgive(Fault::alignment, "its data is not aligned to its components of {} bytes",
                                layout.component_size));
  }
  if (layout.columns > 1 && accessor.byte_offset % kMatrixAlignment != 0) {
    THRONG_CHECK(mender.forgive(Fault::alignment, "its matrices are not aligned to four bytes"));
  }
  if (fits(view.byte_length, accessor.byte_offset, accessor.count, stride, layout.size())) return {};
  return fail("its {} elements from byte {} do not fit bufferViews[{}] of {} bytes", accessor.count,
              accessor.byte_offset, *accessor.buffer_view, view.byte_length);
}

// `count` values of `size` bytes, aligned so.
struct SparsePart {
  std::size_t view;
  std::size_t offset;
  std::size_t count;
  std::size_t alignment;
  std::size_t size;
};

Result<void> check_sparse_part(const Document& document, const SparsePart& part, Mender& mender) {
  const auto& view = document.model.buffer_views[part.view];
  if (view.byte_stride != 0 || view.target != 0) {
    return fail("its sparse data in bufferViews[{}] has a byteStride or a target", part.view);
  }
  if ((view.byte_offset + part.offset) % part.alignment != 0) {
    THRONG_CHECK(mender.forgive(Fault::alignment, "its sparse data is not aligned"));
  }
  if (fits(view.byte_length, part.offset, part.count, part.size, part.size)) return {};
  return fail("its sparse data does not fit bufferViews[{}]", part.view);
}

Result<void> check_sparse(const Document& document, const source::Accessor& accessor, Mender& mender) {
  const source::Sparse& sparse = *accessor.sparse;
  const std::size_t count = sparse.count;
  if (count > accessor.count) return fail("its sparse part overrides {} of {} elements", count, accessor.count);
  const int type = sparse.index_type;
  if (type != kU8 && type != kU16 && type != kU32) {
    return fail("its sparse indices are of component type {}, not an unsigned integer", type);
  }
  const std::size_t index_size = component_size(type);
  const ElementLayout layout = element_layout(accessor);
  THRONG_CHECK(
      check_sparse_part(document, {sparse.index_view, sparse.index_offset, count, index_size, index_size}, mender));
  return check_sparse_part(
      document, {sparse.value_view, sparse.value_offset, count, layout.component_size, layout.size()}, mender);
}

Result<void> check_declaration(const source::Accessor& accessor, std::size_t components, Mender& mender) {
  if (accessor.falsely_normalized) {
    THRONG_CHECK(mender.forgive(Fault::normalised_floats, "only 8-bit and 16-bit integers can be normalized"));
  }
  for (const auto* bounds : {&accessor.min, &accessor.max}) {
    if (!bounds->empty() && bounds->size() != components) {
      THRONG_CHECK(
          mender.forgive(Fault::bounds, "its min or max has {} values for {} components", bounds->size(), components));
    }
  }
  return {};
}

Result<void> check_accessor(const Document& document, std::size_t index, std::size_t& total, Mender& mender) {
  const source::Accessor& accessor = document.model.accessors[index];
  const std::size_t components = element_layout(accessor).components();
  THRONG_CHECK(check_declaration(accessor, components, mender));
  const bool decoded = document.decoded_accessors.contains(index);
  if (!accessor.buffer_view && !decoded && accessor.count > kMaxUnbackedComponents / components) {
    return fail("{} elements without a buffer view; at most {} values are read so", accessor.count,
                kMaxUnbackedComponents);
  }
  if (accessor.buffer_view && !decoded) {
    THRONG_CHECK(check_placement(document, accessor, mender));
  }
  total += accessor.count * components;
  if (total > kMaxComponents) return fail("all accessors together have more than {} values", kMaxComponents);
  return accessor.sparse ? check_sparse(document, accessor, mender) : Result<void>{};
}

// What the values of an accessor span, component by component: those that are finite.
struct Span {
  std::vector<double> lowest, highest;
  bool whole = true;  // otherwise some were not, and nobody knows where they should be
};

Result<Span> span_of(const std::vector<double>& values, std::size_t width, const Mender& mender) {
  Span span{std::vector<double>(width, std::numeric_limits<double>::infinity()),
            std::vector<double>(width, -std::numeric_limits<double>::infinity())};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      THRONG_CHECK(mender.pass_on("element {} is not finite", i / width));
      span.whole = false;
      continue;
    }
    span.lowest[i % width] = std::min(span.lowest[i % width], values[i]);
    span.highest[i % width] = std::max(span.highest[i % width], values[i]);
  }
  return span;
}

// Exporters print bounds with fewer digits than a float has: that is nothing to tell of, but strictly a fault.
bool is_printed_so(double declared, double actual) {
  constexpr double kPrintedDigits = 1e-5;
  return std::abs(declared - actual) <= kPrintedDigits * std::max(1.0, std::abs(actual));
}

Result<void> check_bounds(const source::Accessor& accessor, const Span& span, Mender& mender) {
  const bool floats = accessor.component_type == kF32;
  struct Bound {
    const char* name;
    const std::vector<double>& declared;
    const std::vector<double>& actual;
  };
  for (const Bound& bound : {Bound{"min", accessor.min, span.lowest}, Bound{"max", accessor.max, span.highest}}) {
    if (bound.declared.size() != bound.actual.size()) continue;  // left out, or told of
    for (std::size_t c = 0; c < bound.actual.size(); ++c) {
      // A text of more digits than a float has means the float.
      const double declared = floats ? static_cast<double>(static_cast<float>(bound.declared[c])) : bound.declared[c];
      const double actual = bound.actual[c];
      if (declared == actual) continue;
      if (floats && is_printed_so(declared, actual) && !mender.is_strict()) continue;
      // One component says enough about an accessor.
      return mender.forgive(Fault::bounds, "its {}[{}] is declared as {}, and that of its data is {}", bound.name, c,
                            declared, actual);
    }
  }
  return {};
}

Result<void> check_values(const source::Accessor& accessor, bool bounded, const std::vector<double>& values,
                          Mender& mender) {
  const std::size_t width = std::max<std::size_t>(1, element_layout(accessor).components());
  THRONG_TRY(const Span span, span_of(values, width, mender));
  return bounded && span.whole ? check_bounds(accessor, span, mender) : Result<void>{};
}

}  // namespace

Result<void> check_accessors(const Document& document, Mender& mender) {
  THRONG_CHECK(check_views(document, mender));
  std::size_t total = 0;
  for (std::size_t i = 0; i < document.model.accessors.size(); ++i) {
    if (!document.model.accessors[i].understood) continue;
    if (auto ok = check_accessor(document, i, total, mender); !ok) {
      return fail("accessors[{}]: {}", i, ok.error().message);
    }
  }
  return {};
}

Result<void> check_accessor_data(const Document& document, Mender& mender) {
  for (std::size_t i = 0; i < document.model.accessors.size(); ++i) {
    const source::Accessor& accessor = document.model.accessors[i];
    if (!document.model.accessors[i].understood || !has_data(document, i)) continue;
    THRONG_TRY(auto values, read_raw(document, i));
    if (auto ok = check_values(accessor, !is_lossy(document, i), values, mender); !ok)
      return fail("accessors[{}]: {}", i, ok.error().message);
  }
  return {};
}

}  // namespace throng::detail::gltf
