// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/animations.h"

#include <cmath>
#include <map>
#include <set>

#include "gltf/data/accessor.h"
#include "gltf/data/formats.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Sampler = source::KeySampler;

bool is_cubic(const Sampler& sampler) { return sampler.interpolation == "CUBICSPLINE"; }

const source::Accessor& accessor_of(const Document& document, std::size_t index) {
  return document.model.accessors[index];
}

Result<void> check_times(const Document& document, const Sampler& sampler, Mender& mender) {
  const std::size_t index = sampler.input;
  const auto& input = accessor_of(document, sampler.input);
  if (!allowed(document, index, key_time_formats())) {
    return fail("its key times (accessors[{}]) cannot be {}", index, describe_format(document, index));
  }
  if (input.min.empty() || input.max.empty()) {
    THRONG_CHECK(mender.forgive(Fault::bounds, "its key times (accessors[{}]) have no min and max", index));
  }
  if (is_cubic(sampler) && input.count < 2) {
    THRONG_CHECK(mender.forgive(Fault::short_spline, "a cubic spline needs two keys or more"));
  }
  if (!has_data(document, index)) return {};
  THRONG_TRY(auto times, read_floats(document, index));
  float before = -1.0f;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i])) {
      THRONG_CHECK(mender.pass_on("its key {} is at {} s; times cannot be negative", i, times[i]));
      continue;
    }
    if (times[i] < 0.0f) return fail("its key {} is at {} s; times cannot be negative", i, times[i]);
    if (times[i] < before) return fail("its key {} at {} s does not come after the one before", i, times[i]);
    if (times[i] == before) {
      THRONG_CHECK(mender.pass_on("its key {} at {} s does not come after the one before", i, times[i]));
    }
    before = times[i];
  }
  return {};
}

// Morph targets of the mesh on a node; none without a mesh.
std::size_t target_count(const Document& document, const source::Node& node) {
  return node.mesh ? document.model.meshes[*node.mesh].target_count() : 0;
}

Result<void> check_rotations(const Document& document, const Sampler& sampler, Mender& mender) {
  const std::size_t output = sampler.output;
  if (!has_data(document, output)) return {};
  THRONG_TRY(auto values, read_floats(document, output));
  const bool cubic = is_cubic(sampler);
  for (std::size_t q = cubic ? 1 : 0; q * 4 + 3 < values.size(); q += cubic ? 3 : 1) {
    const float* v = values.data() + q * 4;
    const double length =
        std::sqrt(double(v[0]) * v[0] + double(v[1]) * v[1] + double(v[2]) * v[2] + double(v[3]) * v[3]);
    // Whoever reads the key normalises it, or drops it where there is nothing to normalise.
    if (!(std::abs(length - 1.0) <= kUnitQuaternionTolerance)) {
      THRONG_CHECK(mender.pass_on("its rotation {} has length {}, not 1", q, length));
    }
  }
  return {};
}

Result<void> check_values(const Document& document, const source::Channel& channel, const Sampler& sampler,
                          Mender& mender) {
  const std::size_t index = sampler.output;
  if (!allowed(document, index, key_value_formats(channel.path))) {
    return fail("its {} (accessors[{}]) cannot be {}", channel.path, index, describe_format(document, index));
  }
  const auto& node = document.model.nodes[channel.node];
  const std::size_t targets = target_count(document, node);
  if (channel.path == "weights" && targets == 0) {
    return mender.forgive(Fault::weights_without_targets,
                          "it animates weights of nodes[{}], whose mesh has no morph targets", channel.node);
  }
  if (channel.path != "weights" && node.matrix) {
    THRONG_CHECK(mender.forgive(Fault::animated_matrix, "it animates nodes[{}], which has a matrix", channel.node));
  }
  const bool of_all_targets = channel.path == "weights" && !channel.target;
  const std::size_t per_key = (is_cubic(sampler) ? 3 : 1) * (of_all_targets ? targets : 1);
  const std::size_t expected = accessor_of(document, sampler.input).count * per_key;
  const std::size_t found = accessor_of(document, sampler.output).count;
  if (found != expected) return fail("its {} has {} values; its keys need {}", channel.path, found, expected);
  return channel.path == "rotation" ? check_rotations(document, sampler, mender) : Result<void>{};
}

Result<void> check_channel(const Document& document, const source::Animation& animation, const source::Channel& channel,
                           Mender& mender) {
  if (channel.sampler >= animation.samplers.size()) {
    return fail("it names sampler {} of {}", channel.sampler, animation.samplers.size());
  }
  // A path from an extension: left out on reading, so nothing about it is relied on.
  if (key_value_formats(channel.path).empty()) return {};
  return check_values(document, channel, animation.samplers[channel.sampler], mender);
}

// What an animation moves so far.
class Moved {
 public:
  // Whether the channel moves something that none before does.
  bool add(const source::Channel& channel) {
    const Property property(channel.node, channel.path);
    if (whole_.contains(property)) return false;
    if (!channel.target) return whole_.insert(property).second && !parts_.contains(property);
    return parts_[property].insert(*channel.target).second;
  }

 private:
  using Property = std::pair<std::size_t, std::string>;
  std::set<Property> whole_;
  std::map<Property, std::set<std::size_t>> parts_;
};

Result<void> check_animation(const Document& document, const source::Animation& animation, Mender& mender) {
  for (std::size_t s = 0; s < animation.samplers.size(); ++s) {
    if (auto ok = check_times(document, animation.samplers[s], mender); !ok)
      return fail("samplers[{}]: {}", s, ok.error().message);
  }
  Moved moved;
  for (const auto& channel : animation.channels) {
    if (auto ok = check_channel(document, animation, channel, mender); !ok)
      return fail("a channel is wrong: {}", ok.error().message);
    if (!moved.add(channel)) {
      return fail("two channels animate the {} of nodes[{}]", channel.path, channel.node);
    }
  }
  return {};
}

}  // namespace

Result<void> check_animations(const Document& document, Mender& mender) {
  for (std::size_t i = 0; i < document.model.animations.size(); ++i) {
    if (auto ok = check_animation(document, document.model.animations[i], mender); !ok) {
      return fail("animations[{}]: {}", i, ok.error().message);
    }
  }
  return {};
}

}  // namespace throng::detail::gltf
