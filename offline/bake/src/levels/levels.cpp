// SPDX-License-Identifier: Apache-2.0
#include "levels/levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "levels/level_meter.h"
#include "levels/merge_coincident.h"
#include "levels/simplify.h"

namespace throng::detail::bake {
namespace {

// Each level has the same share of the triangles of the one before: so large that the coarsest has about kCoarsest of
// the full mesh's, but no less than a third.
constexpr double kCoarsest = 0.015;
constexpr double kLeastShare = 0.35;
constexpr double kWorthwhile = 0.85;  // of the triangles of the level before: a level of more is not kept
constexpr double kRungShare = 0.92;   // of the triangles of the rung before, that each has
constexpr std::size_t kMostRungs = 96;
constexpr int kMostRounds = 8;               // of picking and measuring
constexpr std::size_t kFewestTriangles = 4;  // the least that encloses anything
constexpr double kNotMuchWorse = 1.03;       // of the least error that any regard for looks gave, in the mean
constexpr double kMostError = 0.3;           // of the model's extent: more is another shape
constexpr double kMostPoses = 64.0;          // in which steps are weighed
constexpr double kLeastPoses = 3.0;          // the same of models of very many vertices
constexpr double kMostWeighed = 6e5;         // vertices times poses: with more of them there are fewer poses
constexpr std::size_t kPosesCompared = 64;   // in which rungs are compared
constexpr std::size_t kRungsAtOnce = 3;      // of each ladder
constexpr std::size_t kPointsCompared = 8;   // by one of so many points

// How much normals, texture and colours count, tried in turn.
constexpr std::array<double, 2> kLooks{1.0, 0.15};

// One form of a cluster.
struct Rung {
  SimplifiedMesh mesh;
  double error = 0.0;     // no less than that of a finer one
  bool measured = false;  // in all poses; not: in some, so that it may be more
};

// The forms of one cluster, the full one first.
using Ladder = std::vector<Rung>;

// Makes errors rise strictly, so that a coarser level is never chosen while triangles are left.
void make_rise(Ladder& ladder) {
  constexpr double kWorse = 1.0 + 1e-9;
  for (std::size_t i = 1; i < ladder.size(); ++i) {
    ladder[i].error = std::max(ladder[i].error, kWorse * ladder[i - 1].error);
  }
}

// How many triangles each level is to have, of those of the full mesh.
std::vector<std::size_t> level_counts(std::uint32_t levels, std::size_t triangles) {
  std::vector<std::size_t> counts;
  const double steps = std::max(static_cast<double>(levels) - 1.0, 1.0);
  const double of_before = std::max(kLeastShare, std::pow(kCoarsest, 1.0 / steps));
  double share = 1.0;
  for (std::uint32_t level = 1; level < levels; ++level) {
    share *= of_before;
    const auto count = static_cast<std::size_t>(share * static_cast<double>(triangles));
    if (count < kFewestTriangles) break;
    counts.push_back(count);
  }
  return counts;
}

// Falling; those of the levels among them, and others between: clusters need not all be equally coarse.
std::vector<std::size_t> rung_counts(std::size_t triangles, const std::vector<std::size_t>& levels, std::size_t all) {
  std::vector<std::size_t> counts;
  const auto whole = static_cast<double>(triangles);
  for (const std::size_t level : levels) {
    counts.push_back(static_cast<std::size_t>(whole * static_cast<double>(level) / static_cast<double>(all)));
  }
  for (std::size_t rung = 1; triangles < all && rung <= kMostRungs; ++rung) {
    counts.push_back(static_cast<std::size_t>(whole * std::pow(kRungShare, rung)));
  }
  std::ranges::sort(counts, std::greater{});
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::erase_if(counts, [&](std::size_t count) { return count < kFewestTriangles || count >= triangles; });
  return counts;
}

std::vector<SimplifiedMesh> clusters_of(const LevelMesh& mesh) {
  std::vector<SimplifiedMesh> out(mesh.cluster_count);
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    SimplifiedMesh& cluster = out[mesh.cluster[t]];
    cluster.draw.push_back(mesh.draw[t]);
    const auto corners = mesh.corners.begin() + 3 * static_cast<std::ptrdiff_t>(t);
    cluster.corners.insert(cluster.corners.end(), corners, corners + 3);
  }
  return out;
}

// What a cluster has of one draw: where its colour ends, coarser forms must not be far off either.
struct Patch {
  std::size_t cluster = 0;
  std::uint32_t draw = 0;
  double contrast = 0.0;  // to what else the cluster has
  double depth = 0.0;     // how far it is from its middle to another draw: more than that no colour is off that is gone
  Triangles triangles;
};

Triangles of_draw(const SimplifiedMesh& mesh, std::uint32_t draw) {
  Triangles out;
  for (std::size_t t = 0; t < mesh.draw.size(); ++t) {
    const auto corners = mesh.corners.begin() + 3 * static_cast<std::ptrdiff_t>(t);
    if (mesh.draw[t] == draw) out.insert(out.end(), corners, corners + 3);
  }
  return out;
}

// The patches of clusters whose draws have different materials.
std::vector<Patch> patches_of(const BakedMesh& mesh, const std::vector<SimplifiedMesh>& clusters) {
  std::vector<Patch> patches;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::vector<std::uint32_t> draws = clusters[c].draw;
    std::ranges::sort(draws);
    draws.erase(std::unique(draws.begin(), draws.end()), draws.end());
    for (const std::uint32_t draw : draws) {
      double contrast = 0.0;
      for (const std::uint32_t other : draws) contrast = std::max(contrast, draw_contrast(mesh, draw, other));
      if (contrast > 0.0) patches.push_back({c, draw, contrast, 0.0, of_draw(clusters[c], draw)});
    }
  }
  return patches;
}

