#pragma once
// A glTF file taken in and checked: the typed document (tinygltf's structures), the bytes of its buffers, and the JSON
// for what the typed form leaves out. Everything behind load_document() may trust types, required properties, indices
// into collections, accessor bounds and the values checked in gltf_*_check.cpp.

#include <tiny_gltf.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng::gltf {

inline constexpr const char* kDraco = "KHR_draco_mesh_compression";
inline constexpr const char* kExtMeshopt = "EXT_meshopt_compression";
inline constexpr const char* kKhrMeshopt = "KHR_meshopt_compression";

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
  SharedBytes file;
  std::unique_ptr<nlohmann::json> json;
  std::optional<SharedBytes> binary_chunk;
  tinygltf::Model model;  // without buffers, images and cameras; those are read from `json`
  std::vector<BufferSource> buffers;
  std::map<std::size_t, Decoded> decoded_views;      // by buffer view
  std::map<std::size_t, Decoded> decoded_accessors;  // by accessor: packed elements
  std::vector<int> declared_targets;                 // per buffer view, 0 when left out; tinygltf overwrites its own
  std::vector<bool> understood;      // per accessor: its type and component type are ones glTF 2.0 knows
  std::optional<std::size_t> scene;  // the one to import; none: there are no scenes, so everything is shown
  std::size_t channels_without_node = 0;
  std::vector<std::string> notes;

  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
};

// Reads and checks the document and its buffers; meshes, skins and animations are checked by check_document().
Result<Document> load_document(const std::filesystem::path& path, SharedBytes file);

// Every rule of glTF 2.0 that this importer relies on, beyond the shape of the JSON; the first broken one is the error.
Result<void> check_document(Document& document);

// Parts of load_document, in their own files.
Result<void> check_extensions(Document& document);
Result<void> load_buffers(Document& document);
Result<void> read_typed(Document& document);
Result<void> decompress_views(Document& document);
Result<void> decompress_primitives(Document& document);

// Parts of check_document.
Result<void> check_accessors(const Document& document);
Result<void> check_budget(const Document& document);
Result<void> check_accessor_data(const Document& document);
Result<void> check_view_usage(const Document& document);
Result<void> check_hierarchy(const Document& document);
Result<void> check_nodes(const Document& document);
Result<void> check_skins(const Document& document);
Result<void> check_meshes(const Document& document);
Result<void> check_animations(const Document& document);

// The bytes of a buffer view, or why there are none.
Result<SharedBytes> view_bytes(const Document& document, std::size_t view);

}  // namespace throng::gltf
