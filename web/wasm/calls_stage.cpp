// SPDX-License-Identifier: Apache-2.0
// The pictures of `throng render` for JavaScript: where its crowd stands, and what its camera, light and shadow maps
// are. web/stage.js gives and takes the numbers in this order.

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>

#include "calls.h"
#include "crowd/staging.h"
#include "handles.h"
#include "throng/scene/scene_view.h"

using namespace throng;
using namespace throng::web;

namespace {

// A look is a row of floats.
constexpr std::size_t kLookNumbers = sizeof(SceneLook) / sizeof(float);
static_assert(kLookNumbers == 31 && offsetof(SceneLook, metre) == 30 * sizeof(float));

struct StageHandle {
  Troupe troupe;
  Procession procession;
  std::vector<InstanceId> people;
};

// What throng_view() made last.
struct LastView {
  gpu::SceneUniforms uniforms{};
  std::vector<glm::mat4> passes;
};

LastView& last_view() {
  static LastView view;
  return view;
}

class Reader {
 public:
  double number() { return numbers[at_++]; }
  std::uint32_t whole() { return static_cast<std::uint32_t>(number()); }
  glm::dvec3 three() {
    const double x = number(), y = number();
    return {x, y, number()};
  }
  SceneLook look() {
    std::array<float, kLookNumbers> floats{};
    for (float& one : floats) one = static_cast<float>(number());
    return std::bit_cast<SceneLook>(floats);
  }

 private:
  std::size_t at_ = 0;
};

class Writer {
 public:
  void number(double value) { numbers[at_++] = value; }
  void three(const glm::dvec3& value) {
    for (int axis = 0; axis < 3; ++axis) number(value[axis]);
  }
  void address(const void* of) { number(static_cast<double>(reinterpret_cast<std::uintptr_t>(of))); }

 private:
  std::size_t at_ = 0;
};

Camera read_camera(Reader& from) {
  Camera camera;
  camera.eye = from.three();
  camera.target = from.three();
  camera.vertical_fov_degrees = from.number();
  return camera;
}

}  // namespace

// In: camera, width, height, shadow_size, cascades, contact_size, look, whether there are casters, their box.
// Out: addresses of the uniforms and of the shadow passes' matrices, how many of these, how many are cascades.
THRONG_CALL(throng_view) bool throng_view() {
  Reader in;
  const Camera camera = read_camera(in);
  ViewSettings settings;
  settings.width = in.whole();
  settings.height = in.whole();
  settings.shadow_size = in.whole();
  settings.cascades = in.whole();
  settings.contact_size = in.whole();
  settings.look = in.look();
  Bounds casters;
  if (in.number() != 0.0) {
    casters.min = in.three();
    casters.max = in.three();
  }
  if (!went_well(check_camera(camera))) return false;
  LastView& view = last_view();
  view.uniforms = scene_uniforms(camera, settings, casters);
  view.passes = shadow_passes(view.uniforms);
  Writer out;
  out.address(&view.uniforms);
  out.number(sizeof(view.uniforms));
  out.address(view.passes.data());
  out.number(static_cast<double>(view.passes.size()));
  out.number(view.uniforms.cascade_count);
  return true;
}

// What stage_look() gives a picture of nothing in particular.
THRONG_CALL(throng_look) void throng_look() {
  const auto floats = std::bit_cast<std::array<float, kLookNumbers>>(SceneLook{});
  Writer out;
  for (const float one : floats) out.number(one);
}

// `characters`: so many handles. In: how many people, seed, view, aspect; for each character the clip that all of its
// people play, or −1. Out: camera, look, the crowd's handle, address and number of the people's ids.
THRONG_CALL(throng_stage) StageHandle* throng_stage(CharacterHandle* const* characters, std::uint32_t count) {
  Reader in;
  CastSettings settings;
  settings.count = in.whole();
  settings.seed = static_cast<std::uint64_t>(in.number());
  const auto view = static_cast<View>(in.whole());
  const double aspect = in.number();
  std::vector<Character> cast;
  for (std::uint32_t i = 0; i < count; ++i) cast.push_back(characters[i]->character);
  auto stage = std::make_unique<StageHandle>();
  stage->troupe = make_troupe(std::move(cast));
  for (Player& player : stage->troupe.players)
    if (const double clip = in.number(); clip >= 0.0) player.only = ClipId(static_cast<std::uint32_t>(clip));
  auto staged = stage_crowd(stage->troupe, settings, view, aspect);
  if (!went_well(staged)) return nullptr;
  stage->procession = std::move(staged->procession);
  stage->people = std::move(staged->people);
  Writer out;
  out.three(staged->camera.eye);
  out.three(staged->camera.target);
  out.number(staged->camera.vertical_fov_degrees);
  for (const float one : std::bit_cast<std::array<float, kLookNumbers>>(staged->look)) out.number(one);
  out.address(new CrowdHandle(std::move(staged->crowd), Clock()));
  out.address(stage->people.data());
  out.number(static_cast<double>(stage->people.size()));
  return stage.release();
}

// Those who walk go to where they are then.
THRONG_CALL(throng_stage_move) bool throng_stage_move(const StageHandle& stage, CrowdHandle& crowd, double seconds) {
  return went_well(stage.procession.move_to(seconds, crowd.crowd));
}

THRONG_CALL(throng_stage_free) void throng_stage_free(StageHandle* stage) { delete stage; }
