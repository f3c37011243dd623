#include "files.h"

#include "throng/base/file.h"

using namespace throng;

Result<Imported> load_model(const std::string& file, const ImportSettings& settings) {
  if (file == kMannequin) return Imported{make_mannequin(), {}};
  if (const auto bytes = map_file(file); bytes && looks_like_asset(bytes->span())) {
    return fail("{}: is a baked asset already; give the model it was made from", file);
  }
  return import_model(file, settings);
}

Result<ModelOrAsset> load_model_or_asset(const std::string& file) {
  if (file != kMannequin) {
    auto bytes = map_file(file);
    if (!bytes) return fail(std::move(bytes));
    if (looks_like_asset(bytes->span())) {
      auto asset = read_asset(file);
      if (!asset) return fail(std::move(asset));
      return ModelOrAsset(std::move(*asset));
    }
  }
  auto model = load_model(file);
  if (!model) return fail(std::move(model));
  return ModelOrAsset(std::move(*model));
}

Result<void> link_images(BakedModel& model, const std::string& asset) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(asset).parent_path();
  for (ImageSource& image : model.images) {
    if (image.file.empty()) {
      return fail("image '{}' lies inside the model's file: there is nothing to link; leave out --link-textures",
                  image.name);
    }
    const fs::path from_asset =
        fs::absolute(image.file).lexically_normal().lexically_relative(folder.lexically_normal());
    if (from_asset.empty() || *from_asset.begin() == "..") {
      return fail(
          "image '{}' lies outside the folder of {}: write the asset beside the model, or leave out --link-textures",
          image.file.string(), asset);
    }
    image.uri = from_asset.generic_string();
  }
  return {};
}
