// SPDX-License-Identifier: Apache-2.0
#include "core/form/fixes.h"

#include <filesystem>

#include "core/files/folder_listing.h"
#include "throng/bake/options.h"

namespace throng::studio {
namespace {

template <class Change>
Fix changed(const BakeForm& form, std::string label, Change change) {
  Fix fix{.label = std::move(label), .kind = FixKind::form, .form = form, .folder = {}};
  change(fix.form);
  return fix;
}

void tick_all(auto& choices) {
  for (auto& choice : choices) choice.baked = true;
}

bool none_baked(const auto& choices) {
  for (const auto& choice : choices)
    if (choice.baked) return false;
  return !choices.empty();
}

// Whether the message speaks of an option, by its name or by its field's.
bool names(const std::string& problem, std::string_view option) {
  const BakeOption* row = find_option(option);
  return problem.find(fmt::format("--{}", option)) != std::string::npos ||
         (row != nullptr && problem.find(fmt::format("`{}`", row->setting)) != std::string::npos);
}

}  // namespace

std::vector<Fix> bake_fixes(const std::string& problem, const BakeForm& form) {
  std::vector<Fix> fixes;
  if (problem.empty()) return fixes;
  if (none_baked(form.clips)) fixes.push_back(changed(form, "Tick all clips", [](BakeForm& f) { tick_all(f.clips); }));
  const bool parts_chosen = !form.settings.only.empty() || !form.settings.without.empty();
  if (none_baked(form.parts) || (parts_chosen && problem.find("part") != std::string::npos)) {
    fixes.push_back(changed(form, "Bake all parts", [](BakeForm& f) {
      tick_all(f.parts);
      f.settings.only.clear();
      f.settings.without.clear();
    }));
  }
  if (!form.settings.sockets.empty() && problem.find("socket") != std::string::npos)
    fixes.push_back(changed(form, "Clear the sockets", [](BakeForm& f) { f.settings.sockets.clear(); }));
  if (!form.settings.root_bone.empty() && problem.find(form.settings.root_bone) != std::string::npos)
    fixes.push_back(changed(form, "Find the root bone", [](BakeForm& f) { f.settings.root_bone.clear(); }));
  if (!form.settings.groups.empty() && problem.find("group") != std::string::npos)
    fixes.push_back(changed(form, "Guess the groups", [](BakeForm& f) { f.settings.groups.clear(); }));
  if (chosen_encoding(form) && problem.find(name_of(*chosen_encoding(form))) != std::string::npos)
    fixes.push_back(changed(form, "Let the bake choose the encoding", [](BakeForm& f) { encoding_field(f).reset(); }));
  if (form.settings.max_atlas_size && problem.find("atlas") != std::string::npos)
    fixes.push_back(
        changed(form, "Use the default texture size", [](BakeForm& f) { f.settings.max_atlas_size.reset(); }));
  if (form.settings.mode == BakeMode::bones && names(problem, "drop-morphs"))
    fixes.push_back(changed(form, "Drop the morph targets", [](BakeForm& f) { f.settings.drop_morphs = true; }));
  if (form.settings.mode == BakeMode::bones && names(problem, "mode"))
    fixes.push_back(changed(form, "Bake vertices", [](BakeForm& f) { f.settings.mode = BakeMode::vertices; }));
  return fixes;
}

std::vector<Fix> save_fixes(const std::string& problem, const BakeForm& form, const std::string& output) {
  std::vector<Fix> fixes;
  if (problem.empty()) return fixes;
  if (form.link_textures && problem.find("--link-textures") != std::string::npos)
    fixes.push_back(changed(form, "Embed the textures", [](BakeForm& f) { f.link_textures = false; }));
  const std::filesystem::path folder = std::filesystem::path(with_home(output)).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::exists(folder, ignored))
    fixes.push_back(
        {.label = "Make the folder", .kind = FixKind::make_folder, .form = form, .folder = folder.string()});
  return fixes;
}

}  // namespace throng::studio
