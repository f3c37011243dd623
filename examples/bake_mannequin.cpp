// SPDX-License-Identifier: Apache-2.0
// Bakes the built-in mannequin into an asset: what an asset pipeline does with every model.
//   bake_mannequin OUTPUT.throng.glb

#include <fmt/format.h>
#include <throng/bake/bake.h>
#include <throng/base/try.h>
#include <throng/character/file.h>
#include <throng/mannequin/mannequin.h>

namespace {

throng::Result<void> bake_mannequin(const char* output) {
  const throng::Model model = throng::make_mannequin();  // or throng::import_model("knight.glb")
  throng::ThreadExecutor executor;
  THRONG_TRY(const throng::Character baked, throng::bake(model, {}, executor));
  THRONG_CHECK(throng::write_character(baked, output));
  fmt::print("{} clips baked, at most {:.3f} mm off at the frames\n", baked.clips().size(),
             baked.error().at_frames.max_mm);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bake_mannequin OUTPUT.throng.glb\n");
    return 2;
  }
  if (const auto done = bake_mannequin(argv[1]); !done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return 1;
  }
}
