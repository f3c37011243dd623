# cmake --install gives a package that another project finds with find_package(throng).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY throng_modules)
foreach(module IN LISTS modules)
  install(TARGETS throng_${module} EXPORT throng_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
get_property(folders GLOBAL PROPERTY throng_module_folders)
foreach(folder IN LISTS folders)
  install(DIRECTORY ${folder}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(DIRECTORY shaders/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
install(EXPORT throng_targets NAMESPACE throng:: FILE throng_targets.cmake DESTINATION ${config_folder})
configure_package_config_file(cmake/throngConfig.cmake.in ${PROJECT_BINARY_DIR}/throngConfig.cmake
  INSTALL_DESTINATION ${config_folder})
# Before 1.0 every minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throngConfig.cmake ${PROJECT_BINARY_DIR}/throngConfigVersion.cmake
  DESTINATION ${config_folder})
