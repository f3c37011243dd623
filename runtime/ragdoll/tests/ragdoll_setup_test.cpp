// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiled_rig.h"
#include "fallen.h"
#include "joints.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

using test::mannequin;
using test::mannequin_rig;
using test::mannequin_setup;

const RagdollBody* body_named(const RagdollSetup& setup, std::string_view name) {
  for (const RagdollBody& b : setup.bodies()) {
    if (setup.rig().bone_name(b.bone) == name) return &b;
  }
  return nullptr;
}

TEST(RagdollSetup, GivesAMannequinTheBodiesOfAHuman) {
  const RagdollSetup& setup = *mannequin_setup();
  for (const char* name : {"hips", "head", "upper_arm.L", "forearm.R", "thigh.L", "shin.R"}) {
    EXPECT_NE(body_named(setup, name), nullptr) << name;
  }
  EXPECT_EQ(body_named(setup, "root"), nullptr);
  EXPECT_EQ(body_named(setup, "fingertips.L"), nullptr) << "too small: moves with the hand or forearm";
  EXPECT_GE(setup.bodies().size(), 11u);
  EXPECT_LE(setup.bodies().size(), 24u);
  std::size_t roots = 0;
  float mass = 0.0f;
  for (std::size_t i = 0; i < setup.bodies().size(); ++i) {
    const RagdollBody& b = setup.bodies()[i];
    roots += b.parent < 0;
    EXPECT_LT(b.parent, static_cast<std::int32_t>(i));
    EXPECT_GT(b.mass, 0.0f);
    EXPECT_GT(std::min({b.half.x, b.half.z}), 0.0f);
    mass += b.mass;
  }
  EXPECT_EQ(roots, 1u);
  EXPECT_NEAR(mass, 75.0f, 8.0f);
  EXPECT_EQ(setup.bodies()[0].bone, mannequin_rig()->find_bone("hips").value());
}

TEST(RagdollSetup, FitsBodiesToTheirVertices) {
  // A shin of 0.4 m or so, as thick as a leg, in the middle of its bone.
  const RagdollBody* shin = body_named(*mannequin_setup(), "shin.L");
  ASSERT_NE(shin, nullptr);
  EXPECT_GT(shin->half.y + shin->half.x, 0.15f);
  EXPECT_LT(shin->half.y + shin->half.x, 0.3f);
  EXPECT_GT(shin->half.x, 0.025f);
  EXPECT_LT(shin->half.x, 0.12f);
  EXPECT_GT(shin->centre.y, 0.1f) << "the bone's y axis leads to the ankle";
  EXPECT_LT(glm::length(glm::vec2(shin->centre.x, shin->centre.z)), 0.05f);
}

TEST(RagdollSetup, MakesHingesOfKneesAndElbowsThatFoldTheRightWay) {
  const RagdollSetup& setup = *mannequin_setup();
  for (const char* name : {"shin.L", "shin.R", "forearm.L", "forearm.R"}) {
    const RagdollBody* b = body_named(setup, name);
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->joint, JointKind::hinge) << name;
    // Bent by a right angle about the axis: shins go back, forearms forward.
    const Affine& rest = setup.rig().rest_models()[b->bone];
    const glm::vec3 axis = rotation_of(rest) * (b->joint_rotation * glm::vec3(0, 0, 1));
    const glm::vec3 along = rotation_of(rest) * glm::normalize(b->centre);
    const glm::vec3 bent = glm::angleAxis(1.57f, axis) * along;
    const float towards = std::string_view(name).starts_with("shin") ? -1.0f : 1.0f;
    EXPECT_GT(bent.z * towards, 0.8f) << name;
    EXPECT_GT(b->hinge_range.y, 1.5f);
    EXPECT_GT(b->hinge_range.x, -0.5f);
  }
  EXPECT_EQ(body_named(setup, "head")->joint, JointKind::cone_twist);
}

TEST(RagdollSetup, KnowsBonesByTheNamesToolsGiveThem) {
  struct Row {
    const char* name;
    const char* parent;
    Limb limb;
  };
  for (const Row& row : {Row{"mixamorig:LeftLeg", "mixamorig:LeftUpLeg", Limb::knee},
                         Row{"mixamorig:LeftUpLeg", "mixamorig:Hips", Limb::thigh},
                         Row{"mixamorig:RightForeArm", "mixamorig:RightArm", Limb::elbow},
                         Row{"mixamorig:RightArm", "mixamorig:RightShoulder", Limb::upper_arm},
                         Row{"Bip01 L Calf", "Bip01 L Thigh", Limb::knee}, Row{"lowerarm_l", "upperarm_l", Limb::elbow},
                         Row{"upperarm_l", "clavicle_l", Limb::upper_arm}, Row{"calf_twist_01_l", "calf_l", Limb::knee},
                         Row{"LowerLeg.L", "UpperLeg.L", Limb::knee}, Row{"Spine2", "Spine1", Limb::spine},
                         Row{"Neck", "Spine2", Limb::head}, Row{"Foot.R", "LowerLeg.R", Limb::extremity},
                         Row{"tail_03", "tail_02", Limb::other}}) {
    EXPECT_EQ(guess_limb(row.name, row.parent), row.limb) << row.name;
  }
}

