// SPDX-License-Identifier: Apache-2.0
// How long a character takes from its file to the GPU, against a plain copy of the file's bytes to the GPU.
//   bench_load [--small] [--json FILE]

#include "big_model.h"
#include "models.h"
#include "pin_drivers.h"
#include "temporary_file.h"
#include "throng/bake/bake.h"
#include "throng/character/file.h"
#include "throng/gpu/device.h"
#include "throng/gpu/upload.h"
#include "throng/renderer/character_renderer.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: a baked file that the kernel has in memory. Medians on the host's clock after a warm-up; the rows of a model are measured in turns.
  read     read_character: the file is mapped and checked.
  add      a renderer takes the character: buffers and textures are made and filled, and the GPU is waited for.
  load     both.
  copy     the file is mapped and its bytes copied to one buffer of the GPU, which is waited for: what no loading can do without.
What was read is compared with what was baked.)";

std::uint64_t hash_of(const Character& character) {
  return hash64(as_bytes(bench::require(encode_character(character))));
}

// In a renderer that has it already: its pipelines were compiled then, and compiling is not loading.
double add_seconds(Device& device, const Character& character) {
  auto renderer = bench::require(CharacterRenderer::create(device.context(), {}));
  bench::require(renderer.add(character));
  return bench::seconds_of([&] { bench::require(renderer.add(character)); });
}

double copy_seconds(GpuDevice& gpu, const std::filesystem::path& path) {
  return bench::seconds_of([&] {
    const SharedBytes bytes = bench::require(map_file(path));
    bench::require(upload_buffer(gpu, bytes.span(), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
  });
}

void measure(const std::string& name, const Model& model, Device& device, const bench::Options& options,
             bench::Report& report) {
  ThreadExecutor executor;
  const bench::TemporaryFile file;
  const Character baked = bench::require(bake(model, {}, executor));
  bench::require(write_character(baked, file.path).has_value(), "the character cannot be written");
  bench::require(hash_of(bench::require(read_character(file.path))) == hash_of(baked), "another character was read");
  const auto gpu = bench::require(GpuDevice::create(device.context()));
  const std::array<std::function<double()>, 4> rows{
      [&] { return bench::seconds_of([&] { bench::require(read_character(file.path)); }); },
      [&] { return add_seconds(device, baked); },
      [&] {
        std::optional<Character> read;
        const double reading = bench::seconds_of([&] { read = bench::require(read_character(file.path)); });
        return reading + add_seconds(device, *read);
      },
      [&] { return copy_seconds(*gpu, file.path); }};
  const auto seconds = bench::medians_in_turn(options.sized(1.0, 0.0), options.sized(15, 2), rows);
  const auto bytes = static_cast<double>(std::filesystem::file_size(file.path));
  report.add(name + "_file_mb", bytes / (1024.0 * 1024.0), "MiB", fmt::format("{} vertices", baked.vertices().size()));
  report.add(name + "_read_ms", seconds[0] * 1e3, "ms", "reading and checking the file");
  report.add(name + "_add_ms", seconds[1] * 1e3, "ms", "the renderer takes it");
  report.add(name + "_load_ms", seconds[2] * 1e3, "ms", "both: from the file to the GPU");
  report.add(name + "_copy_ms", seconds[3] * 1e3, "ms", "the file's bytes to the GPU, nothing else");
  report.add(name + "_load_ratio_to_copy", seconds[2] / seconds[3], "×", "loading over copying");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  bench::Report report(options);
  test::pin_drivers();
  Device device = bench::require(Device::create());
  fmt::print("{}\n{}\n\n", kMethod, device.info().name);
  const auto knight = options.small ? std::nullopt : bench::shared_model("kaykit/Knight.glb");
  if (knight) measure("knight", bench::require(import_gltf(*knight)).model, device, options, report);
  if (!knight) measure("mannequin", make_mannequin(), device, options, report);
  measure("eel", bench::big_model(options.sized(200'040u, 2'400u)), device, options, report);
  return report.finish();
}
