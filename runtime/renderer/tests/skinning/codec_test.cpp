// SPDX-License-Identifier: Apache-2.0
// The decoders of the shader library against those of C++, over the whole range of every field of every encoding. What
// they may differ by is float rounding: a few units in the last place of the largest number the range has (kUlps).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "channel_items.h"
#include "compute_program.h"
#include "dice.h"
#include "test_device.h"
#include "throng/character/codecs/vertex_codecs.h"

namespace throng {
namespace {

constexpr std::uint32_t kCode[] = {
#include "codec_test.comp.inc"
};

constexpr double kUlp = 1.1920928955078125e-7;  // 2^-23: of 1
constexpr double kUlps = 4.0;
constexpr double kChannelUlps = 16.0;  // localv: two rotations decoded, mixed evenly, turned by a third, normalised
constexpr std::size_t kFewestItems = 100000;
constexpr std::size_t kItemWords = 6;
constexpr std::size_t kItemNumbers = 12;

using Item = std::array<std::uint32_t, kItemWords>;
using Numbers = std::array<double, kItemNumbers>;

const ClipRange kRange{{-1.5, 0.25, -20.0}, {2.0, 3.5, 30.0}, 1.25};
const SlotRange kSlot{{-1.5, 0.25, -20.0, 0.5}, {2.0, 3.5, 30.0, 1.5}};

// A run of bits of one word. Fields that lie in two pieces are swept by two of these.
struct Field {
  std::size_t word;
  int first;
  int count;
};

std::vector<Field> halves_of(std::size_t words) {
  std::vector<Field> fields;
  for (std::size_t word = 0; word < words; ++word) {
    fields.push_back({word, 0, 16});
    fields.push_back({word, 16, 16});
  }
  return fields;
}

std::vector<Field> fields_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::x16:
      return {{0, 0, 18}, {0, 18, 14}, {1, 0, 18}, {1, 18, 14}, {2, 0, 18}, {2, 18, 14}, {3, 0, 20}, {3, 20, 12}};
    case Encoding::q12:
      return {{0, 0, 16}, {0, 16, 16}, {1, 0, 16}, {1, 16, 16}, {2, 0, 16}, {2, 16, 16}};
    case Encoding::q8:
      return {{0, 0, 11}, {0, 11, 11}, {0, 22, 10}, {1, 0, 13}, {1, 13, 10}, {1, 23, 9}};
    case Encoding::v8:
      return {{0, 0, 14}, {0, 14, 11}, {0, 25, 7}, {1, 0, 14}, {1, 14, 11}, {1, 25, 7}, {2, 0, 15}, {2, 15, 15}};
    default:
      return halves_of(encoding == Encoding::local8 ? 4 : words_per_item(encoding, true));
  }
}

// Nothing, everything, each bit alone and each left out, every value of every field among random others, and random
// words.
std::vector<Item> many_items(Encoding encoding) {
  test::Dice dice(static_cast<unsigned>(encoding) + 1);
  const auto random_item = [&] {
    Item item;
    for (std::uint32_t& word : item) word = dice.bits();
    if (encoding == Encoding::localv) test::make_channel_item(item, dice);
    return item;
  };
  // Not every word is a channel's.
  if (encoding == Encoding::localv) {
    std::vector<Item> channels(kFewestItems);
    for (Item& item : channels) item = random_item();
    return channels;
  }
  std::vector<Item> items{Item{}};
  items.emplace_back().fill(~0u);
  for (std::size_t bit = 0; bit < kItemWords * 32; ++bit) {
    items.emplace_back()[bit / 32] = 1u << bit % 32;
    items.emplace_back().fill(~0u);
    items.back()[bit / 32] ^= 1u << bit % 32;
  }
  for (const Field& field : fields_of(encoding)) {
    const std::uint32_t mask = (1u << field.count) - 1u;
    const std::uint32_t step = field.count > 16 ? 1u << (field.count - 16) : 1u;
    Item item = random_item();
    for (std::uint32_t value = 0; value <= mask; value += step) {
      // Wide fields in steps, but each step somewhere else within it, and the last value always.
      const std::uint32_t in_step = value + step > mask ? mask : value + dice.below(step);
      item[field.word] = (item[field.word] & ~(mask << field.first)) | in_step << field.first;
      items.push_back(item);
    }
  }
  while (items.size() < kFewestItems) items.push_back(random_item());
  return items;
}

Numbers numbers_of(const BoneSample& bone) {
  return {bone.rotation.x, bone.rotation.y, bone.rotation.z, bone.rotation.w,
          bone.position.x, bone.position.y, bone.position.z, bone.scale};
}

Numbers numbers_of(const AffineSample& bone) {
  const glm::dmat3& m = bone.linear;
  return {m[0].x, m[0].y, m[0].z, m[1].x,          m[1].y,          m[1].z,
          m[2].x, m[2].y, m[2].z, bone.position.x, bone.position.y, bone.position.z};
}

Numbers numbers_of(const VertexSample& vertex) {
  return {vertex.position.x, vertex.position.y, vertex.position.z, vertex.normal.x,  vertex.normal.y,
          vertex.normal.z,   vertex.tangent.x,  vertex.tangent.y,  vertex.tangent.z, vertex.tangent.w};
}

