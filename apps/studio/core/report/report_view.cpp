// SPDX-License-Identifier: Apache-2.0
#include "core/report/report_view.h"

#include <algorithm>
#include <cmath>

#include "console.h"
#include "report.h"
#include "throng/bake/options.h"
#include "throng/character/image.h"

namespace throng::studio {
namespace {

constexpr double kVisibleMm = 1.0;
constexpr double kBadMm = 5.0;

Grade grade(double mm) { return mm > kBadMm ? Grade::bad : mm > kVisibleMm ? Grade::visible : Grade::good; }

std::string mesh_text(const Character& model) {
  std::string text = model.mode() == BakeMode::bones ? fmt::format("{} bones, ", model.bones().size()) : "";
  return text + fmt::format("{} vertices, {} triangles, {} {}", grouped(model.vertices().size()),
                            grouped(triangle_total(model.draws())), model.draws().size(),
                            model.draws().size() == 1 ? "material" : "materials");
}

std::string levels_text(const Character& model) {
  std::string text;
  for (const BakedLevel& level : model.levels()) {
    text += fmt::format("{}{} ({:.1f} mm)", text.empty() ? "" : ", ", grouped(triangle_total(level.draws)),
                        level.error * model.error().mm_per_unit);
  }
  return text;
}

std::string image_text(const std::vector<ImageSource>& images, std::optional<std::uint32_t> number) {
  if (!number || *number >= images.size()) return "";
  const ImageSource& image = images[*number];
  const std::string name = printable(image.name.empty() ? image.file.filename().string() : image.name);
  const auto size = image_size(image.bytes.span());
  const std::string shown = name.empty() ? fmt::format("image {}", *number) : name;
  return size ? fmt::format("{}, {} × {}", shown, size->width, size->height) : shown;
}

std::string surface_text(const Material& material) {
  std::string text = "opaque";
  if (material.alpha_mode == AlphaMode::mask) text = fmt::format("mask at {:g}", material.alpha_cutoff);
  if (material.alpha_mode == AlphaMode::blend) text = "blended";
  return text + (material.double_sided ? ", double-sided" : "");
}

float srgb(float linear) {
  const float value = std::clamp(linear, 0.0f, 1.0f);
  return value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1.0f / 2.4f) - 0.055f;
}

std::string atlas_text(const Character& model) {
  const Atlas& atlas = model.atlas();
  if (atlas.words.empty()) return fmt::format("none: all in localv, {} frames", grouped(frame_total(model)));
  return fmt::format("{} × {} texels × {} {}, {} frames", atlas.layout.width, atlas.height, atlas.layer_count,
                     atlas.layer_count == 1 ? "layer" : "layers", grouped(frame_total(model)));
}

std::string memory_text(const Character& model) {
  const std::uint64_t bytes = frame_bytes(model), halves = half_float_bytes(model);
  if (halves == 0) return readable_bytes(bytes);
  return fmt::format("{}: {:.0f} % of the half-float layout at 30 fps ({})", readable_bytes(bytes),
                     100.0 * static_cast<double>(bytes) / static_cast<double>(halves), readable_bytes(halves));
}

std::string error_text(const ErrorFigures& error) {
  return fmt::format("max {:.3f} mm, 99.9 % under {:.3f} mm, rms {:.3f} mm; normals {:.2f}°", error.max_mm,
                     error.p999_mm, error.rms_mm, error.normal_max_degrees);
}

}  // namespace

std::vector<ClipRow> clip_rows(const Character& model) {
  std::vector<ClipRow> rows;
  for (const BakedClip& clip : model.clips()) {
    rows.push_back({.name = printable(clip.name),
                    .frames = fmt::format("{}", clip.frame_count),
                    .rate = fmt::format("{:.6g}", clip.rate()),
                    .length = fmt::format("{:.3f}", clip.length),
                    .loops = clip.loops ? "loop" : "once",
                    .encoding = std::string(name_of(clip.encoding)),
                    .bytes = readable_bytes(frame_bytes(model, clip)),
                    .at_frames = fmt::format("{:.3f}", clip.error.at_frames.max_mm),
                    .between = fmt::format("{:.3f}", clip.error.between.max_mm),
                    .worst = fmt::format("{} at {:.3f} s", printable(clip.error.worst_bone), clip.error.worst_time),
                    .choice = printable(clip.choice),
                    .at_grade = grade(clip.error.at_frames.max_mm),
                    .between_grade = grade(clip.error.between.max_mm)});
  }
  return rows;
}

std::vector<MaterialRow> material_rows(const std::vector<Material>& materials, const std::vector<ImageSource>& images) {
  std::vector<MaterialRow> rows;
  for (const Material& material : materials) {
    const glm::vec4& colour = material.base_colour;
    rows.push_back({.name = material.name.empty() ? fmt::format("material {}", rows.size()) : printable(material.name),
                    .colour = {srgb(colour.r), srgb(colour.g), srgb(colour.b), colour.a},
                    .texture = image_text(images, material.base_image),
                    .normals = image_text(images, material.normal_image),
                    .surface = surface_text(material)});
  }
  return rows;
}

std::vector<std::string> level_labels(const Character& model) {
  std::vector<std::string> labels{fmt::format("full: {} triangles", grouped(triangle_total(model.draws())))};
  for (const BakedLevel& level : model.levels()) {
    labels.push_back(fmt::format("{} triangles, {:.1f} mm", grouped(triangle_total(level.draws)),
                                 level.error * model.error().mm_per_unit));
  }
  return labels;
}

std::vector<Figure> figures(const Character& model) {
  std::vector<Figure> all{{"Mesh", mesh_text(model)}};
  if (!model.levels().empty()) all.push_back({"Coarser levels", levels_text(model)});
  all.push_back({"Texture", atlas_text(model)});
  all.push_back({"Memory", memory_text(model)});
  all.push_back({"Error at frames", error_text(model.error().at_frames)});
  all.push_back({"Error between", error_text(model.error().between)});
  if (!model.sockets().empty()) {
    std::string names;
    for (const BakedSocket& socket : model.sockets()) names += (names.empty() ? "" : ", ") + printable(socket.name);
    all.push_back({"Sockets", names});
  }
  return all;
}

namespace {

// In the command line's words, which the window's tips and scripts use too.
std::vector<std::string> readable(const std::vector<std::string>& messages) {
  std::vector<std::string> lines;
  for (const std::string& message : messages) lines.push_back(printable(with_flags(message)));
  return lines;
}

}  // namespace

std::vector<std::string> notes(const Character& model) { return readable(model.notes()); }
std::vector<std::string> warnings(const Character& model) { return readable(model.warnings()); }

}  // namespace throng::studio
