// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the result of a command goes: a file, or standard output, which is called "-".

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "throng/base/result.h"

// For the option: names must end in one of these, whatever the case. "-", and what is there and is no file (a device, a
// FIFO), need not. The error lists the endings there are; empty: right.
std::string wrong_ending(const std::string& name, std::span<const std::string_view> endings);

enum class Content { text, binary };

class Output {
 public:
  // Before any work is done for it: throng::find_destination() says what is refused, and so is anything but text to a
  // terminal. Where the name stands for several files, `first` is one of them.
  static throng::Result<Output> find(const std::string& name, Content content, const std::string& first = {});

  const std::string& name() const { return name_; }
  // The path as throng::write_file() and its like take it.
  std::filesystem::path path() const { return is_standard_output_ ? "/dev/stdout" : name_; }
  bool is_standard_output() const { return is_standard_output_; }
  bool is_stream() const { return is_stream_; }
  // Whether there was a file before.
  bool replaces() const { return replaces_; }
  // Where what is said about the result goes: never among its bytes.
  std::FILE* report_stream() const { return is_standard_output_ ? stderr : stdout; }

 private:
  std::string name_;
  bool is_standard_output_ = false;
  bool is_stream_ = false;
  bool replaces_ = false;
};

// ", replacing what was there" where it does.
std::string replacing(const Output& output);
