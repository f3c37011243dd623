// SPDX-License-Identifier: Apache-2.0
#include "mender.h"

#include "throng/base/text.h"

namespace throng::detail::import {
namespace {

struct Row {
  Fault fault;
  std::string_view met;  // what there were so many of, as in_number() tells it
  std::string_view done;
  std::uint64_t Repairs::*counter = &Repairs::faults_mended;
};

constexpr Row kRows[] = {
    {Fault::byte_order_mark, "byte-order [mark|marks] before the JSON", "passed over"},
    {Fault::chunk_length, "GLB [chunk has|chunks have] a length that is no multiple of four",
     "read as long as [it says|they say]"},
    {Fault::media_type, "data [URI of a buffer has|URIs of buffers have] another media type than a buffer's",
     "read all the same"},
    {Fault::empty_list, "[list is empty where it|lists are empty where they] should be left out", "taken as left out"},
    {Fault::property, "[property that nothing here needs is|properties that nothing here needs are] wrong", "left out"},
    {Fault::look,
     "[property of a material, texture or sampler is|properties of materials, textures and samplers are] wrong",
     "left out"},
    {Fault::repeated, "[entry of a list repeats|entries of lists repeat] an earlier one", "counted once"},
    {Fault::undeclared_extension, "[use of an extension is|uses of extensions are] not declared in extensionsUsed",
     "taken as declared"},
    {Fault::normalised_floats,
     "[accessor of floats or 32-bit integers is|accessors of floats or 32-bit integers are] said to be normalized",
     "read as [it is|they are]"},
    {Fault::bounds, "declared [bound of an accessor is|bounds of accessors are] missing or wrong",
     "those of the data count"},
    {Fault::draco_counts,
     "[count of an accessor is not that of its|counts of accessors are not those of their] Draco data",
     "those of the Draco data count"},
    {Fault::stride, "[use of a buffer view has|uses of buffer views have] a byteStride where there should be none",
     "it is honoured"},
    {Fault::shared_view, "[use of a buffer view mixes|uses of buffer views mix] what should lie apart",
     "read as it lies"},
    {Fault::alignment, "[accessor is not aligned as it|accessors are not aligned as they] should be",
     "read where [it lies|they lie]"},
    {Fault::attribute_name, "vertex [attribute has|attributes have] a name or type that glTF does not know",
     "left out"},
    {Fault::attribute_sets, "[primitive numbers its|primitives number their] attributes with gaps",
     "taken by their numbers"},
    {Fault::no_texcoords,
     "[primitive lacks the texture coordinates that its|primitives lack the texture coordinates that their] material "
     "needs",
     "drawn without"},
    {Fault::no_base_attribute,
     "[attribute of a morph target is not in its|attributes of morph targets are not in their] primitive", "left out"},
    {Fault::colour_range, "[value of a vertex colour is|values of vertex colours are] below 0 or above 1", "clamped"},
    {Fault::negative_weight,
     "vertex [weight is negative or not a finite number|weights are negative or not finite numbers]", "taken as zero"},
    {Fault::normal_length, "[normal is|normals are] not of unit length", "normalised", &Repairs::normals_fixed},
    {Fault::tangent_length, "[tangent is|tangents are] not of unit length", "normalised"},
    {Fault::tangent_side, "[tangent has|tangents have] a w that is neither -1 nor 1", "taken by its sign"},
    {Fault::node_rotation, "[rotation of a node is|rotations of nodes are] not of unit length", "normalised",
     &Repairs::quaternions_fixed},
    {Fault::interpolation, "[interpolation is|interpolations are] no word that glTF knows", "read as linear"},
    {Fault::short_spline, "cubic [spline has|splines have] one key alone", "taken as a pose"},
    {Fault::animated_matrix, "animation [channel moves|channels move] a node that has a matrix",
     "the matrix is taken apart into translation, rotation and scale"},
    {Fault::weights_without_targets, "animation [channel weighs|channels weigh] morph targets that are not there",
     "left out"},
    {Fault::weight_count, "[mesh or node has|meshes and nodes have] another number of weights than of morph targets",
     "taken in their order, and those that lack are zero"},
    {Fault::key,
     "animation [key was no finite number, a rotation without length|keys were no finite numbers, rotations without "
     "length] or at the time of the one before",
     "dropped"},
    {Fault::joints_apart, "[skin has|skins have] joints without a common root", "one was made"},
    {Fault::joints_outside, "skinned [node has|nodes have] joints outside the scene",
     "the joints are animated all the same"},
    {Fault::matrix_row, "inverse bind [matrix has|matrices have] a last row that is not 0 0 0 1",
     "taken as if it were"},
    {Fault::matrix, "inverse bind [matrix was|matrices were] not finite",
     "[that of the rest pose stands|those of the rest pose stand] in"},
    {Fault::vertex, "[vertex was|vertices were] not finite", "[its|their] triangles were dropped"},
    {Fault::normal, "[normal was|normals were] not finite", "computed from the triangles", &Repairs::normals_fixed},
    {Fault::tangent, "[tangent was|tangents were] not finite", "computed from the texture coordinates"},
    {Fault::attribute_value,
     "[texture coordinate, colour or morph offset was|texture coordinates, colours and morph offsets were] not finite",
     "taken as zero, white and no offset"},
    {Fault::instance, "[instance of a mesh was|instances of meshes were] not at finite numbers", "left out"},
    {Fault::no_number, "[number of the JSON is|numbers of the JSON are] NaN or Infinity", "taken as left out"},
    {Fault::value_type, "[element has|elements have] values of a type that FBX does not know", "those are passed over"},
    {Fault::values_end, "[element has|elements have] values or children that end elsewhere than they say",
     "the element's own end counts"},
    {Fault::end_offset, "[element does not say where it ends|elements do not say where they end]",
     "read up to the end of [its|their] children"},
    {Fault::array, "[array that nothing here needs is|arrays that nothing here needs are] damaged", "passed over"},
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
    notes.push_back(in_number(count, fmt::format("{}: {}", row.met, row.done)));
    repairs.*row.counter += count;
  }
}

}  // namespace throng::detail::import
