// SPDX-License-Identifier: Apache-2.0
// The published schema and what is written agree: all that is required is there, and nothing is there that it does not
// list.
#include <algorithm>
#include <set>

#include "paths.h"
#include "small_asset.h"

namespace throng {
namespace {

using Json = nlohmann::json;

struct Checker {
  const Json& schema;
  std::size_t objects = 0;
  std::set<std::string> seen;      // every field that was there
  std::set<std::string> optional;  // every field that a file may lack

  const Json& resolved(const Json& part) const {
    if (!part.contains("$ref")) return part;
    return schema.at(Json::json_pointer(part.at("$ref").get<std::string>().substr(1)));
  }

  void check(const Json& value, const Json& unresolved, const std::string& where) {
    const Json& part = resolved(unresolved);
    const std::string type = part.at("type").get<std::string>();
    if (type == "object") return check_object(value, part, where);
    if (type == "array") return check_array(value, part, where);
    EXPECT_EQ(type == "string", value.is_string()) << where;
    EXPECT_EQ(type == "boolean", value.is_boolean()) << where;
    if (type == "integer") {
      EXPECT_TRUE(value.is_number_unsigned()) << where;
    }
    if (type == "number") {
      EXPECT_TRUE(value.is_number()) << where;
    }
    if (part.contains("enum")) {
      EXPECT_NE(std::ranges::find(part.at("enum"), value), part.at("enum").end()) << where << ": " << value;
    }
  }

  void check_object(const Json& value, const Json& part, const std::string& where) {
    ++objects;
    ASSERT_TRUE(value.is_object()) << where;
    const Json& properties = part.at("properties");
    for (const Json& name : part.at("required")) {
      EXPECT_TRUE(value.contains(name.get<std::string>())) << where << " lacks " << name;
      EXPECT_TRUE(properties.contains(name.get<std::string>())) << where << " requires what it does not list: " << name;
    }
    for (const auto& [name, child] : value.items()) {
      ASSERT_TRUE(properties.contains(name)) << where << " has '" << name << "', which the schema does not list";
      check(child, properties.at(name), where + "." + name);
    }
    for (const auto& [name, child] : properties.items()) {
      if (value.contains(name)) seen.insert(where + "." + name);
      const bool required = std::ranges::find(part.at("required"), Json(name)) != part.at("required").end();
      if (!required) optional.insert(where + "." + name);
    }
  }

  void check_array(const Json& value, const Json& part, const std::string& where) {
    ASSERT_TRUE(value.is_array()) << where;
    EXPECT_GE(value.size(), part.value("minItems", std::size_t{0})) << where;
    EXPECT_LE(value.size(), part.value("maxItems", value.size())) << where;
    for (const Json& child : value) check(child, part.at("items"), where + "[]");
  }
};

TEST(Schema, ListsExactlyWhatIsWritten) {
  const auto text = read_text_file(test::source_folder() / "docs/THRONG_animation_textures.schema.json");
  ASSERT_TRUE(text.has_value()) << text.error().message;
  const Json schema = Json::parse(*text, nullptr, false);
  ASSERT_TRUE(schema.is_object());
  Checker checker{schema, 0, {}, {}};
  for (const Character& model : small_models()) {
    const Json extension = Json::parse(taken_apart(file_of(model)).extension().dump());
    checker.check(extension, schema, "extension");
  }
  EXPECT_GT(checker.objects, 100u);
  // Between them the models have every field there is; only these may be absent.
  const std::set<std::string> may_be_absent{"extension.table",
                                            "extension.atlas",
                                            "extension.channels",
                                            "extension.clips[].channels",
                                            "extension.clips[].channels.map",
                                            "extension.skeleton[].scaleSlot",
                                            "extension.warnings",
                                            "extension.bakedFromSource",
                                            "extension.skinVertices",
                                            "extension.atlas.frameRows",
                                            "extension.bones[].link",
                                            "extension.bones[].linkFromMesh",
                                            "extension.fewerBones",
                                            "extension.levels[].fewerBones",
                                            "extension.clips[].morphRow",
                                            "extension.clips[].morphSteps",
                                            "extension.morphs",
                                            "extension.near",
                                            "extension.near.mesh",
                                            "extension.near.mesh.extraInfluences",
                                            "extension.near.mesh.morphDeltas",
                                            "extension.near.mesh.morphFirsts",
                                            "extension.near.mesh.parts[].part",
                                            "extension.parts",
                                            "extension.partGroups",
                                            "extension.partGroups[].onlyAsked",
                                            "extension.sockets[].part",
                                            "extension.speckParts",
                                            "extension.vertexParts",
                                            "extension.near.motion.bindings",
                                            "extension.near.motion.bones[].own",
                                            "extension.near.motion.bones[].own.rotationSlot",
                                            "extension.near.motion.bones[].own.scaleSlot",
                                            "extension.near.motion.bones[].own.translationSlot",
                                            "extension.near.motion.bones[].parent",
                                            "extension.near.motion.bones[].still",
                                            "extension.near.motion.clips[].channels",
                                            "extension.near.motion.clips[].groundKeys",
                                            "extension.near.motion.clips[].inPlace",
                                            "extension.near.motion.clips[].ownChannels",
                                            "extension.near.motion.clips[].ownChannels.map",
                                            "extension.near.motion.clips[].rootSteps",
                                            "extension.near.motion.keyLists",
                                            "extension.near.motion.keyTimes",
                                            "extension.near.motion.keyValues",
                                            "extension.repairs.faultsMended",
                                            "extension.near.motion.ownChannels",
                                            "extension.near.motion.restMorphs",
                                            "extension.near.motion.rootPaths",
                                            "extension.near.motion.rootBone",
                                            "extension.skeleton[].bone",
                                            "extension.skeleton[].parent",
                                            "extension.skeleton[].rotationSlot",
                                            "extension.skeleton[].translationSlot"};
  EXPECT_EQ(checker.optional, may_be_absent);
  for (const std::string& field : may_be_absent) EXPECT_TRUE(checker.seen.contains(field)) << field;
}

TEST(Schema, KnowsEveryEncoding) {
  const auto text = read_text_file(test::source_folder() / "docs/THRONG_animation_textures.schema.json");
  const auto page = read_text_file(test::source_folder() / "docs/asset-format.md");
  ASSERT_TRUE(text.has_value() && page.has_value());
  const Json schema = Json::parse(*text);
  Json names = Json::array();
  for (const Encoding encoding : kEncodings) {
    names.push_back(name_of(encoding));
    EXPECT_NE(page->find(fmt::format("`{}`", name_of(encoding))), std::string::npos) << name_of(encoding);
  }
  EXPECT_EQ(schema.at("definitions").at("clip").at("properties").at("encoding").at("enum"), names);
}

TEST(Schema, IsExplainedFieldByFieldInTheFormatPage) {
  const auto text = read_text_file(test::source_folder() / "docs/THRONG_animation_textures.schema.json");
  const auto page = read_text_file(test::source_folder() / "docs/asset-format.md");
  ASSERT_TRUE(text.has_value() && page.has_value());
  const Json schema = Json::parse(*text);
  const auto expect_named = [&](const Json& properties) {
    for (const auto& [name, value] : properties.items()) {
      EXPECT_NE(page->find("`" + name + "`"), std::string::npos) << name;
    }
  };
  expect_named(schema.at("properties"));
  for (const auto& [name, part] : schema.at("definitions").items()) {
    if (part.contains("properties")) expect_named(part.at("properties"));
  }
}

}  // namespace
}  // namespace throng
