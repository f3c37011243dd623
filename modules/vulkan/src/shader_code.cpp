// The numbers are written by the build from shaders/ (see CMakeLists.txt).
#include "shader_code.h"

namespace throng::shader_code {
namespace {

// clang-format off
constexpr std::uint32_t kCrowdVertex[] = {
#include "crowd.vert.inc"
};
constexpr std::uint32_t kCrowdFragment[] = {
#include "crowd.frag.inc"
};
constexpr std::uint32_t kCrowdShadowVertex[] = {
#include "crowd_shadow.vert.inc"
};
constexpr std::uint32_t kCrowdShadowFragment[] = {
#include "crowd_shadow.frag.inc"
};
constexpr std::uint32_t kGroundVertex[] = {
#include "ground.vert.inc"
};
constexpr std::uint32_t kGroundFragment[] = {
#include "ground.frag.inc"
};
constexpr std::uint32_t kSkyVertex[] = {
#include "sky.vert.inc"
};
constexpr std::uint32_t kSkyFragment[] = {
#include "sky.frag.inc"
};
constexpr std::uint32_t kSkinCompute[] = {
#include "skin.comp.inc"
};
constexpr std::uint32_t kPoseCompute[] = {
#include "pose.comp.inc"
};
// clang-format on

}  // namespace

std::span<const std::uint32_t> crowd_vertex() { return kCrowdVertex; }
std::span<const std::uint32_t> crowd_fragment() { return kCrowdFragment; }
std::span<const std::uint32_t> crowd_shadow_vertex() { return kCrowdShadowVertex; }
std::span<const std::uint32_t> crowd_shadow_fragment() { return kCrowdShadowFragment; }
std::span<const std::uint32_t> ground_vertex() { return kGroundVertex; }
std::span<const std::uint32_t> ground_fragment() { return kGroundFragment; }
std::span<const std::uint32_t> sky_vertex() { return kSkyVertex; }
std::span<const std::uint32_t> sky_fragment() { return kSkyFragment; }
std::span<const std::uint32_t> skin_compute() { return kSkinCompute; }
std::span<const std::uint32_t> pose_compute() { return kPoseCompute; }

}  // namespace throng::shader_code
