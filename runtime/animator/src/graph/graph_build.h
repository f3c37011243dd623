// SPDX-License-Identifier: Apache-2.0
#pragma once
// The steps of build_graph; each refuses what it finds wrong.

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/graph_data.h"
#include "graph/graph_place.h"

namespace throng::detail::animator {

struct GraphBuilder {
  const GraphDraft& draft;
  const Rig& rig;
  GraphData& data;

  Result<void> build();

  // graph_build.cpp
  Result<void> add_parameters();
  Result<void> add_layers();
  Result<void> add_layer(const LayerDraft& source, const Place& place);
  Result<void> follow(const LayerDraft& source, const Place& place, GraphLayer& layer);
  void lay_out_buffers();
  // Looks up a parameter of that type; empty: kNone.
  Result<std::uint32_t> real_parameter(std::string_view name, const Place& place) const;

  // graph_build_motion.cpp
  Result<std::uint32_t> add_motion(const MotionDraft& source, const Place& place);

  // graph_build_layer.cpp
  Result<void> add_mask(const LayerDraft& source, const Place& place, GraphLayer& layer) const;
  Result<void> add_references(const LayerDraft& source, const Place& place, GraphLayer& layer);
  void add_root_tracks();
};

// graph_build_machine.cpp: flattens a layer's machines into its states, transitions and routes.
Result<void> add_machine(GraphBuilder& builder, const MachineDraft& source, const Place& place, GraphLayer& layer);

}  // namespace throng::detail::animator
