// SPDX-License-Identifier: Apache-2.0
#include "language_gles.h"

#ifdef THRONG_TEST_GLES

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace throng::test {
namespace {

struct Display {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  Display() = default;
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  ~Display() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    // The display stays: it is one for the whole program, and a driver that is unloaded leaves leaks without a name.
  }

  // An empty string when it is ready.
  std::string open() {
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE)
      return "EGL has no display without a window here";
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT || eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE)
      return "EGL makes no context of OpenGL ES 3 here";
    return {};
  }
};

std::string log_of(GLuint object, bool program) {
  std::string text(4096, '\0');
  GLsizei length = 0;
  if (program)
    glGetProgramInfoLog(object, static_cast<GLsizei>(text.size()), &length, text.data());
  else
    glGetShaderInfoLog(object, static_cast<GLsizei>(text.size()), &length, text.data());
  text.resize(static_cast<std::size_t>(length));
  return text;
}

GLuint attach(GLuint program, GLenum stage, const std::string& source) {
  const GLuint shader = glCreateShader(stage);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  EXPECT_EQ(compiled, GL_TRUE) << log_of(shader, false);
  glAttachShader(program, shader);
  glDeleteShader(shader);
  return shader;
}

// 0 when it does not link.
GLuint linked(GLuint program) {
  glLinkProgram(program);
  GLint success = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &success);
  EXPECT_EQ(success, GL_TRUE) << log_of(program, true);
  if (success == GL_TRUE) return program;
  glDeleteProgram(program);
  return 0;
}

// One that draws a triangle over the whole picture.
GLuint link(const Gles::Picture& what) {
  const GLuint program = glCreateProgram();
  attach(program, GL_VERTEX_SHADER,
         "#version 300 es\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, "
         "1.0); }\n");
  attach(program, GL_FRAGMENT_SHADER, what.source);
  return linked(program);
}

GLuint link(const Gles::Run& what) {
  const GLuint program = glCreateProgram();
  attach(program, GL_VERTEX_SHADER, what.source);
  const bool old = what.source.starts_with("#version 100");
  attach(program, GL_FRAGMENT_SHADER,
         old ? "#version 100\nvoid main() { gl_FragColor = vec4(1.0); }\n"
             : "#version 300 es\nprecision mediump float;\nout vec4 colour;\nvoid main() { colour = vec4(1.0); }\n");
  std::vector<const char*> outputs;
  for (const std::string& name : what.outputs) outputs.push_back(name.c_str());
  glTransformFeedbackVaryings(program, static_cast<GLsizei>(outputs.size()), outputs.data(), GL_INTERLEAVED_ATTRIBS);
  return linked(program);
}

struct TextureFormat {
  GLint internal;
  GLenum format;
  GLenum type;
};

TextureFormat format_of(const Gles::Texture& texture) {
  if (texture.kind == Gles::Texture::Kind::floats) return {GL_RGBA32F, GL_RGBA, GL_FLOAT};
  if (texture.kind == Gles::Texture::Kind::halves) return {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT};
  if (texture.kind == Gles::Texture::Kind::bytes) return {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
  if (texture.texel_words == 1) return {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT};
  if (texture.texel_words == 2) return {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT};
  return {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT};
}

GLuint upload(const Gles::Texture& texture) {
  const std::size_t texels = std::size_t{texture.width} * texture.height * std::max(texture.layers, 1u);
  EXPECT_EQ(texture.words.size(), texels * texture.texel_words) << texture.name;
  const TextureFormat as = format_of(texture);
  const auto width = static_cast<GLsizei>(texture.width);
  const auto height = static_cast<GLsizei>(texture.height);
  const GLenum target = texture.layers > 0 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(target, name);
  glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (texture.layers > 0)
    glTexImage3D(target, 0, as.internal, width, height, static_cast<GLsizei>(texture.layers), 0, as.format, as.type,
                 texture.words.data());
  else
    glTexImage2D(target, 0, as.internal, width, height, 0, as.format, as.type, texture.words.data());
  return name;
}

GLuint make_target(std::uint32_t width, std::uint32_t height) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32UI, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
  return name;
}

void set(GLuint program, const Gles::Uniform& uniform) {
  const GLint at = glGetUniformLocation(program, uniform.name.c_str());
  if (const auto* number = std::get_if<std::uint32_t>(&uniform.value)) glUniform1ui(at, *number);
  if (const auto* pair = std::get_if<glm::uvec2>(&uniform.value)) glUniform2ui(at, pair->x, pair->y);
  if (const auto* four = std::get_if<glm::vec4>(&uniform.value)) glUniform4f(at, four->x, four->y, four->z, four->w);
}

GLuint bind(GLuint program, const Gles::Attribute& attribute) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(attribute.values.size() * 4), attribute.values.data(),
               GL_STATIC_DRAW);
  const GLint at = glGetAttribLocation(program, attribute.name.c_str());
  if (at < 0) return buffer;
  glEnableVertexAttribArray(static_cast<GLuint>(at));
  const auto size = static_cast<GLint>(attribute.size);
  if (attribute.floats)
    glVertexAttribPointer(static_cast<GLuint>(at), size, GL_FLOAT, GL_FALSE, 0, nullptr);
  else
    glVertexAttribIPointer(static_cast<GLuint>(at), size, GL_UNSIGNED_INT, 0, nullptr);
  return buffer;
}

