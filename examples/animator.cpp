// SPDX-License-Identifier: Apache-2.0
// A character that needs everything: a graph written as JSON, driven by parameters for eight seconds without any GPU.
// Prints what it does, hears its feet, and moves over the ground by its clips.
//   animator CHARACTER.throng.glb

#include <fmt/format.h>
#include <throng/animator/animator.h>
#include <throng/animator/explain.h>
#include <throng/animator/graph_json.h>
#include <throng/base/try.h>
#include <throng/character/file.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

constexpr const char* kGraph = R"({
  "name": "guard",
  "parameters": [{"name": "speed", "type": "float"}, {"name": "alarm", "type": "trigger"}],
  "layers": [
    {"name": "body", "states": [
      {"name": "stand", "motion": "idle", "transitions": [
        {"to": "move", "conditions": [{"parameter": "speed", "greater": 0.1}], "interruption": "destination"}]},
      {"name": "move", "motion": {"blend": "1d", "x": "speed", "children": [{"clip": "walk", "at": 1.5}, {"clip": "run", "at": 4}]}, "transitions": [
        {"to": "stand", "conditions": [{"parameter": "speed", "less": 0.1}], "duration": 0.4}]}]},
    {"name": "signal", "states": [
      {"name": "quiet", "transitions": [{"to": "wave", "conditions": [{"trigger": "alarm"}], "duration": 0.2}]},
      {"name": "wave", "motion": "wave", "transitions": [{"to": "quiet", "exit_time": 1}]}]}]
})";

struct Ears : throng::AnimatorListener {
  void on_signal(throng::Animator& animator, const throng::AnimatorSignal& signal) override {
    if (signal.kind == throng::SignalKind::event && signal.weight > 0.5f) {
      ++heard;
    } else if (signal.kind == throng::SignalKind::enter) {
      fmt::print("  {} begins\n", animator.graph().state_path(signal.state, signal.layer));
    }
  }
  int heard = 0;
};

throng::Result<void> patrol(const char* character_file) {
  THRONG_TRY(const throng::Character character, throng::read_character(character_file));
  THRONG_TRY(const auto rig, throng::build_rig(character));
  THRONG_TRY(throng::GraphDraft draft, throng::parse_graph(kGraph, "guard.json"));
  THRONG_TRY(const auto graph, throng::build_graph(std::move(draft), rig));

  throng::Animator guard(graph, {.root_motion = throng::RootMotionMode::extracted});
  Ears ears;
  guard.listener = &ears;
  std::vector<throng::Affine> palette(rig->bound_bones().size());
  glm::vec3 place(0.0f);
  glm::quat turn(1.0f, 0.0f, 0.0f, 0.0f);
  for (int image = 0; image < 8 * 60; ++image) {
    const float seconds = static_cast<float>(image) / 60.0f;
    const float speed = seconds < 1.0f ? 0.0f : seconds < 7.0f ? std::min(4.0f, seconds) : 0.0f;
    THRONG_CHECK(guard.set_float("speed", speed));
    if (image == 150) {
      THRONG_CHECK(guard.set_trigger("alarm"));
    }
    guard.advance(1.0 / 60.0);
    place += turn * guard.root_motion().translation;
    turn = turn * guard.root_motion().rotation;
    guard.pose();
    if (!guard.palette(palette)) return throng::fail("the palette has another size");
    if (image == 200) fmt::print("after {:.1f} s:\n{}{}", seconds, guard.explain(0).text(), guard.explain(1).text());
  }
  fmt::print("{} events heard; it is at {:.2f}, {:.2f} in state {}\n", ears.heard, place.x, place.z,
             graph->state_path(guard.state().state));
  if (graph->state_path(guard.state().state) != "stand") return throng::fail("the guard did not come to a stand");
  if (ears.heard == 0) return throng::fail("nothing was heard of its feet");
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: animator CHARACTER.throng.glb\n");
    return 2;
  }
  if (const auto done = patrol(argv[1]); !done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return 1;
  }
}
