# SPDX-License-Identifier: Apache-2.0
# cmake --install gives a package that another project finds with find_package(throng COMPONENTS ...), or with pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Where the prefix is, seen from the .pc files: the package may be moved, or installed with --prefix.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
get_property(throng_components GLOBAL PROPERTY throng_components)
foreach(component IN LISTS throng_components)
  get_property(modules GLOBAL PROPERTY throng_modules_${component})
  set(libraries "")
  foreach(module IN LISTS modules)
    install(TARGETS throng_${module} EXPORT throng_${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    get_target_property(folder throng_${module} SOURCE_DIR)
    install(DIRECTORY ${folder}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    # Modules are made in the order in which data goes; a linker wants them the other way round.
    set(libraries "-lthrong_${module} ${libraries}")
  endforeach()
  install(EXPORT throng_${component} NAMESPACE throng:: FILE throng_${component}.cmake DESTINATION ${config_folder})

  # throng.pc is the run time; the others are throng-scene.pc, throng-ragdoll.pc, throng-offline.pc.
  set(pc_name throng-${component})
  set(pc_requires throng)
  set(pc_requires_private "")
  set(pc_libraries "${libraries}")
  if(component STREQUAL "runtime")
    set(pc_name throng)
    set(pc_requires fmt)
    set(pc_requires_private "glm vulkan")
    list(TRANSFORM CMAKE_DL_LIBS PREPEND "-l" OUTPUT_VARIABLE dl)
    set(pc_libraries "${libraries}-pthread ${dl}")
  elseif(component STREQUAL "ragdoll")
    set(pc_requires "throng bullet")
  elseif(component STREQUAL "offline")
    set(pc_libraries "${libraries}-lmeshoptimizer -ldraco -lwebp -lz")
  endif()
  configure_file(cmake/throng.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# What has to be built for it: the libraries and the tools, without tests and benchmarks. `./run build` builds this.
add_custom_target(throng_installed)
get_property(modules GLOBAL PROPERTY throng_modules)
list(TRANSFORM modules PREPEND "throng_")
foreach(target IN LISTS modules ITEMS throng throng_manual throng_studio throng_flat_shaders throng_wasm throng_webgl)
  if(TARGET ${target})
    add_dependencies(throng_installed ${target})
  endif()
endforeach()

# What C++ and shaders share, and the sampling library that other engines use; passes/ and scene/ are our own shaders'.
foreach(room sampling encodings shared)
  install(DIRECTORY shaders/include/throng/shaders/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/throng/shaders)
endforeach()

configure_package_config_file(cmake/throngConfig.cmake.in ${PROJECT_BINARY_DIR}/throngConfig.cmake
  INSTALL_DESTINATION ${config_folder})
# Before 1.0 every minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throngConfig.cmake ${PROJECT_BINARY_DIR}/throngConfigVersion.cmake
  DESTINATION ${config_folder})
