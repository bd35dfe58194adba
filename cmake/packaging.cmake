# A .deb and a relocatable tarball, by CPack:  cmake --build BUILD --target package,  or cpack in the build folder.
# Both hold what is installed; packaging/generator.cmake says what else is done for each. The .deb follows Debian's places and takes
# libraries from Debian; the tarball has its libraries beside it.
set(OMNIROLL_MAINTAINER "The omniroll authors <omniroll@users.noreply.invalid>" CACHE STRING "Maintainer named in the .deb")
mark_as_advanced(OMNIROLL_MAINTAINER)
set(omniroll_packaging_dir ${PROJECT_SOURCE_DIR}/cmake/packaging)

# The bill of materials. Random123 is headers alone, whose code is in the program.
set(OMNIROLL_COMPILED_IN librandom123-dev CACHE STRING "Debian packages (a list) whose code is inside of program and library")
mark_as_advanced(OMNIROLL_COMPILED_IN)
if(NOT OMNIROLL_SANITIZE) # those libraries would be in it
  configure_file(cmake/packaging/sbom_installed.cmake.in packaging/sbom_installed.cmake @ONLY)
  install(SCRIPT ${PROJECT_BINARY_DIR}/packaging/sbom_installed.cmake COMPONENT runtime)
endif()

# The unit database and the licences of the tarball and of a wheel, after what is installed; the tarball's libraries too, which auditwheel
# puts into a wheel (packaging/wheel.sh).
configure_file(cmake/packaging/bundle.cmake.in packaging/bundle.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/packaging/bundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME omniroll)
set(CPACK_PACKAGE_VENDOR "The omniroll authors")
set(CPACK_PACKAGE_CONTACT ${OMNIROLL_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ensembles of omni-wheel and mecanum vehicles with explicit rollers")
set(CPACK_PACKAGE_DESCRIPTION
  "Simulates vehicles on omni and mecanum wheels, many thousands at a time, on
the cores of a processor or on an OpenCL device. A study in JSON says which
vehicle, which of its parameters vary and how; an HDF5 file with one value per
vehicle and observable comes out. Every roller is there, with its mass and
spin; six laws of contact, many designs of experiments, statistics and long
runs that can be resumed.
.
With the recommended Python packages it plots and reports results, and the
Python module omniroll runs studies and reads results.")
set(CPACK_PACKAGE_FILE_NAME ${PROJECT_NAME}-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/packaging/generator.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${omniroll_packaging_dir}/postinst;${omniroll_packaging_dir}/prerm;${omniroll_packaging_dir}/postrm;${omniroll_packaging_dir}/triggers;${PROJECT_BINARY_DIR}/packaging/shlibs")
file(WRITE ${PROJECT_BINARY_DIR}/packaging/shlibs "libomniroll ${OMNIROLL_SOVERSION} omniroll (>= ${PROJECT_VERSION})\n")
# What simulates needs no Python; apt installs what is recommended unless it is told not to, as one does on nodes of a cluster.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-h5py, python3-xarray, python3-matplotlib, python3-xxhash")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-tqdm, pocl-opencl-icd | opencl-icd, python3-h5netcdf, python3-netcdf4")

set(CPACK_OMNIROLL_MAINTAINER ${OMNIROLL_MAINTAINER})
set(CPACK_OMNIROLL_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_OMNIROLL_BUILD ${PROJECT_BINARY_DIR})
set(CPACK_OMNIROLL_LANE_SETS ${OMNIROLL_LANE_SETS})
set(CPACK_OMNIROLL_TARGETS omniroll_program omniroll manual)
if(TARGET omniroll_shared)
  list(APPEND CPACK_OMNIROLL_TARGETS omniroll_shared)
endif()
configure_file(cmake/packaging/generator.cmake ${PROJECT_BINARY_DIR}/packaging/generator.cmake COPYONLY)
set(CMAKE_SKIP_PACKAGE_ALL_DEPENDENCY ON) # packaging/install.cmake builds what it installs
include(CPack)