double depth_of(const Patch& patch, const SimplifiedMesh& cluster, std::span<const Float4> positions) {
  Triangles others;
  for (std::size_t t = 0; t < cluster.draw.size(); ++t) {
    const auto corners = cluster.corners.begin() + 3 * static_cast<std::ptrdiff_t>(t);
    if (cluster.draw[t] != patch.draw) others.insert(others.end(), corners, corners + 3);
  }
  const TriangleTree tree(positions, others);
  TriangleTree::Fitted at_base;
  tree.fit(positions, at_base);
  float most = 0.0f;
  const auto look = [&](Float4 at) {
    most = std::max(most, tree.nearest(at_base, at, std::numeric_limits<float>::infinity(), most).squared);
  };
  for (std::size_t i = 0; i + 2 < patch.triangles.size(); i += 3) {
    const auto corner = [&](std::size_t k) { return positions[patch.triangles[i + k]]; };
    look((corner(0) + corner(1) + corner(2)) * (1.0f / 3.0f));
    for (std::size_t k = 0; k < 3; ++k) look(corner(k));
  }
  return std::sqrt(static_cast<double>(most));
}

// How long each step takes, against the others, for models of public collections.
constexpr double kSimplifying = 0.75;
constexpr double kComparing = 1.0;
constexpr double kPosesLikeComparing = 80.0;  // of which measuring takes as long as comparing
constexpr double kOfRound = 0.95;             // of the time that measuring has left: later rounds have less to measure

// Makes the ladders of all clusters, and levels from them.
class LevelMaker {
 public:
  LevelMaker(std::uint32_t levels, const LevelPoses& poses, const std::vector<PartGroup>& groups, Executor& executor,
             const BakedMesh& mesh, const Progress& progress)
      : mesh_(mesh),
        poses_(poses),
        executor_(executor),
        welded_(weld(mesh, poses, weighed_poses(poses, mesh), groups)),
        counts_(level_counts(levels, welded_.triangle_count())),
        full_(clusters_of(welded_)),
        patches_(patches_of(mesh, full_)),
        meter_(poses, triangles_of(full_, patches_), full_.size(), executor),
        compared_{first_poses(poses), kPointsCompared},
        measuring_(std::sqrt(static_cast<double>(poses.count()) / kPosesLikeComparing)),
        made_(progress, "levels", kSimplifying + kComparing + measuring_) {
    for (Patch& patch : patches_) patch.depth = depth_of(patch, full_[patch.cluster], meter_.base());
  }

