# SPDX-License-Identifier: Apache-2.0
# Compiles every header of the shader library alone: what one needs, it includes.
#
#   cmake -D LANGUAGE=glsl|essl|hlsl -D COMPILER=PROGRAM -D INCLUDE=FOLDER -D HEADERS=A,B,… -D WORK=FOLDER -D STAMP=FILE
#     -P check_headers.cmake
cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" headers "${HEADERS}")
if(NOT headers)
  message(FATAL_ERROR "check_headers.cmake: no headers: nothing would be checked")
endif()
file(MAKE_DIRECTORY "${WORK}")

set(start_glsl "#version 460\n#extension GL_GOOGLE_include_directive : require\n")
set(start_essl "#version 300 es\n")
set(start_hlsl "#define THRONG_HLSL\n")
set(end_glsl "void main() { gl_Position = vec4(0.0); }\n")
set(end_essl "${end_glsl}")
set(end_hlsl "float4 main() : SV_Position { return float4(0.0, 0.0, 0.0, 1.0); }\n")

foreach(header IN LISTS headers)
  set(source "${WORK}/${header}.${LANGUAGE}")
  file(WRITE "${source}" "${start_${LANGUAGE}}#include \"throng/shaders/${header}\"\n${end_${LANGUAGE}}")
  if(LANGUAGE STREQUAL "essl")
    execute_process(COMMAND ${CMAKE_COMMAND} -D LANGUAGE=essl -D INPUT=${source} -D INCLUDE=${INCLUDE}
      -D OUTPUT=${source}.vert -P ${CMAKE_CURRENT_LIST_DIR}/flatten.cmake COMMAND_ERROR_IS_FATAL ANY)
    set(command ${COMPILER} -S vert ${source}.vert)
  elseif(LANGUAGE STREQUAL "hlsl")
    set(command ${COMPILER} -x hlsl -fshader-stage=vert --target-env=vulkan1.1 -Werror -I ${INCLUDE} -o ${source}.spv ${source})
  else()
    set(command ${COMPILER} -fshader-stage=vert --target-env=vulkan1.3 -Werror -I ${INCLUDE} -o ${source}.spv ${source})
  endif()
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "throng/shaders/${header} does not compile alone as ${LANGUAGE}:\n${output}")
  endif()
endforeach()
file(TOUCH "${STAMP}")