Numbers decode(Encoding encoding, const Item& item) {
  const std::span<const std::uint32_t> words(item);
  if (is_vertex_encoding(encoding))
    return numbers_of(decode_vertex(encoding, words.first(words_per_item(encoding, true)), kRange, true));
  if (encoding == Encoding::rows || encoding == Encoding::half_rows)
    return numbers_of(decode_affine(encoding, words, kRange));
  if (encoding == Encoding::localv) return numbers_of(test::channel_item(words));
  if (encoding == Encoding::local8) {
    const glm::dvec4 moved = decode_translation_slot(words.subspan<2, 2>(), kSlot);
    return numbers_of(BoneSample{decode_rotation_slot(words.first<2>()), glm::dvec3(moved), moved.w});
  }
  return numbers_of(decode_bone(encoding, words.first(words_per_item(encoding, false)), kRange));
}

// The largest magnitude that each number can have: what its rounding is measured by.
Numbers largest_of(Encoding encoding) {
  const glm::dvec3 far = glm::max(glm::abs(kRange.pivot_min), glm::abs(kRange.pivot_min + kRange.pivot_size));
  const double s = kRange.scale_max;
  if (is_vertex_encoding(encoding)) return {far.x, far.y, far.z, 1, 1, 1, 1, 1, 1, 1};
  if (encoding == Encoding::rows) return {s, s, s, s, s, s, s, s, s, far.x, far.y, far.z};
  if (encoding == Encoding::localv) return {1, 1, 1, 1, 1, 1, 1, 1};
  return {1, 1, 1, 1, far.x, far.y, far.z, encoding == Encoding::local8 ? 2.0 : s};
}

// Which number is found as √(1 − the others' squares); none: kItemNumbers.
std::size_t left_out_of(Encoding encoding, const Item& item) {
  switch (encoding) {
    case Encoding::x16:
      return item[2] >> 30;
    case Encoding::q12:
      return item[0] >> 31 | item[1] >> 31 << 1;
    case Encoding::q8:
      return item[1] >> 11 & 3u;
    default:
      return kItemNumbers;
  }
}

// A root near 0 magnifies what is under it; that, the square, is what rounding bounds.
double difference(double found, double expected, bool is_root) {
  return is_root ? std::abs(found * found - expected * expected) : std::abs(found - expected);
}

struct Push {
  glm::vec4 box_min;
  glm::vec4 box_size;
  std::uint32_t encoding;
  std::uint32_t count;
};

class Codecs : public test::OnDevice, public ::testing::WithParamInterface<Encoding> {
 protected:
  std::vector<std::uint32_t> decode_on_gpu(const std::vector<Item>& items) {
    const bool slots = GetParam() == Encoding::local8;
    test::ComputeProgram program(context(), kCode, 1, 0, sizeof(Push));
    const auto count = static_cast<std::uint32_t>(items.size());
    const Push push{slots ? glm::vec4(kSlot.min) : glm::vec4(kRange.pivot_min, kRange.scale_max),
                    slots ? glm::vec4(kSlot.size) : glm::vec4(kRange.pivot_size, 0.0f),
                    static_cast<std::uint32_t>(GetParam()), count};
    return program.run({.inputs = {std::as_bytes(std::span(items))},
                        .push = std::as_bytes(std::span(&push, 1)),
                        .output_words = items.size() * kItemNumbers,
                        .groups = (count + 63) / 64});
  }
};

std::string shown(Encoding encoding, const Item& item) {
  std::string text(name_of(encoding));
  for (const std::uint32_t word : item) text += fmt::format(" {:08x}", word);
  return text;
}

TEST_P(Codecs, DecodeInShadersWhatTheyDecodeInCpp) {
  const Encoding encoding = GetParam();
  const std::vector<Item> items = many_items(encoding);
  const std::vector<std::uint32_t> found = decode_on_gpu(items);
  const Numbers largest = largest_of(encoding);
  double worst = 0.0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Numbers expected = decode(encoding, items[i]);
    const std::size_t left_out = left_out_of(encoding, items[i]);
    for (std::size_t k = 0; k < kItemNumbers; ++k) {
      const double number = std::bit_cast<float>(found[i * kItemNumbers + k]);
      if (is_half(encoding)) {
        ASSERT_TRUE(number == expected[k] || (std::isnan(number) && std::isnan(expected[k])))
            << "half floats are floats: " << shown(encoding, items[i]) << ", number " << k << ": " << number
            << " and not " << expected[k];
        continue;
      }
      const double ulps =
          difference(number, expected[k], k == left_out) / (kUlp * (largest[k] > 0.0 ? largest[k] : 1.0));
      worst = std::max(worst, ulps);
      ASSERT_LE(ulps, encoding == Encoding::localv ? kChannelUlps : kUlps)
          << shown(encoding, items[i]) << ", number " << k << ": " << number << " and not " << expected[k];
    }
  }
  RecordProperty("worst_ulps", fmt::format("{:.2f}", worst));
  EXPECT_EQ(worst > 0.0, !is_half(encoding)) << "floats are not doubles";
  EXPECT_GE(items.size(), kFewestItems);
}

INSTANTIATE_TEST_SUITE_P(Encodings, Codecs, ::testing::ValuesIn(kEncodings), [](const auto& tested) {
  std::string name(name_of(tested.param));
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace throng
