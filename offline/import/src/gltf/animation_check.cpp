// Rules for animations: samplers with the right formats and counts, times that increase, rotations of unit length.

#include <cmath>
#include <set>

#include "gltf/accessor.h"
#include "gltf/formats.h"

namespace throng::gltf {
namespace {

using Sampler = tinygltf::AnimationSampler;

bool is_cubic(const Sampler& sampler) { return sampler.interpolation == "CUBICSPLINE"; }

const tinygltf::Accessor& accessor_of(const Document& document, int index) {
  return document.model.accessors[static_cast<std::size_t>(index)];
}

Result<void> check_times(const Document& document, const Sampler& sampler) {
  const auto index = static_cast<std::size_t>(sampler.input);
  const auto& input = accessor_of(document, sampler.input);
  if (!allowed(document, index, key_time_formats())) {
    return fail("its key times (accessors[{}]) cannot be {}", index, describe_format(document, index));
  }
  if (input.minValues.empty() || input.maxValues.empty())
    return fail("its key times (accessors[{}]) have no min and max", index);
  if (is_cubic(sampler) && input.count < 2) return fail("a cubic spline needs two keys or more");
  if (!has_data(document, index)) return {};
  auto times = read_floats(document, index);
  if (!times) return fail(std::move(times));
  for (std::size_t i = 0; i < times->size(); ++i) {
    if (!((*times)[i] >= 0.0f)) return fail("its key {} is at {} s; times cannot be negative", i, (*times)[i]);
    if (i > 0 && !((*times)[i] > (*times)[i - 1]))
      return fail("its key {} at {} s does not come after the one before", i, (*times)[i]);
  }
  return {};
}

// Morph targets of the mesh on a node; none without a mesh.
std::size_t target_count(const Document& document, const tinygltf::Node& node) {
  if (node.mesh < 0) return 0;
  return document.model.meshes[static_cast<std::size_t>(node.mesh)].primitives.front().targets.size();
}

Result<void> check_rotations(const Document& document, const Sampler& sampler) {
  const auto output = static_cast<std::size_t>(sampler.output);
  if (!has_data(document, output)) return {};
  auto values = read_floats(document, output);
  if (!values) return fail(std::move(values));
  const bool cubic = is_cubic(sampler);
  for (std::size_t q = cubic ? 1 : 0; q * 4 + 3 < values->size(); q += cubic ? 3 : 1) {
    const float* v = values->data() + q * 4;
    const double length =
        std::sqrt(double(v[0]) * v[0] + double(v[1]) * v[1] + double(v[2]) * v[2] + double(v[3]) * v[3]);
    if (!(std::abs(length - 1.0) <= kUnitQuaternionTolerance))
      return fail("its rotation {} has length {}, not 1", q, length);
  }
  return {};
}

Result<void> check_values(const Document& document, const tinygltf::AnimationChannel& channel, const Sampler& sampler) {
  const auto index = static_cast<std::size_t>(sampler.output);
  if (!allowed(document, index, key_value_formats(channel.target_path))) {
    return fail("its {} (accessors[{}]) cannot be {}", channel.target_path, index, describe_format(document, index));
  }
  const auto& node = document.model.nodes[static_cast<std::size_t>(channel.target_node)];
  const std::size_t targets = target_count(document, node);
  if (channel.target_path == "weights" && targets == 0) {
    return fail("it animates weights of nodes[{}], whose mesh has no morph targets", channel.target_node);
  }
  if (channel.target_path != "weights" && !node.matrix.empty()) {
    return fail("it animates nodes[{}], which has a matrix", channel.target_node);
  }
  const std::size_t per_key = (is_cubic(sampler) ? 3 : 1) * (channel.target_path == "weights" ? targets : 1);
  const std::size_t expected = accessor_of(document, sampler.input).count * per_key;
  const std::size_t found = accessor_of(document, sampler.output).count;
  if (found != expected) return fail("its {} has {} values; its keys need {}", channel.target_path, found, expected);
  return channel.target_path == "rotation" ? check_rotations(document, sampler) : Result<void>{};
}

Result<void> check_channel(const Document& document, const tinygltf::Animation& animation,
                           const tinygltf::AnimationChannel& channel) {
  if (static_cast<std::size_t>(channel.sampler) >= animation.samplers.size()) {
    return fail("it names sampler {} of {}", channel.sampler, animation.samplers.size());
  }
  // A path from an extension: left out on reading, so nothing about it is relied on.
  if (key_value_formats(channel.target_path).empty()) return {};
  return check_values(document, channel, animation.samplers[static_cast<std::size_t>(channel.sampler)]);
}

Result<void> check_animation(const Document& document, const tinygltf::Animation& animation) {
  for (std::size_t s = 0; s < animation.samplers.size(); ++s) {
    if (auto ok = check_times(document, animation.samplers[s]); !ok)
      return fail("samplers[{}]: {}", s, ok.error().message);
  }
  std::set<std::pair<int, std::string>> targets;
  for (const auto& channel : animation.channels) {
    if (auto ok = check_channel(document, animation, channel); !ok)
      return fail("a channel is wrong: {}", ok.error().message);
    if (!targets.emplace(channel.target_node, channel.target_path).second) {
      return fail("two channels animate the {} of nodes[{}]", channel.target_path, channel.target_node);
    }
  }
  return {};
}

}  // namespace

Result<void> check_animations(const Document& document) {
  for (std::size_t i = 0; i < document.model.animations.size(); ++i) {
    if (auto ok = check_animation(document, document.model.animations[i]); !ok) {
      return fail("animations[{}]: {}", i, ok.error().message);
    }
  }
  return {};
}

}  // namespace throng::gltf
