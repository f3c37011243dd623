// SPDX-License-Identifier: Apache-2.0
// Files made to hurt: every one is refused in one line, quickly, and without more memory than the file vouches for.

#include <sys/resource.h>

#include "gltf/file/uri.h"
#include "gltf_builder.h"
#include "shared_files.h"

namespace throng::test {
namespace {

const ImportSettings kStrict{.strict = true};

void expect_refused(const Result<Imported>& imported, std::string_view because) {
  ASSERT_FALSE(imported) << "read, though " << because;
  EXPECT_TRUE(is_one_line(imported.error().message)) << imported.error().message;
  EXPECT_NE(imported.error().message.find(because), std::string::npos) << imported.error().message;
}

// Mending is no way in.
void expect_refused(const GltfBuilder& file, std::string_view because) {
  expect_refused(file.import(), because);
  expect_refused(file.import(kStrict), because);
}

TEST(GltfHostile, NodesThatAreTheirOwnAncestorsAreRefused) {
  GltfBuilder b;
  b.json["nodes"] = {{{"children", {1}}}, {{"children", {2}}}, {{"children", {0}}}};
  expect_refused(b, "loop");
  b.json["nodes"] = {{{"children", {0}}}};
  expect_refused(b, "loop");
}

TEST(GltfHostile, AChainOfAHundredThousandNodesIsWalkedWithoutRecursion) {
  GltfBuilder b;
  constexpr int kNodes = 100000;
  for (int i = 0; i + 1 < kNodes; ++i) b.json["nodes"].push_back({{"children", {i + 1}}});
  b.json["nodes"].push_back({{"name", "end"}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.bones().size(), static_cast<std::size_t>(kNodes));
}

TEST(GltfHostile, JsonNestedWithoutEndIsRefused) {
  const std::string deep(1000000, '[');
  const ScratchFolder folder;
  expect_refused(import_gltf(folder.write("deep.gltf", R"({"asset":{"version":"2.0"},"extras":)" + deep)), "nested");
}

TEST(GltfHostile, CountsBeyondTheDataAreRefusedBeforeAnythingIsAllocated) {
  for (const std::uint64_t count :
       {std::uint64_t{4}, std::uint64_t{2147483647}, std::uint64_t{1} << 40, std::uint64_t{1} << 63}) {
    GltfBuilder b = triangle_file();
    b.json["accessors"][0]["count"] = count;
    expect_refused(b, "accessors[0]");
  }
}

TEST(GltfHostile, CountsWithoutDataAreBounded) {
  GltfBuilder b = triangle_file();
  b.json["accessors"][0].erase("bufferView");
  b.json["accessors"][0]["count"] = 2147483647;
  expect_refused(b, "without a buffer view");
}

TEST(GltfHostile, TheSameDataNamedOverAndOverIsBounded) {
  GltfBuilder b = triangle_file();
  b.json["accessors"][0].erase("bufferView");
  b.json["accessors"][0]["count"] = 5000000;
  for (int i = 0; i < 1000; ++i) b.json["nodes"].push_back({{"mesh", 0}});
  b.json.erase("scenes");
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  expect_refused(b, "512 MiB is what a file of");
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  constexpr long kKilobytes = 64 * 1024;
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, kKilobytes);
}

TEST(GltfHostile, InstancesCountAsOftenAsTheyAreShown) {
  GltfBuilder b = triangle_file();
  const int places = b.append("accessors", {{"componentType", 5126}, {"count", 5000000}, {"type", "VEC3"}});
  b.json["accessors"][0].erase("bufferView");
  b.json["accessors"][0]["count"] = 1000;
  b.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] = places;
  b.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  expect_refused(b, "512 MiB is what a file of");
}

TEST(GltfHostile, OffsetsThatOverflowAreRefused) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 53;
  for (const char* collection : {"bufferViews", "accessors"}) {
    for (const std::uint64_t offset : {kLargest, std::uint64_t{0} - 4, std::uint64_t{1} << 63}) {
      GltfBuilder b = triangle_file();
      b.json[collection][0]["byteOffset"] = offset;
      expect_refused(b, collection);
    }
  }
  GltfBuilder b = triangle_file();
  b.json["bufferViews"][0]["byteLength"] = kLargest;
  expect_refused(b, "bufferViews[0]");
}

