# SPDX-License-Identifier: Apache-2.0
# The test shaders of languages other than GLSL: HLSL to SPIR-V inside the test program, ESSL to files it reads.
function(throng_language_shaders target)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/tests/languages)
  set(output_folder ${CMAKE_CURRENT_BINARY_DIR}/languages)
  file(MAKE_DIRECTORY ${output_folder})
  file(GLOB bodies CONFIGURE_DEPENDS ${folder}/language_*.glsl)
  foreach(shader IN LISTS ARGN)
    set(output ${output_folder}/${shader})
    if(shader MATCHES "hlsl$")
      # SPIR-V 1.3: glslang's HLSL says buffers as later versions do not know them.
      add_custom_command(OUTPUT ${output}.inc
        COMMAND ${Vulkan_GLSLC_EXECUTABLE} -fshader-stage=compute --target-env=vulkan1.1 -O -Werror -mfmt=num
          -I ${PROJECT_SOURCE_DIR}/shaders/include -MD -MF ${output}.d -MT ${output}.inc -o ${output}.inc ${folder}/${shader}
        DEPENDS ${folder}/${shader} DEPFILE ${output}.d COMMENT "Shader ${shader}" VERBATIM)
      target_sources(${target} PRIVATE ${output}.inc)
    else()
      throng_flatten(essl ${folder}/${shader} ${output} ${bodies})
      target_sources(${target} PRIVATE ${output})
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE ${output_folder})
  target_compile_definitions(${target} PRIVATE THRONG_ESSL_DIR="${output_folder}")
  pkg_check_modules(gles IMPORTED_TARGET egl glesv2)
  if(gles_FOUND)
    target_link_libraries(${target} PRIVATE PkgConfig::gles)
    target_compile_definitions(${target} PRIVATE THRONG_TEST_GLES)
  endif()
endfunction()
