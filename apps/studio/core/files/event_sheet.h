// SPDX-License-Identifier: Apache-2.0
#pragma once
// Events as they are edited on the time line, and the side file (throng/import/side_file.h) they are written to.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/model/model.h"

namespace throng::studio {

struct SheetEvent {
  double time = 0.0;  // seconds from the clip's start
  std::string name;

  friend bool operator==(const SheetEvent&, const SheetEvent&) = default;
};

// The events of all clips of one name, which a side file cannot tell apart.
struct ClipEvents {
  std::string clip;
  double length = 0.0;          // seconds, of the shortest clip of that name
  std::vector<SheetEvent> own;  // by time

  friend bool operator==(const ClipEvents&, const ClipEvents&) = default;
};

struct EventSheet {
  std::vector<ClipEvents> clips;
  // For every clip of the model by its number, as clips of one name have different ones: the events of the model's own
  // file, or of a pattern in the side file. They are not to be edited here.
  std::vector<std::vector<SheetEvent>> fixed;

  friend bool operator==(const EventSheet&, const EventSheet&) = default;

  ClipEvents* find(const std::string& clip);
  const ClipEvents* find(const std::string& clip) const;
  // The model's own events of a clip; empty where there is no such clip.
  std::span<const SheetEvent> fixed_of(std::optional<std::uint32_t> clip) const;
};

// A side file as it was read: the sheet, and what else it says.
struct SideFile {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  EventSheet sheet;
};

// The events of a model that add_side_file() has added the file's to. The text is that file's; empty: there is none.
// Refused: a text that add_side_file() would refuse, so that no other function here has to look again.
Result<SideFile> read_sheet(const Model& model, const std::string& text);

// Keeps the events of a clip in order. Each returns where the event is now. Times are held inside the clip; one that is
// not finite is refused, and nothing is changed.
Result<std::size_t> add_event(ClipEvents& clip, double time, const std::string& name);
Result<std::size_t> move_event(ClipEvents& clip, std::size_t event, double time);
void remove_event(ClipEvents& clip, std::size_t event);

// The model with the sheet's events in place of its own.
Result<Model> with_events(const Model& model, const EventSheet& sheet);

// The side file with the sheet's events: clips that were not edited, loop flags and groups stay as they were.
SideFile with_sheet(SideFile before, const EventSheet& sheet);
std::string text_of(const SideFile& file);

// "knight.throng.glb" → "knight.events.json": where a side file goes that has no name yet.
std::string side_file_beside(const std::string& asset);

}  // namespace throng::studio
