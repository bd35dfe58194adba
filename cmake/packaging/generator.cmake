# What differs between the packages; CPack reads it once per generator.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_OMNIROLL_BUILD};omniroll;runtime;/")
  set(CPACK_PRE_BUILD_SCRIPTS "${CPACK_OMNIROLL_SOURCE}/cmake/packaging/debian.cmake")
else()
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_INSTALL_CMAKE_PROJECTS
    "${CPACK_OMNIROLL_BUILD};omniroll;runtime;/" "${CPACK_OMNIROLL_BUILD};omniroll;development;/" "${CPACK_OMNIROLL_BUILD};omniroll;bundle;/")
endif()
