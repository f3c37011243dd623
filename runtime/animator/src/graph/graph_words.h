// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words of graph files, in the order of the enumerations they stand for.

#include <array>
#include <string_view>

namespace throng::detail::animator {

inline constexpr std::array<std::string_view, 4> kParameterTypes = {"float", "int", "bool", "trigger"};
inline constexpr std::array<std::string_view, 4> kBlendKinds = {"1d", "cartesian", "directional", "direct"};
inline constexpr std::array<std::string_view, 4> kComparisons = {"greater", "less", "equal", "not_equal"};
inline constexpr std::array<std::string_view, 5> kInterruptions = {
    "none", "source", "destination", "source_then_destination", "destination_then_source"};
inline constexpr std::array<std::string_view, 2> kLayerKinds = {"override", "additive"};

}  // namespace throng::detail::animator
