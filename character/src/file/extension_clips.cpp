// SPDX-License-Identifier: Apache-2.0
// Clips, there and back.
#include "file/extension.h"
#include "file/json_values.h"

namespace throng::detail::character {
namespace {

JsonObject clip_error_json(const ClipError& error) {
  return {{"atFrames", figures_json(error.at_frames)},
          {"between", figures_json(error.between)},
          {"worstBone", error.worst_bone},
          {"worstTime", error.worst_time}};
}

ClipError read_clip_error(JsonFields& fields, const Json& json) {
  ClipError error;
  error.at_frames = read_figures(fields, fields.object(json, "atFrames"));
  error.between = read_figures(fields, fields.object(json, "between"));
  error.worst_bone = fields.text(json, "worstBone");
  error.worst_time = fields.number(json, "worstTime");
  return error;
}

Encoding read_encoding(JsonFields& fields, const Json& json) {
  const std::string name = fields.text(json, "encoding");
  const auto encoding = encoding_named(name);
  if (!encoding) fields.refuse(fmt::format("encoding '{}' is not known to this program", name));
  return encoding.value_or(Encoding::q16);
}

// What version 2 added.
void read_clip_of_2(JsonFields& fields, const Json& json, BakedClip& clip) {
  clip.encoding = read_encoding(fields, json);
  clip.first_table_row = fields.u32(json, "tableRow");
  for (const glm::dvec4& row : fields.vec4_rows(json, "rootMotion"))
    clip.root_motion.push_back({glm::dvec3(row), row.w});
  clip.error = read_clip_error(fields, fields.object(json, "error"));
  clip.choice = fields.text(json, "choice");
  // Only characters with morph targets have these.
  clip.first_morph_row = fields.u32_or(json, "morphRow", 0);
  clip.morph_steps = fields.u32_or(json, "morphSteps", 0);
  if (!is_channel_encoding(clip.encoding)) return;
  clip.channels = read_channels(fields, fields.object(json, "channels"));
}

}  // namespace

ErrorFigures read_figures(JsonFields& fields, const Json& json) {
  return {fields.number(json, "max"), fields.number(json, "p999"), fields.number(json, "rms"),
          fields.number(json, "normalMaxDegrees")};
}

ChannelClip read_channels(JsonFields& fields, const Json& json) {
  return {fields.u32(json, "firstWord"), fields.u32_or(json, "map", 0), fields.u32(json, "frames"),
          fields.u32(json, "frameWords"), fields.u32(json, "storedFrames")};
}

JsonObject channels_json(const ChannelClip& clip) {
  JsonObject json = {{"firstWord", clip.first_word},
                     {"frames", clip.frames},
                     {"frameWords", clip.frame_words},
                     {"storedFrames", clip.stored_frames}};
  if (clip.map != 0) json.add("map", clip.map);
  return json;
}

JsonObject clip_json(const BakedClip& clip, bool morphs) {
  JsonObject json = {{"name", clip.name},
                     {"sourceStart", clip.source_start},
                     {"length", clip.length},
                     {"loops", clip.loops},
                     {"frameCount", clip.frame_count},
                     {"firstFrame", clip.first_frame},
                     {"layer", clip.layer},
                     {"encoding", name_of(clip.encoding)},
                     {"tableRow", clip.first_table_row},
                     {"pivotMin", vec3_json(clip.range.pivot_min)},
                     {"pivotSize", vec3_json(clip.range.pivot_size)},
                     {"scaleMax", clip.range.scale_max},
                     {"bounds", bounds_json(clip.bounds)},
                     {"events", list_json(clip.events,
                                          [](const ClipEvent& event) {
                                            return JsonObject{{"time", event.time}, {"name", event.name}};
                                          })},
                     {"rootMotion", list_json(clip.root_motion,
                                              [](const RootSample& root) {
                                                const glm::dvec3& t = root.translation;
                                                return JsonArray{t.x, t.y, t.z, root.yaw};
                                              })},
                     {"error", clip_error_json(clip.error)},
                     {"choice", clip.choice}};
  if (is_channel_encoding(clip.encoding)) json.add("channels", channels_json(clip.channels));
  if (morphs) json.add("morphRow", clip.first_morph_row);
  if (morphs) json.add("morphSteps", clip.morph_steps);
  return json;
}

BakedClip read_clip(JsonFields& fields, const Json& json, std::uint32_t version) {
  BakedClip clip;
  clip.name = fields.text(json, "name");
  clip.source_start = fields.number(json, "sourceStart");
  clip.length = fields.number(json, "length");
  clip.loops = fields.boolean(json, "loops");
  clip.frame_count = fields.u32(json, "frameCount");
  clip.first_frame = fields.u32(json, "firstFrame");
  clip.layer = fields.u32(json, "layer");
  clip.range.pivot_min = fields.vec3(json, "pivotMin");
  clip.range.pivot_size = fields.vec3(json, "pivotSize");
  clip.range.scale_max = fields.number(json, "scaleMax");
  clip.bounds = fields.bounds(json, "bounds");
  for (const Json& event : fields.array(json, "events")) {
    clip.events.push_back({fields.number(event, "time"), fields.text(event, "name")});
    if (!fields.ok()) break;
  }
  if (version >= 2) read_clip_of_2(fields, json, clip);
  return clip;
}

}  // namespace throng::detail::character
