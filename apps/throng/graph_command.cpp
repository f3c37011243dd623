// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "console.h"
#include "files.h"
#include "progress_line.h"
#include "throng/animator/animator.h"
#include "throng/animator/explain.h"
#include "throng/animator/graph_json.h"
#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/motion/compile_motion.h"

using namespace throng;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kGraphFooter = R"(Examples:
  throng graph knight.graph.json --model knight.glb
  throng graph knight.graph.json --model knight.glb --set speed=1.5 --seconds 2
  throng graph knight.graph.json --model knight.glb --trigger attack --seconds 0.3 --json

Without --seconds: checks the graph against the model's bones and clips and tells what is in it. With them: plays it for so long and tells what every layer is at, and for each way out of its state what kept it from being taken.)";

constexpr double kStep = 1.0 / 60.0;

struct GraphOptions {
  std::string graph;
  std::string model;
  ImportSettings import;
  std::vector<std::string> values;  // NAME=VALUE
  std::vector<std::string> triggers;
  std::optional<double> seconds;
  bool json = false;
  Console console;
};

std::vector<Phase> phases() {
  std::vector<Phase> out(kReadPhases.begin(), kReadPhases.end());
  out.push_back({"motion", "preparing clips", 4.0});
  out.push_back({"play", "playing", 10.0});
  return out;
}

// The rig of a baked character as a game has it, or of a model that is still to be baked.
Result<std::shared_ptr<const Rig>> load_rig(const std::string& file, ImportSettings import, const Progress& progress) {
  report(progress, "read", 0.0);
  import.progress = progress;
  THRONG_TRY(const ModelOrAsset loaded, load_model_or_asset(file, import));
  report(progress, "motion", 0.0);
  const auto made = [&]() -> Result<std::shared_ptr<const Rig>> {
    if (const auto* character = std::get_if<Character>(&loaded)) return build_rig(*character);
    THRONG_TRY(const Motion motion, compile_motion(std::get<Imported>(loaded).model, {.progress = progress}));
    return build_rig(motion);
  };
  return made().map_error([&file](Error error) { return with_context(file, std::move(error)); });
}

Result<std::shared_ptr<const AnimatorGraph>> load_graph(const GraphOptions& options, const Progress& progress) {
  THRONG_TRY(const auto rig, load_rig(options.model, options.import, progress));
  THRONG_TRY(const std::string text, read_text_file(options.graph));
  THRONG_TRY(GraphDraft draft, parse_graph(text, options.graph));
  auto graph = build_graph(std::move(draft), rig);
  if (!graph) return fail(with_context(options.graph, std::move(graph).error()));
  return graph;
}

const char* type_name(ParameterType type) {
  switch (type) {
    case ParameterType::integer:
      return "int";
    case ParameterType::boolean:
      return "bool";
    case ParameterType::trigger:
      return "trigger";
    case ParameterType::real:
      break;
  }
  return "float";
}

Json graph_json(const AnimatorGraph& graph) {
  Json parameters = Json::array();
  for (const ParameterDraft& parameter : graph.draft().parameters)
    parameters.push_back(
        {{"name", parameter.name}, {"type", type_name(parameter.type)}, {"initial", parameter.initial}});
  Json layers = Json::array();
  for (std::uint32_t layer = 0; layer < graph.layer_count(); ++layer) {
    Json states = Json::array();
    for (std::uint32_t state = 0; state < graph.state_count(layer); ++state)
      states.push_back(graph.state_path(state, layer));
    layers.push_back({{"name", graph.draft().layers[layer].name}, {"states", std::move(states)}});
  }
  return {{"kind", "graph"},
          {"name", graph.draft().name},
          {"bones", graph.rig()->bone_count()},
          {"parameters", std::move(parameters)},
          {"layers", std::move(layers)}};
}

// Prints it under its own name or, where it has none, its file's.
void print_graph(const AnimatorGraph& graph, const std::string& file) {
  const std::string& name = graph.draft().name;
  fmt::print("{}: a graph of {} and {}, good for this model's {} and {}\n", printable(name.empty() ? file : name),
             counted(graph.draft().parameters.size(), "parameter"), counted(graph.layer_count(), "layer"),
             counted(graph.rig()->bone_count(), "bone"), counted(graph.rig()->clips().size(), "clip"));
  for (const ParameterDraft& parameter : graph.draft().parameters)
    fmt::print("  {} '{}', {} at first\n", type_name(parameter.type), printable(parameter.name), parameter.initial);
  for (std::uint32_t layer = 0; layer < graph.layer_count(); ++layer) {
    fmt::print("  layer '{}'\n", printable(graph.draft().layers[layer].name));
    for (std::uint32_t state = 0; state < graph.state_count(layer); ++state)
      fmt::print("    state '{}'\n", printable(graph.state_path(state, layer)));
  }
}

