# SPDX-License-Identifier: Apache-2.0
# Compiles the shaders of docs/shader-library.md, so that what the page shows works.
#
#   cmake -D PAGE=FILE -D GLSLC=PROGRAM -D GLSLANG=PROGRAM -D INCLUDE=FOLDER -D WORK=FOLDER -D STAMP=FILE -P check_page.cmake
#
# WORK holds the flat libraries already. Without GLSLANG the ESSL is left out.
cmake_minimum_required(VERSION 3.25)

file(READ "${PAGE}" page)
set(count 0)
while(page MATCHES "```(glsl|hlsl)\n([^`]*)```")
  set(block "${CMAKE_MATCH_0}")
  set(language ${CMAKE_MATCH_1})
  set(source "${CMAKE_MATCH_2}")
  string(REPLACE "${block}" "" page "${page}")
  math(EXPR count "${count} + 1")
  set(file "${WORK}/page_${count}.${language}")
  file(WRITE "${file}" "${source}")
  if(source MATCHES "^#version 300 es")
    execute_process(COMMAND ${CMAKE_COMMAND} -D LANGUAGE=essl -D INPUT=${file} -D INCLUDE=${INCLUDE} -D OUTPUT=${file}.vert
      -P ${CMAKE_CURRENT_LIST_DIR}/flatten.cmake COMMAND_ERROR_IS_FATAL ANY)
    set(stage vert)
    if(source MATCHES "gl_FragCoord")
      set(stage frag)
    endif()
    set(command ${GLSLANG} -S ${stage} ${file}.vert)
    if(NOT GLSLANG)
      continue()
    endif()
  elseif(language STREQUAL "hlsl")
    set(command ${GLSLC} -x hlsl -fshader-stage=vert --target-env=vulkan1.1 -Werror -I ${INCLUDE} -o ${file}.spv ${file})
  else()
    set(command ${GLSLC} -fshader-stage=vert --target-env=vulkan1.3 -Werror -I ${INCLUDE} -o ${file}.spv ${file})
  endif()
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${PAGE}: shader ${count} does not compile:\n${output}")
  endif()
endwhile()
if(NOT count EQUAL 4)
  message(FATAL_ERROR "${PAGE}: ${count} shaders found, not one in each of three languages and a pose pass")
endif()
file(TOUCH "${STAMP}")
