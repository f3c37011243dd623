// SPDX-License-Identifier: Apache-2.0
// Bakes the built-in mannequin into an asset: what an asset pipeline does with every model.
//   bake_mannequin OUTPUT.throng.glb

#include <fmt/format.h>
#include <throng/bake/bake.h>
#include <throng/character/file.h>
#include <throng/mannequin/mannequin.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bake_mannequin OUTPUT.throng.glb\n");
    return 2;
  }
  const throng::Model model = throng::make_mannequin();  // or throng::import_model("knight.glb")
  throng::ThreadExecutor executor;
  const auto baked = throng::bake(model, {}, executor);
  if (!baked) {
    fmt::print(stderr, "{}\n", baked.error().message);
    return 1;
  }
  if (const auto written = throng::write_character(*baked, argv[1]); !written) {
    fmt::print(stderr, "{}\n", written.error().message);
    return 1;
  }
  fmt::print("{} clips baked, at most {:.3f} mm off at the frames\n", baked->clips().size(),
             baked->error().at_frames.max_mm);
}
