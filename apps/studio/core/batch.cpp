// SPDX-License-Identifier: Apache-2.0
#include "core/batch.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "console.h"
#include "core/files/sources.h"
#include "files.h"
#include "throng/bake/options.h"
#include "throng/base/executor.h"
#include "throng/base/try.h"
#include "throng/character/file.h"

namespace throng::studio {
namespace {

// Runs in a worker's thread: from the model to the asset.
Result<BatchOutcome> bake_and_write(const BatchItem& item, const Progress& progress) {
  const Sources sources{.model = item.model, .clip_files = {}, .side_file = {}, .scene = {}};
  THRONG_CHECK(check_output(sources, item.output));
  report(progress, "reading the model", 0.0);
  THRONG_TRY(const Imported imported, load_model(item.model));
  THRONG_TRY(BakeSettings settings, settings_of(item.form));
  take_from_import(imported, settings);
  ThreadExecutor executor;
  auto baked = bake(imported.model, settings, executor, progress);
  if (!baked) return fail(Error{with_flags(baked.error().message)});
  if (item.form.link_textures) {
    THRONG_CHECK(check_links(baked->images(), item.output));
    THRONG_TRY(baked, with_linked_images(*baked, item.output));
  }
  report(progress, "writing the asset", 0.0);
  THRONG_CHECK(write_character(*baked, item.output));
  std::error_code ignored;
  const double worst = std::max(baked->error().at_frames.max_mm, baked->error().between.max_mm);
  BatchOutcome outcome;
  outcome.says = fmt::format("{}, {} mm, {}", counted(baked->clips().size(), "clip"), decimal(worst, 2),
                             readable_bytes(std::filesystem::file_size(item.output, ignored)));
  outcome.doubtful = !baked->warnings().empty();
  for (const std::string& warning : baked->warnings()) outcome.says += fmt::format("; {}", with_flags(warning));
  return outcome;
}

}  // namespace

BakeForm form_for_any(const BakeForm& form) {
  BakeForm any = form;
  any.clips.clear();
  any.parts.clear();
  return any;
}

void Batch::start(const std::vector<std::string>& models, const BakeForm& form, const std::string& folder) {
  // With what is not written yet, which comes before them.
  std::vector<std::string> all_models;
  std::vector<std::string> outputs;
  for (std::size_t i = at_; i < items_.size(); ++i) {
    all_models.push_back(items_[i].model);
    outputs.push_back(items_[i].output);
  }
  std::vector<BatchItem> added;
  for (const std::string& model : models) {
    BatchItem item;
    item.model = model;
    item.output = (std::filesystem::path(folder) / default_asset(model)).string();
    item.form = form_for_any(form);
    all_models.push_back(item.model);
    outputs.push_back(item.output);
    added.push_back(std::move(item));
  }
  const auto checked = check_outputs(all_models, outputs);
  problem_ = checked ? "" : checked.error().message;
  if (!checked) return;
  if (!running()) {
    items_.clear();
    at_ = 0;
  }
  std::ranges::move(added, std::back_inserter(items_));
  if (!running()) begin_next();
}

void Batch::begin_next() {
  if (at_ >= items_.size() || items_[at_].state != BatchItem::State::waiting) return;
  items_[at_].state = BatchItem::State::baking;
  job_.emplace(jobs_.start<BatchOutcome>(
      [item = items_[at_]](const Progress& progress) { return bake_and_write(item, progress); }));
}

void Batch::stop() {
  std::erase_if(items_, [](const BatchItem& item) { return item.state == BatchItem::State::waiting; });
}

void Batch::poll() {
  if (!job_ || !job_->done()) return;
  auto done = job_->take();
  job_.reset();
  BatchItem& item = items_[at_];
  item.state = !done            ? BatchItem::State::failed
               : done->doubtful ? BatchItem::State::doubtful
                                : BatchItem::State::written;
  item.says = done ? done->says : done.error().message;
  ++at_;
  begin_next();
}

}  // namespace throng::studio
