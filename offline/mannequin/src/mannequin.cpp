#include "throng/mannequin/mannequin.h"

#include "body.h"
#include "clips.h"
#include "skeleton.h"

namespace throng {

Model make_mannequin() {
  mannequin::Body body = mannequin::make_body();
  ModelDraft draft;
  draft.name = "mannequin";
  draft.bones = mannequin::make_bones();
  draft.bindings = mannequin::make_bindings();
  draft.meshes = std::move(body.meshes);
  draft.materials = std::move(body.materials);
  draft.sockets = mannequin::make_sockets();
  for (auto& clips : {mannequin::make_gaits(), mannequin::make_moods(), mannequin::make_fighting()}) {
    draft.clips.insert(draft.clips.end(), clips.begin(), clips.end());
  }
  return build_model(std::move(draft)).value();
}

}  // namespace throng
