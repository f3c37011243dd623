# SPDX-License-Identifier: Apache-2.0
# Every third-party package, by name, with the half that needs it. Debian's package for each is listed in ./run.
find_package(PkgConfig)

# throng_find_header(name header): NAME::NAME, a package that is nothing but headers, wherever it came from.
function(throng_find_header name header)
  find_path(${name}_INCLUDE_DIR ${header} REQUIRED)
  if(NOT TARGET ${name}::${name})
    add_library(${name}::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name}::${name} INTERFACE ${${name}_INCLUDE_DIR})
  endif()
endfunction()

# The run time.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(glm REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Vulkan REQUIRED COMPONENTS glslc)
throng_find_header(stb stb/stb_image.h)
throng_find_header(xxhash xxhash.h)

# What makes characters.
if(THRONG_OFFLINE)
  find_package(ZLIB REQUIRED)
  find_package(draco REQUIRED)
  find_package(meshoptimizer REQUIRED)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(libwebp REQUIRED IMPORTED_TARGET libwebp)
endif()

# The tools.
if(THRONG_APPS)
  find_package(CLI11 REQUIRED)
endif()
set(throng_studio_found OFF)
if(THRONG_APPS AND THRONG_STUDIO)
  set(needed)
  if(NOT THRONG_STUDIO STREQUAL "AUTO")
    set(needed REQUIRED)
  endif()
  pkg_check_modules(imgui ${needed} IMPORTED_TARGET imgui>=1.86)
  find_package(SDL2 CONFIG ${needed})
  if(imgui_FOUND AND SDL2_FOUND)
    set(throng_studio_found ON)
  endif()
endif()

# Ragdolls.
set(throng_ragdoll_found OFF)
if(THRONG_RAGDOLL)
  set(needed)
  if(NOT THRONG_RAGDOLL STREQUAL "AUTO")
    set(needed REQUIRED)
  endif()
  if(PkgConfig_FOUND OR needed)
    pkg_check_modules(bullet ${needed} IMPORTED_TARGET bullet)
  endif()
  if(bullet_FOUND)
    set(throng_ragdoll_found ON)
  endif()
endif()

if(THRONG_TESTS)
  find_package(GTest REQUIRED)
  enable_testing()
endif()
