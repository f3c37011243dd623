# SPDX-License-Identifier: Apache-2.0
# How every target of the project is made.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

option(THRONG_PRECOMPILE "Parse the standard library, glm, fmt and GoogleTest once" ON)

# g++ 12 misreads std::string in these when the standard library comes from a precompiled header, where it is no longer
# known as a system header.
set(throng_misread $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${THRONG_PRECOMPILE}>>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)

function(throng_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${THRONG_WERROR}>:-Werror> ${throng_misread})
endfunction()

# GCC collects its garbage from 128 MiB on, which takes a tenth of its time. Ours rarely need more than 1 GiB, so that
# with this they hardly ever collect; a machine of many cores wants that much memory for each.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)

# Tests and tools are compiled to be compiled quickly: what they spend their time in is the libraries, which are optimised.
set(throng_quick_options $<$<CONFIG:Release>:-O1>)

# What each kind of source sees precompiled: cmake/precompiled_KIND.h. One object a kind holds it for all targets of that
# kind: GCC takes a precompiled header only where the options are alike.
set(throng_kinds library)
if(THRONG_APPS)
  list(APPEND throng_kinds app)
endif()
if(THRONG_TESTS)
  list(APPEND throng_kinds test)
endif()
set(throng_packages_library fmt::fmt glm::glm tl::expected)
set(throng_packages_app ${throng_packages_library} CLI11::CLI11 nlohmann_json::nlohmann_json)
set(throng_packages_test ${throng_packages_library} GTest::gtest nlohmann_json::nlohmann_json)
set(throng_options_app ${throng_quick_options})
set(throng_options_test ${throng_quick_options})
if(THRONG_PRECOMPILE)
  file(SHA256 ${PROJECT_SOURCE_DIR}/cmake/precompiled_library.h library_sum)
  foreach(kind IN LISTS throng_kinds)
    set(header ${PROJECT_SOURCE_DIR}/cmake/precompiled_${kind}.h)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp CONTENT "// Holds a precompiled header.\n" @ONLY)
    add_library(throng_precompiled_${kind} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp)
    target_link_libraries(throng_precompiled_${kind} PRIVATE ${throng_packages_${kind}})
    target_compile_options(throng_precompiled_${kind} PRIVATE ${throng_options_${kind}})
    throng_warnings(throng_precompiled_${kind})
    target_precompile_headers(throng_precompiled_${kind} PRIVATE ${header})
    # What ccache takes for the contents of the precompiled header (CCACHE_PCH_EXTSUM, which ./run sets): its own bytes hold
    # the build folder's name, so that a clone elsewhere would find nothing that this one compiled.
    file(SHA256 ${header} sum)
    foreach(ending gch pch)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/CMakeFiles/throng_precompiled_${kind}.dir/cmake_pch.hxx.${ending}.sum
        CONTENT "${library_sum} ${sum} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${kind}\n" @ONLY)
    endforeach()
  endforeach()
endif()

# throng_kind(target kind): the target is compiled as a library, an app or a test is.
function(throng_kind target kind)
  throng_together(${target})
  target_compile_options(${target} PRIVATE ${throng_options_${kind}})
  throng_warnings(${target})
  if(THRONG_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM throng_precompiled_${kind})
    # Programs too are compiled as the libraries are, not as -fPIE would have it.
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()

option(THRONG_TOGETHER "Compile sources in groups: about a third of the time" OFF)

