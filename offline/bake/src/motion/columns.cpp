// SPDX-License-Identifier: Apache-2.0
#include "motion/columns.h"

#include <algorithm>

#include "motion/rigid.h"
#include "motion/socket_choice.h"
#include "throng/math/singular_values.h"

namespace throng::detail::bake {
namespace {

constexpr std::size_t kMostReferences = 16;  // tried before clips are left with more than rotation and scale

struct Inputs {
  const Model& model;
  const std::vector<ClipPlan>& plans;
  Executor& executor;
  std::vector<glm::dmat4> rest;  // model_from_bone
};

std::optional<glm::dmat4> shown_in(const std::vector<glm::dmat4>& bones, const Follower& follower) {
  const glm::dmat4 m = bones[follower.bone] * follower.bone_from_mesh;
  return well_conditioned(glm::dmat3(m)) ? std::optional(m) : std::nullopt;
}

// For each of some groups, its first follower that shows at a frame of any clip, as it is at the first of those. All at
// once, since the poses are what costs and there may be as many groups as bones.
std::vector<std::optional<glm::dmat4>> shown_at_a_frame(const Inputs& in,
                                                        const std::vector<const ColumnGroup*>& groups) {
  std::vector<std::vector<std::optional<glm::dmat4>>> shown;
  std::size_t hidden = 0;
  for (const ColumnGroup* group : groups) {
    shown.emplace_back(group->followers.size());
    hidden += group->followers.size();
  }
  for (const ClipPlan& plan : in.plans) {
    for (std::uint32_t frame = 0; hidden > 0 && frame < plan.frames.frame_count; ++frame) {
      const auto bones = bones_at(in.model, plan, plan.source_time(frame, 0.0));
      for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t i = 0; i < shown[g].size(); ++i) {
          if (shown[g][i]) continue;
          shown[g][i] = shown_in(bones, groups[g]->followers[i]);
          if (shown[g][i]) --hidden;
        }
      }
    }
  }
  std::vector<std::optional<glm::dmat4>> first;
  for (const auto& of_group : shown) {
    const auto found = std::ranges::find_if(of_group, [](const auto& m) { return m.has_value(); });
    first.push_back(found != of_group.end() ? *found : std::nullopt);
  }
  return first;
}

// Matrices to measure each group's meshes in, best first: followers at rest, or one that is hidden there where it
// shows.
std::vector<std::vector<glm::dmat4>> references(const Inputs& in, const std::vector<ColumnGroup>& groups) {
  std::vector<std::vector<glm::dmat4>> all(groups.size());
  std::vector<const ColumnGroup*> hidden;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Follower& follower : groups[g].followers) {
      if (all[g].size() == kMostReferences) break;
      if (const auto m = shown_in(in.rest, follower)) all[g].push_back(*m);
    }
    if (all[g].empty()) hidden.push_back(&groups[g]);
  }
  const std::vector<std::optional<glm::dmat4>> shown = shown_at_a_frame(in, hidden);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    if (shown[i]) all[static_cast<std::size_t>(hidden[i] - groups.data())].push_back(*shown[i]);
  }
  for (std::vector<glm::dmat4>& one : all) one.emplace_back(1.0);  // as it is: right for what is hidden throughout
  return all;
}

// For each clip, whether some follower does more than rotate and scale, seen from this reference.
using Flags = std::vector<std::uint8_t>;

struct Trial {
  const ColumnGroup* group = nullptr;
  glm::dmat4 mesh_from_baked{1.0};
  Flags fails;
};

bool fails_at(const Trial& trial, const std::vector<glm::dmat4>& bones) {
  return std::any_of(trial.group->followers.begin(), trial.group->followers.end(), [&](const Follower& follower) {
    return !is_rigid(bones[follower.bone] * follower.bone_from_mesh * trial.mesh_from_baked);
  });
}

// All trials at once, since the poses are what costs.
void run_trials(const Inputs& in, std::vector<Trial>& trials) {
  for (Trial& trial : trials) trial.fails.assign(in.plans.size(), 0);
  in.executor.run(in.plans.size(), [&](std::size_t clip) {
    const ClipPlan& plan = in.plans[clip];
    for (std::uint32_t frame = 0; frame < plan.frames.frame_count; ++frame) {
      const auto bones = bones_at(in.model, plan, plan.source_time(frame, 0.0));
      for (Trial& trial : trials) {
        if (trial.fails[clip] == 0 && fails_at(trial, bones)) trial.fails[clip] = 1;
      }
    }
  });
}

struct ChosenReference {
  glm::dmat4 baked_from_mesh{1.0};
  Flags fails;
};

std::size_t count_of(const Flags& fails) {
  return static_cast<std::size_t>(std::count(fails.begin(), fails.end(), std::uint8_t{1}));
}