  // Levels are picked by what errors are about; those of what was picked are measured, which may make them more; then
  // they are picked again.
  std::vector<CoarseLevel> run() {
    make_ladders();
    std::vector<Pick> picks;
    for (int round = 0; round < kMostRounds; ++round) {
      picks = all_picked();
      if (!measure(picks, measuring_ * kOfRound * std::pow(1.0 - kOfRound, round))) break;
    }
    std::vector<CoarseLevel> levels;
    for (const Pick& pick : picks) {
      levels.push_back(level_of(pick));
      if (levels.back().error <= kMostError * welded_.extent) continue;
      levels.pop_back();
      break;
    }
    merge_coincident(mesh_, welded_, poses_, levels);
    return levels;
  }

 private:
  using Pick = std::vector<std::size_t>;  // a rung of each cluster

  static std::size_t weighed_poses(const LevelPoses& poses, const BakedMesh& mesh) {
    const double room = kMostWeighed / static_cast<double>(mesh.vertices.size());
    const auto weighed = static_cast<std::size_t>(std::clamp(room, kLeastPoses, kMostPoses));
    return std::min({weighed, kPosesCompared, poses.count()});
  }
  static std::vector<std::size_t> first_poses(const LevelPoses& poses) {
    std::vector<std::size_t> first(std::min(kPosesCompared, poses.count()));
    std::iota(first.begin(), first.end(), std::size_t{0});
    return first;
  }
  static std::vector<Triangles> triangles_of(const std::vector<SimplifiedMesh>& meshes,
                                             const std::vector<Patch>& patches) {
    std::vector<Triangles> out;
    for (const SimplifiedMesh& mesh : meshes) out.push_back(mesh.corners);
    for (const Patch& patch : patches) out.push_back(patch.triangles);
    return out;
  }

  struct Form {
    std::size_t cluster = 0;
    const SimplifiedMesh* mesh = nullptr;
    double at_least = 0.0;  // as LevelMeter has it
  };

