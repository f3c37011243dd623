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
std::span<const std::uint32_t> skin_compute();
std::span<const std::uint32_t> pose_compute();

}  // namespace throng::shader_code
