# Packs a .deb anew by dpkg-deb, after CPack: CPack's members have modes by the umask, so that the same files would make another package. CPack
# runs this after it built a package.
include("${CPACK_OMNIROLL_SOURCE}/cmake/packaging/epoch.cmake")
find_program(OMNIROLL_DPKG_DEB dpkg-deb)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  if(package MATCHES "\\.deb$" AND OMNIROLL_DPKG_DEB)
    file(REMOVE_RECURSE "${package}.files")
    foreach(arguments IN ITEMS "--raw-extract;${package};${package}.files" "--root-owner-group;-Zgzip;--build;${package}.files;${package}")
      execute_process(COMMAND ${OMNIROLL_DPKG_DEB} ${arguments} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
    endforeach()
    file(REMOVE_RECURSE "${package}.files")
  endif()
endforeach()
