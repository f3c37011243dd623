#include "columns.h"

#include <algorithm>
#include <numeric>

namespace throng {
namespace {

constexpr std::size_t kMostReferences = 16;  // tried before a group is refused

// Bindings that meshes use together, bones nearest to the root first.
struct Group {
  std::vector<std::uint32_t> bindings;
  std::vector<std::size_t> meshes;
};

class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<std::size_t> parent_;
};

std::vector<bool> used_bindings(const Model& model, Joined& joined) {
  std::vector<bool> used(model.bindings().size(), false);
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    const std::size_t first = mesh.influences[0].bindings[0];
    for (const Influences& influences : mesh.influences) {
      for (std::size_t i = 0; i < kInfluences && influences.weights[i] > 0.0f; ++i) {
        used[influences.bindings[i]] = true;
        joined.join(first, influences.bindings[i]);
      }
    }
  }
  return used;
}

std::vector<Group> make_groups(const Model& model) {
  Joined joined(model.bindings().size());
  const std::vector<bool> used = used_bindings(model, joined);
  std::vector<Group> by_root(model.bindings().size());
  for (std::uint32_t binding = 0; binding < used.size(); ++binding) {
    if (used[binding]) by_root[joined.find(binding)].bindings.push_back(binding);
  }
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    if (!is_drawn(model.meshes()[mesh])) continue;
    by_root[joined.find(model.meshes()[mesh].influences[0].bindings[0])].meshes.push_back(mesh);
  }
  std::erase_if(by_root, [](const Group& group) { return group.bindings.empty(); });
  for (Group& group : by_root) {
    std::stable_sort(group.bindings.begin(), group.bindings.end(), [&](std::uint32_t a, std::uint32_t b) {
      return model.bindings()[a].bone < model.bindings()[b].bone;
    });
  }
  return by_root;
}

// Neighbours in one hemisphere; at scale 0 the rotation there was before, or will be.
void make_continuous(std::vector<Rigid>& frames) {
  const auto known = [](const Rigid& rigid) { return rigid.scale > 0.0; };
  const auto first = std::find_if(frames.begin(), frames.end(), known);
  if (first == frames.end()) return;
  glm::dquat last = first->rotation.w < 0.0 ? -first->rotation : first->rotation;
  for (Rigid& frame : frames) {
    if (!known(frame)) frame.rotation = last;
    if (glm::dot(frame.rotation, last) < 0.0) frame.rotation = -frame.rotation;
    last = frame.rotation;
  }
}

Result<void> fill_motion(const Model& model, const std::vector<ClipPlan>& plans,
                         const std::vector<SampledClip>& sampled, Column& column) {
  column.motion.assign(plans.size(), {});
  for (std::size_t clip = 0; clip < plans.size(); ++clip) {
    for (std::uint32_t frame = 0; frame < sampled[clip].frames.size(); ++frame) {
      const glm::dmat4 model_from_baked = sampled[clip].frames[frame][column.bone] * column.bone_from_baked;
      const auto rigid = to_rigid(model_from_baked);
      if (!rigid) {
        return fail(
            "clip '{}', bone '{}' at {:.3f} s {}; the q16 encoding holds rotation, translation and uniform scale: "
            "remove "
            "the rest in the authoring tool (apply it to the mesh or the keys)",
            plans[clip].clip.name, model.bones()[column.bone].name, plans[clip].source_time(frame, 0.0),
            rigid.error().message);
      }
      column.motion[clip].push_back(*rigid);
    }
    make_continuous(column.motion[clip]);
  }
  return {};
}

struct Inputs {
  const Model& model;
  const std::vector<ClipPlan>& plans;
  const std::vector<SampledClip>& sampled;
  const std::vector<glm::dmat4>& rest;  // model_from_bone
};

Result<std::vector<Column>> columns_with(const Inputs& in, const Group& group, const glm::dmat4& baked_from_mesh) {
  const glm::dmat4 mesh_from_baked = glm::inverse(baked_from_mesh);
  std::vector<Column> columns;
  for (const std::uint32_t index : group.bindings) {
    const Binding& binding = in.model.bindings()[index];
    Column column;
    column.name = in.model.bones()[binding.bone].name;
    column.bone = binding.bone;
    column.bone_from_baked = binding.bone_from_mesh * mesh_from_baked;
    if (auto ok = fill_motion(in.model, in.plans, in.sampled, column); !ok) return fail(std::move(ok));
    columns.push_back(std::move(column));
  }
  return columns;
}

// At rest if that can be inverted, else at the first frame where it can.
std::optional<glm::dmat4> bone_reference(const Inputs& in, std::uint32_t bone, const glm::dmat4& bone_from_mesh) {
  if (const glm::dmat4 m = in.rest[bone] * bone_from_mesh; well_conditioned(m)) return m;
  for (const SampledClip& clip : in.sampled) {
    for (const auto& frame : clip.frames) {
      if (const glm::dmat4 m = frame[bone] * bone_from_mesh; well_conditioned(m)) return m;
    }
  }
  return std::nullopt;
}

