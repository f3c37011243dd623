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
constexpr std::uint32_t kPropVertex[] = {
#include "prop.vert.inc"
};
constexpr std::uint32_t kSpeckVertex[] = {
#include "speck.vert.inc"
};
constexpr std::uint32_t kSpeckFragment[] = {
#include "speck.frag.inc"
};
constexpr std::uint32_t kChange[] = {
#include "change.comp.inc"
};
constexpr std::uint32_t kCull[] = {
#include "cull.comp.inc"
};
constexpr std::uint32_t kCullHidden[] = {
#include "cull_hidden.comp.inc"
};
constexpr std::uint32_t kPlan[] = {
#include "plan.comp.inc"
};
constexpr std::uint32_t kCount[] = {
#include "count.comp.inc"
};
constexpr std::uint32_t kScan[] = {
#include "scan.comp.inc"
};
constexpr std::uint32_t kArrange[] = {
#include "arrange.comp.inc"
};
constexpr std::uint32_t kGather[] = {
#include "gather.comp.inc"
};
constexpr std::uint32_t kPose[] = {
#include "pose.comp.inc"
};
constexpr std::uint32_t kSkin[] = {
#include "skin.comp.inc"
};
constexpr std::uint32_t kReadBack[] = {
#include "read_back.comp.inc"
};
constexpr std::uint32_t kSockets[] = {
#include "sockets.comp.inc"
};
constexpr std::uint32_t kCrowdMotionVertex[] = {
#include "crowd+motion.vert.inc"
};
constexpr std::uint32_t kCrowdMotionFragment[] = {
#include "crowd+motion.frag.inc"
};
constexpr std::uint32_t kSpeckMotionVertex[] = {
#include "speck+motion.vert.inc"
};
constexpr std::uint32_t kSpeckMotionFragment[] = {
#include "speck+motion.frag.inc"
};
constexpr std::uint32_t kPropMotionVertex[] = {
#include "prop+motion.vert.inc"
};
constexpr std::uint32_t kGatherMotion[] = {
#include "gather+motion.comp.inc"
};
constexpr std::uint32_t kSkinned[] = {
#include "skinned.comp.inc"
};
constexpr std::uint32_t kSkinnedVertex[] = {
#include "skinned.vert.inc"
};
constexpr std::uint32_t kSkinnedMotionVertex[] = {
#include "skinned+motion.vert.inc"
};
constexpr std::uint32_t kSkinnedShadowVertex[] = {
#include "skinned_shadow.vert.inc"
};
constexpr std::uint32_t kDepthPyramid[] = {
#include "depth_pyramid.comp.inc"
};
constexpr std::uint32_t kDepthPyramidMultisampled[] = {
#include "depth_pyramid_multisampled.comp.inc"
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
std::span<const std::uint32_t> prop_vertex() { return kPropVertex; }
std::span<const std::uint32_t> speck_vertex() { return kSpeckVertex; }
std::span<const std::uint32_t> speck_fragment() { return kSpeckFragment; }
std::span<const std::uint32_t> change_compute() { return kChange; }
std::span<const std::uint32_t> cull_compute() { return kCull; }
std::span<const std::uint32_t> cull_hidden_compute() { return kCullHidden; }
std::span<const std::uint32_t> plan_compute() { return kPlan; }
std::span<const std::uint32_t> count_compute() { return kCount; }
std::span<const std::uint32_t> scan_compute() { return kScan; }
std::span<const std::uint32_t> arrange_compute() { return kArrange; }
std::span<const std::uint32_t> gather_compute() { return kGather; }
std::span<const std::uint32_t> pose_compute() { return kPose; }
std::span<const std::uint32_t> skin_compute() { return kSkin; }
std::span<const std::uint32_t> read_back_compute() { return kReadBack; }
std::span<const std::uint32_t> sockets_compute() { return kSockets; }
std::span<const std::uint32_t> crowd_motion_vertex() { return kCrowdMotionVertex; }
std::span<const std::uint32_t> crowd_motion_fragment() { return kCrowdMotionFragment; }
std::span<const std::uint32_t> speck_motion_vertex() { return kSpeckMotionVertex; }
std::span<const std::uint32_t> speck_motion_fragment() { return kSpeckMotionFragment; }
std::span<const std::uint32_t> prop_motion_vertex() { return kPropMotionVertex; }
std::span<const std::uint32_t> gather_motion_compute() { return kGatherMotion; }
std::span<const std::uint32_t> skinned_compute() { return kSkinned; }
std::span<const std::uint32_t> skinned_vertex() { return kSkinnedVertex; }
std::span<const std::uint32_t> skinned_motion_vertex() { return kSkinnedMotionVertex; }
std::span<const std::uint32_t> skinned_shadow_vertex() { return kSkinnedShadowVertex; }
std::span<const std::uint32_t> depth_pyramid_compute() { return kDepthPyramid; }
std::span<const std::uint32_t> depth_pyramid_multisampled_compute() { return kDepthPyramidMultisampled; }

}  // namespace throng::shader_code
