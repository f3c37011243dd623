// SPDX-License-Identifier: Apache-2.0
// What a crowd refuses: in one line that says what to do, and without a change to anyone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "two_clips.h"

namespace throng {
namespace {

struct Refused {
  const char* what;  // the message says
  std::function<Result<void>(Crowd&, InstanceId)> call;
};

template <class T>
Result<void> only_whether(Result<T> result) {
  if (!result) return fail(std::move(result));
  return {};
}

std::vector<Refused> bad_numbers() {
  return {
      {"clip 3 does not exist", [](Crowd& c, InstanceId id) { return c.play(id, {.clip = ClipId(3)}, 0); }},
      {"clip 3 does not exist", [](Crowd& c, InstanceId id) { return c.queue(id, {.clip = ClipId(3)}, 0); }},
      {"no clip is named 'fly'", [](Crowd& c, InstanceId id) { return c.play(id, "fly", {}, 0); }},
      {"the speed is nan", [](Crowd& c, InstanceId id) { return c.play(id, {.speed = NAN}, 0); }},
      {"the offset is inf", [](Crowd& c, InstanceId id) { return c.queue(id, {.offset = INFINITY}, 0); }},
      {"the fade is -1 s", [](Crowd& c, InstanceId id) { return c.queue(id, {.fade = -1.0}, 0); }},
      {"the speed is inf", [](Crowd& c, InstanceId id) { return c.set_speed(id, INFINITY, 0); }},
      {"the time to seek is nan", [](Crowd& c, InstanceId id) { return c.seek(id, NAN, 0); }},
      {"the position is",
       [](Crowd& c, InstanceId id) {
         return c.place(id, {.position = {NAN, 0.0f, 0.0f}});
       }},
      {"socket 0 does not exist", [](Crowd& c, InstanceId id) { return only_whether(c.socket(id, SocketId(0), 0)); }},
  };
}

std::vector<Refused> every_call() {
  const char* removed = "instance 0 was removed";
  return {
      {removed, [](Crowd& c, InstanceId id) { return c.remove(id); }},
      {removed, [](Crowd& c, InstanceId id) { return c.place(id, {}); }},
      {removed, [](Crowd& c, InstanceId id) { return c.paint(id, {}); }},
      {removed, [](Crowd& c, InstanceId id) { return c.play(id, {}, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.play(id, "walk", {}, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.queue(id, {}, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.clear_queue(id); }},
      {removed, [](Crowd& c, InstanceId id) { return c.set_speed(id, 1.0, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.seek(id, 1.0, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.pause(id, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.resume(id, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.listen(id); }},
      {removed, [](Crowd& c, InstanceId id) { return c.unlisten(id); }},
      {removed, [](Crowd& c, InstanceId id) { return c.move_by_clips(id, true, 0); }},
      {removed, [](Crowd& c, InstanceId id) { return c.fire_events(id, 0, 9, [](const FiredEvent&) {}); }},
      {removed, [](Crowd& c, InstanceId id) { return only_whether(c.state(id, 0)); }},
      {removed, [](Crowd& c, InstanceId id) { return only_whether(c.placement(id)); }},
      {removed, [](Crowd& c, InstanceId id) { return only_whether(c.socket(id, SocketId(0), 0)); }},
      {removed, [](Crowd& c, InstanceId id) { return only_whether(c.find(id)); }},
  };
}

// Whether nobody of the crowd was touched by the calls.
void expect_refused(Crowd& crowd, InstanceId id, const std::vector<Refused>& calls) {
  const std::uint64_t version = crowd.version(ModelId(0));
  const std::vector<PlayRecord> plays(crowd.plays(ModelId(0)).begin(), crowd.plays(ModelId(0)).end());
  for (const Refused& refused : calls) {
    const auto result = refused.call(crowd, id);
    ASSERT_FALSE(result) << refused.what;
    EXPECT_EQ(result.error().message.find(refused.what), 0u) << result.error().message;
    EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(crowd.version(ModelId(0)), version);
  ASSERT_EQ(crowd.plays(ModelId(0)).size(), plays.size());
  EXPECT_EQ(std::memcmp(crowd.plays(ModelId(0)).data(), plays.data(), plays.size() * sizeof(PlayRecord)), 0);
}

TEST(BadInput, NumbersThatAreNoneAndClipsThatAreNotThereChangeNothing) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add({}, 0).value();
  expect_refused(crowd, id, bad_numbers());
  EXPECT_EQ(crowd.state(id, 0)->queued, 0u);
}

TEST(BadInput, AnInstanceThatWasRemovedIsRefusedByEveryCallAndNoOtherIsTouched) {
  Crowd crowd(two_clips());
  const InstanceId gone = crowd.add({}, 0).value();
  ASSERT_TRUE(crowd.listen(gone));
  ASSERT_TRUE(crowd.queue(gone, {.clip = ClipId(1)}, 0));
  ASSERT_TRUE(crowd.remove(gone));
  const InstanceId other = crowd.add({}, 0).value();
  ASSERT_EQ(other.slot, gone.slot);
  expect_refused(crowd, gone, every_call());
  std::size_t fired = 0;
  crowd.advance(ticks(50.0), [&](const FiredEvent&) { ++fired; });
  EXPECT_EQ(fired, 0u) << "what the one before was told is not the new one's business";
  EXPECT_EQ(crowd.state(other, ticks(50.0))->track.clip, ClipId(0));
}

TEST(BadInput, AModelThatDoesNotExistHasNobody) {
  const Crowd crowd;
  EXPECT_EQ(crowd.model_count(), 0u);
  EXPECT_TRUE(crowd.instances(ModelId(0)).empty());
  EXPECT_TRUE(crowd.plays(ModelId(7)).empty());
  EXPECT_EQ(crowd.version(ModelId(3)), 0u);
  EXPECT_FALSE(crowd.changes_since(ModelId(3), 0));
  std::vector<Cursor> cursors(4);
  EXPECT_EQ(crowd.tick(ModelId(3), 0, cursors), 0u);
}

}  // namespace
}  // namespace throng