std::vector<glm::dmat4> references(const Inputs& in, const Group& group) {
  std::vector<glm::dmat4> out;
  for (const std::uint32_t index : group.bindings) {
    const Binding& binding = in.model.bindings()[index];
    if (out.size() == kMostReferences) break;
    if (const auto m = bone_reference(in, binding.bone, binding.bone_from_mesh)) out.push_back(*m);
  }
  out.emplace_back(1.0);  // the mesh as it is: right for parts that are hidden throughout
  return out;
}

Result<void> add_group(const Inputs& in, const Group& group, Columns& columns) {
  Result<std::vector<Column>> first_try;
  for (const glm::dmat4& baked_from_mesh : references(in, group)) {
    auto made = columns_with(in, group, baked_from_mesh);
    if (!made) {
      if (first_try) first_try = std::move(made);
      continue;
    }
    for (const std::size_t mesh : group.meshes) columns.baked_from_mesh[mesh] = baked_from_mesh;
    for (std::size_t i = 0; i < group.bindings.size(); ++i) {
      columns.of_binding[group.bindings[i]] = static_cast<std::uint32_t>(columns.all.size());
      columns.all.push_back(std::move((*made)[i]));
    }
    return {};
  }
  return fail(std::move(first_try));
}

Transform to_transform(const glm::dmat4& m) {
  Transform t;
  t.translation = glm::dvec3(m[3]);
  glm::dmat3 axes(m);
  for (int i = 0; i < 3; ++i) t.scale[i] = glm::length(axes[i]);
  if (glm::determinant(axes) < 0.0) t.scale.x = -t.scale.x;
  for (int i = 0; i < 3; ++i) axes[i] = t.scale[i] != 0.0 ? axes[i] / t.scale[i] : glm::dmat3(1.0)[i];
  t.rotation = glm::normalize(glm::quat_cast(axes));
  return t;
}

// A column that follows the bone, one the meshes use already or one of its own.
std::optional<std::uint32_t> column_for(const Inputs& in, std::uint32_t bone, Columns& columns) {
  for (std::uint32_t i = 0; i < columns.all.size(); ++i) {
    if (columns.all[i].bone == bone && well_conditioned(columns.all[i].bone_from_baked)) return i;
  }
  const auto reference = bone_reference(in, bone, glm::dmat4(1.0));
  if (!reference) return std::nullopt;
  Column column;
  column.name = in.model.bones()[bone].name;
  column.bone = bone;
  column.bone_from_baked = glm::inverse(*reference);
  if (!fill_motion(in.model, in.plans, in.sampled, column)) return std::nullopt;
  columns.all.push_back(std::move(column));
  return static_cast<std::uint32_t>(columns.all.size() - 1);
}

void add_sockets(const Inputs& in, Columns& columns, std::vector<std::string>& notes) {
  for (const Socket& socket : in.model.sockets()) {
    const auto column = column_for(in, socket.bone, columns);
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

bool is_drawn(const Mesh& mesh) { return !mesh.indices.empty() && !mesh.positions.empty(); }

std::size_t count_columns(const Model& model) {
  Joined joined(model.bindings().size());
  const std::vector<bool> used = used_bindings(model, joined);
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
}

std::vector<SampledClip> sample_clips(const Model& model, const std::vector<ClipPlan>& plans, Executor& executor) {
  std::vector<SampledClip> sampled(plans.size());
  std::vector<std::pair<std::size_t, std::uint32_t>> jobs;
  for (std::size_t clip = 0; clip < plans.size(); ++clip) {
    sampled[clip].frames.resize(plans[clip].frames.frame_count);
    sampled[clip].halfway.resize(plans[clip].frames.frame_count);
    for (std::uint32_t frame = 0; frame < plans[clip].frames.frame_count; ++frame) jobs.emplace_back(clip, frame);
  }
  executor.run(jobs.size(), [&](std::size_t job) {
    const auto [clip, frame] = jobs[job];
    const ClipPlan& plan = plans[clip];
    const auto bones_at = [&](double time) { return model_from_bones(model, sample_planned(model, plan, time)); };
    sampled[clip].frames[frame] = bones_at(plan.source_time(frame, 0.0));
    const bool leads_on = plan.frames.loops || frame + 1 < plan.frames.frame_count;
    if (!leads_on) return;
    const double time = plan.source_time(frame, 0.5);
    if (plan.has_source(time)) sampled[clip].halfway[frame] = bones_at(time);
  });
  return sampled;
}

Result<Columns> make_columns(const Model& model, const std::vector<ClipPlan>& plans,
                             const std::vector<SampledClip>& sampled, std::vector<std::string>& notes) {
  const std::vector<glm::dmat4> rest = model_from_bones(model, rest_pose(model));
  const Inputs in{model, plans, sampled, rest};
  Columns columns;
  columns.baked_from_mesh.assign(model.meshes().size(), glm::dmat4(1.0));
  columns.of_binding.assign(model.bindings().size(), std::nullopt);
  for (const Group& group : make_groups(model)) {
    if (auto ok = add_group(in, group, columns); !ok) return fail(std::move(ok));
  }
  add_sockets(in, columns, notes);
  return columns;
}

}  // namespace throng
