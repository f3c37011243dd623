// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a file argument may be: a model, the built-in mannequin, or a baked asset.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "throng/bake/bake.h"
#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/import/import.h"
#include "time_left.h"

inline constexpr const char* kMannequin = "builtin:mannequin";

// What reading a model reports to ImportSettings::progress, for the lines that show it.
inline constexpr std::array<Phase, 2> kReadPhases{{{"read", "reading", 4.0}, {"surface", "comparing surfaces", 2.0}}};

// Refuses what is called like a built-in model and is none; files may be called so too.
throng::Result<void> check_builtin(const std::string& file);

throng::Result<throng::Imported> load_model(const std::string& file, const throng::ImportSettings& settings = {});

// What the import says, for the bake: notes, warnings and repairs, groups of parts, and the budget.
void take_from_import(const throng::Imported& imported, throng::BakeSettings& settings);

// Where the asset of a model goes unless something else is said: into the working folder, under the model's name with
// .throng.glb, wherever the model lies. Folders of models are often not to be written to.
std::string default_asset(const std::string& model);

// Whether models can be baked in one go, each to its output, without loss: refused are two that would be written to one
// file, and one that would be written over a model, its own or another of them.
throng::Result<void> check_outputs(std::span<const std::string> models, std::span<const std::string> outputs);

using ModelOrAsset = std::variant<throng::Imported, throng::Character>;
throng::Result<ModelOrAsset> load_model_or_asset(const std::string& file, const throng::ImportSettings& settings = {});

// Whether every picture can be named by the asset: it must lie in a file of its own, in the asset's folder
// or below, so that the two can move together.
throng::Result<void> check_links(const std::vector<throng::ImageSource>& images, const std::string& asset);

// The character with links in place of its pictures, which passed that check.
throng::Result<throng::Character> with_linked_images(const throng::Character& character, const std::string& asset);