TEST(RagdollSetup, TakesOverridesByName) {
  RagdollSettings s;
  s.mass = 100.0f;
  s.bones = {{.bone = "head", .shape = BodyShape::none},
             {.bone = "hand.L", .shape = BodyShape::box},
             {.bone = "shin.L", .joint = JointKind::cone_twist, .mass = 9.0f, .swing = 0.3f},
             {.bone = "shin.R", .hinge_range = glm::vec2(-0.1f, 0.2f)}};
  const auto setup = test::ragdoll_of(mannequin(), mannequin_rig(), s).value();
  EXPECT_EQ(body_named(*setup, "head"), nullptr);
  ASSERT_NE(body_named(*setup, "hand.L"), nullptr);
  EXPECT_EQ(body_named(*setup, "hand.L")->shape, BodyShape::box);
  EXPECT_EQ(body_named(*setup, "shin.L")->joint, JointKind::cone_twist);
  EXPECT_FLOAT_EQ(body_named(*setup, "shin.L")->mass, 9.0f);
  EXPECT_FLOAT_EQ(body_named(*setup, "shin.L")->swing, 0.3f);
  EXPECT_FLOAT_EQ(body_named(*setup, "shin.R")->hinge_range.y, 0.2f);
  const std::uint32_t head = mannequin_rig()->find_bone("head").value();
  EXPECT_TRUE(setup->body_of(head).has_value()) << "carried by the one above";
}

TEST(RagdollSetup, RefusesWhatCannotBeInOneLine) {
  const auto refused = [](const RagdollSettings& s) {
    const auto built = test::ragdoll_of(mannequin(), mannequin_rig(), s);
    return built ? std::string() : built.error().message;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(refused({.bones = {{.bone = "haed"}}}).find("head"), std::string::npos)
      << refused({.bones = {{.bone = "haed"}}});
  EXPECT_NE(refused({.mass = 0.0f}).find("mass"), std::string::npos);
  EXPECT_NE(refused({.mass = nan}), "");
  EXPECT_NE(refused({.bones = {{.bone = "head", .swing = nan}}}).find("head"), std::string::npos);
  EXPECT_NE(refused({.bones = {{.bone = "shin.L", .hinge_range = glm::vec2(1, -1)}}}), "");
  ModelDraft other;
  other.bones = {{"alone", std::nullopt, {}}};
  const NearMesh mesh = pack_near_mesh(mannequin(), mannequin_rig()->motion()).value();
  EXPECT_FALSE(build_ragdoll(test::compiled_rig(build_model(other).value()).value(), &mesh).has_value());
}

// Legs and a spine on a pelvis that has no vertices.
TEST(RagdollSetup, TiesLimbsTogetherInTheBoneTheyMeetIn) {
  ModelDraft draft = mannequin().draft();
  const std::uint32_t hips = mannequin_rig()->find_bone("hips").value();
  const std::uint32_t spine = mannequin_rig()->find_bone("spine").value();
  for (Binding& binding : draft.bindings) {
    if (binding.bone != hips) continue;
    binding.bone_from_mesh = glm::dmat4(glm::inverse(to_matrix(mannequin_rig()->rest_models()[spine])));
    binding.bone = spine;
  }
  const Model model = build_model(draft).value();
  const auto setup = test::ragdoll_of(model, test::compiled_rig(model).value()).value();
  EXPECT_EQ(std::count_if(setup->bodies().begin(), setup->bodies().end(), [](const auto& b) { return b.parent < 0; }),
            1);
  EXPECT_NE(body_named(*setup, "hips"), nullptr);
}

// A block of a bone of its own, around a point so far from its joint.
struct Block {
  const char* bone;
  glm::dvec3 joint, half, off{0.0};
};

// Blocks on bones that all hang on one that lies on the floor.
std::shared_ptr<const RagdollSetup> toy_of(std::span<const Block> blocks) {
  ModelDraft draft;
  const glm::dvec3 root(0.0, 0.02, 0.0);
  draft.bones = {{"root", std::nullopt, {.translation = root}}};
  draft.materials.emplace_back();
  Mesh mesh;
  for (const Block& block : blocks) {
    const auto binding = static_cast<std::uint16_t>(draft.bindings.size());
    draft.bindings.push_back(
        {static_cast<std::uint32_t>(draft.bones.size()), glm::translate(glm::dmat4(1.0), -block.joint)});
    draft.bones.push_back({block.bone, 0u, {.translation = block.joint - root}});
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int corner = 0; corner < 8; ++corner) {
      const glm::dvec3 side((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
      mesh.positions.emplace_back(block.joint + block.off + side * block.half);
      mesh.influences.push_back(bound_to(binding));
      if (corner >= 2)
        mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + static_cast<std::uint32_t>(corner)});
    }
  }
  draft.meshes.push_back(mesh);
  const Model model = build_model(draft).value();
  return test::ragdoll_of(model, test::compiled_rig(model).value()).value();
}

