// SPDX-License-Identifier: Apache-2.0
#include "core/files/sources.h"

#include "files.h"
#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/import/add_clips.h"
#include "throng/import/side_file.h"

namespace throng::studio {
namespace {

namespace fs = std::filesystem;

Result<Imported> with_additions(Imported model, const Sources& sources) {
  for (const std::string& file : sources.clip_files) {
    THRONG_TRY(const Imported from, load_model(file));
    THRONG_TRY(model, add_clips(std::move(model), from, file));
  }
  if (sources.side_file.empty()) return model;
  return add_side_file(std::move(model), sources.side_file);
}

Result<ModelOrAsset> load(const Sources& sources) {
  if (sources.model.empty()) return fail("no model is chosen; name a {} file, or {}", model_endings(), kMannequin);
  if (fs::is_directory(sources.model)) return fail("{}: is a folder; name a file in it", sources.model);
  if (sources.scene.empty()) return load_model_or_asset(sources.model);
  THRONG_TRY(Imported model, load_model(sources.model, {.scene = sources.scene}));
  return ModelOrAsset(std::move(model));
}

}  // namespace

Result<Gathered> gather(const Sources& sources) {
  THRONG_TRY(ModelOrAsset loaded, load(sources));
  if (std::holds_alternative<Character>(loaded)) return Gathered{std::move(loaded)};
  THRONG_TRY(Imported whole, with_additions(std::get<Imported>(std::move(loaded)), sources));
  std::string text;
  if (!sources.side_file.empty()) {
    THRONG_TRY(text, read_text_file(sources.side_file));
  }
  auto side_file = read_sheet(whole.model, text);
  if (!side_file) return fail(with_context(sources.side_file, std::move(side_file).error()));
  return Gathered{std::move(whole), *std::move(side_file)};
}

std::string default_output(const Sources& sources) { return default_asset(sources.model); }

Result<void> check_output(const Sources& sources, const std::string& output) {
  if (output.empty()) return fail("the asset has no name; write one, such as {}", default_output(sources));
  std::error_code ignored;
  if (fs::is_directory(output, ignored)) return fail("{}: is a folder; add a file name", output);
  if (fs::equivalent(sources.model, output, ignored))
    return fail("{}: is the model itself; name another output", output);
  std::vector<std::string> others = sources.clip_files;
  if (!sources.side_file.empty()) others.push_back(sources.side_file);
  for (const std::string& file : others)
    if (fs::equivalent(file, output, ignored)) return fail("{}: is read for this bake; name another output", output);
  return {};
}

}  // namespace throng::studio
