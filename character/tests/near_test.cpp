// SPDX-License-Identifier: Apache-2.0
// Motion and meshes for near characters: what they promise, what is refused, and that a file keeps them.
#include <functional>

#include "small_asset.h"
#include "small_near.h"

namespace throng {
namespace {

CharacterDraft near_draft() {
  CharacterDraft draft = small_draft();
  add_small_near(draft);
  return draft;
}

template <class T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(NearFile, KeepsThatNoBoneIsTheRoot) {
  CharacterDraft draft = near_draft();
  MotionData data = draft.motion->data();
  data.root_bone.reset();
  draft.motion = build_motion(std::move(data)).value();
  const auto read = decode_character(SharedBytes(file_of(test::built(draft))));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->motion().value().root_bone(), std::nullopt);
}

// Absent, it would be taken from the far half, where these clips have root motion.
TEST(NearFile, KeepsThatAClipIsNotInPlaceThoughItHasRootMotionFar) {
  CharacterDraft draft = near_draft();
  for (BakedClip& clip : draft.clips)
    clip.root_motion.assign(clip.frame_count + (clip.loops ? 1u : 0u), GroundMotion{});
  MotionData data = draft.motion->data();
  for (MotionClip& clip : data.clips) clip.in_place = false;
  draft.motion = build_motion(std::move(data)).value();
  const auto read = decode_character(SharedBytes(file_of(test::built(draft))));
  ASSERT_TRUE(read) << read.error().message;
  const Motion motion = read->motion().value();
  for (const MotionClip& clip : motion.clips()) EXPECT_FALSE(clip.in_place) << clip.name;
}

TEST(NearMesh, FindsPiecesAndMorphTargetsByName) {
  const CharacterDraft draft = near_draft();
  NearMeshData data = draft.near_mesh->data();
  // A second piece that is not drawn and has nothing but a name.
  NearPiece coat = data.pieces[0];
  coat.name = "coat";
  coat.first_vertex = coat.vertex_count;
  coat.first_index = coat.index_count;
  coat.first_chunk = coat.chunk_count;
  coat.first_target = coat.target_count;
  coat.vertex_count = coat.index_count = coat.chunk_count = coat.target_count = 0;
  data.pieces.push_back(coat);
  std::vector<std::uint32_t> boxes(data.boxes.begin(), data.boxes.end());
  append_boxes({}, boxes);
  data.boxes = boxes;
  const auto built = build_near_mesh(std::move(data), *draft.motion);
  ASSERT_TRUE(built) << built.error().message;
  const NearMesh& mesh = *built;
  EXPECT_EQ(mesh.find_piece("body").value(), 0u);
  EXPECT_EQ(mesh.find_piece("coat").value(), 1u);
  EXPECT_EQ(mesh.find_piece("c*").value(), 1u);
  EXPECT_EQ(mesh.find_piece("goat").error().message, "no piece is named 'goat'; did you mean 'coat'?");
  EXPECT_EQ(mesh.find_target("smile").value(), 0u);
  EXPECT_EQ(mesh.find_target("smlie").error().message, "no morph target is named 'smlie'; did you mean 'smile'?");
}

TEST(NearFile, KeepsMotionAndMeshes) {
  const CharacterDraft draft = near_draft();
  const auto read = decode_character(SharedBytes(file_of(test::built(draft))));
  ASSERT_TRUE(read) << read.error().message;
  const Motion motion = read->motion().value();
  const MotionData& before = draft.motion->data();
  EXPECT_TRUE(is_same_character(motion, *draft.motion));
  EXPECT_EQ(motion.root_bone(), before.root_bone);
  EXPECT_EQ(motion.bones()[3].parent, before.bones[3].parent);
  EXPECT_EQ(motion.bones()[2].rest.rotation, before.bones[2].rest.rotation);
  EXPECT_EQ(motion.bones()[2].rest.translation, before.bones[2].rest.translation);
  EXPECT_EQ(motion.sockets()[0].bone_from_socket.translation, before.sockets[0].bone_from_socket.translation);
  EXPECT_EQ(motion.bindings()[5].bone_from_mesh, before.bindings[5].bone_from_mesh);
  EXPECT_EQ(motion.bindings()[5].bone, before.bindings[5].bone);
  EXPECT_EQ(motion.rest_morphs()[0], 0.25f);
  EXPECT_EQ(motion.clips()[0].length, 0.3f);
  EXPECT_TRUE(motion.clips()[0].loops);
  EXPECT_EQ(motion.clips()[0].events, before.clips[0].events);
  EXPECT_TRUE(same_bytes(motion.data().lists, before.lists));
  EXPECT_TRUE(same_bytes(motion.data().times, before.times));
  EXPECT_TRUE(same_bytes(motion.data().values, before.values));
  EXPECT_EQ(motion.keys(0).lists[0].values.size(), 3u * 17u);
  EXPECT_EQ(motion.keys(0).root_path, draft.motion->keys(0).root_path);
  ASSERT_EQ(motion.keys(0).root_path.value().size(), 3u);
  EXPECT_EQ(motion.keys(0).root_path->at(1).translation, glm::dvec3(0.25, 0.0, 0.5));
  EXPECT_EQ(motion.keys(1).root_path, std::nullopt) << "which nobody said";
  EXPECT_TRUE(motion.clips()[0].in_place);
  EXPECT_FALSE(motion.clips()[1].in_place);

  const NearMesh mesh = read->near_mesh().value();
  const NearMeshData& made = draft.near_mesh->data();
  EXPECT_EQ(mesh.pieces()[0].name, "body");
  EXPECT_EQ(mesh.pieces()[0].part, 1u);
  EXPECT_EQ(mesh.target_names()[0], "smile");
  EXPECT_TRUE(same_bytes(mesh.data().vertices, made.vertices));
  EXPECT_TRUE(same_bytes(mesh.data().surfaces, made.surfaces));
  EXPECT_TRUE(same_bytes(mesh.data().extra_influences, made.extra_influences));
  EXPECT_TRUE(same_bytes(mesh.data().morph_firsts, made.morph_firsts));
  EXPECT_TRUE(same_bytes(mesh.data().deltas, made.deltas));
  EXPECT_TRUE(same_bytes(mesh.data().chunks, made.chunks));
  EXPECT_TRUE(same_bytes(mesh.data().columns, made.columns));
  EXPECT_TRUE(same_bytes(mesh.data().indices, made.indices));
  EXPECT_EQ(mesh.boxes(0).dual[0].others, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(mesh.boxes(0).linear[0].largest, 3.0f);
  EXPECT_EQ(mesh.bindings(0).size(), kSmallBindings);
  EXPECT_EQ(mesh.anchors()[2].position, glm::vec3(0.5f, 0.5f, 0.25f));
}

CharacterDraft channel_draft() {
  CharacterDraft draft = made_draft(Encoding::localv, {}, {0, 2, 3});
  add_small_near(draft);
  return draft;
}

// The words are in the file once: near and far look at the same ones.
TEST(NearFile, KeepsOneCopyOfWordsInLocalv) {
  const CharacterDraft draft = channel_draft();
  const auto read = decode_character(SharedBytes(file_of(test::built(draft))));
  ASSERT_TRUE(read) << read.error().message;
  const Motion motion = read->motion().value();
  const MotionData& before = draft.motion->data();
  EXPECT_EQ(motion.channels().words.data(), read->channel_words().data());
  EXPECT_EQ(motion.channels().words.size(), before.channels.words.size());
  EXPECT_TRUE(are_same(motion.channels(), before.channels));
  ASSERT_TRUE(motion.clips()[0].frames);
  EXPECT_EQ(motion.clips()[0].frames, before.clips[0].frames);
  EXPECT_EQ(motion.clips()[0].frames->words, read->clips()[0].channels);
  EXPECT_EQ(motion.bones()[1].still->rotation, before.bones[1].still->rotation);
  EXPECT_TRUE(motion.channels().bones[1].covered);
  EXPECT_FALSE(motion.channels().bones[4].covered);
  EXPECT_TRUE(same_bytes(motion.keys(0).ground.values, draft.motion->keys(0).ground.values));
  EXPECT_EQ(motion.keys(0).ground.times.size(), 3u);
  EXPECT_TRUE(motion.keys(0).still.rotations.empty());
  EXPECT_EQ(motion.keys(0).lists[0].rotations[0], 1u);
}

TEST(NearFile, KeepsWordsThatFarCharactersDoNotHave) {
  const CharacterDraft draft = channel_draft();
  const auto read = decode_character(SharedBytes(file_of(test::built(draft))));
  ASSERT_TRUE(read) << read.error().message;
  const Motion motion = read->motion().value();
  const MotionData& before = draft.motion->data();
  EXPECT_TRUE(are_same(motion.own_channels(), before.own_channels));
  EXPECT_EQ(motion.clips()[0].own_frames, before.clips[0].own_frames);
  const BoneChannels& bone = motion.own_channels().bones[8];
  ASSERT_TRUE(bone.covered);
  EXPECT_FALSE(motion.own_channels().bones[7].covered);
  EXPECT_EQ(bone.still.translation, glm::dvec3(0.5, 0.25, 0.125));
  // Half a step of what they were made from, in the last of its frames.
  const ChannelReader reader(motion.own_channels().words, motion.clips()[0].own_frames->words);
  const ChannelFrames last = reader.frames_at(3, 0, 0.0);
  EXPECT_LT(glm::distance(reader.vector(*bone.translation, last).value(), glm::dvec3(0.1, 0.2, 0.4)), 1e-4);
  EXPECT_LT(glm::distance(reader.vector(*bone.scale, last).value(), glm::dvec3(1.0, 1.0, 0.5)), 1e-4);
}

TEST(BuildCharacter, RefusesOtherWordsNearThanFar) {
  const auto refusal = [](const std::function<void(CharacterDraft&)>& change) {
    CharacterDraft draft = channel_draft();
    change(draft);
    const auto made = build_character(std::move(draft));
    return made ? std::string("nothing") : made.error().message;
  };
  ASSERT_EQ(refusal([](CharacterDraft&) {}), "nothing");
  const std::string slot =
      refusal([](CharacterDraft& draft) { std::swap(draft.skeleton[0].bone, draft.skeleton[2].bone); });
  EXPECT_NE(slot.find("other words than far ones"), std::string::npos) << slot;
  const std::string twice = refusal([](CharacterDraft& draft) { draft.skeleton[0].bone = 2; });
  EXPECT_NE(twice.find("or one that another is"), std::string::npos) << twice;
  const std::string outside = refusal([](CharacterDraft& draft) { draft.skeleton[0].bone = kChannelBones; });
  EXPECT_NE(outside.find("is bone 9 of 9"), std::string::npos) << outside;
  const std::string frames = refusal([](CharacterDraft& draft) { draft.clips[0].frame_count -= 1; });
  EXPECT_NE(frames.find("in other frames near than far"), std::string::npos) << frames;
}

TEST(NearFile, OfCharactersWithoutThemSaysWhyAndToBakeAgain) {
  const Character far = small_model();
  ASSERT_FALSE(far.motion());
  ASSERT_FALSE(far.near_mesh());
  const std::string why =
      " for near characters: it was baked without `near`, or its file is older than version 3; bake the model again "
      "with "
      "`near`";
  EXPECT_EQ(far.motion().error().message, "'" + far.name() + "' has no motion" + why);
  EXPECT_EQ(far.near_mesh().error().message, "'" + far.name() + "' has no meshes" + why);
}

TEST(BuildCharacter, RefusesMeshesOfAnotherMotion) {
  CharacterDraft draft = near_draft();
  draft.motion.reset();
  EXPECT_FALSE(build_character(draft));
  draft = near_draft();
  MotionData other = draft.motion->data();
  other.bindings.pop_back();
  draft.motion = build_motion(std::move(other)).value();
  EXPECT_FALSE(build_character(std::move(draft)));
}

TEST(BuildCharacter, RefusesPiecesOfMaterialsAndPartsThatItDoesNotHave) {
  const auto refusal = [](const std::function<void(NearPiece&)>& change) {
    CharacterDraft draft = near_draft();
    NearMeshData data = draft.near_mesh->data();
    change(data.pieces[0]);
    draft.near_mesh = build_near_mesh(std::move(data), *draft.motion).value();
    const auto made = build_character(std::move(draft));
    return made ? std::string("nothing") : made.error().message;
  };
  EXPECT_EQ(refusal([](NearPiece& piece) { piece.material = 1; }), "nothing");
  EXPECT_EQ(refusal([](NearPiece& piece) { piece.material = 2; }), "piece 'body' has material 2 of 2");
  EXPECT_EQ(refusal([](NearPiece& piece) { piece.part = 2; }), "nothing");
  EXPECT_EQ(refusal([](NearPiece& piece) { piece.part = 3; }), "piece 'body' is of part 3 of 3");
}

TEST(BuildCharacter, RefusesClipsThatAreOthersNearThanFar) {
  const auto refusal = [](const std::function<void(CharacterDraft&)>& change) {
    CharacterDraft draft = near_draft();
    change(draft);
    const auto made = build_character(std::move(draft));
    return made ? std::string("nothing") : made.error().message;
  };
  ASSERT_EQ(refusal([](CharacterDraft&) {}), "nothing");
  const std::string swapped = refusal([](CharacterDraft& draft) { std::swap(draft.clips[1], draft.clips[3]); });
  EXPECT_NE(swapped.find("clip 1 is 'fall' near and 'step' far"), std::string::npos) << swapped;
  const std::string fewer = refusal([](CharacterDraft& draft) { draft.clips.pop_back(); });
  EXPECT_NE(fewer.find("near characters have 4 clips and far ones 3"), std::string::npos) << fewer;
  const std::string loops = refusal([](CharacterDraft& draft) { draft.clips[1].loops = true; });
  EXPECT_NE(loops.find("clip 'fall' loops for far characters only"), std::string::npos) << loops;
  const std::string longer = refusal([](CharacterDraft& draft) { draft.clips[1].length = 0.31; });
  EXPECT_NE(longer.find("clip 'fall' lasts 0.3 s near and 0.31 s far"), std::string::npos) << longer;
  const std::string other = refusal([](CharacterDraft& draft) { draft.clips[1].events[1].time = 0.21; });
  EXPECT_NE(other.find("clip 'fall' has other events near than far"), std::string::npos) << other;
}

// As floats some clips are shorter than as doubles, and near ones have their events within those.
TEST(BuildCharacter, TakesAnEventAtTheEndOfAClipWhoseNearLengthIsRoundedDown) {
  constexpr double kLength = 0.7;
  constexpr double kNearLength = static_cast<double>(static_cast<float>(kLength));
  static_assert(kNearLength < kLength);
  CharacterDraft draft = small_draft();
  draft.clips[1].length = kLength;
  add_small_near(draft);
  draft.clips[1].events = {{kLength, "lands"}};
  const auto built_with = [&draft](double time) {
    MotionData data = draft.motion->data();
    data.clips[1].events = {{time, "lands"}};
    draft.motion = build_motion(std::move(data)).value();
    return build_character(draft);
  };
  const auto made = built_with(kNearLength);
  EXPECT_TRUE(made) << made.error().message;
  EXPECT_FALSE(built_with(0.69)) << "it is another moment";
}

// Facts and words that near characters have too are looked at with them; those of far ones alone are not forgotten.
TEST(BuildCharacter, RefusesWhatOnlyFarCharactersPlay) {
  const auto refusal = [](CharacterDraft draft, const std::function<void(CharacterDraft&)>& change) {
    change(draft);
    const auto made = build_character(std::move(draft));
    return made ? std::string("nothing") : made.error().message;
  };
  // Between a clip's length and that as a float, where near ones are put to the end.
  CharacterDraft timed = near_draft();
  MotionData facts = timed.motion->data();
  timed.clips[0].length = std::nextafter(0.3, 1.0);
  ASSERT_GT(static_cast<double>(0.3f), timed.clips[0].length) << "for the next to mean something";
  for (double* time : {&timed.clips[0].events[1].time, &facts.clips[0].events[1].time})
    *time = static_cast<double>(0.3f);
  timed.motion = build_motion(std::move(facts)).value();
  EXPECT_NE(refusal(timed, [](CharacterDraft&) {}).find("outside the clip"), std::string::npos);

  // A link that is no bone follows a slot of another kind; words of a clip that is all keys near.
  const std::string slot = refusal(channel_draft(), [](CharacterDraft& draft) {
    ASSERT_FALSE(draft.skeleton[1].bone);
    draft.skeleton[1].rotation_slot = static_cast<std::uint32_t>(draft.channel_slots.size());
  });
  EXPECT_NE(slot.find("link 1 of the skeleton follows a slot that does not exist"), std::string::npos) << slot;
  const std::string words = refusal(channel_draft(), [](CharacterDraft& draft) {
    draft.motion.reset();
    draft.near_mesh.reset();
    draft.clips[0].channels.stored_frames = 0;
  });
  EXPECT_NE(words.find("has no stored frames"), std::string::npos) << words;
  const std::string bone = refusal(channel_draft(), [](CharacterDraft& draft) {
    draft.motion.reset();
    draft.near_mesh.reset();
    draft.skeleton[0].rotation_slot = 99;
  });
  EXPECT_NE(bone.find("link 0 of the skeleton follows a slot that does not exist"), std::string::npos) << bone;
}

// Words that far and near characters play are looked at when the motion is built, and not a second time. To see it,
// they change after the first.
TEST(BuildCharacter, LooksOnceAtTheWordsOfLocalv) {
  CharacterDraft draft = channel_draft();
  std::vector<std::uint32_t> words(draft.channel_words.begin(), draft.channel_words.end());
  MotionData data = draft.motion->data();
  draft.channel_words = data.channels.words = words;
  draft.motion = build_motion(data).value();
  words[0] = 0;  // two slots that lie in the table of slots
  ASSERT_FALSE(build_motion(data));
  const auto made = build_character(draft);
  EXPECT_TRUE(made) << made.error().message;
  draft.motion.reset();
  draft.near_mesh.reset();
  EXPECT_FALSE(build_character(draft)) << "nobody has looked at them";
}

struct MotionCase {
  const char* name;
  std::function<void(MotionData&)> change;
};

class RefusedMotion : public testing::TestWithParam<MotionCase> {};

TEST_P(RefusedMotion, IsRefused) {
  MotionData data = near_draft().motion->data();
  ASSERT_TRUE(build_motion(data));
  GetParam().change(data);
  EXPECT_FALSE(build_motion(std::move(data)));
}

// The data with one array copied and changed.
template <class T>
std::function<void(MotionData&)> changed(std::span<const T> MotionData::*array,
                                         std::function<void(std::vector<T>&)> change) {
  return [array, change](MotionData& data) {
    const auto copy = std::make_shared<std::vector<T>>((data.*array).begin(), (data.*array).end());
    change(*copy);
    data.*array = *copy;
    data.storage =
        SharedBytes(std::make_shared<std::pair<SharedBytes, std::shared_ptr<std::vector<T>>>>(data.storage, copy), {});
  };
}
using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

INSTANTIATE_TEST_SUITE_P(
    EachPromise, RefusedMotion,
    testing::Values(
        MotionCase{"no_bones", [](MotionData& d) { d.bones.clear(); }},
        MotionCase{"parent_after", [](MotionData& d) { d.bones[1].parent = 1; }},
        MotionCase{"rest_not_unit", [](MotionData& d) { d.bones[1].rest.rotation *= 1.1; }},
        MotionCase{"root_bone", [](MotionData& d) { d.root_bone = kSmallBones; }},
        MotionCase{"socket_bone", [](MotionData& d) { d.sockets[0].bone = kSmallBones; }},
        MotionCase{"binding_bone", [](MotionData& d) { d.bindings[0].bone = kSmallBones; }},
        MotionCase{"binding_not_finite", [](MotionData& d) { d.bindings[0].bone_from_mesh[1][1] = std::nan(""); }},
        MotionCase{"morph_not_finite", [](MotionData& d) { d.rest_morphs[0] = std::nanf(""); }},
        MotionCase{"length", [](MotionData& d) { d.clips[0].length = 0.25f; }},
        MotionCase{"event_outside", [](MotionData& d) { d.clips[0].events[1].time = 0.6; }},
        MotionCase{"event_order", [](MotionData& d) { d.clips[0].events[0].time = 0.2000001; }},
        MotionCase{"list_missing", [](MotionData& d) { d.clips[0].list_count = 0; }},
        MotionCase{"list_too_many", [](MotionData& d) { d.clips[0].list_count = 2; }},
        MotionCase{"group", changed<std::uint32_t>(&MotionData::lists, [](Words& w) { w[5] = 2; })},
        MotionCase{"group_twice", changed<std::uint32_t>(&MotionData::lists, [](Words& w) { w[5] = 0; })},
        MotionCase{"morph_run", changed<std::uint32_t>(&MotionData::lists, [](Words& w) { w[16] = 1; })},
        MotionCase{"huge_count", changed<std::uint32_t>(&MotionData::lists, [](Words& w) { w[10] = 0xFFFFFFFFu; })},
        MotionCase{"huge_run", changed<std::uint32_t>(&MotionData::lists, [](Words& w) { w[17] = 0xFFFFFFFFu; })},
        MotionCase{"time_falls", changed<float>(&MotionData::times, [](Floats& f) { f[2] = 0.6f; })},
        MotionCase{"time_not_finite", changed<float>(&MotionData::times, [](Floats& f) { f[2] = std::nanf(""); })},
        MotionCase{"first_time", changed<float>(&MotionData::times, [](Floats& f) { f[1] = 0.1f; })},
        MotionCase{"value_not_finite", changed<float>(&MotionData::values, [](Floats& v) { v[20] = std::nanf(""); })},
        MotionCase{"rotation_not_unit", changed<float>(&MotionData::values, [](Floats& v) { v[13] = 1.1f; })},
        MotionCase{"long_way_round", changed<float>(&MotionData::values, [](Floats& v) { v[64 + 17 + 13] = -1.0f; })},
        MotionCase{"root_place", [](MotionData& d) { d.clips[0].root_steps = 1; }},
        MotionCase{"root_steps", [](MotionData& d) { d.clips[0].root_steps = 2; }},
        MotionCase{"root_steps_too_many", [](MotionData& d) { d.clips[0].root_steps = 0xFFFFFFFFu; }},
        MotionCase{"root_path", changed<float>(&MotionData::root_paths, [](Floats& f) { f[4] = std::nanf(""); })},
        MotionCase{"values_left", changed<float>(&MotionData::values, [](Floats& v) { v.push_back(0.0f); })}),
    [](const auto& one) { return std::string(one.param.name); });

class RefusedChannelMotion : public testing::TestWithParam<MotionCase> {};

TEST_P(RefusedChannelMotion, IsRefused) {
  MotionData data = channel_draft().motion->data();
  ASSERT_TRUE(build_motion(data));
  GetParam().change(data);
  EXPECT_FALSE(build_motion(std::move(data)));
}

INSTANTIATE_TEST_SUITE_P(
    EachPromise, RefusedChannelMotion,
    testing::Values(
        MotionCase{"bones", [](MotionData& d) { d.channels.bones.pop_back(); }},
        MotionCase{"no_bones", [](MotionData& d) { d.channels.bones.clear(); }},
        MotionCase{"slot", [](MotionData& d) { d.channels.bones[0].rotation = 99; }},
        MotionCase{"kind", [](MotionData& d) { d.channels.bones[0].rotation = d.channels.bones[0].translation; }},
        MotionCase{"keys_too",
                   [](MotionData& d) {
                     for (std::size_t bone = 4; bone < 8; ++bone) d.channels.bones[bone].covered = true;
                   }},
        MotionCase{"no_keys", [](MotionData& d) { d.channels.bones[3] = {}; }},
        MotionCase{"slot_and_keys", [](MotionData& d) { d.channels.bones[4].rotation = 0; }},
        MotionCase{"still", [](MotionData& d) { d.channels.bones[1].still.rotation *= 1.1; }},
        MotionCase{"still_bone", [](MotionData& d) { d.bones[1].still->translation.x = std::nan(""); }},
        MotionCase{"all_keys", [](MotionData& d) { d.clips[0].frames.reset(); }},
        MotionCase{"frames", [](MotionData& d) { d.clips[0].frames->frame_count = 0; }},
        MotionCase{"more_frames", [](MotionData& d) { d.clips[0].frames->frame_count = 1u << 31; }},
        MotionCase{"first_word", [](MotionData& d) { d.clips[0].frames->words.first_word = 0xFFFFFFF0u; }},
        MotionCase{"words", [](MotionData& d) { d.channels.words = d.channels.words.first(8); }},
        MotionCase{"own_bones", [](MotionData& d) { d.own_channels.bones.pop_back(); }},
        MotionCase{"own_no_bones", [](MotionData& d) { d.own_channels.bones.clear(); }},
        MotionCase{"own_slot", [](MotionData& d) { d.own_channels.bones[8].rotation = 3; }},
        MotionCase{"own_kind", [](MotionData& d) { d.own_channels.bones[8].rotation = 1; }},
        MotionCase{"own_still", [](MotionData& d) { d.own_channels.bones[8].still.rotation *= 1.1; }},
        MotionCase{"own_and_far", [](MotionData& d) { d.own_channels.bones[0].covered = true; }},
        MotionCase{"own_not_covered", [](MotionData& d) { d.own_channels.bones[8] = {}; }},
        MotionCase{"own_words", [](MotionData& d) { d.own_channels.words = d.own_channels.words.first(8); }},
        MotionCase{"own_frames", [](MotionData& d) { d.clips[0].own_frames->frame_count = 5; }},
        MotionCase{"no_own_frames", [](MotionData& d) { d.clips[0].own_frames.reset(); }},
        MotionCase{"ground_count", [](MotionData& d) { d.clips[0].ground_count = 2; }},
        MotionCase{"ground_far_too_many", [](MotionData& d) { d.clips[0].ground_count = 0xFFFFFFFFu; }},
        MotionCase{"ground_time", changed<float>(&MotionData::times, [](Floats& f) { f[4] = 2.0f * f[5]; })},
        MotionCase{"ground_end", changed<float>(&MotionData::times, [](Floats& f) { f[5] *= 2.0f; })},
        MotionCase{"ground", changed<float>(&MotionData::values, [](Floats& v) { v.back() = std::nanf(""); })}),
    [](const auto& one) { return std::string(one.param.name); });

struct MeshCase {
  const char* name;
  std::function<void(NearMeshData&)> change;
};
class RefusedNearMesh : public testing::TestWithParam<MeshCase> {};

TEST_P(RefusedNearMesh, IsRefused) {
  const CharacterDraft draft = near_draft();
  NearMeshData data = draft.near_mesh->data();
  ASSERT_TRUE(build_near_mesh(data, *draft.motion));
  GetParam().change(data);
  EXPECT_FALSE(build_near_mesh(std::move(data), *draft.motion));
}

template <class T>
std::function<void(NearMeshData&)> altered(std::span<const T> NearMeshData::*array,
                                           std::function<void(std::vector<T>&)> change) {
  return [array, change](NearMeshData& data) {
    const auto copy = std::make_shared<std::vector<T>>((data.*array).begin(), (data.*array).end());
    change(*copy);
    data.*array = *copy;
    data.storage =
        SharedBytes(std::make_shared<std::pair<SharedBytes, std::shared_ptr<std::vector<T>>>>(data.storage, copy), {});
  };
}
using Quads = std::vector<glm::uvec4>;
using Chunks = std::vector<gpu::ChunkRecord>;

// Another least weight of the box that dual quaternions are bounded by, which has 0.5.
std::function<void(Words&)> weigh(float least) {
  return [least](Words& words) {
    const auto at = std::ranges::find(words, std::bit_cast<std::uint32_t>(0.5f));
    ASSERT_NE(at, words.end());
    *at = std::bit_cast<std::uint32_t>(least);
  };
}

INSTANTIATE_TEST_SUITE_P(
    EachPromise, RefusedNearMesh,
    testing::Values(
        MeshCase{"vertices_left_out", [](NearMeshData& d) { d.pieces[0].vertex_count = 3; }},
        MeshCase{"no_triangles", [](NearMeshData& d) { d.pieces[0].index_count = 0; }},
        MeshCase{"names", [](NearMeshData& d) { d.target_names.clear(); }},
        MeshCase{"position", altered<glm::uvec4>(&NearMeshData::vertices, [](Quads& v) { v[2].x = 0x7F800000u; })},
        MeshCase{"column", altered<glm::uvec4>(&NearMeshData::vertices, [](Quads& v) { v[1].x = kSmallBindings; })},
        MeshCase{"weights", altered<glm::uvec4>(&NearMeshData::vertices, [](Quads& v) { v[1].y |= 0x1FFFFFu; })},
        MeshCase{"extra_column", altered<glm::uvec4>(&NearMeshData::extra_influences, [](Quads& v) { v[3].x = 6; })},
        MeshCase{"extra_missing", altered<glm::uvec4>(&NearMeshData::extra_influences, [](Quads& v) { v.pop_back(); })},
        MeshCase{"flags",
                 altered<gpu::ChunkRecord>(&NearMeshData::chunks, [](Chunks& c) { c[0].flags |= gpu::kSkinUneven; })},
        MeshCase{"columns", altered<gpu::ChunkRecord>(&NearMeshData::chunks, [](Chunks& c) { c[0].column_count = 7; })},
        MeshCase{"first_column",
                 altered<gpu::ChunkRecord>(&NearMeshData::chunks, [](Chunks& c) { c[0].first_column = 0xFFFFFFFFu; })},
        MeshCase{"binding", altered<std::uint32_t>(&NearMeshData::columns, [](Words& w) { w[0] = kSmallBindings; })},
        MeshCase{"index", altered<std::uint32_t>(&NearMeshData::indices, [](Words& w) { w[5] = 4; })},
        MeshCase{"morph_order", altered<std::uint32_t>(&NearMeshData::morph_firsts, [](Words& w) { w[1] = 3; })},
        MeshCase{"morph_end", altered<std::uint32_t>(&NearMeshData::morph_firsts, [](Words& w) { w[4] = 5; })},
        MeshCase{"target", altered<gpu::MorphDelta>(&NearMeshData::deltas, [](auto& d) { d[0].target = 1; })},
        MeshCase{"box_binding", altered<std::uint32_t>(&NearMeshData::boxes, [](Words& w) { w[1] = kSmallBindings; })},
        MeshCase{"box_count", altered<std::uint32_t>(&NearMeshData::boxes, [](Words& w) { w[0] = 0xFFFFFFFFu; })},
        MeshCase{"box_weight_of_nothing", altered<std::uint32_t>(&NearMeshData::boxes, weigh(0.0f))},
        MeshCase{"box_weight_above_one", altered<std::uint32_t>(&NearMeshData::boxes, weigh(1.5f))},
        MeshCase{"first_binding",
                 altered<gpu::ChunkRecord>(&NearMeshData::chunks, [](Chunks& c) { c[0].first_binding = 1; })},
        MeshCase{"boxes_left", altered<std::uint32_t>(&NearMeshData::boxes, [](Words& w) { w.push_back(0); })}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace throng
