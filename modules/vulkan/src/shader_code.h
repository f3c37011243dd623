#pragma once
// The compiled shaders, part of the library.

#include <cstdint>
#include <span>

namespace throng::shader_code {

std::span<const std::uint32_t> crowd_vertex();
std::span<const std::uint32_t> crowd_fragment();
std::span<const std::uint32_t> crowd_shadow_vertex();
std::span<const std::uint32_t> crowd_shadow_fragment();
std::span<const std::uint32_t> ground_vertex();
std::span<const std::uint32_t> ground_fragment();
std::span<const std::uint32_t> sky_vertex();
std::span<const std::uint32_t> sky_fragment();
std::span<const std::uint32_t> prop_vertex();
std::span<const std::uint32_t> speck_vertex();
std::span<const std::uint32_t> speck_fragment();
std::span<const std::uint32_t> change_compute();
std::span<const std::uint32_t> cull_compute();
std::span<const std::uint32_t> cull_hidden_compute();
std::span<const std::uint32_t> plan_compute();
std::span<const std::uint32_t> count_compute();
std::span<const std::uint32_t> scan_compute();
std::span<const std::uint32_t> arrange_compute();
std::span<const std::uint32_t> gather_compute();
std::span<const std::uint32_t> pose_compute();
std::span<const std::uint32_t> skin_compute();
std::span<const std::uint32_t> read_back_compute();
std::span<const std::uint32_t> sockets_compute();
std::span<const std::uint32_t> crowd_motion_vertex();
std::span<const std::uint32_t> crowd_motion_fragment();
std::span<const std::uint32_t> speck_motion_vertex();
std::span<const std::uint32_t> speck_motion_fragment();
std::span<const std::uint32_t> prop_motion_vertex();
std::span<const std::uint32_t> gather_motion_compute();
std::span<const std::uint32_t> skinned_compute();
std::span<const std::uint32_t> skinned_vertex();
std::span<const std::uint32_t> skinned_motion_vertex();
std::span<const std::uint32_t> skinned_shadow_vertex();
std::span<const std::uint32_t> depth_pyramid_compute();
std::span<const std::uint32_t> depth_pyramid_multisampled_compute();

}  // namespace throng::shader_code
