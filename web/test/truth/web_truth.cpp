// SPDX-License-Identifier: Apache-2.0
// What the libraries say of an asset as they are compiled for this machine, for tests of the package for browsers to
// compare with: carries out a script and prints what each step of it tells, as JSON.
//
//   web_truth ASSET SCRIPT.json
//
// A script is a list of steps, each a list: the name, and what it is about. Characters are counted as they were
// spawned.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "throng/base/file.h"
#include "throng/character/file.h"
#include "throng/plan/crowd_plan.h"
#include "throng/playback/clock.h"
#include "throng/playback/crowd.h"

using namespace throng;

namespace {

using Json = nlohmann::json;

// Ends the program when something is refused that should not be.
template <class T>
T must(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// What is refused may be what is asked for.
template <class T>
Json said(const Result<T>& result) {
  return result ? Json(nullptr) : Json(result.error().message);
}

Json numbers(const glm::dvec3& v) { return {v.x, v.y, v.z}; }
Json numbers(const glm::dquat& q) { return {q.x, q.y, q.z, q.w}; }

template <class Vector>
Json numbers(const std::vector<Vector>& vectors) {
  Json all = Json::array();
  for (const Vector& v : vectors)
    for (int i = 0; i < 3; ++i) all.push_back(v[i]);
  return all;
}

template <class Record>
Json words(std::span<const Record> records) {
  Json all = Json::array();
  const auto* first = reinterpret_cast<const std::uint32_t*>(records.data());
  for (std::size_t i = 0; i < records.size_bytes() / 4; ++i) all.push_back(first[i]);
  return all;
}

Json track(const TrackState& state) {
  return {{"clip", state.clip.value},  {"phase", state.phase},       {"seconds", state.seconds},
          {"weight", state.weight},    {"finished", state.finished}, {"frame", state.cursor.frame},
          {"next", state.cursor.next}, {"blend", state.cursor.blend}};
}

Json levels(const LevelRanges& ranges) {
  Json all = Json::array();
  for (const LevelRange& range : ranges) all.push_back({range.first, range.count});
  return all;
}

class Stage {
 public:
  Stage(SharedBytes bytes, const Character& character) : bytes_(std::move(bytes)), crowd_(character) {}

  Json step(const Json& step) { return steps().at(step[0].get<std::string>())(*this, step); }

 private:
  static const std::map<std::string, std::function<Json(Stage&, const Json&)>>& steps() {
    static const std::map<std::string, std::function<Json(Stage&, const Json&)>> all{
        {"spawn", &Stage::spawn},       {"play", &Stage::play},       {"queue", &Stage::queue},
        {"change", &Stage::change},     {"advance", &Stage::advance}, {"state", &Stage::state},
        {"vertices", &Stage::vertices}, {"socket", &Stage::socket},   {"placement", &Stage::placement},
        {"cursors", &Stage::cursors},   {"records", &Stage::records}, {"plan", &Stage::plan},
        {"damage", &Stage::damage},     {"forge", &Stage::forge},     {"cut", &Stage::cut}};
    return all;
  }

  InstanceId id(const Json& step) const { return ids_[step[1].get<std::size_t>()]; }
  Ticks now() const { return clock_.now(); }

  static Play play_of(const Json& of) {
    static const std::map<std::string, PlayMode> modes{{"as-baked", PlayMode::as_baked},
                                                       {"clamp", PlayMode::clamp},
                                                       {"loop", PlayMode::loop},
                                                       {"ping-pong", PlayMode::ping_pong}};
    return {.clip = ClipId(of.value("clip", 0u)),
            .speed = of.value("speed", 1.0),
            .offset = of.value("offset", 0.0),
            .mode = modes.at(of.value("mode", "as-baked")),
            .fade = of.value("fade", 0.0),
            .in_step = of.value("inStep", false)};
  }

  Json spawn(const Json& step) {
    const Json& of = step[1];
    Spawn spawn{.play = play_of(of), .root_motion = of.value("rootMotion", false)};
    if (const auto at = of.find("position"); at != of.end())
      spawn.placement.position = {(*at)[0].get<float>(), (*at)[1].get<float>(), (*at)[2].get<float>()};
    if (const auto at = of.find("rotation"); at != of.end())
      spawn.placement.rotation =
          glm::quat((*at)[3].get<float>(), (*at)[0].get<float>(), (*at)[1].get<float>(), (*at)[2].get<float>());
    spawn.placement.scale = of.value("scale", 1.0f);
    if (const auto at = of.find("tint"); at != of.end())
      spawn.look.tint = {(*at)[0].get<std::uint8_t>(), (*at)[1].get<std::uint8_t>(), (*at)[2].get<std::uint8_t>(),
                         (*at)[3].get<std::uint8_t>()};
    spawn.look.variation = of.value("variation", 0u);
    auto made = crowd_.add(spawn, now());
    if (made) ids_.push_back(*made);
    return said(made);
  }

  Json play(const Json& step) { return said(crowd_.play(id(step), play_of(step[2]), now())); }
  Json queue(const Json& step) { return said(crowd_.queue(id(step), play_of(step[2]), now())); }

  // Whatever else is done to one: ["change", who, what, number].
  Json change(const Json& step) {
    const std::string what = step[2];
    const InstanceId who = id(step);
    if (what == "listen") return said(crowd_.listen(who));
    if (what == "pause") return said(crowd_.pause(who, now()));
    if (what == "resume") return said(crowd_.resume(who, now()));
    if (what == "speed") return said(crowd_.set_speed(who, step[3], now()));
    if (what == "seek") return said(crowd_.seek(who, step[3], now()));
    if (what == "show") return said(crowd_.show(who, step[3]));
    if (what == "remove") return said(crowd_.remove(who));
    if (what == "dress") return said(crowd_.dress(who, step[3]));
    if (what == "wear") return said(crowd_.wear(who, PartMask(step[3])));
    return said(crowd_.clear_queue(who));
  }

  Json advance(const Json& step) {
    clock_.advance(step[1]);
    Json met = Json::array();
    crowd_.advance(now(), [&](const FiredEvent& event) {
      met.push_back({event.instance.slot, event.instance.generation, event.clip.value, event.event, event.name,
                     seconds_from_ticks(event.when), event.weight});
    });
    return met;
  }

  Json state(const Json& step) {
    const auto state = crowd_.state(id(step), now());
    if (!state) return said(state);
    Json told = track(state->track);
    told["paused"] = state->paused;
    told["queued"] = state->queued;
    told["previous"] = state->previous ? track(*state->previous) : Json(nullptr);
    return told;
  }

  // The reference, in double, in model space.
  Json vertices(const Json& step) {
    const RecordIndex found = must(crowd_.find(id(step)));
    const DecodedVertices all = deform(crowd_.character({}), crowd_.plays({})[found.index], now());
    return {{"positions", numbers(all.positions)}, {"normals", numbers(all.normals)}};
  }

  Json socket(const Json& step) {
    const auto place = crowd_.socket(id(step), SocketId(step[2]), now());
    if (!place) return said(place);
    return {{"position", numbers(place->position)}, {"rotation", numbers(place->rotation)}, {"scale", place->scale}};
  }

  Json placement(const Json& step) {
    const auto place = crowd_.placement(id(step));
    if (!place) return said(place);
    return {{"position", numbers(glm::dvec3(place->position))},
            {"rotation", numbers(glm::dquat(place->rotation))},
            {"scale", place->scale}};
  }

  Json cursors(const Json& /*step*/) {
    std::vector<Cursor> all(crowd_.size());
    crowd_.tick({}, now(), all);
    return words(std::span<const Cursor>(all));
  }

  Json records(const Json& /*step*/) {
    return {{"instances", words(crowd_.instances({}))}, {"plays", words(crowd_.plays({}))}};
  }

  Json plan(const Json& step) {
    const Json& of = step[1];
    std::vector<glm::mat4> views;
    for (const Json& view : of["views"]) {
      glm::mat4& matrix = views.emplace_back();
      for (int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = view[static_cast<std::size_t>(i)];
    }
    PlanImage image{.now = now(), .views = views};
    image.eye = {of["eye"][0].get<float>(), of["eye"][1].get<float>(), of["eye"][2].get<float>()};
    image.pixels = of.value("pixels", 720.0f);
    image.pixel_error = of.value("pixelError", 1.0f);
    image.speck_pixels = of.value("speckPixels", 6.0f);
    image.vertex_budget = of.value("vertexBudget", 0u);
    image.culling = of.value("culling", true);
    CrowdPlan plan;
    must(plan.run(crowd_, image));
    const PlannedModel& planned = plan.model({});
    Json seen = Json::array();
    for (const PlannedView& view : planned.views)
      seen.push_back({{"rows", view.rows}, {"levels", levels(view.levels)}});
    const CrowdCounts& counts = plan.counts();
    return {{"drawn", planned.drawn.size()},
            {"meshed", planned.meshed},
            {"words", words(planned.drawn)},
            {"levels", levels(planned.levels)},
            {"views", seen},
            {"counts", {counts.drawn, counts.in_picture, counts.specks, counts.vertices, counts.triangles}}};
  }

  // What is said of the asset with one byte changed: ["damage", where, by which bits].
  Json damage(const Json& step) {
    std::vector<std::byte> bytes(bytes_.span().begin(), bytes_.span().end());
    bytes[step[1].get<std::size_t>()] ^= std::byte{step[2].get<std::uint8_t>()};
    return said(decode_character(SharedBytes(std::move(bytes))));
  }

  // The same where the hash is made right again: what is said, and the hash's digits.
  Json forge(const Json& step) {
    constexpr std::string_view kMarker = "\"hash\":\"";
    std::vector<std::byte> bytes(bytes_.span().begin(), bytes_.span().end());
    bytes[step[1].get<std::size_t>()] ^= std::byte{step[2].get<std::uint8_t>()};
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t digits = text.find(kMarker) + kMarker.size();
    if (digits < kMarker.size()) return {said(decode_character(SharedBytes(std::move(bytes)))), ""};
    const std::span<const std::byte> all(bytes);
    const std::array halves{hash64(all.first(digits)), hash64(all.subspan(digits + 16))};
    const std::string hash = fmt::format("{:016x}", hash64(std::as_bytes(std::span(halves))));
    std::memcpy(bytes.data() + digits, hash.data(), hash.size());
    return {said(decode_character(SharedBytes(std::move(bytes)))), hash};
  }

  // And with no more than its first bytes.
  Json cut(const Json& step) {
    const auto first = bytes_.span().first(step[1].get<std::size_t>());
    return said(decode_character(SharedBytes(std::vector<std::byte>(first.begin(), first.end()))));
  }

  SharedBytes bytes_;
  Crowd crowd_;
  Clock clock_;
  std::vector<InstanceId> ids_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const SharedBytes bytes = must(map_file(argv[1]));
  Stage stage(bytes, must(decode_character(bytes)));
  const std::string text = must(read_text_file(argv[2]));
  Json told = Json::array();
  for (const Json& step : Json::parse(text)) told.push_back(stage.step(step));
  fmt::print("{}\n", told.dump());
}
