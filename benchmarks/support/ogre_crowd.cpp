// SPDX-License-Identifier: Apache-2.0
#include "ogre_crowd.h"

#include <Ogre.h>
#include <OgreInstanceManager.h>
#include <OgreInstancedEntity.h>

#include <cmath>

#include "measure.h"
#include "throng/pose/pose.h"

namespace throng::bench {
namespace {

const char* const kGroup = Ogre::RGN_DEFAULT;
constexpr std::size_t kBatch = 250;      // characters of a draw
constexpr double kKeysPerSecond = 60.0;  // of the animations it is given

// Of each of four bones the three rows' places in a texture of matrices, and the character's own place there.
constexpr const char* kVertexCode = R"(#version 150
in vec4 vertex;
in vec3 normal;
in vec2 uv0;
in vec4 uv1;
in vec4 uv2;
in vec4 uv3;
in vec4 uv4;
in vec2 uv5;
in vec4 blendWeights;
uniform mat4 view_projection;
uniform sampler2D bones;
out vec3 world_normal;
out vec2 surface_uv;
vec4 row(float place) { return textureLod(bones, vec2(place, 0.0) + uv5, 0.0); }
void main() {
  vec4 x = blendWeights.x * row(uv1.x) + blendWeights.y * row(uv2.x) + blendWeights.z * row(uv3.x) + blendWeights.w * row(uv4.x);
  vec4 y = blendWeights.x * row(uv1.y) + blendWeights.y * row(uv2.y) + blendWeights.z * row(uv3.y) + blendWeights.w * row(uv4.y);
  vec4 z = blendWeights.x * row(uv1.z) + blendWeights.y * row(uv2.z) + blendWeights.z * row(uv3.z) + blendWeights.w * row(uv4.z);
  vec3 place = vec3(dot(x, vertex), dot(y, vertex), dot(z, vertex));
  world_normal = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
  surface_uv = uv0;
  gl_Position = view_projection * vec4(place, 1.0);
}
)";

constexpr const char* kFragmentCode = R"(#version 150
in vec3 world_normal;
in vec2 surface_uv;
uniform sampler2D base;
out vec4 target;
void main() {
  float lambert = max(dot(normalize(world_normal), normalize(vec3(-0.62, 0.58, 0.42))), 0.0);
  target = vec4(texture(base, surface_uv).rgb * (0.35 + 0.65 * lambert), 1.0);
}
)";

Ogre::Vector3 ogre(const glm::dvec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
Ogre::Quaternion ogre(const glm::dquat& q) {
  return {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)};
}

// One for the process: OGRE allows no second.
struct Engine {
  Ogre::LogManager logs;
  std::unique_ptr<Ogre::Root> root;
  int crowds = 0;

  Engine() {
    logs.createLog("peers", true, false, true);
    root = std::make_unique<Ogre::Root>("", "", "");
    root->loadPlugin(THRONG_OGRE_PLUGINS "/RenderSystem_GL3Plus");
    root->setRenderSystem(root->getAvailableRenderers().front());
    root->initialise(false);
    const Ogre::NameValuePairList hidden{{"hidden", "true"}, {"vsync", "false"}};
    root->createRenderWindow("peers", 16, 16, false, &hidden);
    Ogre::ResourceGroupManager::getSingleton().initialiseAllResourceGroups();
    root->renderOneFrame();  // of the first nothing is animated
  }
};

Engine& engine() {
  static Engine engine;
  return engine;
}

Ogre::HighLevelGpuProgramPtr program(const std::string& name, Ogre::GpuProgramType type, const char* code) {
  auto made = Ogre::HighLevelGpuProgramManager::getSingleton().createProgram(name, kGroup, "glsl", type);
  made->setSource(code);
  made->load();
  require(!made->hasCompileError(), "OGRE's shaders do not compile");
  return made;
}

// Where bones stand when the mesh is as it was modelled; those that move no vertex as they rest.
std::vector<Transform> bound_bones(const Model& model) {
  const Pose rest = rest_pose(model);
  std::vector<glm::dmat4> bound(model.bones().size());
  std::vector<bool> known(model.bones().size());
  for (const Binding& binding : model.bindings()) {
    bound[binding.bone] = glm::inverse(binding.bone_from_mesh);
    known[binding.bone] = true;
  }
  std::vector<Transform> local;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const auto parent = model.bones()[i].parent;
    const glm::dmat4 above = parent ? bound[*parent] : glm::dmat4(1.0);
    if (!known[i]) bound[i] = above * to_matrix(rest.bones[i]);
    const glm::dmat4 matrix = glm::inverse(above) * bound[i];
    Transform own;
    own.translation = glm::dvec3(matrix[3]);
    glm::dmat3 turn(matrix);
    for (int column = 0; column < 3; ++column) {
      own.scale[column] = glm::length(turn[column]);
      turn[column] /= own.scale[column];
    }
    own.rotation = glm::normalize(glm::quat_cast(turn));
    local.push_back(own);
  }
  return local;
}

