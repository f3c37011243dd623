// SPDX-License-Identifier: Apache-2.0
#pragma once
// Graphs as JSON files: docs/animator-graph.schema.json has the form, docs/animator.md an example.

#include <string>
#include <string_view>

#include "throng/animator/graph.h"

namespace throng {

// Reads the form only; names are looked up by build_graph. Refused, in a line that begins with the file's name and a
// JSON pointer: what is not JSON, keys that do not exist (with those spelled like them), values of another type,
// numbers that are not finite, nesting deeper than graphs may be.
Result<GraphDraft> parse_graph(std::string_view json, std::string_view file_name);

// A file that parse_graph reads back as the same draft; what has its default value is left out.
std::string to_json(const GraphDraft& draft);

}  // namespace throng
