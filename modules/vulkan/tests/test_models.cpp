#include "test_models.h"

#include <cmath>

namespace throng::test {
namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
  std::uint32_t below(std::uint32_t count) { return bits() % count; }
  double between(double low, double high) { return low + (high - low) * (bits() / 4294967296.0); }
  glm::dvec3 point(double reach) { return {between(-reach, reach), between(-reach, reach), between(-reach, reach)}; }
  glm::dquat turn() {
    return glm::normalize(glm::dquat(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)));
  }

 private:
  std::mt19937 engine_;
};

void look_into(BakedModel& model, std::shared_ptr<ModelStorage> storage) {
  model.vertices = storage->vertices;
  model.indices = storage->indices;
  model.atlas.texels = storage->texels;
  model.storage = SharedBytes(storage, std::as_bytes(std::span(storage->texels)));
}

BakedVertex random_vertex(Dice& dice, std::uint32_t bones) {
  BakedVertex vertex{};
  vertex.position = glm::vec3(dice.point(1.0));
  vertex.normal = glm::normalize(glm::vec3(dice.point(1.0)));
  vertex.colour = {255, 255, 255, 255};
  std::uint32_t left = 65535;
  const std::uint32_t influences = 1 + dice.below(4);
  for (std::uint32_t i = 0; i < influences; ++i) {
    vertex.bones[i] = static_cast<std::uint16_t>(dice.below(bones));
    const std::uint32_t weight = i + 1 == influences ? left : left / 2;
    vertex.weights[i] = static_cast<std::uint16_t>(weight);
    left -= weight;
  }
  return vertex;
}

void add_clips(BakedModel& model, const ModelShape& shape) {
  std::vector<std::uint32_t> next_frame(shape.layers, 0);
  for (std::size_t i = 0; i < shape.clip_frames.size(); ++i) {
    BakedClip clip;
    clip.name = fmt::format("clip {}", i);
    clip.loops = shape.clip_loops[i % shape.clip_loops.size()];
    clip.frame_count = shape.clip_frames[i];
    clip.layer = static_cast<std::uint32_t>(i % shape.layers);
    clip.first_frame = next_frame[clip.layer];
    clip.length = 1.0;
    clip.range = {{-1.0, -2.0, -3.0}, {3.0, 4.0, 5.0}, 1.5};
    next_frame[clip.layer] += clip.frame_count;
    model.clips.push_back(clip);
  }
  std::uint32_t frames = 0;
  for (const std::uint32_t used : next_frame) frames = std::max(frames, used);
  model.atlas.height = frames * model.atlas.layout.rows_per_frame;
}

void fill_texels(const BakedModel& model, const ModelShape& shape, Dice& dice, std::vector<Texel>& texels) {
  texels.resize(std::size_t{model.atlas.layout.width} * model.atlas.height * model.atlas.layer_count);
  for (const BakedClip& clip : model.clips) {
    for (std::uint32_t bone = 0; bone < shape.bones; ++bone) {
      glm::dquat turn = dice.turn();
      for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
        turn = glm::normalize(turn + 0.3 * dice.turn());
        BoneSample sample;
        sample.rotation = dice.below(2) == 0 ? turn : -turn;
        sample.position =
            clip.range.pivot_min +
            glm::dvec3(dice.between(0, 1), dice.between(0, 1), dice.between(0, 1)) * clip.range.pivot_size;
        sample.scale = dice.between(0.2, clip.range.scale_max);
        const TexelCoordinate at = texel_of(model.atlas.layout, clip.first_frame + frame, bone);
        texels[(std::size_t{clip.layer} * model.atlas.height + at.y) * model.atlas.layout.width + at.x] =
            encode_q16(sample, clip.range);
      }
    }
  }
}

}  // namespace

