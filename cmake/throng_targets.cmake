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

function(throng_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${THRONG_WERROR}>:-Werror>)
endfunction()

# throng_module(name PUBLIC targets... PRIVATE targets...): modules/<name> becomes the static library throng::<name>.
function(throng_module name)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cpp include/*.h)
  add_library(throng_${name} STATIC ${sources})
  add_library(throng::${name} ALIAS throng_${name})
  set_target_properties(throng_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_compile_features(throng_${name} PUBLIC cxx_std_20)
  target_include_directories(throng_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(throng_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  throng_warnings(throng_${name})
  set_property(GLOBAL APPEND PROPERTY throng_modules ${name})
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
  target_include_directories(${name}_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${name}_tests PRIVATE ${arg_LINK} GTest::gtest_main)
  target_compile_definitions(${name}_tests PRIVATE
    THRONG_SHARED_DIR="${THRONG_SHARED}" THRONG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  throng_warnings(${name}_tests)
  gtest_discover_tests(${name}_tests DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
endfunction()
