// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones a regular expression makes sockets of, while it is being typed.

#include <memory>
#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/import/import.h"

namespace throng::studio {

// Names of the bones that the bake would make sockets of (throng/bake/socket_bones.h), in the model's order; none for
// an empty expression. A wicked one can take for ever: not for a thread that draws.
Result<std::vector<std::string>> matching_bones(const Model& model, const std::string& expression);

// The same as a question for a worker (core/latest_answer.h).
struct SocketQuestion {
  std::shared_ptr<const Imported> imported;
  std::string expression;
  friend bool operator==(const SocketQuestion&, const SocketQuestion&) = default;
};
inline Result<std::vector<std::string>> find_bones(const SocketQuestion& question) {
  return matching_bones(question.imported->model, question.expression);
}

// The expression with a bone added as one more alternative, or taken out where it is one of them: what a click on the
// skeleton does. A bone that a pattern of the expression picks stays picked.
std::string with_bone_toggled(const std::string& expression, const std::string& bone);

}  // namespace throng::studio
