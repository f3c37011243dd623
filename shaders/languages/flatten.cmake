# SPDX-License-Identifier: Apache-2.0
# Writes a shader and all it includes from the library as one file, for engines and browsers that know no #include. Guards and
# what only C++ needs are left out; of language.h, the part for the language asked for is taken.
#
#   cmake -D LANGUAGE=glsl|essl|hlsl -D INPUT=FILE -D INCLUDE=FOLDER -D OUTPUT=FILE -P flatten.cmake
cmake_minimum_required(VERSION 3.25)

set(taken "")
get_filename_component(beside "${INPUT}" DIRECTORY)

# The text of `file` with every include in its place, once.
function(flatten file result)
  file(READ "${file}" text)
  # A file's words about itself go below what it includes first, beside what they are about.
  string(REGEX REPLACE
    "^((//[^\n]*\n)*)#ifndef THRONG_SHADERS_[A-Z0-9_]+\n#define THRONG_SHADERS_[A-Z0-9_]+\n((#include[^\n]*\n)*)(.*)#endif\n$"
    "\\3\n\\1\\5" text "${text}")
  string(REGEX REPLACE "\nTHRONG_NAMESPACE_(BEGIN|END)\n" "\n" text "${text}")
  string(REGEX REPLACE "#extension GL_GOOGLE_include_directive[^\n]*\n" "" text "${text}")
  while(text MATCHES "#include \"([^\"]+)\"\n")
    set(line "${CMAKE_MATCH_0}")
    string(REPLACE "/language.h" "/language.${LANGUAGE}" name "${CMAKE_MATCH_1}")
    set(included "")
    if(NOT name IN_LIST taken)
      list(APPEND taken "${name}")
      unset(found)  # of the file that includes this one: find_file would not look again
      find_file(found "${name}" PATHS "${beside}" "${INCLUDE}" NO_CACHE NO_DEFAULT_PATH REQUIRED)
      flatten("${found}" included)
    endif()
    string(REPLACE "${line}" "${included}" text "${text}")
  endwhile()
  set(taken "${taken}" PARENT_SCOPE)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

flatten("${INPUT}" text)
string(REGEX REPLACE "\n#define THRONG_NAMESPACE_[^\n]*" "" text "${text}")
string(REGEX REPLACE "\n\n\n+" "\n\n" text "${text}")
file(WRITE "${OUTPUT}" "${text}")
