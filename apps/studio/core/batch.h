// SPDX-License-Identifier: Apache-2.0
#pragma once
// Several models, baked and written one after another with the same fields.

#include <optional>
#include <string>
#include <vector>

#include "core/form/bake_form.h"
#include "core/job.h"

namespace throng::studio {

struct BatchItem {
  // Doubtful: written, with warnings of the bake.
  enum class State : std::uint8_t { waiting, baking, written, doubtful, failed };
  std::string model;
  std::string output;
  BakeForm form = {};
  State state = State::waiting;
  std::string says;  // "0.98 mm, 542 kB", or why it failed
};

// What is said of a model that was written.
struct BatchOutcome {
  std::string says;
  bool doubtful = false;
};

class Batch {
 public:
  explicit Batch(JobRunner& jobs) : jobs_(jobs) {}

  // All clips and parts of each model; everything else as the form says. Assets go into `folder`; empty: the working
  // folder. What is going on goes first: the models join those that wait. Where two would be written to one file, or
  // one over another's model, none of them is taken and problem() says why.
  void start(const std::vector<std::string>& models, const BakeForm& form, const std::string& folder);
  // What waits is not begun any more.
  void stop();
  // Takes up what is finished and begins the next. Called once a picture.
  void poll();

  const std::vector<BatchItem>& items() const { return items_; }
  bool running() const { return job_.has_value(); }
  // Why the models that start() was given last were not taken; empty: they were.
  const std::string& problem() const { return problem_; }
  WorkProgress progress() const { return job_ ? job_->progress() : WorkProgress{}; }

 private:
  void begin_next();

  JobRunner& jobs_;
  std::string problem_;
  std::vector<BatchItem> items_;
  std::size_t at_ = 0;
  std::optional<Job<BatchOutcome>> job_;
};

// The fields that mean something for any model: without the clips and parts of one.
BakeForm form_for_any(const BakeForm& form);

}  // namespace throng::studio
