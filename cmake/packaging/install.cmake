# Installs into CPack's folder what CPACK_OMNIROLL_COMPONENTS names, after building it: the program, the libraries and what the program
# writes about itself. (CPack's own way would build everything, the tests too.)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${CPACK_OMNIROLL_BUILD}" --target ${CPACK_OMNIROLL_TARGETS} COMMAND_ERROR_IS_FATAL ANY
  OUTPUT_VARIABLE output)
foreach(component IN LISTS CPACK_OMNIROLL_COMPONENTS)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env --unset=DESTDIR "${CMAKE_COMMAND}" --install "${CPACK_OMNIROLL_BUILD}" --component ${component} --strip
    --prefix "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
endforeach()
