// SPDX-License-Identifier: Apache-2.0
#include "throng/mannequin/mannequin.h"

#include "body.h"
#include "clips.h"
#include "skeleton.h"

namespace throng {

Model make_mannequin() {
  detail::mannequin::Body body = detail::mannequin::make_body();
  ModelDraft draft;
  draft.name = "mannequin";
  draft.bones = detail::mannequin::make_bones();
  draft.bindings = detail::mannequin::make_bindings();
  draft.meshes = std::move(body.meshes);
  draft.materials = std::move(body.materials);
  draft.sockets = detail::mannequin::make_sockets();
  for (auto& clips :
       {detail::mannequin::make_gaits(), detail::mannequin::make_moods(), detail::mannequin::make_fighting()}) {
    draft.clips.insert(draft.clips.end(), clips.begin(), clips.end());
  }
  return build_model(std::move(draft)).value();
}

}  // namespace throng
