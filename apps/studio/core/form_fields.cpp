#include "core/form_fields.h"

#include <charconv>
#include <functional>
#include <initializer_list>
#include <map>

#include "throng/bake/options.h"

namespace throng::studio {
namespace {

template <class Enum>
Result<void> choose(Enum& field, const std::string& value, std::initializer_list<Enum> all) {
  std::string words;
  for (const Enum one : all) {
    if (value == word(one)) {
      field = one;
      return {};
    }
    words += (words.empty() ? "" : ", ") + std::string(word(one));
  }
  return fail("'{}' is none of: {}", value, words);
}

Result<void> set_flag(bool& field, const std::string& value) {
  if (value != "on" && value != "off") return fail("'{}' is neither on nor off", value);
  field = value == "on";
  return {};
}

template <class Number>
Result<void> set_number(Number& field, const std::string& value, Number least, Number most) {
  Number number{};
  const char* end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || !(number >= least && number <= most))
    return fail("'{}' is no number from {} to {}", value, least, most);
  field = number;
  return {};
}

Result<void> set_encoding(BakeForm& form, const std::string& value) {
  const auto encoding = encoding_named(value);
  if (!encoding && value != "default") return fail("'{}' is no encoding", value);
  if (encoding && is_vertex_encoding(*encoding) != (form.mode == BakeMode::vertices))
    return fail("'{}' is an encoding of the other mode; set the mode first", value);
  encoding_field(form) = encoding;
  return {};
}

Result<void> set_max_error(BakeForm& form, const std::string& value) {
  const auto bound = millimetres(value);
  if (!bound && value != "off") return fail("'{}' is no length above 0 such as 0.5mm, nor off", value);
  form.bounded = bound.has_value();
  if (bound) form.max_error_mm = *bound;
  return {};
}

using Set = std::function<Result<void>(BakeForm&, const std::string&)>;

Set text(std::string BakeForm::*field) {
  return [field](BakeForm& form, const std::string& value) {
    form.*field = value;
    return Result<void>();
  };
}

Set flag(bool BakeForm::*field) {
  return [field](BakeForm& form, const std::string& value) { return set_flag(form.*field, value); };
}

const std::map<std::string, Set>& setters() {
  static const std::map<std::string, Set> all{
      {"mode",
       [](auto& f, auto& v) {
         return choose(f.mode, v, {BakeMode::bones, BakeMode::vertices});
       }},
      {"encoding", set_encoding},
      {"fps", [](auto& f, auto& v) { return set_number(f.frame_rate, v, 1.0, 1000.0); }},
      {"max-error", set_max_error},
      {"atlas-size", [](auto& f, auto& v) { return set_number(f.atlas_size, v, 16u, 16384u); }},
      {"atlas-shape",
       [](auto& f, auto& v) {
         return choose(f.shape, v, {AtlasShape::exact, AtlasShape::power_of_two, AtlasShape::square});
       }},
      {"pack",
       [](auto& f, auto& v) {
         return choose(f.packing, v, {Packing::greedy, Packing::tight});
       }},
      {"sockets", text(&BakeForm::sockets)},
      {"root-motion",
       [](auto& f, auto& v) {
         return choose(f.root_motion, v, {RootTreatment::keep, RootTreatment::extract, RootTreatment::strip});
       }},
      {"root-bone", text(&BakeForm::root_bone)},
      {"levels", [](auto& f, auto& v) { return set_number(f.levels, v, 1u, 8u); }},
      {"tangents", flag(&BakeForm::tangents)},
      {"merge-vertices", flag(&BakeForm::merge_vertices)},
      {"drop-morphs", flag(&BakeForm::drop_morphs)},
      {"link-textures", flag(&BakeForm::link_textures)},
  };
  return all;
}

}  // namespace

const char* word(BakeMode mode) { return mode == BakeMode::bones ? "bones" : "vertices"; }

const char* word(AtlasShape shape) {
  constexpr const char* kWords[] = {"exact", "power-of-two", "square"};
  return kWords[static_cast<std::size_t>(shape)];
}

const char* word(Packing packing) { return packing == Packing::greedy ? "greedy" : "tight"; }

const char* word(RootTreatment motion) {
  constexpr const char* kWords[] = {"keep", "extract", "strip"};
  return kWords[static_cast<std::size_t>(motion)];
}

const char* word(LoopChoice loop) {
  constexpr const char* kWords[] = {"source", "loops", "once"};
  return kWords[static_cast<std::size_t>(loop)];
}

Result<void> set_field(BakeForm& form, const std::string& name, const std::string& value) {
  const auto found = setters().find(name);
  if (found == setters().end()) {
    std::string names;
    for (const auto& [known, set] : setters()) names += (names.empty() ? "" : ", ") + known;
    return fail("there is no field '{}'; there are: {}", name, names);
  }
  if (auto done = found->second(form, value); !done) return fail(with_context(name, std::move(done).error()));
  return {};
}

}  // namespace throng::studio
