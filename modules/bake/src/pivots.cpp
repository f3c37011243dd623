#include "pivots.h"

#include <cmath>

namespace throng {
namespace {

// Four components rounded to 1/32767 each are off by 8.8e-6 in the root mean square, which turns by 3.05e-5 radians.
constexpr double kRotationRounding = 3.05e-5;
// A pivot farther off than this many times the model's size would stretch the box that all positions are measured in.
constexpr double kFarthest = 1.0;

glm::dmat3 linear_of(const Rigid& rigid) { return glm::mat3_cast(rigid.rotation) * rigid.scale; }

Rigid halfway(const Rigid& from, const Rigid& to) {
  const double side = glm::dot(from.rotation, to.rotation) < 0.0 ? -1.0 : 1.0;
  const glm::dquat sum = from.rotation + to.rotation * side;
  return {glm::normalize(sum), 0.5 * (from.scale + to.scale), 0.5 * (from.translation + to.translation)};
}

struct NormalEquations {
  glm::dmat3 matrix{0.0};
  glm::dvec3 right{0.0};
  double pairs = 0.0;

  void add(const Rigid& from, const Rigid& to, const glm::dmat4& truth, const glm::dvec3& centre) {
    const Rigid middle = halfway(from, to);
    const glm::dmat3 drawn = linear_of(middle);
    const glm::dmat3 g = (linear_of(from) + linear_of(to)) * 0.5 - drawn;
    const glm::dvec3 h = (drawn - glm::dmat3(truth)) * centre + middle.translation - glm::dvec3(truth[3]);
    matrix += glm::transpose(g) * g;
    right -= glm::transpose(g) * h;
    pairs += 1.0;
  }
};

}  // namespace

std::vector<glm::dvec3> column_centres(const Columns& columns, const BakedMesh& mesh) {
  std::vector<glm::dvec3> sums(columns.all.size(), glm::dvec3(0.0));
  std::vector<double> weights(columns.all.size(), 0.0);
  const auto add = [&](std::size_t column, const glm::dvec3& point, double weight) {
    sums[column] += weight * point;
    weights[column] += weight;
  };
  for (const BakedVertex& vertex : mesh.vertices) {
    for (std::size_t i = 0; i < 4; ++i) add(vertex.bones[i], glm::dvec3(vertex.position), vertex.weights[i]);
  }
  for (const BakedSocket& socket : columns.sockets) {
    if (weights[socket.bone] == 0.0) add(socket.bone, socket.mesh_from_socket.translation, 1.0);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (weights[i] > 0.0) sums[i] /= weights[i];
  }
  return sums;
}

glm::dvec3 least_squares_pivot(const Column& column, const std::vector<SampledClip>& sampled, const glm::dvec3& centre,
                               double farthest) {
  NormalEquations equations;
  for (std::size_t clip = 0; clip < sampled.size(); ++clip) {
    const auto& frames = column.motion[clip];
    for (std::size_t frame = 0; frame < frames.size(); ++frame) {
      if (sampled[clip].halfway[frame].empty()) continue;
      const glm::dmat4 truth = sampled[clip].halfway[frame][column.bone] * column.bone_from_baked;
      equations.add(frames[frame], frames[(frame + 1) % frames.size()], truth, centre);
    }
  }
  const double pull = kRotationRounding * kRotationRounding * equations.pairs;
  if (!(pull > 0.0)) return centre;
  const glm::dmat3 matrix = equations.matrix + glm::dmat3(pull);
  const glm::dvec3 pivot = glm::inverse(matrix) * (equations.right + pull * centre);
  const double distance = glm::distance(pivot, centre);
  if (!std::isfinite(distance)) return centre;
  return distance <= farthest ? pivot : centre + (pivot - centre) * (farthest / distance);
}

void choose_pivots(Columns& columns, const std::vector<SampledClip>& sampled, const BakedMesh& mesh,
                   Executor& executor) {
  const std::vector<glm::dvec3> centres = column_centres(columns, mesh);
  Bounds bounds;
  for (const BakedVertex& vertex : mesh.vertices) bounds.add(glm::dvec3(vertex.position));
  executor.run(columns.all.size(), [&](std::size_t i) {
    const double farthest = kFarthest * bounds.diagonal();
    columns.all[i].pivot = glm::dvec3(glm::vec3(least_squares_pivot(columns.all[i], sampled, centres[i], farthest)));
  });
}

}  // namespace throng
