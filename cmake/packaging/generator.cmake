# What differs between the packages; CPack reads it once per generator.
set(CPACK_INSTALL_CMAKE_PROJECTS "")

if(NOT CPACK_OMNIROLL_LANE_SETS STREQUAL "all")
  message(FATAL_ERROR " This build has code for the processor of this machine alone; a package is for all: cmake -DOMNIROLL_LANE_SETS=all ${CPACK_OMNIROLL_BUILD}")
endif()

# The time of all that is packed, so that the same sources give the same package: what SOURCE_DATE_EPOCH says, the last commit, or what the
# file of changes has. CMake's own times and gzip take it from the environment.
include("${CPACK_OMNIROLL_SOURCE}/cmake/packaging/epoch.cmake")
set(CPACK_INSTALL_SCRIPTS "${CPACK_OMNIROLL_SOURCE}/cmake/packaging/install.cmake")
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_OMNIROLL_COMPONENTS runtime)
  set(CPACK_PRE_BUILD_SCRIPTS "${CPACK_OMNIROLL_SOURCE}/cmake/packaging/debian.cmake")
  set(CPACK_POST_BUILD_SCRIPTS "${CPACK_OMNIROLL_SOURCE}/cmake/packaging/repack.cmake")
else()
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
  set(CPACK_OMNIROLL_COMPONENTS runtime development bundle)
endif()
