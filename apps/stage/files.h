// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a file argument may be: a model, the built-in mannequin, or a baked asset.

#include <string>
#include <variant>

#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/import/import.h"

inline constexpr const char* kMannequin = "builtin:mannequin";

throng::Result<throng::Imported> load_model(const std::string& file, const throng::ImportSettings& settings = {});

using ModelOrAsset = std::variant<throng::Imported, throng::Character>;
throng::Result<ModelOrAsset> load_model_or_asset(const std::string& file, const throng::ImportSettings& settings = {});

// Whether every picture can be named by the asset: it must lie in a file of its own, in the asset's folder
// or below, so that the two can move together.
throng::Result<void> check_links(const std::vector<throng::ImageSource>& images, const std::string& asset);

// The character with links in place of its pictures, which passed that check.
throng::Result<throng::Character> with_linked_images(const throng::Character& character, const std::string& asset);
