// SPDX-License-Identifier: Apache-2.0
#include "gltf/data/formats.h"

#include <algorithm>
#include <charconv>

#include "gltf/file/json.h"

namespace throng::detail::gltf {
namespace {

constexpr ElementType kScalar = ElementType::scalar;
constexpr ElementType kVec2 = ElementType::vec2;
constexpr ElementType kVec3 = ElementType::vec3;
constexpr ElementType kVec4 = ElementType::vec4;

constexpr ElementFormat kIndices[] = {{kScalar, kU8, false}, {kScalar, kU16, false}, {kScalar, kU32, false}};
constexpr ElementFormat kTimes[] = {{kScalar, kF32, false}};
constexpr ElementFormat kVectorKeys[] = {{kVec3, kF32, false}};
constexpr ElementFormat kRotationKeys[] = {
    {kVec4, kF32, false}, {kVec4, kI8, true}, {kVec4, kU8, true}, {kVec4, kI16, true}, {kVec4, kU16, true}};
constexpr ElementFormat kWeightKeys[] = {
    {kScalar, kF32, false}, {kScalar, kI8, true}, {kScalar, kU8, true}, {kScalar, kI16, true}, {kScalar, kU16, true}};

constexpr ElementFormat kPosition[] = {
    {kVec3, kF32, false},      {kVec3, kI8, false, true},  {kVec3, kI8, true, true},
    {kVec3, kU8, false, true}, {kVec3, kU8, true, true},   {kVec3, kI16, false, true},
    {kVec3, kI16, true, true}, {kVec3, kU16, false, true}, {kVec3, kU16, true, true}};
constexpr ElementFormat kNormal[] = {{kVec3, kF32, false}, {kVec3, kI8, true, true}, {kVec3, kI16, true, true}};
constexpr ElementFormat kTangent[] = {{kVec4, kF32, false}, {kVec4, kI8, true, true}, {kVec4, kI16, true, true}};
constexpr ElementFormat kTexcoord[] = {
    {kVec2, kF32, false},       {kVec2, kU8, true},        {kVec2, kU16, true},
    {kVec2, kI8, false, true},  {kVec2, kI8, true, true},  {kVec2, kU8, false, true},
    {kVec2, kI16, false, true}, {kVec2, kI16, true, true}, {kVec2, kU16, false, true}};
constexpr ElementFormat kColour[] = {{kVec3, kF32, false}, {kVec3, kU8, true}, {kVec3, kU16, true},
                                     {kVec4, kF32, false}, {kVec4, kU8, true}, {kVec4, kU16, true}};
constexpr ElementFormat kJoints[] = {{kVec4, kU8, false}, {kVec4, kU16, false}};
constexpr ElementFormat kWeights[] = {{kVec4, kF32, false}, {kVec4, kU8, true}, {kVec4, kU16, true}};
constexpr ElementFormat kOffset[] = {{kVec3, kF32, false},
                                     {kVec3, kI8, false, true},
                                     {kVec3, kI8, true, true},
                                     {kVec3, kI16, false, true},
                                     {kVec3, kI16, true, true}};
constexpr ElementFormat kColourOffset[] = {
    {kVec3, kF32, false}, {kVec3, kU8, true}, {kVec3, kU16, true}, {kVec3, kI8, true}, {kVec3, kI16, true},
    {kVec4, kF32, false}, {kVec4, kU8, true}, {kVec4, kU16, true}, {kVec4, kI8, true}, {kVec4, kI16, true}};
constexpr ElementFormat kTexcoordOffset[] = {{kVec2, kF32, false},      {kVec2, kU8, true},  {kVec2, kU16, true},
                                             {kVec2, kI8, true},        {kVec2, kI16, true}, {kVec2, kI8, false, true},
                                             {kVec2, kI16, false, true}};

struct Named {
  std::string_view name;
  std::span<const ElementFormat> formats;
};
constexpr Named kAttributes[] = {{"POSITION", kPosition}, {"NORMAL", kNormal}, {"TANGENT", kTangent},
                                 {"TEXCOORD", kTexcoord}, {"COLOR", kColour},  {"JOINTS", kJoints},
                                 {"WEIGHTS", kWeights}};
constexpr Named kMorphs[] = {{"POSITION", kOffset},
                             {"NORMAL", kOffset},
                             {"TANGENT", kOffset},
                             {"TEXCOORD", kTexcoordOffset},
                             {"COLOR", kColourOffset}};
constexpr Named kPaths[] = {
    {"translation", kVectorKeys}, {"scale", kVectorKeys}, {"rotation", kRotationKeys}, {"weights", kWeightKeys}};

std::span<const ElementFormat> find(std::span<const Named> table, std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [name](const Named& entry) { return entry.name == name; });
  return found == table.end() ? std::span<const ElementFormat>{} : found->formats;
}

bool uses_quantization(const Document& document) {
  const auto& used = collection_of(*document.json, "extensionsUsed");
  return std::find(used.begin(), used.end(), "KHR_mesh_quantization") != used.end();
}

bool is_one_of(const source::Accessor& accessor, std::span<const ElementFormat> formats, bool quantization) {
  return accessor.understood && std::any_of(formats.begin(), formats.end(), [&](const ElementFormat& format) {
           return format.type == accessor.type && format.component_type == accessor.component_type &&
                  format.normalized == accessor.normalized && (!format.quantized || quantization);
         });
}

}  // namespace