Ogre::SkeletonPtr make_skeleton(const std::string& name, const OgreScene& scene) {
  const Model& model = scene.model;
  Ogre::SkeletonPtr skeleton = Ogre::SkeletonManager::getSingleton().create(name, kGroup, true);
  const std::vector<Transform> bound = bound_bones(model);
  for (unsigned short i = 0; i < model.bones().size(); ++i) {
    Ogre::Bone* bone = skeleton->createBone(fmt::format("bone {}", i), i);
    bone->setPosition(ogre(bound[i].translation));
    bone->setOrientation(ogre(bound[i].rotation));
    bone->setScale(ogre(bound[i].scale));
    if (const auto parent = model.bones()[i].parent)
      skeleton->getBone(static_cast<unsigned short>(*parent))->addChild(bone);
  }
  skeleton->setBindingPose();

  // Keys say what is different from the mesh as it was modelled.
  Ogre::Animation* animation = skeleton->createAnimation("clip", static_cast<float>(scene.length));
  animation->setInterpolationMode(Ogre::Animation::IM_LINEAR);
  animation->setRotationInterpolationMode(Ogre::Animation::RIM_LINEAR);
  const auto keys = static_cast<int>(std::ceil(scene.length * kKeysPerSecond));
  std::vector<Ogre::NodeAnimationTrack*> tracks;
  for (unsigned short i = 0; i < bound.size(); ++i)
    tracks.push_back(animation->createNodeTrack(i, skeleton->getBone(i)));
  for (int key = 0; key <= keys; ++key) {
    const double time = scene.length * key / keys;
    const Pose pose = sample(model, model.clips()[0], model.clips()[0].start + time);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      Ogre::TransformKeyFrame* frame = tracks[i]->createNodeKeyFrame(static_cast<float>(time));
      frame->setTranslate(ogre(pose.bones[i].translation - bound[i].translation));
      frame->setRotation(ogre(glm::inverse(bound[i].rotation) * pose.bones[i].rotation));
      frame->setScale(ogre(pose.bones[i].scale / bound[i].scale));
    }
  }
  return skeleton;
}

Ogre::MeshPtr make_mesh(const std::string& name, const OgreScene& scene) {
  const Mesh& mesh = scene.model.meshes()[0];
  auto made = Ogre::MeshManager::getSingleton().createManual(name, kGroup);
  Ogre::SubMesh* part = made->createSubMesh();
  part->useSharedVertices = false;
  part->vertexData = OGRE_NEW Ogre::VertexData();
  part->vertexData->vertexCount = mesh.positions.size();
  Ogre::VertexDeclaration& layout = *part->vertexData->vertexDeclaration;
  layout.addElement(0, 0, Ogre::VET_FLOAT3, Ogre::VES_POSITION);
  layout.addElement(0, 12, Ogre::VET_FLOAT3, Ogre::VES_NORMAL);
  layout.addElement(0, 24, Ogre::VET_FLOAT2, Ogre::VES_TEXTURE_COORDINATES, 0);
  std::vector<float> words;
  Ogre::AxisAlignedBox box;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::vec2 uv = mesh.uvs.empty() ? glm::vec2(0.0f) : mesh.uvs[v];
    const glm::vec3& p = mesh.positions[v];
    const glm::vec3& n = mesh.normals[v];
    words.insert(words.end(), {p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y});
    box.merge(Ogre::Vector3(p.x, p.y, p.z));
  }
  auto& buffers = Ogre::HardwareBufferManager::getSingleton();
  const auto vertices =
      buffers.createVertexBuffer(32, mesh.positions.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY, true);
  vertices->writeData(0, words.size() * sizeof(float), words.data());
  part->vertexData->vertexBufferBinding->setBinding(0, vertices);
  const auto indices = buffers.createIndexBuffer(Ogre::HardwareIndexBuffer::IT_32BIT, mesh.indices.size(),
                                                 Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY, true);
  indices->writeData(0, mesh.indices.size() * sizeof(std::uint32_t), mesh.indices.data());
  part->indexData->indexBuffer = indices;
  part->indexData->indexCount = mesh.indices.size();

  Ogre::SkeletonPtr skeleton = make_skeleton(name, scene);
  made->_notifySkeleton(skeleton);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    for_each_influence(mesh, v, [&](std::uint16_t binding, float weight) {
      const auto bone = static_cast<unsigned short>(scene.model.bindings()[binding].bone);
      part->addBoneAssignment({static_cast<unsigned>(v), bone, weight});
    });
  // Where its clip may take it.
  const Ogre::AxisAlignedBox wide(box.getMinimum() - 1.0f, box.getMaximum() + 1.0f);
  made->_setBounds(wide);
  made->_setBoundingSphereRadius(wide.getMaximum().length() + wide.getMinimum().length());
  made->load();
  return made;
}

Ogre::TexturePtr make_texture(const std::string& name, const Model& model) {
  Image image{1, 1, {255, 255, 255, 255}};
  const Material& material = model.materials()[model.meshes()[0].material];
  if (material.base_image) image = require(decode_image(model.images()[*material.base_image].bytes.span()));
  Ogre::Image pixels;
  pixels.loadDynamicImage(image.rgba.data(), image.width, image.height, 1, Ogre::PF_BYTE_RGBA);
  return Ogre::TextureManager::getSingleton().loadImage(name, kGroup, pixels);
}

