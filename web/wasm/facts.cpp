// SPDX-License-Identifier: Apache-2.0
#include "facts.h"

#include <algorithm>

#include "json_writer.h"
#include "throng/plan/model_record.h"
#include "throng/shaders/shared/encodings.h"

namespace throng::web {
namespace {

constexpr std::string_view name_of(Wrap wrap) {
  return wrap == Wrap::repeat ? "repeat" : wrap == Wrap::clamp ? "clamp" : "mirror";
}

constexpr std::string_view name_of(AlphaMode mode) {
  return mode == AlphaMode::opaque ? "opaque" : mode == AlphaMode::mask ? "mask" : "blend";
}

class FactWriter {
 public:
  explicit FactWriter(const Character& character) : model_(character) {}

  std::string write() && {
    json_.object([this] {
      json_.field("name", model_.name());
      json_.field("mode", model_.mode() == BakeMode::bones ? "bones" : "vertices");
      bounds("bounds", model_.bounds());
      const LevelQualities qualities = qualities_of(model_, usual_qualities());
      json_.field("height", model_record(model_, {}, qualities).height);
      json_.field("boneCount", model_.bones().size());
      json_.field("vertexCount", model_.vertices().size());
      clips();
      things();
      materials();
      levels(qualities);
      report();
      drawing();
    });
    return std::move(json_).take();
  }

 private:
  void point(std::string_view name, const glm::dvec3& p) {
    json_.key(name);
    json_.numbers({p.x, p.y, p.z});
  }

  void bounds(std::string_view name, const Bounds& box) {
    json_.key(name);
    if (box.empty()) return json_.null();
    json_.object([&] {
      point("min", box.min);
      point("max", box.max);
    });
  }

  void texts(std::string_view name, const std::vector<std::string>& lines) {
    json_.key(name);
    json_.array_of(lines, [this](const std::string& line) { json_.value(line); });
  }

  void clips() {
    json_.key("clips");
    json_.array_of(model_.clips(), [this](const BakedClip& clip) {
      json_.object([&] {
        json_.field("name", clip.name);
        json_.field("seconds", clip.length);
        json_.field("loops", clip.loops);
        json_.field("frames", clip.frame_count);
        json_.field("rate", clip.rate());
        json_.field("encoding", throng::name_of(clip.encoding));
        json_.field("rootMotion", !clip.root_motion.empty());
        bounds("bounds", clip.bounds);
        json_.key("error");
        json_.object([&] {
          json_.field("atFramesMm", clip.error.at_frames.max_mm);
          json_.field("betweenMm", clip.error.between.max_mm);
        });
        json_.key("events");
        json_.array_of(clip.events, [this](const ClipEvent& event) {
          json_.object([&] {
            json_.field("name", event.name);
            json_.field("seconds", event.time);
          });
        });
      });
    });
  }

  // Sockets and parts.
  void things() {
    json_.key("sockets");
    json_.array_of(model_.sockets(), [this](const BakedSocket& socket) { json_.value(socket.name); });
    json_.key("parts");
    json_.array_of(model_.parts(), [this](const BakedPart& part) {
      json_.object([&] {
        json_.field("name", part.name);
        bounds("bounds", part.bounds);
      });
    });
    json_.key("partGroups");
    json_.array_of(model_.part_groups(), [this](const PartGroup& group) {
      json_.object([&] {
        json_.field("name", group.name);
        json_.field("optional", group.optional);
        json_.field("onlyAsked", group.only_asked);
        json_.key("parts");
        json_.array_of(group.parts, [this](PartId part) { json_.value(part.value); });
      });
    });
  }

  void image(std::string_view name, const std::optional<std::uint32_t>& number) {
    json_.key(name);
    if (number) {
      json_.value(*number);
    } else {
      json_.null();
    }
  }

  void materials() {
    json_.key("materials");
    json_.array_of(model_.materials(), [this](const Material& material) {
      json_.object([&] {
        json_.field("name", material.name);
        json_.key("baseColour");
        json_.array([&] {
          for (int i = 0; i < 4; ++i) json_.value(material.base_colour[i]);
        });
        image("baseImage", material.base_image);
        image("normalImage", material.normal_image);
        json_.field("normalScale", material.normal_scale);
        json_.field("wrapU", name_of(material.wrap_u));
        json_.field("wrapV", name_of(material.wrap_v));
        json_.field("nearest", material.nearest_filter);
        json_.field("alphaMode", name_of(material.alpha_mode));
        json_.field("alphaCutoff", material.alpha_cutoff);
        json_.field("doubleSided", material.double_sided);
      });
    });
    json_.key("images");
    json_.array_of(model_.images(), [this](const ImageSource& source) {
      json_.object([&] {
        json_.field("name", source.name);
        json_.field("mime", source.mime_type);
        json_.field("uri", source.uri);
      });
    });
  }

