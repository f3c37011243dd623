// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the window is about, without the window: the model that is open, how it is to be baked, the bake in progress and
// its result. Buttons, keys and scripts call the same functions. Nothing here waits: long work goes to the jobs and
// its outcome is taken up by poll().

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/bake_form.h"
#include "core/job.h"
#include "core/sources.h"

namespace throng::studio {

enum class Activity : std::uint8_t { idle, opening, baking, saving };

// A baked model with what it was made of.
struct BakeResult {
  Character model;
  Sources sources;
  BakeForm form;
  double seconds = 0.0;    // that the bake took
  bool from_file = false;  // opened, not baked here
};

// What went wrong, one line each, by the place where it is shown. Empty: nothing.
struct Problems {
  std::string open;
  std::string bake;
  std::string save;
};

class Studio {
 public:
  explicit Studio(JobRunner& jobs) : jobs_(jobs) {}

  // Reads a model and what is added to it. What is open stays until the new one is read. A model of another file gets
  // fresh fields; the same file read again keeps those that still fit. Not while an asset is being written.
  void open(const Sources& sources);
  // With the fields as they are now. Takes nothing from what they are changed to meanwhile.
  void bake();
  // The result of what is going on (other than writing) is thrown away when it comes.
  void cancel();
  // Writes the result, whole or not at all, over a file of that name.
  void save();
  // Takes up what has been finished. Called once a picture.
  void poll();

  bool can_bake() const { return model_ && activity_ == Activity::idle; }
  bool can_save() const { return result_ && !result_->from_file && activity_ == Activity::idle; }

  BakeForm& form() { return form_; }
  std::string& output() { return output_; }

  Activity activity() const { return activity_; }
  WorkProgress progress() const;
  double seconds_at_it() const;  // of what is going on
  const Sources& sources() const { return sources_; }
  const std::shared_ptr<const Imported>& model() const { return model_; }
  const std::shared_ptr<const BakeResult>& result() const { return result_; }
  // Whether the fields say something else than the result was baked with.
  bool result_is_old() const;
  const Problems& problems() const { return problems_; }
  // The file the result was written to; empty: not yet.
  const std::string& saved_as() const { return saved_as_; }

 private:
  void begin(Activity activity);
  void finish_opening(Result<Gathered> gathered);
  void finish_baking(Result<Character> baked);
  void finish_saving(Result<std::string> saved);

  JobRunner& jobs_;
  Sources sources_;
  std::shared_ptr<const Imported> model_;
  BakeForm form_;
  std::string output_;
  std::shared_ptr<const BakeResult> result_;
  std::string saved_as_;
  Problems problems_;

  Activity activity_ = Activity::idle;
  std::chrono::steady_clock::time_point began_;
  Sources opening_sources_;
  BakeForm baking_form_;
  std::optional<Job<Gathered>> opening_;
  std::optional<Job<Character>> baking_;
  std::optional<Job<std::string>> saving_;
};

}  // namespace throng::studio
