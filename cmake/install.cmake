# Program, library, header, pkg-config file, CMake package, manual pages, ready studies and the analysis package.
include(CMakePackageConfigHelpers)
set(omniroll_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/omniroll)

install(TARGETS omniroll_program RUNTIME)
install(TARGETS omniroll EXPORT omniroll-targets)
if(TARGET omniroll_shared) # beside the static library, under the same name; pkg-config's linker takes the shared one
  install(TARGETS omniroll_shared EXPORT omniroll-targets)
endif()
install(DIRECTORY host/include/omniroll TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_BINARY_DIR}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_BINARY_DIR}/completion/omniroll DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completion/_omniroll DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY studies analysis DESTINATION ${CMAKE_INSTALL_DATADIR}/omniroll
  FILES_MATCHING PATTERN "*.json" PATTERN "*.csv" PATTERN "*.md" PATTERN "*.py" PATTERN "*.ipynb" PATTERN "*.css" PATTERN "*.js" PATTERN "py.typed"
  PATTERN "pyproject.toml" PATTERN "__pycache__" EXCLUDE)
if(BUILD_SHARED_LIBS)
  set_target_properties(omniroll_program PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

install(EXPORT omniroll-targets NAMESPACE omniroll:: DESTINATION ${omniroll_package_dir})
configure_package_config_file(cmake/omniroll-config.cmake.in omniroll-config.cmake INSTALL_DESTINATION ${omniroll_package_dir})
write_basic_package_version_file(omniroll-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/omniroll-config.cmake ${PROJECT_BINARY_DIR}/omniroll-config-version.cmake
  DESTINATION ${omniroll_package_dir})
if(NOT BUILD_SHARED_LIBS)
  install(FILES cmake/dependencies.cmake DESTINATION ${omniroll_package_dir})
endif()

# pkg-config: libraries in the compiler's own folders by name, others with their folder.
set(omniroll_pc_libs "")
foreach(library IN LISTS omniroll_libraries)
  cmake_path(GET library PARENT_PATH folder)
  cmake_path(GET library STEM name)
  string(REGEX REPLACE "^lib" "" name "${name}")
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    string(APPEND omniroll_pc_libs "-L${folder} ")
  endif()
  string(APPEND omniroll_pc_libs "-l${name} ")
endforeach()
list(FILTER OpenMP_C_LIBRARIES EXCLUDE REGEX "pthread")
string(JOIN " " omniroll_pc_openmp ${OpenMP_C_LIBRARIES})
string(APPEND omniroll_pc_libs "${omniroll_pc_openmp} -lm -pthread")
file(RELATIVE_PATH omniroll_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/omniroll.pc.in omniroll.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/omniroll.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
