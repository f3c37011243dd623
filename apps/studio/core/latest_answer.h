// SPDX-License-Identifier: Apache-2.0
#pragma once
// An answer that takes a while, for a question that changes while it is being typed: asked anew at every picture,
// worked out on another thread, one at a time, always for the newest question.

#include "core/job.h"

namespace throng::studio {

template <class Question, class Answer>
class LatestAnswer {
 public:
  using Find = Result<Answer> (*)(const Question&);
  LatestAnswer(JobRunner& jobs, Find find) : jobs_(jobs), find_(find) {}

  void ask(const Question& question) {
    if (job_ && job_->done()) {
      answer_ = job_->take();
      answered_ = std::move(asked_);
      job_.reset();
    }
    if (job_ || (answered_ && *answered_ == question)) return;
    asked_ = question;
    job_.emplace(jobs_.start<Answer>([find = find_, question](const Progress&) { return find(question); }));
  }

  // To the newest question that has one, which may not be the last one asked; none before the first.
  const std::optional<Result<Answer>>& answer() const { return answer_; }
  bool is_current(const Question& question) const { return answered_ && *answered_ == question; }

 private:
  JobRunner& jobs_;
  Find find_;
  std::optional<Question> asked_;
  std::optional<Question> answered_;
  std::optional<Job<Answer>> job_;
  std::optional<Result<Answer>> answer_;
};

}  // namespace throng::studio
