// SPDX-License-Identifier: Apache-2.0
#pragma once
// How to bake: how exact, how the texture is laid out, what else goes into the asset.

#include "core/latest_answer.h"
#include "core/socket_matches.h"
#include "throng/bake/options.h"
#include "ui/panel_state.h"

namespace throng::studio {

class OptionsPanel {
 public:
  explicit OptionsPanel(JobRunner& jobs) : bones_(jobs, find_bones) {}

  void draw(PanelState& panels);

 private:
  struct SocketQuestion {
    std::shared_ptr<const Imported> imported;
    std::string expression;
    friend bool operator==(const SocketQuestion&, const SocketQuestion&) = default;
  };
  static Result<std::vector<std::string>> find_bones(const SocketQuestion& question) {
    return matching_bones(question.imported->model, question.expression);
  }

  void draw_group(PanelState& panels, OptionGroup group);
  void draw_matches(PanelState& panels);

  LatestAnswer<SocketQuestion, std::vector<std::string>> bones_;
};

}  // namespace throng::studio
