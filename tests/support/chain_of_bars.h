// SPDX-License-Identifier: Apache-2.0
#pragma once
// A limb of several bones, one on the end of the other: what swings far from where it rests, and farther than its
// frames show.

#include "bar_model.h"

namespace throng::test {

inline constexpr double kLinkLength = 0.5;

// `links` bones along +Y, half a unit long each, and a square rod around them, 0.1 wide, whose vertices follow the bone
// they are beside, and around each joint both.
inline ModelDraft chain_of_bars(std::uint32_t links) {
  constexpr int kRings = 6;  // a link
  ModelDraft draft;
  draft.name = "chain";
  draft.materials = {Material{}};
  Mesh mesh;
  mesh.name = "rod";
  for (std::uint32_t link = 0; link < links; ++link) {
    Bone bone{"link " + std::to_string(link), std::nullopt, {}};
    if (link > 0) bone.parent = link - 1;
    bone.rest.translation = {0.0, link > 0 ? kLinkLength : 0.0, 0.0};
    draft.bones.push_back(bone);
    Binding binding{link, glm::dmat4(1.0)};
    binding.bone_from_mesh[3] = {0.0, -kLinkLength * link, 0.0, 1.0};
    draft.bindings.push_back(binding);
  }
  const int rings = kRings * static_cast<int>(links) + 1;
  for (int ring = 0; ring < rings; ++ring) {
    const double y = kLinkLength * ring / kRings;
    const auto own =
        std::min<std::uint16_t>(static_cast<std::uint16_t>(ring / kRings), static_cast<std::uint16_t>(links - 1));
    const bool joint = own > 0 && ring % kRings == 0 && ring + 1 < rings;
    for (int corner = 0; corner < 4; ++corner) {
      const double angle = (corner + 0.5) * kPi / 2.0;
      const glm::dvec3 out(std::cos(angle), 0.0, std::sin(angle));
      mesh.positions.emplace_back(0.07 * out + glm::dvec3(0.0, y, 0.0));
      mesh.normals.emplace_back(out);
      Influences influences;
      influences.bindings = {own, static_cast<std::uint16_t>(own > 0 ? own - 1 : 0), 0, 0};
      influences.weights = {joint ? 0.6f : 1.0f, joint ? 0.4f : 0.0f, 0.0f, 0.0f};
      mesh.influences.push_back(influences);
      if (ring == 0) continue;
      const auto a = static_cast<std::uint32_t>((ring - 1) * 4 + corner);
      const auto b = static_cast<std::uint32_t>((ring - 1) * 4 + (corner + 1) % 4);
      mesh.indices.insert(mesh.indices.end(), {a, a + 4, b, b, a + 4, b + 4});
    }
  }
  draft.meshes = {mesh};
  return draft;
}

// Every bone of the chain turns about `axis` as `angle_at` says; a second long.
inline Clip turning_chain(const std::string& name, std::uint32_t links, const glm::dvec3& axis, int keys,
                          const std::function<double(double)>& angle_at, bool loops) {
  std::vector<BoneTrack> tracks;
  for (std::uint32_t link = 0; link < links; ++link)
    tracks.push_back(turning(link, axis, keys + 1, keys, 0.0, angle_at));
  return clip_of(name, std::move(tracks), loops);
}

// Three links that bend to one side, to the other, towards the viewer, and go round: what lies on the way from one to
// the other is in none of their boxes.
inline ModelDraft swinging_chain() {
  constexpr std::uint32_t kLinks = 3;
  ModelDraft draft = chain_of_bars(kLinks);
  const auto bent = [](double most) {
    return [most](double t) { return most * (0.9 + 0.1 * std::sin(2.0 * kPi * t)); };
  };
  const glm::dvec3 z(0, 0, 1), x(1, 0, 0);
  draft.clips = {turning_chain("left", kLinks, z, 10, bent(0.7), true),
                 turning_chain("right", kLinks, z, 10, bent(-0.7), true),
                 turning_chain("bow", kLinks, x, 10, bent(0.6), false),
                 turning_chain(
                     "round", kLinks, z, 10, [](double t) { return 2.0 * kPi * t; }, true)};
  return draft;
}

// A bar whose upper end is moved far to one side by a morph target, for a moment of the first of its two clips.
inline Model bar_that_blinks() {
  ModelDraft draft = swaying_bar();
  Mesh& mesh = draft.meshes[0];
  MorphTarget blink{"blink", {}, {}};
  for (const glm::vec3& p : mesh.positions)
    blink.positions.push_back(p.y > 1.5f ? glm::vec3(0.0f, 0.0f, 3.0f) : glm::vec3(0.0f));
  mesh.morph_targets = {blink};
  mesh.morph_weights = {0.0f};
  Clip still = draft.clips[0];
  still.name = "still";
  draft.clips.push_back(std::move(still));
  MorphTrack track;
  track.weights.times = {0.0f, 0.4f, 0.5f, 0.6f, 1.0f};
  track.weights.values = {0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
  draft.clips[0].morphs = {track};
  return built(std::move(draft));
}

}  // namespace throng::test
