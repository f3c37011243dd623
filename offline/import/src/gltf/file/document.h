// SPDX-License-Identifier: Apache-2.0
#pragma once
// A glTF file taken in: its objects, the bytes of its buffers, and the JSON for what the objects leave out. Behind
// load_document() everything may trust types, required properties and indices into collections; behind
// check_document() also accessor bounds and the values that gltf/check looks at.

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gltf/file/named_files.h"
#include "gltf/file/source.h"
#include "mender.h"
#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng::detail::gltf {

using import::Fault;
using import::Mender;

struct BufferSource {
  SharedBytes bytes;  // at least byte_length of them, when available
  std::uint64_t byte_length = 0;
  std::string missing;  // why there are no bytes; empty when there are
  // glTF allows a buffer without a URI, for programs that know where to take it from. What lies there is left out.
  bool placeholder = false;
  bool fallback = false;  // for readers without meshopt compression: it is not missed
};

// Bytes that the file has only in compressed form.
struct Decoded {
  SharedBytes bytes;
  bool lossy = false;  // declared bounds and unit lengths are then those of the original, not of these values
};

// The JSON lives behind a pointer so that most files need not compile the parser.
struct Document {
  Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  std::filesystem::path path;
  std::uint64_t budget = 0;  // ImportSettings::budget
  SharedBytes file;
  NamedFiles files;  // what was read from disk so far: its bytes are what budgets go by
  std::unique_ptr<nlohmann::json> json;
  std::optional<SharedBytes> binary_chunk;
  source::Model model;
  std::vector<BufferSource> buffers;
  std::map<std::size_t, Decoded> decoded_views;      // by buffer view
  std::map<std::size_t, Decoded> decoded_accessors;  // by accessor: packed elements
  std::optional<std::size_t> scene;  // the one to import; none: there are no scenes, so everything is shown
  std::vector<std::string> notes;

  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
};

// Reads the file and its buffers, and decodes what is compressed, within the budget (ImportSettings::budget). Meshes,
// skins and animations are for check_document().
Result<Document> load_document(const std::filesystem::path& path, SharedBytes file, std::uint64_t budget,
                               Mender& mender);

}  // namespace throng::detail::gltf
