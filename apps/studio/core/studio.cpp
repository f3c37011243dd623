// SPDX-License-Identifier: Apache-2.0
#include "core/studio.h"

#include <filesystem>
#include <span>

#include "core/files/folder_listing.h"
#include "files.h"
#include "throng/base/draft_file.h"
#include "throng/base/executor.h"
#include "throng/base/try.h"
#include "throng/character/file.h"

namespace throng::studio {
namespace {

Sources with_homes(Sources sources) {
  sources.model = with_home(sources.model);
  sources.side_file = with_home(sources.side_file);
  for (std::string& file : sources.clip_files) file = with_home(file);
  return sources;
}

}  // namespace

// Runs in a worker's thread.
Result<Studio::Saved> Studio::write(const BakeResult& result, bool link_textures, const std::string& output,
                                    const std::optional<SideText>& side) {
  THRONG_CHECK(check_output(result.sources, output));
  std::error_code ignored;
  if (side && !side->opened && std::filesystem::exists(side->file, ignored))
    return fail("{}: is there already and was not opened with the model; name another output, or move it away",
                side->file);
  Character model = result.model;
  if (link_textures) {
    THRONG_CHECK(check_links(model.images(), output));
    THRONG_TRY(model, with_linked_images(model, output));
  }
  // The side file is put in its place when the asset is in its own; what could go wrong with it has gone wrong by then.
  std::optional<DraftFile> draft;
  if (side) {
    THRONG_TRY(DraftFile file, DraftFile::beside(side->file));
    draft.emplace(std::move(file));
    THRONG_CHECK(draft->write(std::as_bytes(std::span(side->text))));
  }
  const bool replaced = std::filesystem::exists(output, ignored);
  THRONG_CHECK(write_character(model, output));
  if (draft) {
    THRONG_CHECK(draft->keep());
  }
  return Saved{output, side ? side->file : "", replaced};
}

void Studio::begin(Activity activity) {
  activity_ = activity;
  began_ = std::chrono::steady_clock::now();
}

void Studio::open(const Sources& sources) {
  if (activity_ == Activity::saving) return;
  cancel();
  problems_ = {};
  opening_sources_ = with_homes(sources);
  begin(Activity::opening);
  opening_.emplace(jobs_.start<Gathered>([from = opening_sources_](const Progress& progress) {
    report(progress, "reading the model", 0.0);
    return gather(from);
  }));
}

void Studio::bake() {
  if (!can_bake()) return;
  problems_.bake.clear();
  auto settings = settings_of(edits_.form);
  if (!settings) {
    problems_.bake = settings.error().message;
    return;
  }
  take_from_import(*model_, *settings);
  baking_edits_ = edits_;
  begin(Activity::baking);
  const auto edited = edits_.events != model_events_ ? std::optional(edits_.events) : std::nullopt;
  baking_.emplace(jobs_.start<Character>(
      [model = model_, settings = *settings, edited](const Progress& progress) -> Result<Character> {
        ThreadExecutor executor;
        if (!edited) return throng::bake(model->model, settings, executor, progress);
        THRONG_TRY(const Model with, with_events(model->model, *edited));
        return throng::bake(with, settings, executor, progress);
      }));
}

void Studio::save() {
  if (!can_save()) return;
  problems_.save.clear();
  begin(Activity::saving);
  std::optional<SideText> side;
  if (result_->events != side_file_.sheet) {
    saving_side_ = with_sheet(side_file_, result_->events);
    side = SideText{with_home(side_file()), text_of(saving_side_), !sources_.side_file.empty()};
  }
  saving_.emplace(jobs_.start<Saved>([result = result_, link = edits_.form.link_textures, output = with_home(output()),
                                      side = std::move(side)](const Progress& progress) {
    report(progress, "writing the asset", 0.0);
    return write(*result, link, output, side);
  }));
}

void Studio::cancel() {
  if (activity_ == Activity::saving) return;
  opening_.reset();
  baking_.reset();
  activity_ = Activity::idle;
}

void Studio::stage_source() {
  source_.reset();
  source_problem_.clear();
  staging_.reset();
  if (model_)
    staging_.emplace(jobs_.start<SourceModel>([model = model_](const Progress&) { return SourceModel::make(model); }));
}

void Studio::poll() {
  if (staging_ && staging_->done()) {
    auto staged = staging_->take();
    staging_.reset();
    if (staged) {
      source_ = std::make_shared<const SourceModel>(*std::move(staged));
    } else {
      source_problem_ = std::move(staged).error().message;
    }
  }
  if (opening_ && opening_->done()) {
    finish_opening(opening_->take());
    opening_.reset();
  } else if (baking_ && baking_->done()) {
    finish_baking(baking_->take());
    baking_.reset();
  } else if (saving_ && saving_->done()) {
    finish_saving(saving_->take());
    saving_.reset();
  } else {
    return;
  }
  activity_ = Activity::idle;
}

void Studio::finish_opening(Result<Gathered> gathered) {
  if (!gathered) {
    problems_.open = gathered.error().message;
    return;
  }
  const bool another = opening_sources_.model != sources_.model;
  if (another) edits_ = {.form = {}, .events = {}, .output = default_output(opening_sources_)};
  sources_ = std::move(opening_sources_);
  model_.reset();
  result_.reset();
  saved_as_.clear();
  side_file_ = std::move(gathered->side_file);
  model_events_ = side_file_.sheet;
  edits_.events = side_file_.sheet;
  if (auto* asset = std::get_if<Character>(&gathered->content)) {
    edits_.form = {};
    result_ = std::make_shared<const BakeResult>(BakeResult{
        .model = std::move(*asset), .sources = sources_, .form = {}, .events = {}, .seconds = 0.0, .from_file = true});
  } else {
    model_ = std::make_shared<const Imported>(std::get<Imported>(std::move(gathered->content)));
    edits_.form.clips = clip_choices(model_->model, edits_.form.clips);
    edits_.form.parts = part_choices(model_->model, edits_.form.parts);
  }
  history_.reset(edits_);
  stage_source();
}

void Studio::finish_baking(Result<Character> baked) {
  if (!baked) {
    problems_.bake = baked.error().message;
    return;
  }
  problems_.save.clear();
  saved_as_.clear();
  result_ = std::make_shared<const BakeResult>(BakeResult{.model = std::move(*baked),
                                                          .sources = sources_,
                                                          .form = std::move(baking_edits_.form),
                                                          .events = std::move(baking_edits_.events),
                                                          .seconds = seconds_at_it(),
                                                          .from_file = false});
}

void Studio::finish_saving(Result<Saved> saved) {
  if (!saved) {
    problems_.save = saved.error().message;
    return;
  }
  saved_as_ = std::move(saved->asset);
  save_replaced_ = saved->replaced;
  if (saved->side_file.empty()) return;
  side_file_ = std::move(saving_side_);
  sources_.side_file = saved->side_file;
}

void Studio::note_edits(bool changing) {
  if (model_) history_.note(edits_, changing);
}

// In both, what is not yet kept as a step is one: after it there is nothing to redo.
void Studio::undo() {
  note_edits(false);
  if (auto before = history_.undo()) edits_ = *std::move(before);
}

void Studio::redo() {
  note_edits(false);
  if (auto after = history_.redo()) edits_ = *std::move(after);
}

std::string Studio::side_file() const {
  if (!sources_.side_file.empty()) return sources_.side_file;
  return events_changed() || (result_ && result_->events != side_file_.sheet) ? side_file_beside(output()) : "";
}

std::string Studio::command() const {
  Sources sources = sources_;
  sources.side_file = side_file();
  return command_line(sources, form(), output());
}

WorkProgress Studio::progress() const {
  if (opening_) return opening_->progress();
  if (baking_) return baking_->progress();
  if (saving_) return saving_->progress();
  return {};
}

double Studio::seconds_at_it() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

bool Studio::result_is_old() const {
  if (!result_ || result_->from_file) return false;
  BakeForm baked_with = result_->form;
  baked_with.link_textures = form().link_textures;  // counts when the asset is written
  return baked_with != form() || result_->events != events();
}

}  // namespace throng::studio
