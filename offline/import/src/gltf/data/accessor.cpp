// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/accessor.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "gltf/file/buffers.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Component `c` of an element that starts at `element`.
template <class T>
T component(const std::byte* element, const ElementLayout& layout, std::size_t c) {
  return load<T>(element + (c / layout.rows) * layout.column_stride + (c % layout.rows) * sizeof(T));
}

// Calls visit(type tag) for the C++ type of a component.
template <class Visit>
void with_component_type(int component_type, Visit visit) {
  switch (component_type) {
    case kI8:
      return visit(std::int8_t{});
    case kU8:
      return visit(std::uint8_t{});
    case kI16:
      return visit(std::int16_t{});
    case kU16:
      return visit(std::uint16_t{});
    case kU32:
      return visit(std::uint32_t{});
    default:
      return visit(float{});
  }
}

// Elements that lie `stride` bytes apart from `bytes` on, one after another into `out` (or at the places in `order`).
template <class Out>
struct Destination {
  std::vector<Out>& out;
  const std::vector<std::uint32_t>* order = nullptr;
};

template <class Out>
void read_elements(const std::byte* bytes, std::size_t stride, std::size_t count, int component_type,
                   const ElementLayout& layout, const Destination<Out>& to) {
  with_component_type(component_type, [&]<class T>(T) {
    const std::size_t width = layout.components();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t element = to.order != nullptr ? (*to.order)[i] : i;
      for (std::size_t c = 0; c < width; ++c) {
        // By way of double, which holds every component exactly: no signed byte is widened into an unsigned number.
        const auto value = static_cast<double>(component<T>(bytes + i * stride, layout, c));
        to.out[element * width + c] = static_cast<Out>(value);
      }
    }
  });
}

Result<std::vector<std::uint32_t>> sparse_order(const Document& document, const source::Accessor& accessor) {
  const source::Sparse& sparse = *accessor.sparse;
  THRONG_TRY(auto bytes, view_bytes(document, sparse.index_view));
  const std::size_t size = component_size(sparse.index_type);
  const std::size_t count = sparse.count;
  std::vector<std::uint32_t> order(count);
  const ElementLayout scalar{size, 1, 1, size};
  read_elements<std::uint32_t>(bytes.data() + sparse.index_offset, size, count, sparse.index_type, scalar, {order});
  for (std::size_t i = 0; i < count; ++i) {
    if (order[i] >= accessor.count || (i > 0 && order[i] <= order[i - 1])) {
      return fail("its sparse index {} is {}; they must increase and stay below {}", i, order[i], accessor.count);
    }
  }
  return order;
}

template <class Out>
Result<std::vector<Out>> read(const Document& document, std::size_t index) {
  const source::Accessor& accessor = document.model.accessors[index];
  const ElementLayout layout = element_layout(accessor);
  std::vector<Out> out(accessor.count * layout.components());
  const auto decoded = document.decoded_accessors.find(index);
  if (decoded != document.decoded_accessors.end()) {
    read_elements<Out>(decoded->second.bytes.data(), layout.size(), accessor.count, accessor.component_type, layout,
                       {out});
  } else if (accessor.buffer_view) {
    const std::size_t view = *accessor.buffer_view;
    auto bytes = view_bytes(document, view);
    if (!bytes) return fail("accessors[{}]: {}", index, bytes.error().message);
    const std::size_t declared = document.model.buffer_views[view].byte_stride;
    read_elements<Out>(bytes->data() + accessor.byte_offset, declared != 0 ? declared : layout.size(), accessor.count,
                       accessor.component_type, layout, {out});
  }
  if (!accessor.sparse) return out;
  auto order = sparse_order(document, accessor);
  if (!order) return fail("accessors[{}]: {}", index, order.error().message);
  auto values = view_bytes(document, accessor.sparse->value_view);
  if (!values) return fail("accessors[{}]: {}", index, values.error().message);
  read_elements<Out>(values->data() + accessor.sparse->value_offset, layout.size(), order->size(),
                     accessor.component_type, layout, {out, &*order});
  return out;
}

}  // namespace

std::size_t component_size(int component_type) {
  std::size_t size = 0;
  with_component_type(component_type, [&size]<class T>(T) { size = sizeof(T); });
  return size;
}

ElementLayout element_layout(const source::Accessor& accessor) {
  constexpr std::array<std::size_t, 7> kRows = {1, 2, 3, 4, 2, 3, 4};  // by ElementType
  const bool matrix = accessor.type >= ElementType::mat2;
  ElementLayout layout;
  layout.component_size = component_size(accessor.component_type);
  layout.rows = kRows[static_cast<std::size_t>(accessor.type)];
  layout.columns = matrix ? layout.rows : 1;
  constexpr std::size_t kColumnAlignment = 4;
  const std::size_t packed = layout.rows * layout.component_size;
  layout.column_stride = matrix ? (packed + kColumnAlignment - 1) / kColumnAlignment * kColumnAlignment : packed;
  return layout;
}

double normalising_scale(const source::Accessor& accessor) {
  if (!accessor.normalized) return 1.0;
  switch (accessor.component_type) {
    case kI8:
      return 1.0 / 127.0;
    case kU8:
      return 1.0 / 255.0;
    case kI16:
      return 1.0 / 32767.0;
    case kU16:
      return 1.0 / 65535.0;
    default:
      return 1.0;
  }
}

bool is_lossy(const Document& document, std::size_t accessor) {
  const auto lossy = [](const std::map<std::size_t, Decoded>& decoded, std::size_t index) {
    const auto found = decoded.find(index);
    return found != decoded.end() && found->second.lossy;
  };
  const source::Index view = document.model.accessors[accessor].buffer_view;
  return lossy(document.decoded_accessors, accessor) || (view && lossy(document.decoded_views, *view));
}

Backing backing_of(const Document& document, std::size_t index) {
  const source::Accessor& accessor = document.model.accessors[index];
  const bool decoded = document.decoded_accessors.contains(index);
  std::vector<std::size_t> views;
  if (accessor.buffer_view && !decoded) views.push_back(*accessor.buffer_view);
  if (accessor.sparse) views.insert(views.end(), {accessor.sparse->index_view, accessor.sparse->value_view});
  Backing backing = views.empty() && !decoded ? Backing::zeros : Backing::bytes;
  for (const std::size_t view : views) {
    if (document.decoded_views.contains(view)) continue;
    const std::size_t buffer = document.model.buffer_views[view].buffer;
    if (document.buffers[buffer].missing.empty()) continue;
    backing = std::max(backing, document.buffers[buffer].placeholder ? Backing::placeholder : Backing::missing);
  }
  return backing;
}

Result<std::vector<double>> read_raw(const Document& document, std::size_t accessor) {
  return read<double>(document, accessor);
}

Result<std::vector<float>> read_floats(const Document& document, std::size_t index) {
  const source::Accessor& accessor = document.model.accessors[index];
  auto values = read<float>(document, index);
  if (!values || !accessor.normalized) return values;
  const double scale = normalising_scale(accessor);
  // The most negative integer has no positive twin; glTF maps it to -1 as well.
  for (float& value : *values) value = static_cast<float>(std::max(static_cast<double>(value) * scale, -1.0));
  return values;
}

Result<std::vector<std::uint32_t>> read_integers(const Document& document, std::size_t accessor) {
  return read<std::uint32_t>(document, accessor);
}

}  // namespace throng::detail::gltf
