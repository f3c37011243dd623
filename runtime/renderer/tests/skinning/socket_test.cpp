// SPDX-License-Identifier: Apache-2.0
// Sockets on the GPU, against those of the CPU.
#include <gtest/gtest.h>

#include <algorithm>

#include "instrumented.h"
#include "read_sockets.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

constexpr Ticks kNow = 777;

class Sockets : public test::OnDevice, public ::testing::WithParamInterface<Encoding> {
 protected:
  Result<std::vector<gpu::SocketPlace>> find(const Character& model, const test::Cast& cast) {
    auto crowd = CharacterRenderer::create(context());
    if (!crowd) return fail(std::move(crowd));
    if (auto added = crowd->add(model); !added) return fail(std::move(added));
    if (auto set = crowd->set_instances(ModelId(0), cast.instances, cast.plays); !set) return fail(std::move(set));
    const auto gpu = GpuDevice::create(context()).value();
    return test::read_sockets(*gpu, *crowd, cast.size() * model.sockets().size(), kNow);
  }
};

// Bone mode's sockets hang on columns, turned and moved; vertex mode's are items of their own.
Character model_with_sockets(Encoding encoding) {
  test::ModelShape shape = test::folding_shape({encoding});
  if (is_vertex_encoding(encoding)) shape.sockets = 2;
  CharacterDraft model = test::random_draft(shape);
  // Two parts, of which the second has no vertices, and the second socket is on it.
  static const std::vector<std::uint8_t> kOfTheFirst(1u << 16u, 0);
  model.parts = {{"body", model.bounds}, {"sword", model.bounds}};
  model.vertex_parts = std::span(kOfTheFirst).first(model.vertices.size());
  if (is_vertex_encoding(encoding)) {
    model.sockets[1].part = PartId(1);
    return test::built(std::move(model));
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    BakedSocket socket{.name = fmt::format("socket {}", i), .bone = 3 + 4 * i, .mesh_from_socket = {}};
    socket.mesh_from_socket.translation = {0.3, -0.2 * i, 0.9};
    socket.mesh_from_socket.rotation = glm::normalize(glm::dquat(0.7, 0.1, -0.4, 0.3 + i));
    if (i == 1) socket.part = PartId(1);
    model.sockets.push_back(socket);
  }
  return test::built(std::move(model));
}

TEST_P(Sockets, AreWhereTheCpuFindsThemDuringFadesToo) {
  const Character model = model_with_sockets(GetParam());
  ASSERT_EQ(model.sockets().size(), 2u);
  const test::Cast cast = test::random_cast(model, 90, 23, true);
  const auto places = find(model, cast);
  ASSERT_TRUE(places) << places.error().message;
  double position = 0.0;
  double axes = 0.0;
  for (std::size_t i = 0; i < cast.size(); ++i)
    for (std::uint32_t s = 0; s < 2; ++s) {
      const auto exact = socket_place(model, cast.plays[i], SocketId(s), kNow);
      ASSERT_TRUE(exact) << exact.error().message;
      const glm::dmat4 world = world_from_model(cast.instances[i]) * exact->matrix;
      const gpu::SocketPlace& found = (*places)[i * 2 + s];
      const std::array rows{found.row_x, found.row_y, found.row_z};
      for (int row = 0; row < 3; ++row) {
        position = std::max(position, std::abs(double{rows[static_cast<std::size_t>(row)].w} - world[3][row]));
        for (int column = 0; column < 3; ++column)
          axes = std::max(axes, std::abs(double{rows[static_cast<std::size_t>(row)][column]} - world[column][row]));
      }
    }
  EXPECT_LT(position, 1e-4);
  EXPECT_LT(axes, 1e-4);
}

// Every third does not wear the second part, and every fifth not the first, on which no socket is.
TEST_P(Sockets, OnPartsThatAreNotWornAreOfNoSizeAndRefusedOnTheCpu) {
  const Character model = model_with_sockets(GetParam());
  test::Cast cast = test::random_cast(model, 30, 23, true);
  const auto worn = find(model, cast);
  ASSERT_TRUE(worn) << worn.error().message;
  for (std::size_t i = 0; i < cast.size(); ++i)
    cast.plays[i].hidden_parts = {(i % 3 == 0 ? 2u : 0u) | (i % 5 == 0 ? 1u : 0u), 0u};
  const auto places = find(model, cast);
  ASSERT_TRUE(places) << places.error().message;
  const auto linear = [](const glm::vec4& row) { return glm::vec3(row); };
  for (std::size_t i = 0; i < cast.size(); ++i)
    for (std::uint32_t s = 0; s < 2; ++s) {
      const bool hidden = s == 1 && i % 3 == 0;
      const auto exact = socket_place(model, cast.plays[i], SocketId(s), kNow);
      ASSERT_EQ(exact.has_value(), !hidden);
      if (hidden) {
        EXPECT_NE(exact.error().message.find("is on 'sword', which is not worn"), std::string::npos)
            << exact.error().message;
      }
      const gpu::SocketPlace& now = (*places)[i * 2 + s];
      const gpu::SocketPlace& before = (*worn)[i * 2 + s];
      for (const auto row : {&gpu::SocketPlace::row_x, &gpu::SocketPlace::row_y, &gpu::SocketPlace::row_z}) {
        EXPECT_EQ(linear(now.*row), hidden ? glm::vec3(0.0f) : linear(before.*row));
        EXPECT_NEAR((now.*row).w, (before.*row).w, 1e-5f);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Encodings, Sockets, ::testing::ValuesIn(test::a_part_if_instrumented(kEncodings)),
                         [](const auto& tested) {
                           std::string name(name_of(tested.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace throng
