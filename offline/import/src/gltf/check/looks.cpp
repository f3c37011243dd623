// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/looks.h"

#include "gltf/file/json.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

using Json = nlohmann::json;

Result<double> number_of(const Json& owner, std::string_view name) {
  const auto found = owner.find(name);
  if (found == owner.end()) return fail("has no {}", name);
  if (!found->is_number()) return fail("its {} is not a number", name);
  return found->get<double>();
}

Result<double> positive(const Json& owner, std::string_view name) {
  THRONG_TRY(const double value, number_of(owner, name));
  if (!(value > 0.0)) return fail("its {} is {}, and not above 0", name, value);
  return value;
}

Result<void> check_depths(double near, double far) {
  if (!(far > near)) return fail("its zfar, {}, is not beyond its znear, {}", far, near);
  return {};
}

Result<void> check_perspective(const Json& lens) {
  THRONG_CHECK(positive(lens, "yfov"));
  if (lens.contains("aspectRatio")) THRONG_CHECK(positive(lens, "aspectRatio"));
  THRONG_TRY(const double near, positive(lens, "znear"));
  if (!lens.contains("zfar")) return {};
  THRONG_TRY(const double far, positive(lens, "zfar"));
  return check_depths(near, far);
}

Result<void> check_orthographic(const Json& lens) {
  for (const std::string_view name : {"xmag", "ymag"}) {
    THRONG_TRY(const double size, number_of(lens, name));
    if (size == 0.0) return fail("its {} is 0", name);
  }
  THRONG_TRY(const double near, number_of(lens, "znear"));
  if (near < 0.0) return fail("its znear is {}, and below 0", near);
  THRONG_TRY(const double far, positive(lens, "zfar"));
  return check_depths(near, far);
}

Result<void> check_camera(const Json& camera) {
  if (!camera.is_object()) return fail("is not an object");
  const auto type = camera.find("type");
  if (type == camera.end() || !type->is_string()) return fail("has no type");
  const bool perspective = camera.contains("perspective");
  if (perspective && camera.contains("orthographic")) return fail("is both perspective and orthographic");
  const std::string& name = type->get_ref<const std::string&>();
  if (name != "perspective" && name != "orthographic") return {};  // of an extension
  const auto lens = camera.find(name);
  if (lens == camera.end() || !lens->is_object()) return fail("is {}, and does not say how", name);
  return perspective ? check_perspective(*lens) : check_orthographic(*lens);
}

Result<void> check_image(const Document& document, const Json& image) {
  if (!image.is_object()) return fail("is not an object");
  const auto view = image.find("bufferView");
  if (image.contains("uri") == (view != image.end())) return fail("must have a URI or a buffer view, and one of them");
  if (view == image.end()) return {};
  if (!image.contains("mimeType")) return fail("has a buffer view and no mimeType");
  if (!view->is_number_unsigned()) return fail("its bufferView is not an index");
  const auto index = view->get<std::uint64_t>();
  const auto& views = document.model.buffer_views;
  if (index >= views.size()) return fail("names bufferViews[{}] of {}", index, views.size());
  if (views[index].byte_stride != 0) return fail("lies in bufferViews[{}], which has a byteStride", index);
  return {};
}

// What `check` says of each entry of a list that may be left out, but is not empty.
template <class Check>
Result<void> check_list(const Document& document, std::string_view collection, Mender& mender, const Check& check) {
  if (!document.json->contains(collection)) return {};
  const Json& list = collection_of(*document.json, collection);
  if ((*document.json)[collection].is_array() && list.empty())
    return mender.forgive(Fault::empty_list, "{} is empty; leave it out instead", collection);
  if (list.empty()) return mender.pass_on("'{}' is not a list of at least one", collection);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const Result<void> right = check(list[i]); !right)
      THRONG_CHECK(mender.pass_on("{}[{}] {}", collection, i, right.error().message));
  }
  return {};
}

}  // namespace

Result<void> check_cameras(const Document& document, Mender& mender) {
  return check_list(document, "cameras", mender, check_camera);
}

Result<void> check_images(const Document& document, Mender& mender) {
  return check_list(document, "images", mender, [&](const Json& image) { return check_image(document, image); });
}

}  // namespace throng::detail::gltf