  void level(double error, std::size_t vertices, std::uint32_t bones, const std::vector<BakedDraw>& draws) {
    json_.object([&] {
      json_.field("error", error);
      json_.field("vertices", vertices);
      json_.field("bones", bones);
      json_.key("draws");
      json_.array_of(draws, [this](const BakedDraw& draw) {
        json_.object([&] {
          json_.field("material", draw.material);
          json_.field("firstIndex", draw.first_index);
          json_.field("indexCount", draw.index_count);
        });
      });
    });
  }

  // Those that are drawn, the full mesh first.
  void levels(const LevelQualities& qualities) {
    json_.key("levels");
    json_.array([&] {
      level(0.0, model_.vertices().size(), qualities[0].bones, model_.draws());
      for (std::size_t i = 1; i < mesh_level_count(model_); ++i) {
        const BakedLevel& coarse = model_.levels()[i - 1];
        level(coarse.error, coarse.vertex_count, qualities[i].bones, coarse.draws);
      }
    });
  }

  void figures(std::string_view name, const ErrorFigures& figures) {
    json_.key(name);
    json_.object([&] {
      json_.field("maxMm", figures.max_mm);
      json_.field("p999Mm", figures.p999_mm);
      json_.field("rmsMm", figures.rms_mm);
      json_.field("normalMaxDegrees", figures.normal_max_degrees);
    });
  }

  void report() {
    json_.key("error");
    json_.object([&] {
      const ErrorReport& error = model_.error();
      json_.field("mmPerUnit", error.mm_per_unit);
      figures("atFrames", error.at_frames);
      figures("between", error.between);
      json_.field("worstClip", error.worst_clip);
      json_.field("worstBone", error.worst_bone);
      json_.field("worstTime", error.worst_time);
    });
    json_.key("bytes");
    json_.object([&] {
      json_.field("file", model_.draft().storage.size());
      json_.field("animation", model_.atlas().words.size_bytes() + model_.table().size_bytes() +
                                   model_.channel_words().size_bytes() + model_.morphs().bytes());
      json_.field("halfFloat", model_.half_float_bytes());
      json_.field("keys", model_.key_bytes());
    });
    texts("notes", model_.notes());
    texts("warnings", model_.warnings());
  }

  // What shaders are made for.
  void drawing() {
    std::uint32_t encodings = 0;  // bit n: some clip has encoding n
    for (const BakedClip& clip : model_.clips()) encodings |= 1u << static_cast<std::uint32_t>(clip.encoding);
    json_.key("constants");
    json_.object([&] {
      json_.field("atlasWidth", std::max(model_.atlas().layout.width, 1u));
      json_.field("texelWords", model_.atlas().layout.texel_words);
      json_.field("frameShapes", frame_shapes(model_));
      json_.field("encodings", encodings);
      json_.field("columns", model_.bones().size());
      json_.field("animatedTangents", model_.tangents_animated() ? 1 : 0);
    });
    json_.field("chains", (encodings & (1u << gpu::kEncodingLocalv)) != 0);
    json_.field("linked", (encodings & gpu::kLinkedEncodings) != 0);
    json_.field("hasTangents", model_.has_tangents());
    json_.field("hasMorphs", !model_.morphs().empty());
    json_.field("hasParts", !model_.vertex_parts().empty());
    json_.field("oneScale", model_.upload().uniform_scale);
    json_.key("speck");
    json_.array([&] {
      for (const glm::vec4& band : model_.upload().speck.bands)
        json_.numbers({static_cast<double>(band.x), static_cast<double>(band.y), static_cast<double>(band.z),
                       static_cast<double>(band.w)});
    });
  }

  const Character& model_;
  JsonWriter json_;
};

}  // namespace

std::string facts_of(const Character& character) { return FactWriter(character).write(); }

}  // namespace throng::web