TEST(GltfHostile, NothingOutsideTheFilesFolderIsRead) {
  const ScratchFolder folder;
  GltfBuilder b = triangle_file();
  folder.write("secret.bin", b.bytes());
  folder.write("inside/near.bin", b.bytes());
  Json json = b.json;
  const auto import_with = [&](const std::string& uri) {
    json["buffers"] = {{{"byteLength", b.bytes().size()}, {"uri", uri}}};
    return import_gltf(folder.write("inside/model.gltf", json.dump()));
  };
  EXPECT_TRUE(import_with("near.bin")) << import_with("near.bin").error().message;
  const std::string absolute = (folder.path() / "inside/near.bin").string();
  for (const std::string& uri :
       {std::string("../secret.bin"), std::string("%2E%2E/secret.bin"), std::string("..%2fsecret.bin"),
        std::string("a/../../secret.bin"), std::string("..\\secret.bin"), absolute, "file://" + absolute,
        std::string("near.bin%00.png"), std::string("http://localhost/near.bin"), std::string("")}) {
    expect_refused(import_with(uri), "beside this one");
    ASSERT_FALSE(HasFailure()) << uri;
  }
}

TEST(GltfHostile, LinksThatLeadOutOfTheFolderAreNotFollowed) {
  const ScratchFolder folder;
  GltfBuilder b = triangle_file();
  folder.write("secret.bin", b.bytes());
  folder.write("inside/below/near.bin", b.bytes());
  std::filesystem::create_symlink("below/near.bin", folder.path() / "inside/link.bin");
  std::filesystem::create_symlink("../secret.bin", folder.path() / "inside/out.bin");
  std::filesystem::create_directory_symlink("..", folder.path() / "inside/up");
  Json json = b.json;
  const auto import_with = [&](const std::string& uri, const ImportSettings& settings = {}) {
    json["buffers"] = {{{"byteLength", b.bytes().size()}, {"uri", uri}}};
    return import_gltf(folder.write("inside/model.gltf", json.dump()), settings);
  };
  EXPECT_TRUE(import_with("link.bin")) << import_with("link.bin").error().message;
  EXPECT_TRUE(import_with("up/inside/below/near.bin")) << "out and in again";
  // Nor where nothing is at their ends, or behind a folder that is somewhere else: that would tell what is there.
  std::filesystem::create_symlink("../nothing.bin", folder.path() / "inside/nothing.bin");
  std::filesystem::create_symlink("nothing.bin", folder.path() / "inside/twice.bin");
  std::filesystem::create_symlink("up/secret.bon", folder.path() / "inside/both.bin");
  for (const char* uri : {"out.bin", "up/secret.bin", "up/secret.bon", "up/no/secret.bin", "nothing.bin", "twice.bin",
                          "both.bin", "up/inside/nothing.bin"}) {
    for (const ImportSettings& settings : {ImportSettings{}, kStrict}) {
      const auto imported = import_with(uri, settings);
      expect_refused(imported, "a link leads out of the folder");
      EXPECT_EQ(imported.error().message.find("did you mean"), std::string::npos) << imported.error().message;
      ASSERT_FALSE(HasFailure()) << uri;
    }
  }
  // What is missing inside is answered with its neighbours, also where a link names it.
  std::filesystem::create_symlink("below/neer.bin", folder.path() / "inside/lost.bin");
  expect_refused(import_with("below/neer.bin"), "did you mean 'near.bin'");
  expect_refused(import_with("up/inside/below/neer.bin"), "did you mean 'near.bin'");
  expect_refused(import_with("lost.bin"), "cannot open");
  std::filesystem::create_symlink("round.bin", folder.path() / "inside/round.bin");
  expect_refused(import_with("round.bin"), "cannot open");
}

TEST(GltfHostile, PicturesBehindLinksThatLeadOutAreLeftOut) {
  const ScratchFolder folder;
  folder.write("secret.png", "\x89PNG\r\n\x1A\n");
  folder.write("inside/own.txt", "");
  std::filesystem::create_symlink("../secret.png", folder.path() / "inside/out.png");
  GltfBuilder b = triangle_file();
  b.json["images"] = {{{"uri", "out.png"}}};
  const auto imported = import_gltf(folder.write("inside/model.gltf", b.gltf()));
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(mentions(imported->notes, "a link leads out of the folder"));
}

