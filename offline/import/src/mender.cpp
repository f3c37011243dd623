// SPDX-License-Identifier: Apache-2.0
#include "mender.h"

namespace throng::detail::import {
namespace {

struct Row {
  Fault fault;
  std::string_view counted;  // what there were so many of
  std::string_view done;
  std::uint64_t Repairs::*counter = &Repairs::faults_mended;
};

constexpr Row kRows[] = {
    {Fault::byte_order_mark, "byte-order marks before the JSON", "passed over"},
    {Fault::chunk_length, "GLB chunks have a length that is no multiple of four", "read as long as they say"},
    {Fault::media_type, "data URIs of buffers have another media type than a buffer's", "read all the same"},
    {Fault::empty_list, "lists are empty where they should be left out", "taken as left out"},
    {Fault::property, "properties that nothing here needs are wrong", "left out"},
    {Fault::look, "properties of materials, textures and samplers are wrong", "left out"},
    {Fault::repeated, "entries of lists repeat an earlier one", "counted once"},
    {Fault::undeclared_extension, "uses of extensions are not declared in extensionsUsed", "taken as declared"},
    {Fault::normalised_floats, "accessors of floats or 32-bit integers are said to be normalized", "read as they are"},
    {Fault::bounds, "declared bounds of accessors are missing or wrong", "those of the data count"},
    {Fault::draco_counts, "counts of accessors are not those of their Draco data", "those of the Draco data count"},
    {Fault::stride, "uses of buffer views have a byteStride where there should be none", "it is honoured"},
    {Fault::shared_view, "uses of buffer views mix what should lie apart", "read as it lies"},
    {Fault::alignment, "accessors are not aligned as they should be", "read where they lie"},
    {Fault::attribute_name, "vertex attributes have a name or type that glTF does not know", "left out"},
    {Fault::attribute_sets, "primitives number their attributes with gaps", "taken by their numbers"},
    {Fault::no_texcoords, "primitives lack the texture coordinates that their material needs", "drawn without"},
    {Fault::no_base_attribute, "attributes of morph targets are not in their primitive", "left out"},
    {Fault::colour_range, "values of vertex colours are below 0 or above 1", "clamped"},
    {Fault::negative_weight, "vertex weights are negative or not finite numbers", "taken as zero"},
    {Fault::normal_length, "normals are not of unit length", "normalised", &Repairs::normals_fixed},
    {Fault::tangent_length, "tangents are not of unit length", "normalised"},
    {Fault::tangent_side, "tangents have a w that is neither -1 nor 1", "taken by its sign"},
    {Fault::node_rotation, "rotations of nodes are not of unit length", "normalised", &Repairs::quaternions_fixed},
    {Fault::interpolation, "interpolations are no word that glTF knows", "read as linear"},
    {Fault::animated_matrix, "animation channels move a node that has a matrix",
     "the matrix is taken apart into translation, rotation and scale"},
    {Fault::weights_without_targets, "animation channels weigh morph targets that are not there", "left out"},
    {Fault::key, "animation keys were not finite numbers or rotations without length", "dropped"},
    {Fault::joints_apart, "skins have joints without a common root", "one was made"},
    {Fault::joints_outside, "skinned nodes have joints outside the scene", "the joints are animated all the same"},
    {Fault::matrix_row, "inverse bind matrices have a last row that is not 0 0 0 1", "taken as if it were"},
    {Fault::matrix, "inverse bind matrices were not finite numbers", "those of the rest pose stand in"},
    {Fault::vertex, "vertices were not finite numbers", "their triangles were dropped"},
    {Fault::normal, "normals were not finite numbers", "computed from the triangles", &Repairs::normals_fixed},
    {Fault::tangent, "tangents were not finite numbers", "computed from the texture coordinates"},
    {Fault::attribute_value, "texture coordinates, colours and morph offsets were not finite numbers",
     "taken as zero, white and no offset"},
    {Fault::instance, "instances of meshes were not at finite numbers", "left out"},
    {Fault::no_number, "numbers of the JSON are NaN or Infinity", "taken as left out"},
    {Fault::value_type, "elements have values of a type that FBX does not know", "those are passed over"},
    {Fault::values_end, "elements have values or children that end elsewhere than they say",
     "the element's own end counts"},
    {Fault::end_offset, "elements do not say where they end", "read up to the end of their children"},
    {Fault::array, "arrays that nothing here needs are damaged", "passed over"},
};

constexpr bool in_order() {
  std::size_t next = 1;  // behind Fault::none
  for (const Row& row : kRows) {
    if (static_cast<std::size_t>(row.fault) != next++) return false;
  }
  return next == static_cast<std::size_t>(Fault::count_);
}
static_assert(in_order(), "every fault has its row, in the order of the enumeration");

}  // namespace

void Mender::tell(std::vector<std::string>& notes, Repairs& repairs) const {
  for (const Row& row : kRows) {
    const std::uint64_t count = counts_[static_cast<std::size_t>(row.fault)];
    if (count == 0) continue;
    notes.push_back(fmt::format("{} {}: {}", count, row.counted, row.done));
    repairs.*row.counter += count;
  }
}

}  // namespace throng::detail::import
