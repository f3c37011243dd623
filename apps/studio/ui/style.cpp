// SPDX-License-Identifier: Apache-2.0
#include "ui/style.h"

#include <filesystem>
#include <span>

#include "gpu/ui_renderer.h"

namespace throng::studio {
namespace {

constexpr float kTextSize = 15.0f;

// Fonts in the order of preference; where none is there, ImGui's own.
constexpr const char* kTextFonts[] = {"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                                      "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                                      "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
                                      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                      "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"};
// Fonts for names in Chinese, Japanese and Korean.
constexpr const char* kEastAsianFonts[] = {"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                                           "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                                           "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"};

// Latin, Greek, Cyrillic, punctuation, arrows and the few signs the window uses.
constexpr ImWchar kLetters[] = {0x0020, 0x024F, 0x0370, 0x052F, 0x2010, 0x2044, 0x20AC, 0x20AC,
                                0x2190, 0x2193, 0x2212, 0x2212, 0x2248, 0x2265, 0};

const char* first_installed(std::span<const char* const> files) {
  for (const char* file : files) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) return file;
  }
  return nullptr;
}

void load_fonts(ImFontAtlas& fonts, float size) {
  const char* text = first_installed(kTextFonts);
  if (text == nullptr || fonts.AddFontFromFileTTF(text, size, nullptr, kLetters) == nullptr) {
    fonts.AddFontDefault();
    return;
  }
  const char* east_asian = first_installed(kEastAsianFonts);
  if (east_asian == nullptr) return;
  ImFontConfig config;
  config.MergeMode = true;
  fonts.AddFontFromFileTTF(east_asian, size, &config, fonts.GetGlyphRangesChineseSimplifiedCommon());
}

ImVec4 grey(float light, float alpha = 1.0f) { return {light, light * 1.01f, light * 1.04f, alpha}; }

ImVec4 accent(float alpha) { return {colour::kAccent.x, colour::kAccent.y, colour::kAccent.z, alpha}; }

void set_colours(ImVec4* c) {
  c[ImGuiCol_Text] = grey(0.90f);
  c[ImGuiCol_TextDisabled] = grey(0.46f);
  c[ImGuiCol_WindowBg] = grey(0.105f);
  c[ImGuiCol_ChildBg] = grey(0.135f);
  c[ImGuiCol_PopupBg] = grey(0.16f, 0.98f);
  c[ImGuiCol_Border] = grey(0.24f);
  c[ImGuiCol_TitleBg] = grey(0.16f);
  c[ImGuiCol_TitleBgActive] = grey(0.20f);
  c[ImGuiCol_FrameBg] = grey(0.195f);
  c[ImGuiCol_FrameBgHovered] = grey(0.24f);
  c[ImGuiCol_FrameBgActive] = grey(0.27f);
  c[ImGuiCol_CheckMark] = colour::kAccent;
  c[ImGuiCol_SliderGrab] = accent(0.85f);
  c[ImGuiCol_SliderGrabActive] = colour::kAccent;
  c[ImGuiCol_Button] = grey(0.25f);
  c[ImGuiCol_ButtonHovered] = grey(0.31f);
  c[ImGuiCol_ButtonActive] = grey(0.36f);
  c[ImGuiCol_Header] = accent(0.28f);
  c[ImGuiCol_HeaderHovered] = accent(0.38f);
  c[ImGuiCol_HeaderActive] = accent(0.48f);
  c[ImGuiCol_Separator] = grey(0.22f);
  c[ImGuiCol_SeparatorHovered] = accent(0.6f);
  c[ImGuiCol_SeparatorActive] = colour::kAccent;
  c[ImGuiCol_Tab] = grey(0.16f);
  c[ImGuiCol_TabHovered] = accent(0.5f);
  c[ImGuiCol_TabActive] = accent(0.36f);
  c[ImGuiCol_PlotHistogram] = accent(0.85f);
  c[ImGuiCol_TextSelectedBg] = accent(0.4f);
  c[ImGuiCol_TableHeaderBg] = grey(0.18f);
  c[ImGuiCol_TableBorderStrong] = grey(0.24f);
  c[ImGuiCol_TableBorderLight] = grey(0.19f);
  c[ImGuiCol_TableRowBgAlt] = grey(1.0f, 0.025f);
  c[ImGuiCol_ModalWindowDimBg] = {0.0f, 0.0f, 0.0f, 0.55f};
}

}  // namespace

ImVec4 colour::of(Grade grade) {
  if (grade == Grade::bad) return kProblem;
  return grade == Grade::visible ? kWarning : kGood;
}

Image dress(float scale) {
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  set_colours(style.Colors);
  style.WindowPadding = {10.0f, 10.0f};
  style.FramePadding = {8.0f, 4.0f};
  style.ItemSpacing = {8.0f, 6.0f};
  style.CellPadding = {6.0f, 3.0f};
  style.WindowRounding = 0.0f;
  style.ChildRounding = 6.0f;
  style.FrameRounding = 4.0f;
  style.PopupRounding = 4.0f;
  style.GrabRounding = 3.0f;
  style.TabRounding = 4.0f;
  style.ScrollbarSize = 12.0f;
  style.ScaleAllSizes(scale);

  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  load_fonts(fonts, std::round(kTextSize * scale));
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  fonts.GetTexDataAsRGBA32(&pixels, &width, &height);
  fonts.SetTexID(texture_id(Place::font));
  const std::size_t bytes = std::size_t{4} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  Image image{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {pixels, pixels + bytes}};
  fonts.ClearTexData();
  return image;
}

}  // namespace throng::studio
