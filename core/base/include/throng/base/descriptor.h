// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file descriptor that closes itself, and writing all of something to one.

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace throng {

// What the operating system says was wrong: "No such file or directory".
inline std::string system_reason(int error = errno) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}  // takes the descriptor over; −1: none
  Descriptor() = default;
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  // The number; it stays owned. −1: none.
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }  // the number, which the caller closes from now on
  explicit operator bool() const { return fd_ >= 0; }
  // Closes now, so that an error of the close itself is seen.
  bool close() { return ::close(release()) == 0; }

 private:
  int fd_ = -1;
};

// Writes every byte, however often it takes; false: errno says why not.
inline bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace throng