std::vector<ChosenReference> choose_references(const Inputs& in, const std::vector<ColumnGroup>& groups) {
  const std::vector<std::vector<glm::dmat4>> options = references(in, groups);
  std::vector<ChosenReference> best(groups.size());
  for (std::size_t round = 0; round <= kMostReferences; ++round) {
    std::vector<Trial> trials;
    std::vector<std::size_t> of_trial;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (round >= options[g].size() || (round > 0 && count_of(best[g].fails) == 0)) continue;
      trials.push_back({&groups[g], glm::inverse(options[g][round]), {}});
      of_trial.push_back(g);
    }
    if (trials.empty()) break;
    run_trials(in, trials);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      const std::size_t g = of_trial[t];
      if (round > 0 && count_of(trials[t].fails) >= count_of(best[g].fails)) continue;
      best[g] = {options[g][round], std::move(trials[t].fails)};
    }
  }
  return best;
}

std::uint32_t add_column(const Inputs& in, const Follower& follower, const glm::dmat4& mesh_from_baked,
                         Columns& columns) {
  columns.all.push_back(
      {in.model.bones()[follower.bone].name, follower.bone, follower.bone_from_mesh * mesh_from_baked});
  return static_cast<std::uint32_t>(columns.all.size() - 1);
}

// A column that the meshes use already and that a socket on this bone can ride on.
std::optional<std::uint32_t> column_of(const Columns& columns, std::uint32_t bone) {
  for (std::uint32_t i = 0; i < columns.all.size(); ++i) {
    if (columns.all[i].bone == bone && well_conditioned(glm::dmat3(columns.all[i].bone_from_baked))) return i;
  }
  return std::nullopt;
}

// Adds a column for each socket's bone that has none. Where that is not possible the bone stays without.
void add_socket_columns(const Inputs& in, const std::vector<Socket>& sockets, const Flags& not_rigid, bool any_matrix,
                        Columns& columns) {
  std::vector<ColumnGroup> groups;
  for (const Socket& socket : sockets) {
    const bool waiting = std::any_of(groups.begin(), groups.end(),
                                     [&](const ColumnGroup& group) { return group.followers[0].bone == socket.bone; });
    if (waiting || column_of(columns, socket.bone)) continue;
    groups.push_back({{{socket.bone, glm::dmat4(1.0), std::nullopt}}, {}});
  }
  const std::vector<ChosenReference> chosen = choose_references(in, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    bool spoils = false;
    for (std::size_t clip = 0; clip < not_rigid.size(); ++clip) {
      spoils = spoils || (chosen[g].fails[clip] != 0 && not_rigid[clip] == 0);
    }
    if (any_matrix || !spoils) {
      add_column(in, groups[g].followers[0], glm::inverse(chosen[g].baked_from_mesh), columns);
    }
  }
}

void add_sockets(const Inputs& in, const std::vector<Socket>& sockets, const Flags& not_rigid, bool any_matrix,
                 Columns& columns, std::vector<std::string>& notes) {
  add_socket_columns(in, sockets, not_rigid, any_matrix, columns);
  for (const Socket& socket : sockets) {
    const auto column = column_of(columns, socket.bone);
    if (!column) {
      notes.push_back(fmt::format("socket '{}' dropped: its bone '{}' does not move rigidly", socket.name,
                                  in.model.bones()[socket.bone].name));
      continue;
    }
    const glm::dmat4 baked_from_bone = glm::inverse(columns.all[*column].bone_from_baked);
    columns.sockets.push_back(
        {socket.name, *column, to_transform(baked_from_bone * to_matrix(socket.bone_from_socket))});
  }
}

}  // namespace

Columns make_columns(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Socket>& sockets,
                     bool any_matrix, Executor& executor, std::vector<std::string>& notes) {
  const Inputs in{model, plans, executor, model_from_bones(model, rest_pose(model))};
  const std::vector<ColumnGroup> groups = mesh_groups(model);
  const std::vector<ChosenReference> chosen = choose_references(in, groups);
  Columns columns;
  columns.baked_from_mesh.assign(model.meshes().size(), glm::dmat4(1.0));
  columns.of_binding.assign(model.bindings().size(), std::nullopt);
  Flags not_rigid(plans.size(), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const glm::dmat4 mesh_from_baked = glm::inverse(chosen[g].baked_from_mesh);
    for (const std::size_t mesh : groups[g].meshes) columns.baked_from_mesh[mesh] = chosen[g].baked_from_mesh;
    for (const Follower& follower : groups[g].followers) {
      columns.of_binding[follower.binding.value_or(0)] = add_column(in, follower, mesh_from_baked, columns);
    }
    for (std::size_t clip = 0; clip < plans.size(); ++clip) not_rigid[clip] |= chosen[g].fails[clip];
  }
  add_sockets(in, sockets, not_rigid, any_matrix, columns, notes);
  return columns;
}

}  // namespace throng::detail::bake
