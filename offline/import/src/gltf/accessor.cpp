#include "gltf/accessor.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace throng::gltf {
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
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return visit(std::int8_t{});
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return visit(std::uint8_t{});
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return visit(std::int16_t{});
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return visit(std::uint16_t{});
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return visit(std::uint32_t{});
    default:
      return visit(float{});
  }
}

// Elements that lie `stride` bytes apart from `bytes` on, one after another into `out` (or at the places in `order`).
template <class Out>
struct Placement {
  std::vector<Out>& out;
  const std::vector<std::uint32_t>* order = nullptr;
};

template <class Out>
void read_elements(const std::byte* bytes, std::size_t stride, std::size_t count, int component_type,
                   const ElementLayout& layout, const Placement<Out>& to) {
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

Result<std::vector<std::uint32_t>> sparse_order(const Document& document, const tinygltf::Accessor& accessor) {
  const auto& indices = accessor.sparse.indices;
  auto bytes = view_bytes(document, static_cast<std::size_t>(indices.bufferView));
  if (!bytes) return fail(std::move(bytes));
  const std::size_t size = component_size(indices.componentType);
  const auto count = static_cast<std::size_t>(accessor.sparse.count);
  std::vector<std::uint32_t> order(count);
  const ElementLayout scalar{size, 1, 1, size};
  read_elements<std::uint32_t>(bytes->data() + indices.byteOffset, size, count, indices.componentType, scalar, {order});
  for (std::size_t i = 0; i < count; ++i) {
    if (order[i] >= accessor.count || (i > 0 && order[i] <= order[i - 1])) {
      return fail("its sparse index {} is {}; they must increase and stay below {}", i, order[i], accessor.count);
    }
  }
  return order;
}

template <class Out>
Result<std::vector<Out>> read(const Document& document, std::size_t index) {
  const tinygltf::Accessor& accessor = document.model.accessors[index];
  const ElementLayout layout = element_layout(accessor);
  std::vector<Out> out(accessor.count * layout.components());
  const auto decoded = document.decoded_accessors.find(index);
  if (decoded != document.decoded_accessors.end()) {
    read_elements<Out>(decoded->second.bytes.data(), layout.size(), accessor.count, accessor.componentType, layout,
                       {out});
  } else if (accessor.bufferView >= 0) {
    const auto view = static_cast<std::size_t>(accessor.bufferView);
    auto bytes = view_bytes(document, view);
    if (!bytes) return fail("accessors[{}]: {}", index, bytes.error().message);
    const std::size_t declared = document.model.bufferViews[view].byteStride;
    read_elements<Out>(bytes->data() + accessor.byteOffset, declared != 0 ? declared : layout.size(), accessor.count,
                       accessor.componentType, layout, {out});
  }
  if (!accessor.sparse.isSparse) return out;
  auto order = sparse_order(document, accessor);
  if (!order) return fail("accessors[{}]: {}", index, order.error().message);
  auto values = view_bytes(document, static_cast<std::size_t>(accessor.sparse.values.bufferView));
  if (!values) return fail("accessors[{}]: {}", index, values.error().message);
  read_elements<Out>(values->data() + accessor.sparse.values.byteOffset, layout.size(), order->size(),
                     accessor.componentType, layout, {out, &*order});
  return out;
}

}  // namespace

std::size_t component_size(int component_type) {
  std::size_t size = 0;
  with_component_type(component_type, [&size]<class T>(T) { size = sizeof(T); });
  return size;
}

ElementLayout element_layout(const tinygltf::Accessor& accessor) {
  const bool matrix =
      accessor.type == TINYGLTF_TYPE_MAT2 || accessor.type == TINYGLTF_TYPE_MAT3 || accessor.type == TINYGLTF_TYPE_MAT4;
  ElementLayout layout;
  layout.component_size = component_size(accessor.componentType);
  const auto components =
      static_cast<std::size_t>(tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type)));
  layout.rows = !matrix ? components : components == 4 ? 2 : components == 9 ? 3 : 4;
  layout.columns = components / layout.rows;
  constexpr std::size_t kColumnAlignment = 4;
  const std::size_t packed = layout.rows * layout.component_size;
  layout.column_stride = matrix ? (packed + kColumnAlignment - 1) / kColumnAlignment * kColumnAlignment : packed;
  return layout;
}

double normalising_scale(const tinygltf::Accessor& accessor) {
  if (!accessor.normalized) return 1.0;
  switch (accessor.componentType) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return 1.0 / 127.0;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return 1.0 / 255.0;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return 1.0 / 32767.0;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
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
  const int view = document.model.accessors[accessor].bufferView;
  return lossy(document.decoded_accessors, accessor) ||
         (view >= 0 && lossy(document.decoded_views, static_cast<std::size_t>(view)));
}

Backing backing_of(const Document& document, std::size_t index) {
  const tinygltf::Accessor& accessor = document.model.accessors[index];
  const bool decoded = document.decoded_accessors.contains(index);
  std::vector<int> views;
  if (accessor.bufferView >= 0 && !decoded) views.push_back(accessor.bufferView);
  if (accessor.sparse.isSparse) {
    views.insert(views.end(), {accessor.sparse.indices.bufferView, accessor.sparse.values.bufferView});
  }
  Backing backing = views.empty() && !decoded ? Backing::zeros : Backing::bytes;
  for (const int view : views) {
    if (document.decoded_views.contains(static_cast<std::size_t>(view))) continue;
    const auto buffer = static_cast<std::size_t>(document.model.bufferViews[static_cast<std::size_t>(view)].buffer);
    if (document.buffers[buffer].missing.empty()) continue;
    backing = std::max(backing, document.buffers[buffer].placeholder ? Backing::placeholder : Backing::missing);
  }
  return backing;
}

Result<std::vector<double>> read_raw(const Document& document, std::size_t accessor) {
  return read<double>(document, accessor);
}

Result<std::vector<float>> read_floats(const Document& document, std::size_t index) {
  const tinygltf::Accessor& accessor = document.model.accessors[index];
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

}  // namespace throng::gltf