std::vector<std::uint32_t> read_back(GLsizeiptr bytes) {
  const void* mapped = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, GL_MAP_READ_BIT);
  EXPECT_NE(mapped, nullptr);
  if (mapped == nullptr) return {};
  const auto* words = static_cast<const std::uint32_t*>(mapped);
  std::vector<std::uint32_t> found(words, words + bytes / 4);
  glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
  return found;
}

class Surfaceless : public Gles {
 public:
  std::string open() {
    std::string why_not = display_.open();
    if (!why_not.empty()) return why_not;
    // Nothing is drawn, but drawing asks for something to draw to.
    GLuint renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &renderbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    glEnable(GL_RASTERIZER_DISCARD);
    return {};
  }

  std::vector<std::uint32_t> run(const Run& what) override {
    const GLuint program = program_of(what);
    if (program == 0) return {};
    const std::vector<GLuint> textures = use(program, what.textures, what.uniforms);
    std::vector<GLuint> buffers;
    for (const Attribute& attribute : what.attributes) buffers.push_back(bind(program, attribute));
    std::vector<std::uint32_t> found = draw(what);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    glDeleteBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
    glDeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
    return found;
  }

  std::vector<std::vector<std::uint32_t>> draw(const Picture& what) override {
    const GLuint program = link(what);
    if (program == 0) return {};
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    std::vector<GLuint> targets;
    std::vector<GLenum> attachments;
    for (std::uint32_t i = 0; i < what.outputs; ++i) {
      targets.push_back(make_target(what.width, what.height));
      attachments.push_back(GL_COLOR_ATTACHMENT0 + i);
      glFramebufferTexture2D(GL_FRAMEBUFFER, attachments[i], GL_TEXTURE_2D, targets[i], 0);
    }
    EXPECT_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
    const std::vector<GLuint> textures = use(program, what.textures, what.uniforms);
    glDrawBuffers(static_cast<GLsizei>(attachments.size()), attachments.data());
    glViewport(0, 0, static_cast<GLsizei>(what.width), static_cast<GLsizei>(what.height));
    glDisable(GL_RASTERIZER_DISCARD);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_RASTERIZER_DISCARD);
    std::vector<std::vector<std::uint32_t>> drawn;
    for (const GLenum attachment : attachments) {
      glReadBuffer(attachment);
      drawn.emplace_back(std::size_t{what.width} * what.height * 4);
      glReadPixels(0, 0, static_cast<GLsizei>(what.width), static_cast<GLsizei>(what.height), GL_RGBA_INTEGER,
                   GL_UNSIGNED_INT, drawn.back().data());
    }
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(static_cast<GLsizei>(targets.size()), targets.data());
    glDeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
    glDeleteProgram(program);
    return drawn;
  }

 private:
  static std::vector<GLuint> use(GLuint program, const std::vector<Texture>& textures,
                                 const std::vector<Uniform>& uniforms) {
    glUseProgram(program);
    std::vector<GLuint> names;
    for (const Texture& texture : textures) {
      const auto unit = static_cast<GLuint>(names.size());
      glActiveTexture(GL_TEXTURE0 + unit);
      names.push_back(upload(texture));
      glUniform1i(glGetUniformLocation(program, texture.name.c_str()), static_cast<GLint>(unit));
    }
    for (const Uniform& uniform : uniforms) set(program, uniform);
    return names;
  }

  // Compiling takes longest: what is run again is not compiled again.
  GLuint program_of(const Run& what) {
    if (program_ != 0 && what.source == source_) return program_;
    glDeleteProgram(program_);
    program_ = link(what);
    source_ = what.source;
    return program_;
  }

  static std::vector<std::uint32_t> draw(const Run& what) {
    const std::size_t bytes = std::size_t{what.vertices} * what.instances * what.outputs.size() * 16;
    GLuint feedback = 0;
    glGenBuffers(1, &feedback);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STATIC_READ);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(what.vertices), static_cast<GLsizei>(what.instances));
    glEndTransformFeedback();
    std::vector<std::uint32_t> found = read_back(static_cast<GLsizeiptr>(bytes));
    glDeleteBuffers(1, &feedback);
    return found;
  }

  Display display_;
  GLuint framebuffer_ = 0;
  std::string source_;
  GLuint program_ = 0;
};

}  // namespace

std::unique_ptr<Gles> Gles::create(std::string& why_not) {
  auto made = std::make_unique<Surfaceless>();
  why_not = made->open();
  if (!why_not.empty()) return nullptr;
  return made;
}

}  // namespace throng::test

#else

namespace throng::test {

std::unique_ptr<Gles> Gles::create(std::string& why_not) {
  why_not = "built without EGL and OpenGL ES (Debian: libegl-dev, libgles-dev)";
  return nullptr;
}

}  // namespace throng::test

#endif
