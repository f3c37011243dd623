#include "files.h"

#include "throng/base/file.h"

using namespace throng;

Result<Imported> load_model(const std::string& file) {
  if (file == kMannequin) return Imported{make_mannequin(), {}};
  if (const auto bytes = map_file(file); bytes && looks_like_asset(bytes->span())) {
    return fail("{}: is a baked asset already; give the model it was made from", file);
  }
  return import_model(file);
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
