// SPDX-License-Identifier: Apache-2.0
#include "core/form/form_fields.h"

#include "throng/bake/options.h"
#include "throng/base/try.h"

namespace throng::studio {
namespace {

constexpr const char* kLinkTextures = "link-textures";

Result<void> set_encoding(BakeForm& form, const BakeOption& option, const std::string& value) {
  BakeSettings read;
  THRONG_CHECK(set_option(option, read, value));
  if (read.encoding && is_vertex_encoding(*read.encoding) != (form.settings.mode == BakeMode::vertices))
    return fail("'{}' is an encoding of the other mode; set the mode first", value);
  encoding_field(form) = read.encoding;
  return {};
}

Result<void> set_max_error(BakeForm& form, const BakeOption& option, const std::string& value) {
  BakeSettings read;
  THRONG_CHECK(set_option(option, read, value));
  form.bounded = read.max_error_mm.has_value();
  form.max_error_mm = read.max_error_mm.value_or(form.max_error_mm);
  return {};
}

Result<void> set_link_textures(BakeForm& form, const std::string& value) {
  if (value != "on" && value != "off") return fail("'{}' is neither on nor off", value);
  form.link_textures = value == "on";
  return {};
}

Result<void> set_in_form(BakeForm& form, const BakeOption& option, const std::string& value) {
  if (std::holds_alternative<EncodingField>(option.field)) return set_encoding(form, option, value);
  if (std::holds_alternative<LengthField>(option.field)) return set_max_error(form, option, value);
  return set_option(option, form.settings, value);
}

}  // namespace

const char* word(LoopChoice loop) {
  constexpr const char* kWords[] = {"source", "loops", "once"};
  return kWords[static_cast<std::size_t>(loop)];
}

Result<void> set_field(BakeForm& form, const std::string& name, const std::string& value) {
  std::string names = kLinkTextures;
  for (const BakeOption& option : bake_options()) {
    if (option.group == OptionGroup::clips) continue;  // those are chosen clip by clip
    if (option.name != name) {
      names += fmt::format(", {}", option.name);
      continue;
    }
    if (auto done = set_in_form(form, option, value); !done) return fail(with_context(name, std::move(done).error()));
    return {};
  }
  if (name != kLinkTextures) return fail("there is no field '{}'; there are: {}", name, names);
  if (auto done = set_link_textures(form, value); !done) return fail(with_context(name, std::move(done).error()));
  return {};
}

}  // namespace throng::studio