BakedModel random_model(const ModelShape& shape) {
  Dice dice(shape.seed);
  auto storage = std::make_shared<ModelStorage>();
  BakedModel model;
  model.name = "random";
  for (std::uint32_t i = 0; i < shape.bones; ++i)
    model.bones.push_back({fmt::format("bone {}", i), glm::vec3(dice.point(1.0))});
  for (std::uint32_t i = 0; i < shape.vertices; ++i) {
    storage->vertices.push_back(random_vertex(dice, shape.bones));
    storage->indices.push_back(i);
  }
  model.materials.emplace_back();
  model.parts.push_back({0, 0, shape.vertices});
  model.atlas.layout = make_layout(shape.bones, shape.atlas_width);
  model.atlas.layer_count = shape.layers;
  model.bounds.add(glm::dvec3(-8.0));
  model.bounds.add(glm::dvec3(8.0));
  add_clips(model, shape);
  fill_texels(model, shape, dice, storage->texels);
  look_into(model, storage);
  return model;
}

BakedModel card_model(const Material& material) {
  auto storage = std::make_shared<ModelStorage>();
  BakedModel model;
  model.name = "card";
  model.bones.push_back({"root", glm::vec3(0.0f, 1.0f, 0.0f)});
  for (int i = 0; i < 4; ++i) {
    const float x = (i & 1) != 0 ? 1.0f : -1.0f;
    const float y = (i & 2) != 0 ? 2.0f : 0.0f;
    BakedVertex vertex{{x, y, 0.0f}, {0.0f, 0.0f, 1.0f},  {x * 0.5f + 0.5f, 1.0f - y * 0.5f}, {},
                       {65535},      {255, 255, 255, 255}};
    storage->vertices.push_back(vertex);
  }
  storage->indices = {0, 1, 3, 0, 3, 2};
  model.materials.push_back(material);
  model.parts.push_back({0, 0, 6});
  model.atlas.layout = make_layout(1, 1);
  model.atlas.height = 3;
  model.atlas.layer_count = 1;
  const Q16Range range{{-1.0, 0.0, -1.0}, {2.0, 4.0, 2.0}, 1.0};
  for (const double height : {1.0, 1.0, 2.0})
    storage->texels.push_back(encode_q16({{1, 0, 0, 0}, {0, height, 0}, 1.0}, range));
  model.clips.push_back({"stand", 0, 1, true, 1, 0, 0, range, {}, {}});
  model.clips.push_back({"rise", 0, 1, false, 2, 1, 0, range, {}, {}});
  model.bounds.add(glm::dvec3(-1.0, 0.0, -0.01));
  model.bounds.add(glm::dvec3(1.0, 3.0, 0.01));
  look_into(model, storage);
  return model;
}

InstanceRecord standing(std::uint32_t clip, const glm::vec3& position) {
  InstanceRecord instance{};
  instance.position = position;
  instance.scale = 1.0f;
  instance.rotation = {0.0f, 0.0f, 0.0f, 1.0f};
  instance.clip = clip;
  instance.tint = 0xFFFFFFFFu;
  return instance;
}

std::vector<InstanceRecord> random_instances(const BakedModel& model, std::size_t count, unsigned seed) {
  Dice dice(seed);
  std::vector<InstanceRecord> instances;
  for (std::size_t i = 0; i < count; ++i) {
    InstanceRecord instance{};
    instance.position = glm::vec3(dice.point(50.0));
    instance.scale = static_cast<float>(dice.between(0.5, 2.0));
    const glm::dquat turn = dice.turn();
    instance.rotation = glm::vec4(turn.x, turn.y, turn.z, turn.w);
    instance.clip = static_cast<std::uint32_t>(i % model.clips.size());
    instance.tint = dice.bits();
    instance.phase = {dice.bits(), dice.bits()};
    // Slow, fast, backwards, still: the top bits decide, so shift them about.
    const std::uint32_t shift = dice.below(32);
    instance.rate = {dice.bits(), static_cast<std::uint32_t>(static_cast<std::int32_t>(dice.bits()) >> shift)};
    if (dice.below(8) == 0) instance.rate = {0, 0};
    instance.start = {dice.bits(), dice.bits() >> (4 + dice.below(28))};
    instances.push_back(instance);
  }
  return instances;
}

}  // namespace throng::test
