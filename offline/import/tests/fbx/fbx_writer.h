// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a binary FBX 7400 document into memory, for tests that need one byte by byte.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace throng::test {

// The content of an array of so many zeros of so many bytes: what a few bytes can stand for. For value_of_type().
std::string deflated_zeros(std::size_t count, std::size_t entry_size);

class Writer {
 public:
  explicit Writer(bool big_endian = false);

  // An element; its values come before its children.
  void begin(std::string_view name);
  void end();

  void id(std::int64_t value);
  void integer(std::int32_t value);
  void real(double value);
  void text(std::string_view value);
  void bytes(std::string_view value);
  // A value of any type, its bytes as they are.
  void value_of_type(char type, std::string_view content);
  void reals(std::span<const double> values);
  void integers(std::span<const std::int32_t> values);

  // Elements that hold one value.
  void element(std::string_view name, std::int32_t value);
  void element(std::string_view name, std::string_view value);
  void element(std::string_view name, std::span<const double> values);
  void element(std::string_view name, std::span<const std::int32_t> values);

  // What is written from here on says nothing of where it ends, as if the file could not be gone back in.
  void leave_out_ends() { ends_ = false; }

  // The finished document. Nothing may be written after.
  std::vector<char> finish();

 private:
  struct Open {
    std::size_t head = 0;  // where the element began
    std::size_t values_begin = 0;
    std::uint32_t values = 0;
    bool has_children = false;
  };

  void value(char type);
  void close_values();
  template <class T>
  void raw(const T& value);
  template <class T>
  void array(char type, std::span<const T> values);
  void put(std::size_t at, std::uint32_t value);

  bool big_endian_ = false;
  bool ends_ = true;
  std::vector<char> out_;
  std::vector<Open> open_;
};

}  // namespace throng::test
