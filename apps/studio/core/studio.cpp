// SPDX-License-Identifier: Apache-2.0
#include "core/studio.h"

#include "core/folder_listing.h"
#include "files.h"
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

// In a worker's thread.
Result<std::string> write(const BakeResult& result, bool link_textures, const std::string& output) {
  if (auto ok = check_output(result.sources, output); !ok) return fail(std::move(ok));
  Character model = result.model;
  if (link_textures) {
    if (auto ok = check_links(model.images(), output); !ok) return fail(std::move(ok));
    THRONG_TRY(model, with_linked_images(model, output));
  }
  if (auto written = write_character(model, output); !written) return fail(std::move(written));
  return output;
}

}  // namespace

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
  auto settings = settings_of(form_);
  if (!settings) {
    problems_.bake = settings.error().message;
    return;
  }
  settings->notes = model_->notes;
  settings->groups.insert(settings->groups.end(), model_->groups.begin(), model_->groups.end());
  settings->repairs = model_->repairs;
  baking_form_ = form_;
  begin(Activity::baking);
  baking_.emplace(jobs_.start<Character>([model = model_, settings = *settings](const Progress& progress) {
    ThreadExecutor executor;
    return throng::bake(model->model, settings, executor, progress);
  }));
}

void Studio::save() {
  if (!can_save()) return;
  problems_.save.clear();
  begin(Activity::saving);
  saving_.emplace(jobs_.start<std::string>(
      [result = result_, link = form_.link_textures, output = with_home(output_)](const Progress& progress) {
        report(progress, "writing the asset", 0.0);
        return write(*result, link, output);
      }));
}

void Studio::cancel() {
  if (activity_ == Activity::saving) return;
  opening_.reset();
  baking_.reset();
  activity_ = Activity::idle;
}

void Studio::poll() {
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
  if (opening_sources_.model != sources_.model) {
    form_ = {};
    output_ = default_output(opening_sources_);
  }
  sources_ = std::move(opening_sources_);
  model_.reset();
  result_.reset();
  saved_as_.clear();
  if (auto* asset = std::get_if<Character>(&*gathered)) {
    form_ = {};
    result_ = std::make_shared<const BakeResult>(
        BakeResult{.model = std::move(*asset), .sources = sources_, .form = {}, .seconds = 0.0, .from_file = true});
    return;
  }
  model_ = std::make_shared<const Imported>(std::get<Imported>(std::move(*gathered)));
  form_.clips = clip_choices(model_->model, form_.clips);
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
                                                          .form = std::move(baking_form_),
                                                          .seconds = seconds_at_it(),
                                                          .from_file = false});
}

void Studio::finish_saving(Result<std::string> saved) {
  if (saved) {
    saved_as_ = *std::move(saved);
  } else {
    problems_.save = saved.error().message;
  }
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
  baked_with.link_textures = form_.link_textures;  // counts when the asset is written
  return baked_with != form_;
}

}  // namespace throng::studio
