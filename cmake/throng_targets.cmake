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

# Two programs hold the precompiled headers that all others use: GCC takes one only where the options are alike.
# Tests are built to be built quickly: what they test is in the libraries, which are optimised.
set(throng_test_options $<$<CONFIG:Release>:-O1>)
if(THRONG_PRECOMPILE)
  foreach(kind library test)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp CONTENT "// Holds a precompiled header.\n" @ONLY)
    add_library(throng_precompiled_${kind} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp)
    target_link_libraries(throng_precompiled_${kind} PRIVATE fmt::fmt glm::glm tl::expected)
    throng_warnings(throng_precompiled_${kind})
  endforeach()
  target_precompile_headers(throng_precompiled_library PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h)
  if(THRONG_TESTS)
    target_link_libraries(throng_precompiled_test PRIVATE GTest::gtest)
    target_compile_options(throng_precompiled_test PRIVATE ${throng_test_options})
    target_precompile_headers(throng_precompiled_test PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled_tests.h)
  endif()
endif()

# What ccache takes for the contents of the precompiled headers (CCACHE_PCH_EXTSUM, which ./run sets): their own bytes hold
# the build folder's name, so that a clone elsewhere would find nothing that this one compiled.
if(THRONG_PRECOMPILE)
  file(SHA256 ${PROJECT_SOURCE_DIR}/cmake/precompiled.h library_sum)
  file(SHA256 ${PROJECT_SOURCE_DIR}/cmake/precompiled_tests.h test_sum)
  foreach(kind library test)
    set(sum "${library_sum} ${test_sum} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${kind}")
    set(folder ${PROJECT_BINARY_DIR}/CMakeFiles/throng_precompiled_${kind}.dir)
    foreach(ending gch pch)
      file(CONFIGURE OUTPUT ${folder}/cmake_pch.hxx.${ending}.sum CONTENT "${sum}\n" @ONLY)
    endforeach()
  endforeach()
endif()

# throng_precompiled(target kind): the target's sources see the precompiled header of a kind: library or test.
function(throng_precompiled target kind)
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

# throng_component(result name): the part of the installed package that a module of this folder belongs to.
function(throng_component result name)
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(component runtime)
  if(room MATCHES "^offline/" AND NOT name IN_LIST throng_linked_by_the_run_time)
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
  throng_warnings(throng_${name})
  if(NOT name STREQUAL "math")
    throng_precompiled(throng_${name} library)
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
  if(parts GREATER 8)
    set(parts 8)
  endif()
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    set(name ${target}.${part})
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 LABELS ${target} ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part};GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/results/${name}.xml")
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/results)
endfunction()

# throng_tests(name LINK targets...): every tests/*.cpp of this folder becomes one test program.
function(throng_tests name)
  if(NOT THRONG_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  target_include_directories(${name}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${name}_tests PRIVATE ${arg_LINK} throng_paths GTest::gtest_main)
  target_compile_options(${name}_tests PRIVATE ${throng_test_options})
  throng_warnings(${name}_tests)
  throng_precompiled(${name}_tests test)
  throng_add_test_program(${name}_tests ${sources})
endfunction()