std::span<const ElementFormat> index_formats() { return kIndices; }
std::span<const ElementFormat> key_time_formats() { return kTimes; }
std::span<const ElementFormat> key_value_formats(std::string_view path) { return find(kPaths, path); }
std::span<const ElementFormat> attribute_formats(std::string_view semantic) { return find(kAttributes, semantic); }
std::span<const ElementFormat> morph_formats(std::string_view semantic) { return find(kMorphs, semantic); }

bool allowed(const Document& document, std::size_t index, std::span<const ElementFormat> formats) {
  return is_one_of(document.model.accessors[index], formats, uses_quantization(document));
}

bool allowed_quantized(const Document& document, std::size_t index, std::span<const ElementFormat> formats) {
  return is_one_of(document.model.accessors[index], formats, true);
}

std::string describe_format(const Document& document, std::size_t index) {
  const auto& json = collection_of(*document.json, "accessors")[index];
  const auto type = json["type"].get<std::string>();
  const int component = json["componentType"].get<int>();
  struct Name {
    int type;
    std::string_view name;
  };
  constexpr Name kNames[] = {{kI8, "BYTE"},          {kU8, "UNSIGNED_BYTE"}, {kI16, "SHORT"}, {kU16, "UNSIGNED_SHORT"},
                             {kU32, "UNSIGNED_INT"}, {kF32, "FLOAT"}};
  const auto* name =
      std::find_if(std::begin(kNames), std::end(kNames), [component](const Name& n) { return n.type == component; });
  const std::string component_name =
      name == std::end(kNames) ? fmt::format("component type {}", component) : std::string(name->name);
  return fmt::format("{} of {}{}", type, document.model.accessors[index].normalized ? "normalized " : "",
                     component_name);
}

std::optional<Semantic> parse_semantic(std::string_view attribute) {
  if (attribute.starts_with('_')) return Semantic{attribute, std::nullopt};
  if (attribute == "POSITION" || attribute == "NORMAL" || attribute == "TANGENT")
    return Semantic{attribute, std::nullopt};
  const std::size_t underscore = attribute.find('_');
  if (underscore == std::string_view::npos) return std::nullopt;
  const std::string_view name = attribute.substr(0, underscore);
  const std::string_view digits = attribute.substr(underscore + 1);
  if (name != "TEXCOORD" && name != "COLOR" && name != "JOINTS" && name != "WEIGHTS") return std::nullopt;
  unsigned set = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), set);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  if (!whole || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  return Semantic{name, set};
}

}  // namespace throng::detail::gltf
