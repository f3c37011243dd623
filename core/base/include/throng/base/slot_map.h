// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values found by {slot, generation} ids: removing one frees its slot for another, and the old id finds nothing more.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace throng {

// `Id` is a struct of two std::uint32_t, `slot` and `generation`. A default-constructed id finds nothing, ever. Adding
// may move the values; their slots stay. A slot is handed out again at the earliest after 2³¹ removals under the same
// id.
template <class T, class Id>
class SlotMap {
 public:
  // Puts a value into a free slot; its id finds it from now on.
  Id add(T value) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(entries_.size()));
      entries_.emplace_back();
    }
    const std::uint32_t slot = free_.back();
    entries_[slot].value = std::move(value);
    free_.pop_back();
    return Id{slot, ++entries_[slot].generation};
  }

  // False when there is no such value.
  bool remove(Id id) {
    if (!has(id)) return false;
    free_.push_back(id.slot);
    Entry& entry = entries_[id.slot];
    ++entry.generation;
    entry.value = T{};
    return true;
  }

  // Whether the id's value is still there.
  bool has(Id id) const { return holds(id.slot) && entries_[id.slot].generation == id.generation; }
  T* find(Id id) { return has(id) ? &entries_[id.slot].value : nullptr; }  // the value, or null when it was removed
  const T* find(Id id) const { return has(id) ? &entries_[id.slot].value : nullptr; }

  // Access by slot, for going through all. Of a free slot only holds() may be asked.
  bool holds(std::uint32_t slot) const { return slot < entries_.size() && (entries_[slot].generation & 1u) != 0; }
  Id id_of(std::uint32_t slot) const { return Id{slot, entries_[slot].generation}; }  // the id of what is in a slot now
  T& operator[](std::uint32_t slot) { return entries_[slot].value; }
  const T& operator[](std::uint32_t slot) const { return entries_[slot].value; }

  std::size_t size() const { return entries_.size() - free_.size(); }  // how many values there are
  // Slots there are, free ones among them: every slot that was ever given is below this.
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(entries_.size()); }

 private:
  struct Entry {
    std::uint32_t generation = 0;  // odd while the slot holds a value
    T value = {};
  };

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace throng
