// SPDX-License-Identifier: Apache-2.0
#include "render/render_stage.h"

#include <fmt/format.h>

#include <cstdlib>

#include "files.h"
#include "film/film.h"
#include "render/bake_piece.h"
#include "render/baked.h"
#include "render/props.h"
#include "render/sheet.h"
#include "throng/bake/options.h"
#include "throng/base/try.h"

using namespace throng;

namespace {

// Loads all that were named, or the mannequin.
Result<Troupe> load_troupe(const RenderOptions& options, Remarks& remarks) {
  report(options.progress, "read", 0.0);
  std::vector<std::string> files = options.assets;
  if (files.empty()) files = {kMannequin};
  std::vector<Character> characters;
  for (const std::string& file : files) {
    std::vector<std::string> said;
    THRONG_TRY(Character character, load_baked(file, {.import = options.import,
                                                      .cache = options.cache,
                                                      .said = &said,
                                                      .progress = options.progress,
                                                      .threads = options.threads}));
    const auto told = [&](const std::string& text) {
      return files.size() > 1 ? fmt::format("{}: {}", file, text) : text;
    };
    for (const std::string& note : said) remarks.notes.push_back(told(note));
    // Whether it was baked now or long ago.
    for (const std::string& warning : character.warnings()) remarks.warnings.push_back(told(with_bake_flags(warning)));
    characters.push_back(std::move(character));
  }
  Troupe troupe = make_troupe(std::move(characters), &remarks.notes);
  if (!options.clip) return troupe;
  // Whoever has that clip plays it; somebody must.
  Result<ClipId> first = fail("nobody");
  bool any = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto clip = troupe.players[i].character.find_clip(*options.clip);
    if (clip) troupe.players[i].only = *clip;
    any = any || clip.has_value();
    if (!clip && i == 0) first = fail(with_context(files[i], std::move(clip).error()));
  }
  if (!any) return fail(std::move(first));
  return troupe;
}

Camera chosen_camera(const RenderOptions& options, Camera camera) {
  if (!options.eye.empty()) camera.eye = {options.eye[0], options.eye[1], options.eye[2]};
  if (!options.target.empty()) camera.target = {options.target[0], options.target[1], options.target[2]};
  if (options.fov > 0.0) camera.vertical_fov_degrees = options.fov;
  return camera;
}

// Everybody who has such a socket carries it; with a socket that was named, somebody must.
Result<void> hang_prop(const RenderOptions& options, const Player& player, double metre, ModelId model,
                       SceneRenderer& scene) {
  if (options.prop.empty()) return {};
  THRONG_TRY(const SocketId socket, find_socket(player.character, options.socket));
  THRONG_TRY(const PropMesh prop, load_prop(options.prop, metre / player.scale, options.import));
  return scene.add_prop(prop, model, socket);
}

// Without a GPU a film in full shading would take minutes for seconds.
Shading shading_for(const RenderOptions& options, const Device& device, Remarks& remarks) {
  const bool quick = Film::is_film(options.output) && device.info().kind == DeviceKind::software;
  if (options.shading || !quick) return options.shading.value_or(Shading::full);
  remarks.notes.emplace_back(
      "there is no GPU here, so the film is drawn with --shading plain; full takes three times as long");
  return Shading::plain;
}

SceneSettings scene_settings(const RenderOptions& options, const SceneLook& look, Shading shading) {
  SceneSettings settings;
  settings.width = options.width;
  settings.height = options.height;
  settings.samples = options.samples;
  settings.skinning = options.skinning;
  settings.shading = shading;
  settings.vertex_budget = options.vertex_budget;
  if (options.full_detail) settings.pixel_error = settings.speck_pixels = 0.0f;
  settings.look = look;
  settings.transparent = options.transparent;
  return settings;
}

// Mesa's software driver reads this when a device is made; others do not look.
void draw_with_threads(unsigned threads) {
  if (threads > 0) ::setenv("LP_NUM_THREADS", std::to_string(threads).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

// Makes a stage without characters.
Result<Stage> empty_stage(const RenderOptions& options, const SceneLook& look, Remarks& remarks) {
  report(options.progress, "compile", 0.0);
  draw_with_threads(options.threads);
  THRONG_TRY(Device device, Device::create({.choice = options.device, .cache_folder = default_cache_folder()}));
  const SceneSettings settings = scene_settings(options, look, shading_for(options, device, remarks));
  THRONG_TRY(SceneRenderer scene, SceneRenderer::create(device.context(), settings));
  return Stage{std::move(device), {}, std::move(scene), {}};
}

Result<Stage> set_battle(const RenderOptions& options) {
  Remarks remarks;
  THRONG_TRY(Troupe troupe, load_troupe(options, remarks));
  THRONG_TRY(Stage stage, empty_stage(options, Battle::look(), remarks));
  const BattleSettings settings{.far = options.cast.count, .seed = options.cast.seed, .tinting = options.cast.tinting};
  auto battle = Battle::stage(std::move(troupe), settings, bake_piece, stage.scene);
  if (!battle) return fail(with_context("--scene battle", std::move(battle).error()));
  stage.battle.emplace(std::move(*battle));
  stage.camera = chosen_camera(options, Battle::camera());
  stage.remarks = std::move(remarks);
  return stage;
}

// A crowd, or one clip frame by frame.
Result<Stage> set_crowd(const RenderOptions& options) {
  Remarks remarks;
  THRONG_TRY(const Troupe troupe, load_troupe(options, remarks));
  report(options.progress, "crowd", 0.0);
  Staged staged;
  std::vector<Caption> captions;
  if (options.sheet) {
    const ClipId clip = *troupe.players.front().only;
    THRONG_TRY(Sheet sheet, stage_sheet(troupe, clip, options.width, options.height));
    if (!sheet.note.empty()) remarks.notes.push_back(sheet.note);
    captions = std::move(sheet.captions);
    staged = std::move(sheet.staged);
  } else {
    const double aspect = static_cast<double>(options.width) / options.height;
    THRONG_TRY(staged, stage_crowd(troupe, options.cast, options.view, aspect));
  }
  THRONG_TRY(Stage stage, empty_stage(options, staged.look, remarks));
  for (std::size_t i = 0; i < troupe.players.size(); ++i) {
    const Player& player = troupe.players[i];
    const auto named = [&](Error error) {
      return with_context(options.assets.empty() ? kMannequin : options.assets[i], std::move(error));
    };
    const auto added = stage.scene.add(player.character, {.picture_budget = options.import.budget});
    if (!added) return fail(named(added.error()));
    if (auto hung = hang_prop(options, player, troupe.metre, *added, stage.scene); !hung)
      return fail(named(std::move(hung).error()));
  }
  THRONG_CHECK(stage.scene.update(staged.crowd));
  stage.crowd = std::move(staged.crowd);
  stage.procession = std::move(staged.procession);
  stage.camera = chosen_camera(options, staged.camera);
  stage.captions = std::move(captions);
  stage.remarks = std::move(remarks);
  return stage;
}

}  // namespace

Result<void> Stage::advance_to(double seconds, const Progress& progress) {
  if (battle) return battle->advance_to(seconds, scene, progress);
  if (procession.empty()) return {};
  THRONG_CHECK(procession.move_to(seconds, crowd));
  return scene.update(crowd);
}

Result<Stage> set_stage(RenderOptions& options) { return options.battle ? set_battle(options) : set_crowd(options); }
