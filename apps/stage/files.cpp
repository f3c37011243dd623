// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <algorithm>
#include <filesystem>

#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/character/file.h"
#include "throng/mannequin/mannequin.h"

using namespace throng;

Result<void> check_builtin(const std::string& file) {
  std::error_code ignored;
  if (file == kMannequin || !file.starts_with("builtin:") || std::filesystem::exists(file, ignored)) return {};
  return fail("{}: is not built in; {} is", file, kMannequin);
}

Result<Imported> load_model(const std::string& file, const ImportSettings& settings) {
  if (file == kMannequin && !settings.scene.empty()) {
    return fail("{}: has no scenes to choose from; leave out --scene", file);
  }
  if (file == kMannequin) return Imported{make_mannequin(), {}};
  THRONG_CHECK(check_builtin(file));
  if (const auto bytes = map_file(file); bytes && looks_like_character(bytes->span())) {
    return fail("{}: is a baked asset already; give the model it was made from", file);
  }
  return import_model(file, settings);
}

void take_from_import(const Imported& imported, BakeSettings& settings) {
  settings.notes = imported.notes;
  settings.warnings = imported.warnings;
  settings.repairs = imported.repairs;
  settings.side_groups = imported.groups;
  settings.memory_budget = imported.budget;
  settings.work_seconds = imported.work_seconds;
}

std::string default_asset(const std::string& model) {
  const std::string stem = model == kMannequin ? "mannequin" : std::filesystem::path(model).stem().string();
  return stem + ".throng.glb";
}

Result<void> check_outputs(std::span<const std::string> models, std::span<const std::string> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto before = outputs.first(i);
    const auto same = static_cast<std::size_t>(std::ranges::find(before, outputs[i]) - before.begin());
    if (same < i) {
      return fail("{}: both {} and {} would be written there; bake them one by one, each to a file of its own",
                  outputs[i], models[same], models[i]);
    }
    for (std::size_t model = 0; model < models.size(); ++model) {
      std::error_code ignored;
      if (!std::filesystem::equivalent(models[model], outputs[i], ignored)) continue;
      if (model == i) return fail("{}: is the model itself; name another output", outputs[i]);
      return fail("{}: is the model {}, and {} would be written there; bake them one by one, each to a file of its own",
                  outputs[i], models[model], models[i]);
    }
  }
  return {};
}

Result<ModelOrAsset> load_model_or_asset(const std::string& file, const ImportSettings& settings) {
  THRONG_CHECK(check_builtin(file));
  if (file != kMannequin) {
    THRONG_TRY(const SharedBytes bytes, map_file(file));
    if (looks_like_character(bytes.span())) {
      THRONG_TRY(Character asset, read_character(file));
      return ModelOrAsset(std::move(asset));
    }
  }
  THRONG_TRY(Imported model, load_model(file, settings));
  return ModelOrAsset(std::move(model));
}

namespace {

std::filesystem::path from_asset(const ImageSource& image, const std::string& asset) {
  const auto folder = std::filesystem::absolute(asset).parent_path().lexically_normal();
  return std::filesystem::absolute(image.file).lexically_normal().lexically_relative(folder);
}

}  // namespace

Result<void> check_links(const std::vector<ImageSource>& images, const std::string& asset) {
  for (const ImageSource& image : images) {
    if (image.file.empty()) {
      return fail("image '{}' lies inside the model's file: there is nothing to link; leave out --link-textures",
                  image.name);
    }
    const std::filesystem::path path = from_asset(image, asset);
    if (path.empty() || *path.begin() == "..") {
      return fail(
          "image '{}' lies outside the folder of {}: write the asset beside the model, or leave out --link-textures",
          image.file.string(), asset);
    }
  }
  return {};
}

Result<Character> with_linked_images(const Character& character, const std::string& asset) {
  CharacterDraft draft = character.draft();
  for (ImageSource& image : draft.images) image.uri = from_asset(image, asset).generic_string();
  return build_character(std::move(draft));
}
