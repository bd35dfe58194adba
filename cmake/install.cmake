# Program, library, header, pkg-config file, CMake package, manual pages, ready studies and the analysis package.
include(CMakePackageConfigHelpers)
set(omniroll_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/omniroll)

# Components: runtime is what the .deb has; development is for programs that link the library.
set(omniroll_runtime COMPONENT runtime)
set(omniroll_development COMPONENT development)

install(TARGETS omniroll_program RUNTIME ${omniroll_runtime})
install(TARGETS omniroll EXPORT omniroll-targets ARCHIVE ${omniroll_development}
  LIBRARY ${omniroll_runtime} NAMELINK_COMPONENT development)
if(TARGET omniroll_shared) # beside the static library, under the same name; pkg-config's linker takes the shared one
  install(TARGETS omniroll_shared EXPORT omniroll-targets LIBRARY ${omniroll_runtime} NAMELINK_COMPONENT development)
endif()
install(DIRECTORY host/include/omniroll TYPE INCLUDE ${omniroll_development} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_BINARY_DIR}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${omniroll_runtime} FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_BINARY_DIR}/completion/omniroll DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  ${omniroll_runtime})
install(FILES ${PROJECT_BINARY_DIR}/completion/_omniroll DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions ${omniroll_runtime})
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} ${omniroll_runtime})
install(DIRECTORY studies analysis docs DESTINATION ${CMAKE_INSTALL_DATADIR}/omniroll ${omniroll_runtime}
  FILES_MATCHING PATTERN "*.json" PATTERN "*.csv" PATTERN "*.urdf" PATTERN "*.md" PATTERN "*.py" PATTERN "*.css" PATTERN "*.js" PATTERN "*.ipynb" PATTERN "*.png"
  PATTERN "py.typed" PATTERN "pyproject.toml" PATTERN "__pycache__" EXCLUDE
  PATTERN "docs/site" EXCLUDE)
set(omniroll_types_dir ${CMAKE_INSTALL_DATADIR}/omniroll/analysis/omniroll)
if(SKBUILD) # the package of a wheel lies above what is installed
  set(omniroll_types_dir ..)
endif()
install(FILES ${omniroll_study_types} DESTINATION ${omniroll_types_dir} ${omniroll_runtime})

# Found wherever the installation lies. The old kind of path is taken for what the libraries need in turn as well, which the tarball
# has beside them (packaging.cmake).
set_target_properties(omniroll_program PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
target_link_options(omniroll_program PRIVATE LINKER:--disable-new-dtags)
set(omniroll_shared_target omniroll_shared)
if(BUILD_SHARED_LIBS)
  set(omniroll_shared_target omniroll)
endif()
if(TARGET ${omniroll_shared_target})
  set_target_properties(${omniroll_shared_target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  target_link_options(${omniroll_shared_target} PRIVATE LINKER:--disable-new-dtags)
endif()

install(EXPORT omniroll-targets NAMESPACE omniroll:: DESTINATION ${omniroll_package_dir} ${omniroll_development})
configure_package_config_file(cmake/omniroll-config.cmake.in omniroll-config.cmake INSTALL_DESTINATION ${omniroll_package_dir})
write_basic_package_version_file(omniroll-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/omniroll-config.cmake ${PROJECT_BINARY_DIR}/omniroll-config-version.cmake
  DESTINATION ${omniroll_package_dir} ${omniroll_development})
if(NOT BUILD_SHARED_LIBS)
  install(FILES cmake/dependencies.cmake DESTINATION ${omniroll_package_dir} ${omniroll_development})
endif()

# pkg-config: libraries in the compiler's own folders by name, others with their folder. Without its -dev package a library has the name of
# its file alone.
set(omniroll_pc_libs "")
foreach(library IN LISTS omniroll_libraries)
  cmake_path(GET library PARENT_PATH folder)
  cmake_path(GET library FILENAME name)
  if(name MATCHES "^lib(.+)\\.(so|a)$")
    set(name "${CMAKE_MATCH_1}")
  else()
    string(PREPEND name ":")
  endif()
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
install(FILES ${PROJECT_BINARY_DIR}/omniroll.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${omniroll_development})
