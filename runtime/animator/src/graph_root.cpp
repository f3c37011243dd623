#include "graph_data.h"
#include "root_track.h"
#include "throng/animator/graph.h"

namespace throng {

void AnimatorGraph::take_out_root_motion(std::uint32_t clip, double seconds, std::span<SoaTransform> locals) const {
  if (clip >= data_->root_tracks.size() || locals.size() < rig_->group_count()) return;
  throng::take_out_root_motion(data_->root_frame, data_->root_tracks[clip], seconds, locals);
}

}  // namespace throng
