// SPDX-License-Identifier: Apache-2.0
#include "gltf/file/schema_tables.h"

namespace throng::detail::gltf {
namespace {

constexpr double kMaxInt = std::numeric_limits<std::int32_t>::max();
// Sizes above 2^53 are not exact in JSON readers that hold numbers as doubles.
constexpr double kMaxSize = 9007199254740992.0;

constexpr Property kAsset[] = {
    {.name = "version", .kind = Kind::string, .required = true},
    {.name = "minVersion", .kind = Kind::string},
    {.name = "generator", .kind = Kind::string, .dispensable = Fault::property},
    {.name = "copyright", .kind = Kind::string, .dispensable = Fault::property},
};
constexpr Schema kAssetSchema{kAsset};

constexpr Property kFallback[] = {{.name = "fallback", .kind = Kind::boolean}};
constexpr Schema kFallbackSchema{kFallback};
constexpr Property kBufferExtensions[] = {{.name = "EXT_meshopt_compression", .object = &kFallbackSchema},
                                          {.name = "KHR_meshopt_compression", .object = &kFallbackSchema}};
constexpr Schema kBufferExtensionsSchema{kBufferExtensions};

constexpr Property kBuffer[] = {
    {.name = "byteLength", .kind = Kind::integer, .required = true, .min = 1, .max = kMaxSize},
    {.name = "uri", .kind = Kind::string},
    {.name = "extensions", .object = &kBufferExtensionsSchema},
};
constexpr Schema kBufferSchema{kBuffer};

// How modes, filters and strides go together is checked where they are decoded.
constexpr Property kMeshopt[] = {
    {.name = "buffer", .kind = Kind::index, .required = true, .collection = "buffers"},
    {.name = "byteOffset", .kind = Kind::integer, .min = 0, .max = kMaxSize},
    {.name = "byteLength", .kind = Kind::integer, .required = true, .min = 1, .max = kMaxSize},
    {.name = "byteStride", .kind = Kind::integer, .required = true, .min = 2, .max = 256},
    {.name = "count", .kind = Kind::integer, .required = true, .min = 1, .max = kMaxInt},
    {.name = "mode", .kind = Kind::string, .required = true},
    {.name = "filter", .kind = Kind::string},
};
constexpr Schema kMeshoptSchema{kMeshopt};
constexpr Property kViewExtensions[] = {{.name = "EXT_meshopt_compression", .object = &kMeshoptSchema},
                                        {.name = "KHR_meshopt_compression", .object = &kMeshoptSchema}};
constexpr Schema kViewExtensionsSchema{kViewExtensions};

constexpr Property kBufferView[] = {
    {.name = "buffer", .kind = Kind::index, .required = true, .collection = "buffers"},
    {.name = "byteOffset", .kind = Kind::integer, .min = 0, .max = kMaxSize},
    {.name = "byteLength", .kind = Kind::integer, .required = true, .min = 1, .max = kMaxSize},
    {.name = "byteStride",
     .kind = Kind::integer,
     .min = 4,
     .max = 252,
     .multiple_of = 4,
     .loose_range = Fault::alignment},
    {.name = "target", .kind = Kind::integer, .min = 0, .max = kMaxInt, .dispensable = Fault::property},
    {.name = "extensions", .object = &kViewExtensionsSchema},
};
constexpr Schema kBufferViewSchema{kBufferView};

constexpr Property kSparseIndices[] = {
    {.name = "bufferView", .kind = Kind::index, .required = true, .collection = "bufferViews"},
    {.name = "byteOffset", .kind = Kind::integer, .min = 0, .max = kMaxInt},
    {.name = "componentType", .kind = Kind::integer, .required = true, .min = 0, .max = kMaxInt},
};
constexpr Schema kSparseIndicesSchema{kSparseIndices};

constexpr Property kSparseValues[] = {
    {.name = "bufferView", .kind = Kind::index, .required = true, .collection = "bufferViews"},
    {.name = "byteOffset", .kind = Kind::integer, .min = 0, .max = kMaxInt},
};
constexpr Schema kSparseValuesSchema{kSparseValues};

constexpr Property kSparse[] = {
    {.name = "count", .kind = Kind::integer, .required = true, .min = 1, .max = kMaxInt},
    {.name = "indices", .required = true, .object = &kSparseIndicesSchema},
    {.name = "values", .required = true, .object = &kSparseValuesSchema},
};
constexpr Schema kSparseSchema{kSparse};

constexpr Property kAccessor[] = {
    {.name = "bufferView", .kind = Kind::index, .collection = "bufferViews"},
    {.name = "byteOffset", .kind = Kind::integer, .min = 0, .max = kMaxSize, .needs = "bufferView"},
    {.name = "componentType", .kind = Kind::integer, .required = true, .min = 0, .max = kMaxInt},
    {.name = "normalized", .kind = Kind::boolean},
    {.name = "count", .kind = Kind::integer, .required = true, .min = 1, .max = kMaxInt},
    {.name = "type", .kind = Kind::string, .required = true},
    {.name = "min", .kind = Kind::number, .shape = Shape::list, .dispensable = Fault::bounds},
    {.name = "max", .kind = Kind::number, .shape = Shape::list, .dispensable = Fault::bounds},
    {.name = "sparse", .object = &kSparseSchema},
};
constexpr Schema kAccessorSchema{kAccessor};

constexpr Property kDraco[] = {
    {.name = "bufferView", .kind = Kind::index, .required = true, .collection = "bufferViews"},
    {.name = "attributes", .kind = Kind::integer, .shape = Shape::map, .required = true, .min = 0, .max = kMaxInt},
};
constexpr Schema kDracoSchema{kDraco};
constexpr Property kPrimitiveExtensions[] = {{.name = "KHR_draco_mesh_compression", .object = &kDracoSchema}};
constexpr Schema kPrimitiveExtensionsSchema{kPrimitiveExtensions};

constexpr Property kPrimitive[] = {
    {.name = "attributes",
     .kind = Kind::index,
     .shape = Shape::map,
     .required = true,
     .collection = "accessors",
     .may_be_empty = true},
    {.name = "indices", .kind = Kind::index, .collection = "accessors"},
    {.name = "material", .kind = Kind::index, .collection = "materials", .dispensable = Fault::look},
    {.name = "mode", .kind = Kind::integer, .min = 0, .max = 6},
    {.name = "targets", .kind = Kind::index, .shape = Shape::list_of_maps, .collection = "accessors"},
    {.name = "extensions", .object = &kPrimitiveExtensionsSchema},
};
constexpr Schema kPrimitiveSchema{kPrimitive};

constexpr Property kMesh[] = {
    {.name = "primitives", .shape = Shape::list, .required = true, .object = &kPrimitiveSchema, .may_be_empty = true},
    {.name = "weights", .kind = Kind::number, .shape = Shape::list},
};
constexpr Schema kMeshSchema{kMesh};

constexpr Property kInstancing[] = {
    {.name = "attributes", .kind = Kind::index, .shape = Shape::map, .required = true, .collection = "accessors"}};
constexpr Schema kInstancingSchema{kInstancing};
constexpr Property kNodeExtensions[] = {{.name = "EXT_mesh_gpu_instancing", .object = &kInstancingSchema}};
constexpr Schema kNodeExtensionsSchema{kNodeExtensions};

constexpr Property kNode[] = {
    {.name = "extensions", .object = &kNodeExtensionsSchema},
    {.name = "camera", .kind = Kind::index, .collection = "cameras", .dispensable = Fault::property},
    {.name = "children", .kind = Kind::index, .shape = Shape::list, .unique = true, .collection = "nodes"},
    {.name = "skin", .kind = Kind::index, .collection = "skins", .needs = "mesh"},
    {.name = "mesh", .kind = Kind::index, .collection = "meshes"},
    {.name = "matrix", .kind = Kind::number, .shape = Shape::list, .items = 16},
    {.name = "rotation", .kind = Kind::number, .shape = Shape::list, .items = 4},
    {.name = "scale", .kind = Kind::number, .shape = Shape::list, .items = 3},
    {.name = "translation", .kind = Kind::number, .shape = Shape::list, .items = 3},
    {.name = "weights", .kind = Kind::number, .shape = Shape::list, .needs = "mesh"},
};
constexpr Schema kNodeSchema{kNode};

constexpr Property kScene[] = {
    {.name = "nodes", .kind = Kind::index, .shape = Shape::list, .unique = true, .collection = "nodes"},
};
constexpr Schema kSceneSchema{kScene};

constexpr Property kSkin[] = {
    {.name = "inverseBindMatrices", .kind = Kind::index, .collection = "accessors"},
    {.name = "skeleton", .kind = Kind::index, .collection = "nodes", .dispensable = Fault::property},
    {.name = "joints",
     .kind = Kind::index,
     .shape = Shape::list,
     .required = true,
     .unique = true,
     .collection = "nodes",
     .may_be_empty = true,
     .kept = true},
};
constexpr Schema kSkinSchema{kSkin};

constexpr Property kTarget[] = {
    {.name = "node", .kind = Kind::index, .collection = "nodes"},
    {.name = "path", .kind = Kind::string, .required = true},
};
constexpr Schema kTargetSchema{kTarget};

// A channel's sampler is an index into its own animation; the animation checks see to it.
constexpr Property kChannel[] = {
    {.name = "sampler", .kind = Kind::integer, .required = true, .min = 0, .max = kMaxInt},
    {.name = "target", .required = true, .object = &kTargetSchema},
};
constexpr Schema kChannelSchema{kChannel};

constexpr Property kAnimationSampler[] = {
    {.name = "input", .kind = Kind::index, .required = true, .collection = "accessors"},
    {.name = "interpolation", .kind = Kind::string, .dispensable = Fault::interpolation},
    {.name = "output", .kind = Kind::index, .required = true, .collection = "accessors"},
};
constexpr Schema kAnimationSamplerSchema{kAnimationSampler};

constexpr Property kAnimation[] = {
    {.name = "channels", .shape = Shape::list, .required = true, .object = &kChannelSchema, .may_be_empty = true},
    {.name = "samplers",
     .shape = Shape::list,
     .required = true,
     .object = &kAnimationSamplerSchema,
     .may_be_empty = true},
};
constexpr Schema kAnimationSchema{kAnimation};

constexpr Property kTextureInfo[] = {
    {.name = "index", .kind = Kind::index, .required = true, .collection = "textures"},
    {.name = "texCoord", .kind = Kind::integer, .min = 0, .max = kMaxInt, .dispensable = Fault::look},
    {.name = "scale", .kind = Kind::number, .dispensable = Fault::look},
    {.name = "strength", .kind = Kind::number, .dispensable = Fault::look},
};
constexpr Schema kTextureInfoSchema{kTextureInfo};

// Ranges of factors are not checked: one slightly past its range shades a little differently, nothing more.
constexpr Property kPbr[] = {
    {.name = "baseColorFactor", .kind = Kind::number, .shape = Shape::list, .items = 4, .dispensable = Fault::look},
    {.name = "baseColorTexture", .object = &kTextureInfoSchema, .dispensable = Fault::look},
    {.name = "metallicFactor", .kind = Kind::number, .dispensable = Fault::look},
    {.name = "roughnessFactor", .kind = Kind::number, .dispensable = Fault::look},
    {.name = "metallicRoughnessTexture", .object = &kTextureInfoSchema, .dispensable = Fault::look},
};
constexpr Schema kPbrSchema{kPbr};

constexpr Property kSpecularGlossiness[] = {
    {.name = "diffuseFactor", .kind = Kind::number, .shape = Shape::list, .items = 4, .dispensable = Fault::look},
    {.name = "diffuseTexture", .object = &kTextureInfoSchema, .dispensable = Fault::look},
};
constexpr Schema kSpecularGlossinessSchema{kSpecularGlossiness};
constexpr Property kMaterialExtensions[] = {
    {.name = "KHR_materials_pbrSpecularGlossiness", .object = &kSpecularGlossinessSchema}};
constexpr Schema kMaterialExtensionsSchema{kMaterialExtensions};

constexpr Property kMaterial[] = {
    {.name = "extensions", .object = &kMaterialExtensionsSchema},
    {.name = "pbrMetallicRoughness", .object = &kPbrSchema, .dispensable = Fault::look},
    {.name = "normalTexture", .object = &kTextureInfoSchema, .dispensable = Fault::look},
    {.name = "occlusionTexture", .object = &kTextureInfoSchema, .dispensable = Fault::look},
    {.name = "emissiveTexture", .object = &kTextureInfoSchema, .dispensable = Fault::look},
    {.name = "emissiveFactor", .kind = Kind::number, .shape = Shape::list, .items = 3, .dispensable = Fault::look},
    {.name = "alphaMode", .kind = Kind::string, .dispensable = Fault::look},
    {.name = "alphaCutoff", .kind = Kind::number, .dispensable = Fault::look},
    {.name = "doubleSided", .kind = Kind::boolean, .dispensable = Fault::look},
};
constexpr Schema kMaterialSchema{kMaterial};

constexpr Property kTexture[] = {
    {.name = "sampler", .kind = Kind::index, .collection = "samplers", .dispensable = Fault::look},
    {.name = "source", .kind = Kind::index, .collection = "images", .dispensable = Fault::look},
};
constexpr Schema kTextureSchema{kTexture};

constexpr Property kSampler[] = {
    {.name = "magFilter", .kind = Kind::integer, .min = 0, .max = kMaxInt, .dispensable = Fault::look},
    {.name = "minFilter", .kind = Kind::integer, .min = 0, .max = kMaxInt, .dispensable = Fault::look},
    {.name = "wrapS", .kind = Kind::integer, .min = 0, .max = kMaxInt, .dispensable = Fault::look},
    {.name = "wrapT", .kind = Kind::integer, .min = 0, .max = kMaxInt, .dispensable = Fault::look},
};
constexpr Schema kSamplerSchema{kSampler};

// Images and cameras are missing on purpose: what is broken in them is for check/looks.h.
constexpr Property kRoot[] = {
    {.name = "asset", .required = true, .object = &kAssetSchema},
    {.name = "extensionsUsed", .kind = Kind::string, .shape = Shape::list, .unique = true},
    {.name = "extensionsRequired",
     .kind = Kind::string,
     .shape = Shape::list,
     .unique = true,
     .needs = "extensionsUsed",
     .kept = true},
    {.name = "buffers", .shape = Shape::list, .object = &kBufferSchema},
    {.name = "bufferViews", .shape = Shape::list, .object = &kBufferViewSchema},
    {.name = "accessors", .shape = Shape::list, .object = &kAccessorSchema},
    {.name = "samplers", .shape = Shape::list, .object = &kSamplerSchema},
    {.name = "textures", .shape = Shape::list, .object = &kTextureSchema},
    {.name = "materials", .shape = Shape::list, .object = &kMaterialSchema},
    {.name = "meshes", .shape = Shape::list, .object = &kMeshSchema},
    {.name = "nodes", .shape = Shape::list, .object = &kNodeSchema},
    {.name = "scenes", .shape = Shape::list, .object = &kSceneSchema},
    {.name = "scene", .kind = Kind::index, .collection = "scenes"},
    {.name = "skins", .shape = Shape::list, .object = &kSkinSchema},
    {.name = "animations", .shape = Shape::list, .object = &kAnimationSchema},
};

}  // namespace

Schema root_schema() { return {kRoot}; }

}  // namespace throng::detail::gltf