Result<void> set_value(Animator& animator, const std::string& word) {
  const std::size_t at = word.find('=');
  double value = 0.0;
  if (at == std::string::npos || !CLI::detail::lexical_cast(word.substr(at + 1), value) || !std::isfinite(value))
    return fail("--set: '{}' is no pair such as speed=1.5", word);
  const std::string name = word.substr(0, at);
  const auto parameter = animator.graph().find_parameter(name);
  if (!parameter) return fail(with_context("--set", Error{parameter.error()}));
  switch (animator.graph().draft().parameters[*parameter].type) {
    case ParameterType::integer:
      if (value != std::round(value) || std::abs(value) > 1e9) return fail("--set {}: '{}' is an int", word, name);
      return animator.set_int(*parameter, static_cast<std::int32_t>(value));
    case ParameterType::boolean:
      return animator.set_bool(*parameter, value != 0.0);
    case ParameterType::trigger:
      return fail("--set {}: '{}' is a trigger; write --trigger {}", word, name, name);
    case ParameterType::real:
      break;
  }
  return animator.set_float(*parameter, static_cast<float>(value));
}

// Names in them come from files.
void print_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    fmt::print("{}\n", printable(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Result<void> play(const GraphOptions& options, std::shared_ptr<const AnimatorGraph> graph, ProgressLine& line) {
  Animator animator(std::move(graph));
  for (const std::string& word : options.values) {
    if (auto done = set_value(animator, word); !done) return done;
  }
  for (const std::string& name : options.triggers) {
    if (auto done = animator.set_trigger(name); !done) return fail(with_context("--trigger", std::move(done).error()));
  }
  const Progress progress = line.progress();
  constexpr std::uint64_t kTold = 1024;  // steps between two reports
  std::uint64_t steps = 0;
  for (double left = *options.seconds; left > 0.0; left -= kStep) {
    if (steps++ % kTold == 0) report(progress, "play", 1.0 - left / *options.seconds);
    animator.advance(std::min(left, kStep));
  }
  line.finish();
  Json layers = Json::array();
  for (std::uint32_t layer = 0; layer < animator.graph().layer_count(); ++layer) {
    const Explanation why = animator.explain(layer);
    if (!options.json && !options.console.quiet) print_lines(why.text());
    layers.push_back({{"layer", why.layer},
                      {"state", why.state},
                      {"next", why.next},
                      {"normalised_time", why.at.normalised_time},
                      {"text", why.text()}});
  }
  if (options.json) fmt::print("{}\n", to_text(Json{{"kind", "playing"}, {"layers", std::move(layers)}}));
  return {};
}

Result<void> run_graph(const GraphOptions& options) {
  ProgressLine line(phases(), options.console.quiet);
  THRONG_TRY(const auto graph, load_graph(options, line.progress()));
  if (options.seconds) return play(options, graph, line);
  line.finish();
  if (options.json) {
    fmt::print("{}\n", to_text(graph_json(*graph)));
  } else if (!options.console.quiet) {
    print_graph(*graph, options.graph);
  }
  return {};
}

}  // namespace

void add_graph_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App& command = *app.add_subcommand("graph", "Check an animator graph against a model, and try it");
  command.footer(kGraphFooter);
  command.add_option("GRAPH", options->graph, "A graph (JSON; docs/animator.md)")->required();
  command.add_option("--model", options->model, "The model it is for: a file, baked or not, or builtin:mannequin")
      ->required()
      ->option_text("FILE");
  CLI::Option* seconds =
      command.add_option("--seconds", options->seconds, "Play it for so long")->check(number_between(0.0, 86400.0));
  command.add_option("--set", options->values, "A parameter's value, as speed=1.5")
      ->allow_extra_args(false)
      ->needs(seconds)
      ->option_text("NAME=NUMBER");
  command.add_option("--trigger", options->triggers, "A trigger that is set")
      ->allow_extra_args(false)
      ->needs(seconds)
      ->option_text("NAME");
  add_import_options(command, options->import);
  command.add_flag("--json", options->json, "Print as JSON")->group("Output");
  add_console_options(command, options->console);
  command.callback([options, &action] { action = [options] { return run_graph(*options); }; });
}