# throng_together(target): the target's sources are compiled in groups of a few. Which may be is asked once for all
# targets, by throng_group_sources: starting Python takes as long as answering.
function(throng_together target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "^${PROJECT_BINARY_DIR}/")
  list(TRANSFORM sources REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  list(LENGTH sources count)
  if(THRONG_TOGETHER AND count GREATER 1)
    list(JOIN sources " " sources)
    set_property(GLOBAL APPEND PROPERTY throng_together "${target} ${sources}")
  endif()
endfunction()

# throng_group_sources(): at the end, when all targets are known. What the groups are made of is named from the project's
# root, so that clones share what was compiled.
function(throng_group_sources)
  get_property(targets GLOBAL PROPERTY throng_together)
  if(NOT targets)
    return()
  endif()
  find_program(THRONG_PYTHON python3 REQUIRED)
  list(JOIN targets "\n" targets)
  file(WRITE ${PROJECT_BINARY_DIR}/together.txt "${targets}\n")
  execute_process(COMMAND ${THRONG_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/group_sources.py 10 ${PROJECT_BINARY_DIR}/together.txt
    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(group IN LISTS groups)
    string(REPLACE " " ";" files "${group}")
    list(POP_FRONT files target)
    get_target_property(folder ${target} BINARY_DIR)
    set(includes "// Compiled together.\n")
    foreach(file IN LISTS files)
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
      string(APPEND includes "#include \"${name}\"\n")
    endforeach()
    get_target_property(number ${target} throng_groups)
    if(NOT number)
      set(number 0)
    endif()
    math(EXPR number "${number} + 1")
    set_target_properties(${target} PROPERTIES throng_groups ${number})
    set(together ${folder}/together_${target}/${number}.cpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "${includes}" @ONLY)
    set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES HEADER_FILE_ONLY ON)
    target_sources(${target} PRIVATE ${together})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    # g++ takes what a group includes for headers, where a type of an unnamed namespace would be a mistake.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endforeach()
endfunction()

# throng_component(result name): the part of the installed package that a module of this folder belongs to.
function(throng_component result name)
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(component runtime)
  if(room MATCHES "^offline/")
    set(component offline)
  elseif(name STREQUAL "ragdoll" OR name STREQUAL "scene")
    set(component ${name})
  endif()
  set(${result} ${component} PARENT_SCOPE)
endfunction()

# throng_module(name PUBLIC targets... PRIVATE targets... BUILD targets...): this folder becomes the static library
# throng::<name>. BUILD are packages of headers that only the sources include: whoever uses the library does without.
function(throng_module name)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE;BUILD" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cpp include/*.h)
  if(NOT sources MATCHES "\\.cpp(;|$)")
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/headers_only.cpp CONTENT "// Of headers only.\n" @ONLY)
    list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/headers_only.cpp)
  endif()
  add_library(throng_${name} STATIC ${sources})
  add_library(throng::${name} ALIAS throng_${name})
  set_target_properties(throng_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_compile_features(throng_${name} PUBLIC cxx_std_20)
  target_include_directories(throng_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(throng_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  foreach(package IN LISTS arg_BUILD)
    target_include_directories(throng_${name} SYSTEM PRIVATE $<TARGET_PROPERTY:${package},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  if(name STREQUAL "math")
    throng_warnings(throng_${name})
  else()
    throng_kind(throng_${name} library)
  endif()
  set_property(GLOBAL APPEND PROPERTY throng_modules ${name})
  throng_component(component ${name})
  set_property(GLOBAL APPEND PROPERTY throng_modules_${component} ${name})
  get_property(components GLOBAL PROPERTY throng_components)
  if(NOT component IN_LIST components)
    set_property(GLOBAL APPEND PROPERTY throng_components ${component})
  endif()
endfunction()

# throng_add_test_program(name sources... ): tells CTest of a test program. It runs in a few parts, side by side, each of
# which does every nth test: what the tests of a part share, such as the mannequin, is made once and not once a test.
# What each test came to is left in results/ for tests/summary.py.
function(throng_add_test_program target)
  list(LENGTH ARGN sources)
  math(EXPR parts "(${sources} + 3) / 4")
  get_target_property(linked ${target} LINK_LIBRARIES)
  set(cost 0)
  if("throng_gpu_test_support" IN_LIST linked)
    set(cost 100)
    if(parts GREATER 2)
      set(parts 2) # each compiles the pipelines that its tests share
    endif()
    # AddressSanitizer gets slower with every device that a process has made.
    if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
      math(EXPR parts "${parts} * 4")
    endif()
  elseif(parts GREATER 8)
    set(parts 8)
  endif()
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    set(name ${target}.${part})
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 COST ${cost} LABELS ${target} ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part};GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/results/${name}.xml")
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/results)
endfunction()

# throng_tests(name LINK targets...): every .cpp below tests/ of this folder becomes one test program.
function(throng_tests name)
  if(NOT THRONG_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  target_include_directories(${name}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/tests)
  target_link_libraries(${name}_tests PRIVATE ${arg_LINK} throng_paths GTest::gtest_main)
  throng_kind(${name}_tests test)
  throng_add_test_program(${name}_tests ${sources})
endfunction()