constexpr Block kLeftLeg{"leg-left", {-0.1, 0.18, 0.0}, {0.08, 0.09, 0.1}, {0.0, -0.09, 0.0}};
constexpr Block kRightLeg{"leg-right", {0.1, 0.18, 0.0}, {0.08, 0.09, 0.1}, {0.0, -0.09, 0.0}};
constexpr Block kTorso{"torso", {0.0, 0.18, 0.0}, {0.2, 0.2, 0.2}, {0.0, 0.2, 0.0}};

// As packs of toys have them: no pelvis, and what keeps the parts together lies between the feet.
TEST(RagdollSetup, TiesWhatTouchesThoughItHangsOnABoneOnTheFloor) {
  const auto setup = toy_of(std::to_array({kLeftLeg, kRightLeg, kTorso}));
  ASSERT_EQ(setup->bodies().size(), 4u);
  const RagdollBody* root = body_named(*setup, "root");
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root->parent, -1);
  EXPECT_NEAR(root->centre.y, 0.16, 0.01) << "where legs and torso meet, not on the floor";
  for (const char* part : {"leg-left", "leg-right", "torso"}) EXPECT_EQ(body_named(*setup, part)->parent, 0) << part;
}

TEST(RagdollSetup, LetsWhatLiesApartFallOnItsOwn) {
  const Block sword{"sword", {0.6, 0.03, 0.0}, {0.02, 0.02, 0.3}};
  // With somebody in one piece there is nothing to tie.
  const auto one = toy_of(std::to_array({kTorso, sword}));
  ASSERT_EQ(one->bodies().size(), 2u);
  for (const RagdollBody& body : one->bodies()) EXPECT_EQ(body.parent, -1);
  // Listed first, in the middle and last.
  for (const auto& parts :
       {std::to_array({sword, kLeftLeg, kRightLeg, kTorso}), std::to_array({kLeftLeg, kRightLeg, sword, kTorso}),
        std::to_array({kLeftLeg, kRightLeg, kTorso, sword})}) {
    const auto setup = toy_of(parts);
    ASSERT_EQ(setup->bodies().size(), 5u);
    EXPECT_EQ(body_named(*setup, "sword")->parent, -1);
    for (const char* part : {"leg-left", "leg-right", "torso"}) EXPECT_EQ(body_named(*setup, part)->parent, 0) << part;
  }
}

// The mannequin with its head's surface on a bone of its own, so much higher than the head's.
std::shared_ptr<const RagdollSetup> with_helmet(double higher) {
  ModelDraft draft = mannequin().draft();
  const std::uint32_t head = mannequin_rig()->find_bone("head").value();
  const auto helmet = static_cast<std::uint32_t>(draft.bones.size());
  Bone bone{"Helmet", head, {}};
  bone.rest.translation.y = higher;
  draft.bones.push_back(bone);
  for (Binding& binding : draft.bindings) {
    if (binding.bone != head) continue;
    binding.bone_from_mesh[3].y -= higher;
    binding.bone = helmet;
  }
  const Model model = build_model(draft).value();
  return test::ragdoll_of(model, test::compiled_rig(model).value()).value();
}

TEST(RagdollSetup, LetsAHelmetMoveWithItsHead) {
  const auto worn = with_helmet(0.005);
  EXPECT_EQ(body_named(*worn, "Helmet"), nullptr);
  EXPECT_NE(body_named(*worn, "head"), nullptr);
  const auto hanging = with_helmet(0.1);
  EXPECT_NE(body_named(*hanging, "Helmet"), nullptr) << "what begins elsewhere has a joint";
}

}  // namespace
}  // namespace throng
