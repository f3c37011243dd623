// SPDX-License-Identifier: Apache-2.0
#pragma once
// Another program that reads what we write to it: ffmpeg, for films.

#include <optional>
#include <string>
#include <vector>

#include "interrupt.h"
#include "throng/base/bytes.h"
#include "throng/base/descriptor.h"
#include "throng/base/result.h"

namespace throng {

class ProcessInput {
 public:
  // Starts arguments[0], found on the PATH, with its standard input connected to write(). What it says on standard
  // error is kept, and its last line is the reason when it fails.
  static Result<ProcessInput> start(const std::vector<std::string>& arguments);

  ProcessInput(ProcessInput&& other) noexcept;
  ProcessInput& operator=(ProcessInput&&) = delete;
  ~ProcessInput();  // waits for a program that was not finished, having closed its input

  Result<void> write(std::span<const std::byte> bytes);
  // Closes the program's input and waits for it; its failure is the error.
  Result<void> finish();

 private:
  ProcessInput(std::string name, EndsWithUs process, int input, Descriptor words)
      : name_(std::move(name)), process_(std::move(process)), input_(input), words_(std::move(words)) {}
  int close_and_wait();
  // The last line it wrote to its standard error; empty: none.
  std::string last_words() const;

  std::string name_;
  std::optional<EndsWithUs> process_;  // none: it was waited for
  int input_;
  Descriptor words_;  // its standard error; none: it is ours
};

}  // namespace throng
