# Puts what was installed for the .deb where Debian has it. CPack runs this before it builds the package.
set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

include("${CPACK_OMNIROLL_SOURCE}/cmake/packaging/epoch.cmake")

# Libraries: of this architecture, found by the system's linker, without a path of their own.
run(dpkg-architecture -qDEB_HOST_MULTIARCH)
set(libraries "${usr}/lib/${output}")
file(GLOB shared "${usr}/lib*/libomniroll.so.*" "${usr}/lib/*/libomniroll.so.*")
file(MAKE_DIRECTORY "${libraries}")
foreach(file IN LISTS shared)
  cmake_path(GET file FILENAME name)
  if(NOT file STREQUAL "${libraries}/${name}")
    file(RENAME "${file}" "${libraries}/${name}")
  endif()
  if(NOT IS_SYMLINK "${libraries}/${name}")
    file(RPATH_REMOVE FILE "${libraries}/${name}")
    file(CHMOD "${libraries}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endforeach()
file(RPATH_REMOVE FILE "${usr}/bin/omniroll")

# Python's module, for /usr/bin/python3, and a link where the program looks for it.
file(MAKE_DIRECTORY "${usr}/lib/python3/dist-packages")
file(RENAME "${usr}/share/omniroll/analysis/omniroll" "${usr}/lib/python3/dist-packages/omniroll")
file(CREATE_LINK ../../../lib/python3/dist-packages/omniroll "${usr}/share/omniroll/analysis/omniroll" SYMBOLIC)

# Completions of zsh: Debian's folder for those of packages.
file(MAKE_DIRECTORY "${usr}/share/zsh/vendor-completions")
file(RENAME "${usr}/share/zsh/site-functions/_omniroll" "${usr}/share/zsh/vendor-completions/_omniroll")
file(REMOVE_RECURSE "${usr}/share/zsh/site-functions")

# Bill of materials, licence, changes (Debian's own list has this one entry, since the package is built here), and manual pages.
set(doc "${usr}/share/doc/omniroll")
file(READ "${doc}/omniroll.spdx.json" materials)
file(REMOVE_RECURSE "${doc}")
file(WRITE "${doc}/omniroll.spdx.json" "${materials}")
file(READ "${CPACK_OMNIROLL_SOURCE}/LICENSE" licence)
string(REGEX REPLACE "^MIT License\n+Copyright \\(c\\) ([^\n]*)\n+" "" licence "${licence}")
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n" "\n " licence "${licence}")
file(WRITE "${doc}/copyright"
  "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: omniroll\n\n"
  "Files: *\nCopyright: (c) The omniroll authors\nLicense: Expat\n ${licence}\n")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${doc}/changelog.Debian"
  "omniroll (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
  "  * Built from source by CPack; what changed is in changelog.gz.\n\n"
  " -- ${CPACK_OMNIROLL_MAINTAINER}  ${date}\n")
configure_file("${CPACK_OMNIROLL_SOURCE}/CHANGELOG.md" "${doc}/changelog" COPYONLY)
file(GLOB pages "${usr}/share/man/man*/*.[1-8]")
run(gzip -9n "${doc}/changelog.Debian" "${doc}/changelog" ${pages})

# The same sources give the same package: every file has the time of the sources, and modes do not follow the umask.
run(find "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} "{}" +)
run(chmod -R u=rwX,go=rX "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
