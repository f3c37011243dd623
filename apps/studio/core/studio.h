// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the window is about, without the window: the model that is open, how it is to be baked, the bake in progress and
// its result. Buttons, keys and scripts call the same functions. Nothing here waits: long work goes to the jobs and
// its outcome is taken up by poll().

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/files/event_sheet.h"
#include "core/files/sources.h"
#include "core/form/bake_form.h"
#include "core/history.h"
#include "core/job.h"
#include "core/preview/source_model.h"

namespace throng::studio {

enum class Activity : std::uint8_t { idle, opening, baking, saving };

// A baked model with what it was made of.
struct BakeResult {
  Character model;
  Sources sources;
  BakeForm form;
  EventSheet events = {};
  double seconds = 0.0;    // that the bake took
  bool from_file = false;  // opened, not baked here
};

// What went wrong, one line each, by the place where it is shown. Empty: nothing.
struct Problems {
  std::string open;
  std::string bake;
  std::string save;
};

// What the user may change and take back.
struct Edits {
  BakeForm form;
  EventSheet events;
  std::string output;

  friend bool operator==(const Edits&, const Edits&) = default;
};

class Studio {
 public:
  explicit Studio(JobRunner& jobs) : jobs_(jobs) {}

  // Reads a model and what is added to it. What is open stays until the new one is read. A model of another file gets
  // fresh fields; the same file read again keeps those that still fit. Not while an asset is being written.
  void open(const Sources& sources);
  // Bakes with the fields as they are now. Takes nothing from what they are changed to meanwhile.
  void bake();
  // The result of what is going on (other than writing) is thrown away when it comes.
  void cancel();
  // Writes the result, whole or not at all, over a file of that name. Events that were edited are written with it, to
  // the side file they came from or to one beside the asset; one that is there already and was not opened is not
  // written over: nothing is saved then.
  void save();
  // Takes up what has been finished. Called once a picture.
  void poll();

  bool can_bake() const { return model_ && activity_ == Activity::idle; }
  bool can_save() const { return result_ && !result_->from_file && activity_ == Activity::idle; }

  BakeForm& form() { return edits_.form; }
  const BakeForm& form() const { return edits_.form; }
  EventSheet& events() { return edits_.events; }
  const EventSheet& events() const { return edits_.events; }
  std::string& output() { return edits_.output; }
  const std::string& output() const { return edits_.output; }

  // Keeps what was changed as a step that can be taken back, once nothing is `changing` any more. Called once a
  // picture.
  void note_edits(bool changing);
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void undo();
  void redo();

  // Whether events were edited since they were read or written, and the file that holds them, or will when the asset is
  // written; empty: there are none.
  bool events_changed() const { return edits_.events != side_file_.sheet; }
  std::string side_file() const;
  // The command that bakes the same, once the side file is written.
  std::string command() const;

  Activity activity() const { return activity_; }
  WorkProgress progress() const;
  double seconds_at_it() const;  // of what is going on
  const Sources& sources() const { return sources_; }
  const std::shared_ptr<const Imported>& model() const { return model_; }
  // The model made ready to be looked at, which takes a moment after it was opened; nothing before, and where there is
  // nothing to draw: then the problem says why.
  const std::shared_ptr<const SourceModel>& source() const { return source_; }
  const std::string& source_problem() const { return source_problem_; }
  const std::shared_ptr<const BakeResult>& result() const { return result_; }
  // Whether the fields say something else than the result was baked with.
  bool result_is_old() const;
  const Problems& problems() const { return problems_; }
  // The file the result was written to; empty: not yet.
  const std::string& saved_as() const { return saved_as_; }
  // Whether a file of that name was there before.
  bool save_replaced() const { return save_replaced_; }

 private:
  void begin(Activity activity);
  struct Saved {
    std::string asset;
    std::string side_file;  // that was written with it; empty: none was
    bool replaced = false;
  };
  // A side file to be written.
  struct SideText {
    std::string file;
    std::string text;
    bool opened = false;  // it is the one that was read with the model
  };
  void finish_opening(Result<Gathered> gathered);
  void stage_source();
  void finish_baking(Result<Character> baked);
  void finish_saving(Result<Saved> saved);
  static Result<Saved> write(const BakeResult& result, bool link_textures, const std::string& output,
                             const std::optional<SideText>& side);

  JobRunner& jobs_;
  Sources sources_;
  std::shared_ptr<const Imported> model_;
  std::shared_ptr<const SourceModel> source_;
  std::string source_problem_;
  Edits edits_;
  History<Edits> history_;
  EventSheet model_events_;  // that model_ has
  SideFile side_file_;       // as it is on the disk
  SideFile saving_side_;     // that is being written in its place
  std::shared_ptr<const BakeResult> result_;
  std::string saved_as_;
  bool save_replaced_ = false;
  Problems problems_;

  Activity activity_ = Activity::idle;
  std::chrono::steady_clock::time_point began_;
  Sources opening_sources_;
  Edits baking_edits_;
  std::optional<Job<Gathered>> opening_;
  std::optional<Job<SourceModel>> staging_;  // goes on whatever else does
  std::optional<Job<Character>> baking_;
  std::optional<Job<Saved>> saving_;
};

}  // namespace throng::studio