Ogre::MaterialPtr make_material(const std::string& name, const Model& model) {
  auto material = Ogre::MaterialManager::getSingleton().create(name, kGroup);
  Ogre::Pass* pass = material->getTechnique(0)->getPass(0);
  const auto vertex = program(name + ".vertex", Ogre::GPT_VERTEX_PROGRAM, kVertexCode);
  vertex->setSkeletalAnimationIncluded(false);
  const auto fragment = program(name + ".fragment", Ogre::GPT_FRAGMENT_PROGRAM, kFragmentCode);
  pass->setVertexProgram(vertex->getName());
  pass->setFragmentProgram(fragment->getName());
  pass->getVertexProgramParameters()->setNamedAutoConstant("view_projection",
                                                           Ogre::GpuProgramParameters::ACT_VIEWPROJ_MATRIX);
  pass->getVertexProgramParameters()->setNamedConstant("bones", 1);
  pass->getFragmentProgramParameters()->setNamedConstant("base", 0);
  Ogre::TextureUnitState* base = pass->createTextureUnitState();
  base->setTexture(make_texture(name, model));
  base->setTextureFiltering(Ogre::TFO_TRILINEAR);
  pass->createTextureUnitState()->setName("InstancingVTF");
  return material;
}

}  // namespace

struct OgreCrowd::State {
  Ogre::SceneManager* scenes = nullptr;
  Ogre::TexturePtr colour;
  Ogre::RenderTarget* target = nullptr;
  std::vector<Ogre::AnimationState*> clips;
  std::vector<double> offsets;
  double length = 1.0;
};

OgreCrowd::OgreCrowd(const OgreScene& scene) : state_(std::make_unique<State>()) {
  const std::string name = fmt::format("crowd {}", engine().crowds++);
  State& state = *state_;
  state.length = scene.length;
  state.scenes = engine().root->createSceneManager();
  make_mesh(name, scene);
  make_material(name, scene.model);
  state.scenes->createInstanceManager(name, name, kGroup, Ogre::InstanceManager::HWInstancingVTF, kBatch);
  for (const Stander& stander : scene.standers) {
    Ogre::InstancedEntity* entity = state.scenes->createInstancedEntity(name, name);
    state.scenes->getRootSceneNode()->createChildSceneNode(ogre(stander.position))->attachObject(entity);
    state.clips.push_back(entity->getAnimationState("clip"));
    state.clips.back()->setEnabled(true);
    state.offsets.push_back(stander.offset);
  }

  Ogre::Camera* camera = state.scenes->createCamera("camera");
  camera->setFOVy(Ogre::Degree(static_cast<float>(scene.camera.vertical_fov_degrees)));
  camera->setAspectRatio(static_cast<float>(scene.width) / static_cast<float>(scene.height));
  camera->setNearClipDistance(0.1f);
  camera->setFarClipDistance(1000.0f);
  Ogre::SceneNode* eye = state.scenes->getRootSceneNode()->createChildSceneNode(ogre(scene.camera.eye));
  eye->attachObject(camera);
  eye->setFixedYawAxis(true);
  eye->lookAt(ogre(scene.camera.target), Ogre::Node::TS_WORLD);

  state.colour =
      Ogre::TextureManager::getSingleton().createManual(name + ".target", kGroup, Ogre::TEX_TYPE_2D, scene.width,
                                                        scene.height, 0, Ogre::PF_BYTE_RGBA, Ogre::TU_RENDERTARGET);
  state.target = state.colour->getBuffer()->getRenderTarget();
  Ogre::Viewport* view = state.target->addViewport(camera);
  view->setBackgroundColour(Ogre::ColourValue(0.0f, 0.0f, 0.0f, 0.0f));
  view->setOverlaysEnabled(false);
  view->setShadowsEnabled(false);
  state.target->setActive(false);
}

OgreCrowd::~OgreCrowd() = default;

void OgreCrowd::draw(double seconds) {
  State& state = *state_;
  for (std::size_t i = 0; i < state.clips.size(); ++i)
    state.clips[i]->setTimePosition(static_cast<float>(std::fmod(seconds + state.offsets[i], state.length)));
  state.target->setActive(true);
  engine().root->renderOneFrame();
  state.target->setActive(false);
  // Reading a pixel waits for all of them.
  std::uint32_t pixel = 0;
  state.colour->getBuffer()->blitToMemory(Ogre::Box(0, 0, 1, 1), Ogre::PixelBox(1, 1, 1, Ogre::PF_BYTE_RGBA, &pixel));
}

Image OgreCrowd::picture() const {
  Image image{state_->colour->getWidth(), state_->colour->getHeight(), {}};
  image.rgba.resize(std::size_t{4} * image.width * image.height);
  state_->colour->getBuffer()->blitToMemory(
      Ogre::PixelBox(image.width, image.height, 1, Ogre::PF_BYTE_RGBA, image.rgba.data()));
  return image;
}

}  // namespace throng::bench
