// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Cast holds.

#include <vector>

#include "near.h"
#include "throng/base/slot_map.h"
#include "throng/cast/cast.h"

namespace throng::detail::cast {

inline constexpr std::uint32_t kNone = ~0u;

struct Actor {
  InstanceId instance = {};
  ModelId model = {};
  std::uint32_t near = kNone;  // in State::near
  Nearness nearness = Nearness::by_rule;
  bool listens = false;
  bool root_motion = false;
  Look look = {};
};

}  // namespace throng::detail::cast

namespace throng {

struct Cast::State {
  using Actor = detail::cast::Actor;
  using CastModel = detail::cast::CastModel;
  using Near = detail::cast::Near;

  explicit State(const NearRule& its_rule) : rule(its_rule) {}

  Result<Actor*> find(ActorId id);
  const CastModel& model_of(ModelId model) const { return models[model.value]; }

  void advance_far(Ticks now);
  void hear_near();
  void advance_near(double dt, Executor& executor);
  void choose(const CastView& view, Ticks now);
  void bring_near(std::uint32_t slot, Ticks now);
  void begin_leaving(Near& near, Ticks now);
  void let_go(std::size_t at);
  void step_presence(double dt);
  void pose_near(Ticks now, Executor& executor);
  void list_near();

  NearRule rule;
  Crowd crowd;
  std::vector<CastModel> models;  // by the crowd's model ids
  SlotMap<Actor, ActorId> actors;
  std::vector<std::uint32_t> actor_of_instance;  // by InstanceId::slot
  std::vector<std::unique_ptr<Near>> near;       // stable: callers keep pointers to animators
  std::vector<NearActor> listed;
  std::vector<ActorEvent> events;  // of this update
  OnChange on_near;
  OnChange on_far;
  Ticks last = 0;
  bool started = false;
};

}  // namespace throng