TEST(GltfHostile, TheFirstBytesDecideWhatAFileIs) {
  const ScratchFolder folder;
  expect_refused(import_gltf(folder.write("empty.gltf", "")), "empty");
  expect_refused(import_gltf(folder.path()), "folder");
  expect_refused(import_gltf(folder.path() / "absent.glb"), "cannot open");
  expect_refused(import_gltf(folder.write("text.gltf", "hello")), "not a glTF or GLB file");
  expect_refused(import_model(folder.write("model.fbx", "Kaydara FBX Binary  ")),
                 "supported are glTF 2.0 (.gltf, .glb) and FBX (.fbx)");
  EXPECT_TRUE(import_model(folder.write("glb_named.gltf", triangle_file().glb())));
  EXPECT_TRUE(import_model(folder.write("gltf_named.glb", "\n  " + triangle_file().gltf())));
}

TEST(GltfHostile, NamesFromTheFileCannotBreakTheLine) {
  GltfBuilder b = triangle_file();
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"bad\nname\r" + std::string(5000, 'x')};
  const auto imported = b.import();
  expect_refused(imported, "bad name");
  EXPECT_LT(imported.error().message.size(), 1000u);
}

// Everything a mesh, a skin, a clip and a material can hold, small.
GltfBuilder rich_file() {
  GltfBuilder b;
  Json primitive = triangle(b);
  auto& attributes = primitive["attributes"];
  attributes["NORMAL"] = b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  attributes["TEXCOORD_0"] = b.floats("VEC2", {0, 0, 1, 0, 0, 1});
  attributes["JOINTS_0"] = b.accessor<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4", kU8);
  attributes["WEIGHTS_0"] = b.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0});
  primitive["indices"] = b.accessor<std::uint16_t>({0, 1, 2}, "SCALAR", kU16);
  primitive["targets"] = {{{"POSITION", b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1})}}};
  primitive["material"] = 0;
  b.append("meshes", {{"primitives", {primitive}}});
  b.append("materials", {{"name", "m"}});
  b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, {{"translation", {0, 1, 0}}}};
  b.json["skins"] = {{{"joints", {1, 2}}}};
  b.animate(2, "rotation", {0, 1}, b.floats("VEC4", {0, 0, 0, 1, 0, 0, 1, 0}), "LINEAR");
  return b;
}

void expect_read_or_one_line(const Result<Imported>& imported, std::size_t byte) {
  if (imported) return;
  EXPECT_TRUE(is_one_line(imported.error().message)) << "byte " << byte << ": " << imported.error().message;
}

TEST(GltfHostile, AGlbCutAtAnyByteIsRefused) {
  const std::string whole = rich_file().glb();
  const ScratchFolder folder;
  ASSERT_TRUE(import_gltf(folder.write("whole.glb", whole)));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = folder.write("cut.glb", std::string_view(whole).substr(0, size));
    for (const bool strict : {false, true}) {
      const auto imported = import_gltf(cut, {.strict = strict});
      ASSERT_FALSE(imported) << "read with " << size << " of " << whole.size() << " bytes";
      expect_read_or_one_line(imported, size);
    }
  }
}

TEST(GltfHostile, AnyByteOfAGlbMayBeWrong) {
  const std::string whole = rich_file().glb();
  const ScratchFolder folder;
  std::size_t refused = 0;
  std::size_t refused_strictly = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bits : {0xFF, 0x01, 0x80}) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ bits);
      const auto file = folder.write("broken.glb", broken);
      const auto imported = import_gltf(file);
      const auto strictly = import_gltf(file, kStrict);
      expect_read_or_one_line(imported, at);
      expect_read_or_one_line(strictly, at);
      EXPECT_TRUE(imported || !strictly) << "mending refuses what is read strictly: " << imported.error().message;
      refused += imported ? 0 : 1;
      refused_strictly += strictly ? 0 : 1;
    }
  }
  EXPECT_GT(refused, whole.size());
  EXPECT_GT(refused_strictly, refused + whole.size() / 10) << "next to nothing is mended";
}

TEST(GltfUri, Base64IsDecodedStrictly) {
  using detail::gltf::decode_base64;
  const auto text = [](std::string_view encoded) {
    const auto bytes = decode_base64(encoded);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string("refused");
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("Zm9vYmFy"), "foobar");
  EXPECT_EQ(text("Zm9vYmE="), "fooba");
  EXPECT_EQ(text("Zm9vYg=="), "foob");
  EXPECT_EQ(text("Zm9vYg"), "foob");
  EXPECT_EQ(text("_-8="), "\xFF\xEF");
  for (const char* wrong : {"Z", "Zm9v!mFy", "Zm9v YmFy", "====", "Zm=v"}) EXPECT_EQ(text(wrong), "refused") << wrong;
}

}  // namespace
}  // namespace throng::test