  // For each form, how far its surface or a colour border is off, weighted by contrast; 0 below `at_least`.
  std::vector<double> errors_of(const std::vector<Form>& forms, const LevelMeter::Look& look,
                                const LevelMeter::Done& done) const {
    struct Part {
      std::size_t form = 0;
      double most = 0.0, contrast = 1.0;
    };
    std::vector<CoarserSurface> surfaces;
    std::vector<Part> parts;  // of each surface
    std::vector<double> errors(forms.size(), 0.0);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      surfaces.push_back({forms[i].cluster, forms[i].mesh->corners, forms[i].at_least});
      parts.push_back({i, std::numeric_limits<double>::infinity(), 1.0});
      for (std::size_t p = 0; p < patches_.size(); ++p) {
        const Patch& patch = patches_[p];
        if (patch.cluster != forms[i].cluster) continue;
        Triangles left = of_draw(*forms[i].mesh, patch.draw);
        if (left.empty()) {
          errors[i] = std::max(errors[i], patch.contrast * patch.depth);
        } else {
          surfaces.push_back({full_.size() + p, std::move(left), forms[i].at_least / patch.contrast});
          parts.push_back({i, patch.depth, patch.contrast});
        }
      }
    }
    const std::vector<double> off = meter_.errors(surfaces, look, done);
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      double& error = errors[parts[s].form];
      error = std::max(error, parts[s].contrast * std::min(off[s], parts[s].most));
    }
    return errors;
  }

  void make_ladders() {
    std::vector<std::vector<std::size_t>> counts;
    for (const SimplifiedMesh& full : full_) {
      counts.push_back(rung_counts(full.triangle_count(), counts_, welded_.triangle_count()));
    }
    std::vector<std::vector<Ladder>> runs(kLooks.size());  // one ladder a cluster
    executor_.run(runs.size(), [&](std::size_t r) {
      const double share_of_all = kSimplifying / static_cast<double>(runs.size());
      const auto forms =
          simplify(welded_, mesh_, kLooks[r], counts, [&](double share) { made_.add(share_of_all * share); });
      for (std::size_t c = 0; c < forms.size(); ++c) runs[r].push_back(ladder_of(c, forms[c]));
    });
    measure_rungs(runs);
    for (std::size_t c = 0; c < full_.size(); ++c) ladders_.push_back(std::move(runs[chosen_run(runs, c)][c]));
  }

  // Leaves out forms that are no coarser than the one before, and those without triangles.
  Ladder ladder_of(std::size_t cluster, const std::vector<SimplifiedMesh>& forms) const {
    Ladder ladder{{full_[cluster], 0.0}};
    for (const SimplifiedMesh& form : forms) {
      if (form.triangle_count() == 0) break;
      if (form.triangle_count() < ladder.back().mesh.triangle_count()) ladder.push_back({form, 0.0});
    }
    return ladder;
  }

  void measure_rungs(std::vector<std::vector<Ladder>>& runs) {
    std::size_t rungs = 0;
    for (const std::vector<Ladder>& run : runs) {
      for (const Ladder& ladder : run) rungs = std::max(rungs, ladder.size());
    }
    // Some rungs of every ladder at a time: those before tell how far off the next are at least.
    for (std::size_t first = 1; first < rungs; first += kRungsAtOnce) {
      const std::size_t end = std::min(rungs, first + kRungsAtOnce);
      std::vector<Form> forms;
      std::vector<Rung*> measured;
      for (std::vector<Ladder>& run : runs) {
        for (std::size_t c = 0; c < run.size(); ++c) {
          for (std::size_t i = first; i < std::min(end, run[c].size()); ++i) {
            forms.push_back({c, &run[c][i].mesh, run[c][first - 1].error});
            measured.push_back(&run[c][i]);
          }
        }
      }
      const double share_of_all = kComparing * static_cast<double>(end - first) / static_cast<double>(rungs);
      const std::vector<double> errors =
          errors_of(forms, compared_, [&](double share) { made_.add(share_of_all * share); });
      for (std::size_t i = 0; i < errors.size(); ++i) measured[i]->error = errors[i];
      for (std::vector<Ladder>& run : runs) std::ranges::for_each(run, make_rise);
    }
  }

  // The one that regards looks most and whose errors are not much more than the best.
  static std::size_t chosen_run(const std::vector<std::vector<Ladder>>& runs, std::size_t cluster) {
    const auto worse_than = [&](const Ladder& one, const Ladder& other) {
      const std::size_t rungs = std::min(one.size(), other.size());
      double sum = 0.0;
      for (std::size_t i = 1; i < rungs; ++i) sum += std::log(one[i].error / other[i].error);
      return rungs > 1 ? std::exp(sum / static_cast<double>(rungs - 1)) : 1.0;
    };
    std::size_t best = 0;
    for (std::size_t r = 1; r < runs.size(); ++r) {
      if (worse_than(runs[best][cluster], runs[r][cluster]) > kNotMuchWorse) best = r;
    }
    return best;
  }

  Pick rungs_within(double error) const {
    Pick pick;
    for (const Ladder& ladder : ladders_) {
      const auto past = std::ranges::upper_bound(ladder, error, {}, &Rung::error);
      pick.push_back(static_cast<std::size_t>(past - ladder.begin()) - 1);
    }
    return pick;
  }

  std::size_t count_of(const Pick& pick) const {
    std::size_t count = 0;
    for (std::size_t c = 0; c < pick.size(); ++c) count += ladders_[c][pick[c]].mesh.triangle_count();
    return count;
  }

  // The choice with the smallest largest error among those of at most `wanted` triangles; the coarsest of all where
  // there is none.
  Pick picked(std::size_t wanted) const {
    std::vector<double> errors;
    for (const Ladder& ladder : ladders_) {
      for (const Rung& rung : ladder) errors.push_back(rung.error);
    }
    std::ranges::sort(errors);
    const auto fits = [&](double error) { return count_of(rungs_within(error)) <= wanted; };
    const auto first = std::ranges::partition_point(errors, [&](double error) { return !fits(error); });
    return rungs_within(first == errors.end() ? errors.back() : *first);
  }

  std::vector<Pick> all_picked() const {
    std::vector<Pick> picks;
    auto before = static_cast<double>(welded_.triangle_count());
    for (const std::size_t wanted : counts_) {
      Pick pick = picked(wanted);
      const std::size_t count = count_of(pick);
      if (static_cast<double>(count) > kWorthwhile * before) continue;
      before = static_cast<double>(count);
      picks.push_back(std::move(pick));
    }
    return picks;
  }

  // What of the picks was not measured before, in such a share of the time; whether there was anything.
  bool measure(const std::vector<Pick>& picks, double share) {
    std::vector<Form> forms;
    std::vector<Rung*> rungs;
    for (const Pick& pick : picks) {
      for (std::size_t c = 0; c < pick.size(); ++c) {
        Rung& rung = ladders_[c][pick[c]];
        if (pick[c] == 0 || std::exchange(rung.measured, true)) continue;
        forms.push_back({c, &rung.mesh, rung.error});
        rungs.push_back(&rung);
      }
    }
    if (forms.empty()) return false;
    const std::vector<double> errors =
        errors_of(forms, meter_.closely(), [&](double done) { made_.add(share * done); });
    for (std::size_t i = 0; i < rungs.size(); ++i) rungs[i]->error = std::max(rungs[i]->error, errors[i]);
    std::ranges::for_each(ladders_, make_rise);
    return true;
  }

  CoarseLevel level_of(const Pick& pick) const {
    CoarseLevel level;
    for (std::size_t c = 0; c < pick.size(); ++c) {
      const Rung& rung = ladders_[c][pick[c]];
      level.mesh.corners.insert(level.mesh.corners.end(), rung.mesh.corners.begin(), rung.mesh.corners.end());
      level.mesh.draw.insert(level.mesh.draw.end(), rung.mesh.draw.begin(), rung.mesh.draw.end());
      level.error = std::max(level.error, rung.error);
    }
    return level;
  }

  const BakedMesh& mesh_;
  const LevelPoses& poses_;
  Executor& executor_;
  LevelMesh welded_;
  std::vector<std::size_t> counts_;   // what each level is to have
  std::vector<SimplifiedMesh> full_;  // per cluster
  std::vector<Patch> patches_;
  LevelMeter meter_;
  LevelMeter::Look compared_;
  double measuring_;  // how long it takes, as kSimplifying
  SharedProgress made_;
  std::vector<Ladder> ladders_;  // per cluster
};

