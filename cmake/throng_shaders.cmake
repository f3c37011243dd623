# SPDX-License-Identifier: Apache-2.0
# Shaders become numbers in the program: no file is needed at run time. The depfiles make edits of includes rebuild.
# SPIR-V 1.5: 1.6 writes group sizes in a way that asks callers for the feature maintenance4.

# throng_compile_shaders(target folder shaders...): NAME.STAGE.inc for each, in a folder the target includes from.
# NAME+WORD+WORD.STAGE is NAME.STAGE with THRONG_WORD defined for each; a shader may lie in a folder of the folder.
function(throng_compile_shaders target folder)
  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/spirv_${target})
  file(MAKE_DIRECTORY ${output_dir})
  foreach(shader IN LISTS ARGN)
    get_filename_component(name ${shader} NAME)
    set(output ${output_dir}/${name}.inc)
    set(source ${folder}/${shader})
    set(defines "")
    if(shader MATCHES "^([a-z_/]+)\\+([a-z0-9_+]+)(\\.[a-z]+)$")
      set(source ${folder}/${CMAKE_MATCH_1}${CMAKE_MATCH_3})
      string(TOUPPER ${CMAKE_MATCH_2} defines)
      string(REPLACE "+" ";" defines ${defines})
      list(TRANSFORM defines PREPEND -DTHRONG_)
    endif()
    add_custom_command(OUTPUT ${output}
      COMMAND ${Vulkan_GLSLC_EXECUTABLE} --target-env=vulkan1.3 --target-spv=spv1.5 -O -Werror -mfmt=num ${defines}
        -I ${PROJECT_SOURCE_DIR}/shaders/include -MD -MF ${output}.d -MT ${output} -o ${output} ${source}
      DEPENDS ${source} DEPFILE ${output}.d COMMENT "Shader ${shader}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
    list(APPEND outputs ${output})
  endforeach()
  # A target that links nothing: shaders need not wait for the libraries, nor the sources for them.
  add_custom_target(${target}_shaders DEPENDS ${outputs})
  add_dependencies(${target} ${target}_shaders)
  target_include_directories(${target} PRIVATE ${output_dir})
endfunction()

# throng_shaders(target folder shaders...): the same, and shader_code.h with a function for each, generated from this
# list: character.vert is throng::shader_code::character_vertex(), character+motion.vert is character_motion_vertex().
function(throng_shaders target folder)
  throng_compile_shaders(${target} ${folder} ${ARGN})
  set(stage_vert vertex)
  set(stage_frag fragment)
  set(stage_comp compute)
  set(declarations "")
  set(definitions "")
  foreach(shader IN LISTS ARGN)
    string(REGEX MATCH "^(.+)\\.([a-z]+)$" all ${shader})
    set(stage ${CMAKE_MATCH_2})
    string(REPLACE "+" "_" name ${CMAKE_MATCH_1})
    string(APPEND declarations "std::span<const std::uint32_t> ${name}_${stage_${stage}}();\n")
    string(APPEND definitions "std::span<const std::uint32_t> ${name}_${stage_${stage}}() {\n"
      "  static constexpr std::uint32_t kCode[] = {\n#include \"${shader}.inc\"\n  };\n  return kCode;\n}\n\n")
  endforeach()
  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/spirv_${target})
  file(CONFIGURE OUTPUT ${output_dir}/shader_code.h CONTENT "#pragma once
// The compiled shaders of ${target}, generated from the list in its CMakeLists.txt.

#include <cstdint>
#include <span>

namespace throng::shader_code {

${declarations}
}  // namespace throng::shader_code
" @ONLY)
  file(CONFIGURE OUTPUT ${output_dir}/shader_code.cpp CONTENT "#include \"shader_code.h\"

namespace throng::shader_code {

${definitions}}  // namespace throng::shader_code
" @ONLY)
  target_sources(${target} PRIVATE ${output_dir}/shader_code.cpp)
endfunction()
