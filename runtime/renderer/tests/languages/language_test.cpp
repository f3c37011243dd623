// SPDX-License-Identifier: Apache-2.0
// One source, three languages: what the shader library decodes as HLSL and as ESSL, against what it decodes as GLSL.
// That GLSL is right, the other tests of this folder say.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <span>
#include <sstream>

#include "channel_items.h"
#include "compute_program.h"
#include "dice.h"
#include "language_gles.h"
#include "test_device.h"
#include "throng/character/encoding.h"
#include "throng/character/layout.h"
#include "throng/shaders/shared/frame_shapes.h"

namespace throng {
namespace {

constexpr std::uint32_t kGlslCode[] = {
#include "language_codecs.comp.inc"
};
constexpr std::uint32_t kHlslCode[] = {
#include "language_codecs.hlsl.inc"
};

constexpr std::size_t kItems = 20000;
constexpr std::size_t kItemWords = 6;
constexpr std::size_t kItemNumbers = 12;

// What language_codecs.glsl decodes besides encodings.
constexpr std::uint32_t kDecodeRotation = 100;
constexpr std::uint32_t kDecodeTime = 101;
constexpr std::uint32_t kDecodeBlends = 102;
constexpr std::uint32_t kDecodePlace = 103;

struct Push {
  glm::vec4 box_min{-1.5f, 0.25f, -1.0f, 1.25f};  // w: the largest scale; of local8: the slot's least
  glm::vec4 box_size{2.0f, 0.5f, 1.5f, 0.75f};
  std::uint32_t what = 0;
  std::uint32_t count = kItems;
};

// Nothing, everything, each bit alone and each left out, and random words.
std::vector<std::uint32_t> many_words(std::uint32_t what) {
  test::Dice dice(what + 1);
  std::vector<std::uint32_t> words(kItems * kItemWords);
  for (std::uint32_t& word : words) word = dice.bits();
  if (what == gpu::kEncodingLocalv) {
    for (std::size_t i = 0; i < kItems; ++i)
      test::make_channel_item(std::span(words).subspan(i * kItemWords, kItemWords), dice);
    return words;
  }
  if (what == kDecodeBlends) return words;  // of next to nothing, only rounding is left
  std::fill_n(words.begin(), kItemWords, 0u);
  std::fill_n(words.begin() + kItemWords, kItemWords, ~0u);
  for (std::size_t bit = 0; bit < kItemWords * 32; ++bit) {
    const auto alone = words.begin() + static_cast<std::ptrdiff_t>((2 + 2 * bit) * kItemWords);
    std::fill_n(alone, kItemWords, 0u);
    std::fill_n(alone + kItemWords, kItemWords, ~0u);
    *(alone + static_cast<std::ptrdiff_t>(bit / 32)) = 1u << bit % 32;
    *(alone + kItemWords + static_cast<std::ptrdiff_t>(bit / 32)) ^= 1u << bit % 32;
  }
  return words;
}

// Texels of frames in layouts of every kind, and where throng/character/layout.h has them.
struct Places {
  std::vector<std::uint32_t> words;
  std::vector<glm::uvec3> expected;  // x, y, layer
};

Places many_places() {
  test::Dice dice(9);
  Places places;
  for (std::size_t i = 0; i < kItems; ++i) {
    const Layout layout{1 + dice.below(700), 2, dice.below(4) == 0};
    const FrameLayout frames = frame_layout(layout, 2 * (1 + dice.below(2000)));
    const std::uint32_t height = frames.rows_per_frame * (1 + dice.below(9)) + dice.below(frames.rows_per_frame);
    const std::uint32_t each = frames_per_layer(frames, height);
    const std::uint32_t frame = dice.below(3 * each);
    const std::uint32_t texel = dice.below(frames.texels_per_frame);
    const std::uint32_t layer = dice.below(200);
    std::uint32_t shapes = frames.frames_per_row > 1 ? gpu::kFramesSideBySide : 0u;
    if (frames.rows_per_frame > 1) shapes |= gpu::kFramesFolded;
    if (frame >= each) shapes |= gpu::kFramesRunOn;
    if (dice.below(2) == 0) shapes = gpu::kFramesSideBySide | gpu::kFramesFolded | gpu::kFramesRunOn;
    places.words.insert(places.words.end(), {layout.width, frames.texels_per_frame, frames.frames_per_row, each, frame,
                                             shapes | layer << 4 | texel << 12});
    const LayerFrame in = layer_frame(frames, height, layer, frame);
    const TexelCoordinate at = texel_of(layout, frames, in.frame, texel);
    places.expected.emplace_back(at.x, at.y, in.layer);
  }
  return places;
}

void expect_places(const std::vector<std::uint32_t>& found, const Places& places) {
  ASSERT_EQ(found.size(), kItems * kItemNumbers);
  for (std::size_t i = 0; i < kItems; ++i) {
    const glm::uvec3 at(found[i * kItemNumbers], found[i * kItemNumbers + 1], found[i * kItemNumbers + 2]);
    const auto words = std::span(places.words).subspan(i * kItemWords, kItemWords);
    ASSERT_EQ(at, places.expected[i]) << fmt::format("words {}", fmt::join(words, " "));
  }
}

std::string text_of(const std::string& file) {
  std::ifstream stream(std::string(THRONG_ESSL_DIR "/") + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool both_nan(std::uint32_t a, std::uint32_t b) {
  return std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b));
}

// Compilers may divide by multiplying and mix in two ways: a few units in the last place of 1, the size of the numbers
// here. The last bit of no field is that small.
constexpr double kRounding = 6.0 / 8388608.0;

// Of several steps one after another.
constexpr double kRoundings = 4.0 * kRounding;

bool nearly(double a, double b, double rounding) { return std::abs(a - b) <= rounding * std::max(1.0, std::abs(b)); }

// Of a root near 0 that its square is: rounding under it is magnified.
bool nearly(std::uint32_t found, std::uint32_t expected, bool may_be_root, double rounding) {
  const double a = std::bit_cast<float>(found);
  const double b = std::bit_cast<float>(expected);
  return nearly(a, b, rounding) || (may_be_root && nearly(a * a, b * b, rounding));
}

// Encodings that leave the largest component of a rotation out: those that neither have it in 16 bits nor as a float.
bool finds_components_by_root(std::uint32_t what) {
  if (what >= kEncodings.size()) return false;
  const EncodingInfo& info = info_of(static_cast<Encoding>(what));
  return info.kind == ItemKind::bone && !info.half && !info.signed_fields;
}

std::vector<std::uint32_t> everything() {
  std::vector<std::uint32_t> all{kDecodeRotation, kDecodeTime, kDecodeBlends};
  for (const Encoding encoding : kEncodings) all.push_back(static_cast<std::uint32_t>(encoding));
  return all;
}

std::string name_of_part(std::uint32_t what) {
  if (what == kDecodeRotation) return "rotation";
  if (what == kDecodeTime) return "time";
  if (what == kDecodeBlends) return "blends";
  std::string name(name_of(static_cast<Encoding>(what)));
  std::ranges::replace(name, '-', '_');
  return name;
}

class Languages : public test::OnDevice {
 protected:
  static std::vector<std::uint32_t> decode(test::ComputeProgram& program, std::uint32_t what,
                                           const std::vector<std::uint32_t>& words) {
    const Push push{.what = what};
    return program.run({.inputs = {std::as_bytes(std::span(words))},
                        .push = std::as_bytes(std::span(&push, 1)),
                        .output_words = kItems * kItemNumbers,
                        .groups = (kItems + 63) / 64});
  }