// Triangles of one level, draw by draw, behind what is there.
BakedLevel append_level(const SimplifiedMesh& level, BakedMesh& mesh) {
  BakedLevel out;
  std::vector<std::uint32_t> order(level.draw.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return level.draw[t]; });
  auto next = order.begin();
  for (std::uint32_t d = 0; d < mesh.draws.size(); ++d) {
    BakedDraw draw{mesh.draws[d].material, static_cast<std::uint32_t>(mesh.indices.size()), 0};
    for (; next != order.end() && level.draw[*next] == d; ++next) {
      const std::size_t t = *next;
      for (std::size_t k = 0; k < 3; ++k) {
        mesh.indices.push_back(level.corners[3 * t + k]);
        out.vertex_count = std::max(out.vertex_count, mesh.indices.back() + 1);
      }
    }
    draw.index_count = static_cast<std::uint32_t>(mesh.indices.size()) - draw.first_index;
    if (draw.index_count > 0) out.draws.push_back(draw);
  }
  return out;
}

}  // namespace

void add_levels(std::uint32_t levels, const LevelPoses& poses, const std::vector<PartGroup>& groups, Executor& executor,
                BakedMesh& mesh, const Progress& progress) {
  if (level_counts(levels, mesh.indices.size() / 3).empty()) return;
  for (const CoarseLevel& level : LevelMaker(levels, poses, groups, executor, mesh, progress).run()) {
    mesh.levels.push_back(append_level(level.mesh, mesh));
    mesh.levels.back().error = level.error;
  }
}

void add_fewer_bones(const LevelPoses& poses, Executor& executor, BakedMesh& mesh) {
  const std::vector<FewerBones> vertices = poses.fewer_bones(executor);
  const auto most_of = [&](const std::vector<BakedDraw>& draws) {
    FewerBones most{};
    for (const BakedDraw& draw : draws) {
      for (std::uint32_t i = draw.first_index; i < draw.first_index + draw.index_count; ++i) {
        for (std::size_t n = 0; n < most.size(); ++n) most[n] = std::max(most[n], vertices[mesh.indices[i]][n]);
      }
    }
    return most;
  };
  mesh.fewer_bones = most_of(mesh.draws);
  for (BakedLevel& level : mesh.levels) level.fewer_bones = most_of(level.draws);
}

}  // namespace throng::detail::bake
