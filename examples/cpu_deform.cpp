// SPDX-License-Identifier: Apache-2.0
// A mesh deformed on the CPU, without any GPU: for picking, for export, for servers. Plays a clip for a while and
// writes what the character looks like then.
//   cpu_deform ASSET.throng.glb CLIP SECONDS OUTPUT.obj

#include <fmt/format.h>
#include <throng/base/file.h>
#include <throng/base/try.h>
#include <throng/character/file.h>
#include <throng/playback/controller.h>

#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

namespace {

throng::Result<void> write_pose(const char* asset_file, const char* clip, double seconds, const char* output) {
  THRONG_TRY(const throng::Character asset, throng::read_character(asset_file));
  throng::Controller character(asset);
  THRONG_CHECK(character.play(clip));
  character.advance(seconds);

  // Reads the same record as the GPU. Positions and normals are in model space; with an InstanceRecord, in the world.
  const throng::Deformer deformer(asset);
  std::vector<glm::vec3> positions(deformer.vertex_count()), normals(deformer.vertex_count());
  THRONG_CHECK(deformer.run(character.record(), character.now(), {.positions = positions, .normals = normals}));

  std::string obj = fmt::format("# {} after {} s of {}\n", asset.name(), seconds, clip);
  const auto out = std::back_inserter(obj);
  throng::Bounds box;
  for (const glm::vec3& p : positions) {
    fmt::format_to(out, "v {:.6f} {:.6f} {:.6f}\n", p.x, p.y, p.z);
    box.add(p);
  }
  for (const glm::vec3& n : normals) fmt::format_to(out, "vn {:.4f} {:.4f} {:.4f}\n", n.x, n.y, n.z);
  for (const throng::BakedDraw& draw : asset.draws()) {
    fmt::format_to(out, "g {}\n", asset.materials()[draw.material].name);
    const auto indices = asset.indices().subspan(draw.first_index, draw.index_count);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
      fmt::format_to(out, "f {0}//{0} {1}//{1} {2}//{2}\n", indices[i] + 1, indices[i + 1] + 1, indices[i + 2] + 1);
  }
  const glm::dvec3 size = box.size();
  fmt::print("{} vertices; {:.2f} × {:.2f} × {:.2f} units\n", positions.size(), size.x, size.y, size.z);
  return throng::write_file(output, obj);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: cpu_deform ASSET.throng.glb CLIP SECONDS OUTPUT.obj\n");
    return 2;
  }
  if (const auto written = write_pose(argv[1], argv[2], std::atof(argv[3]), argv[4]); !written) {
    fmt::print(stderr, "{}\n", written.error().message);
    return 1;
  }
  fmt::print("wrote {}\n", argv[4]);
}