  static std::vector<std::uint32_t> decode_as_essl(test::Gles& gles, std::uint32_t what,
                                                   const std::vector<std::uint32_t>& words) {
    const Push push;
    test::Gles::Attribute four{.name = "words", .size = 4};
    test::Gles::Attribute two{.name = "more_words", .size = 2};
    for (std::size_t i = 0; i < words.size(); ++i) (i % kItemWords < 4 ? four : two).values.push_back(words[i]);
    return gles.run({.source = text_of("language_codecs.vert"),
                     .attributes = {four, two},
                     .uniforms = {{"box_min", push.box_min}, {"box_size", push.box_size}, {"what", what}},
                     .outputs = {"found_a", "found_b", "found_c"},
                     .vertices = kItems});
  }

  // `rounding`: what numbers may differ by.
  static void expect_same(std::uint32_t what, const std::vector<std::uint32_t>& found,
                          const std::vector<std::uint32_t>& expected, const std::vector<std::uint32_t>& words,
                          double rounding) {
    ASSERT_EQ(found.size(), kItems * kItemNumbers);
    ASSERT_EQ(expected.size(), kItems * kItemNumbers);
    const bool has_root = finds_components_by_root(what);
    std::size_t unlike = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == expected[i] || both_nan(found[i], expected[i])) continue;
      ++unlike;
      const std::uint32_t* item = &words[i / kItemNumbers * kItemWords];
      const std::size_t number = i % kItemNumbers;
      ASSERT_TRUE(rounding > 0.0 && nearly(found[i], expected[i], has_root && number < 4, rounding))
          << fmt::format("{}, words {:08x}, number {}: {:08x} and not {:08x}", name_of_part(what),
                         fmt::join(item, item + kItemWords, " "), number, found[i], expected[i]);
    }
    RecordProperty("unlike_" + name_of_part(what), static_cast<int>(unlike));
  }

  test::ComputeProgram glsl_{context(), kGlslCode, 1, 0, sizeof(Push)};
};

// Both are SPIR-V in the end. Only what a language's own functions work out may be rounded in another way.
TEST_F(Languages, DecodeAsHlslWhatTheyDecodeAsGlsl) {
  test::ComputeProgram hlsl(context(), kHlslCode, 1, 0, sizeof(Push));
  for (const std::uint32_t what : everything()) {
    const std::vector<std::uint32_t> words = many_words(what);
    const bool of_its_own = what == kDecodeRotation || what == kDecodeBlends;
    const double rounding = what == gpu::kEncodingLocalv ? kRoundings : of_its_own ? kRounding : 0.0;
    expect_same(what, decode(hlsl, what, words), decode(glsl_, what, words), words, rounding);
  }
}

TEST_F(Languages, FindFramesWhereTheLayoutPutsThem) {
  const Places places = many_places();
  expect_places(decode(glsl_, kDecodePlace, places.words), places);
  test::ComputeProgram hlsl(context(), kHlslCode, 1, 0, sizeof(Push));
  expect_places(decode(hlsl, kDecodePlace, places.words), places);
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << "as ESSL: " << why_not;
  expect_places(decode_as_essl(*gles, kDecodePlace, places.words), places);
}

TEST_F(Languages, DecodeAsEsslWhatTheyDecodeAsGlsl) {
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << why_not;
  for (const std::uint32_t what : everything()) {
    const std::vector<std::uint32_t> words = many_words(what);
    const double rounding = what == kDecodeTime                                     ? 0.0
                            : what == kDecodeBlends || what == gpu::kEncodingLocalv ? kRoundings
                                                                                    : kRounding;
    expect_same(what, decode_as_essl(*gles, what, words), decode(glsl_, what, words), words, rounding);
  }
}

}  // namespace
}  // namespace throng
