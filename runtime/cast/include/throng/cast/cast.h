// SPDX-License-Identifier: Apache-2.0
#pragma once
// The characters of a scene, near and far, behind one handle. Far ones are a Crowd's: they play their model's baked
// frames and cost nothing until their behaviour changes. Near ones have an Animator and are skinned from its pose. Who
// is near is chosen anew with every update, by distance, by height in the picture, and by how many there may be.
//
//   Cast cast({.distance = 15.0f, .budget = 32});
//   const ModelId knight = *cast.add(character, graph);
//   const ActorId id = *cast.add({.model = knight, .placement = …, .play = …}, now);
//   cast.update(now, {.eye = eye});                                who is near; those are advanced and posed
//   for (NearActor& actor : cast.near_actors()) { … IK on actor.animator->edit() … }
//   drawing.update(cast, renderer);                                CastDrawing: both lives go to the renderer
//
// Nothing is seen of the change from one to the other: who comes near begins in the phase of the clip it played and
// goes over to what its animator says within `blend`; who goes away is led to the clip that counts most for its
// animator, and that clip is played on by the crowd. Events and sockets go on all the while.
//
// A clip has the same ClipId in the crowd, the rig and the graph, which are of one character. One thread at a time.

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "throng/animator/animator.h"
#include "throng/base/executor.h"
#include "throng/base/result.h"
#include "throng/playback/crowd.h"

namespace throng {

// Who may be near, how many at once, and how quickly one life turns into the other.
struct NearRule {
  float distance = 15.0f;     // world units from the eye within which characters may be near. 0: does not count
  float height = 0.0f;        // part of the picture's height above which they may be near. 0: does not count
  std::uint32_t budget = 32;  // near at once, at most: those that look tallest; those fading out count too
  // A near character stays near until it is this much (of the bound) beyond it, and ranks this much higher.
  float hysteresis = 0.15f;
  float blend = 0.3f;  // seconds from one to the other
};

// Where it is seen from.
struct CastView {
  glm::vec3 eye{0.0f};
  float vertical_fov_degrees = 32.0f;  // for NearRule::height
};

// A character, until it is removed.
struct ActorId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const ActorId&, const ActorId&) = default;
};

// Overrides the rule for one character. Those kept near count against the budget first.
enum class Nearness : std::uint8_t { by_rule, near, far };

// A character that is near in this image.
struct NearActor {
  ActorId id = {};
  ModelId model = {};
  Animator* animator = nullptr;  // posed; what is edited here is what is drawn
  // How much of the pose comes from the animator: 0 none (as the crowd draws it), 1 all. Weight IK and the like by it,
  // so that they fade in and out with it.
  float presence = 0.0f;
  Placement placement = {};
  Look look = {};
};

// An event that a character met, near or far.
struct ActorEvent {
  ActorId actor = {};
  std::string_view name;  // for as long as the cast is there
  float weight = 1.0f;
};

class Cast {
 public:
  explicit Cast(const NearRule& rule = {});  // a cast without models or characters
  Cast(Cast&&) noexcept;
  Cast& operator=(Cast&&) noexcept;
  ~Cast();

  // A model that actors may be of, and the graph its near ones play. The id is this cast's own, and that of the same
  // character in crowd(). A character that was added before, with that graph, has the id it got then. Refused: a
  // character without motion (the error says to bake its model again), a graph that was built against another one's
  // rig, and a second graph for a character. The cast keeps a copy of the character, which shares storage.
  Result<ModelId> add(const Character& character, std::shared_ptr<const AnimatorGraph> graph);
  // The character of an id that this cast gave. The reference lasts as long as the cast.
  const Character& character(ModelId model) const;

  // Finds a model by name; the error names those spelled like it. Of several models of one name it is the first.
  Result<ModelId> find_model(std::string_view name) const;
  // The clip of that name, or an error that names those spelled like it.
  Result<ClipId> find_clip(ModelId model, std::string_view name) const;
  // The socket of that name, or an error that names those spelled like it.
  Result<SocketId> find_socket(ModelId model, std::string_view name) const;
  // The part of that name, or an error that names those spelled like it.
  Result<PartId> find_part(ModelId model, std::string_view name) const;

  // A character that begins far. Refused as Crowd::add is.
  Result<ActorId> add(const Spawn& spawn, Ticks now);
  // Takes it out. From here on a character that was removed is an error, and nothing is changed by what returns one.
  Result<void> remove(ActorId id);
  Result<void> place(ActorId id, const Placement& placement);  // puts it elsewhere, near or far
  // Another look from now on; one without parts leaves on what it wears.
  Result<void> paint(ActorId id, const Look& look);
  // What it wears from now on, near and far.
  Result<void> wear(ActorId id, PartMask parts);
  Result<PartMask> worn(ActorId id) const;  // what it wears now
  // Dresses it in one of every group of its parts, by seed, near and far.
  Result<void> dress(ActorId id, std::uint64_t seed);
  // What it plays when far. Near, it is what it will play next time it goes away without a clip of its own.
  Result<void> play(ActorId id, const Play& play, Ticks now);
  // Keeps it near or far whatever the rule says, or leaves it to the rule again.
  Result<void> keep(ActorId id, Nearness nearness);
  Result<void> listen(ActorId id);  // its events are told by update() from now on

  Result<bool> is_near(ActorId id) const;  // whether it has an animator now; who is on the way back counts as near
  Result<Placement> placement(ActorId id) const;  // where it is
  Result<InstanceId> instance(ActorId id) const;  // in crowd(), near or far
  // Its animator while it is near, nothing while it is far.
  Result<Animator*> animator(ActorId id);
  // world_from_socket, of a socket of the character. Refused: one on a part that it does not wear.
  Result<SocketPlace> socket(ActorId id, SocketId socket, Ticks now) const;

  // Called for who becomes near, after its animator was brought to the clip it plays and before its first step: to set
  // parameters. And for who became far again, before its animator goes. Both may change the cast.
  using OnChange = std::function<void(ActorId, Animator&)>;
  void on_near(OnChange callback);  // called for who becomes near, before its animator's first step
  void on_far(OnChange callback);   // called for who became far again, before its animator goes

  // To `now`, which does not run backwards: carries out what is due in the crowd, chooses who is near, advances those
  // by the time since the last update, moves them by their root motion, and poses them, on `executor`'s threads. The
  // result is the same whatever their number. Events of those who are listened to are told at the end, those of far
  // ones first, each in order; `on_event` may change the cast.
  void update(Ticks now, const CastView& view, Executor& executor,
              const std::function<void(const ActorEvent&)>& on_event = {});
  void update(Ticks now, const CastView& view);  // in this thread

  std::span<NearActor> near_actors();  // those that are near since the last update, posed
  std::span<const NearActor> near_actors() const;
  const Crowd& crowd() const;           // of all characters; near ones are hidden in it
  const NearRule& rule() const;         // the rule as it is now
  void set_rule(const NearRule& rule);  // another rule, from the next update on
  std::size_t size() const;             // how many characters there are, near and far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace throng
