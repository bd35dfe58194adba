# The documentation's site: cmake --build build/release --target site. Its gallery runs the program.
add_custom_target(site
  COMMAND ${CMAKE_COMMAND} -E env OMNIROLL=$<TARGET_FILE:omniroll_program> OMNIROLL_PYTHON=${OMNIROLL_PYTHON}
    sh ${PROJECT_SOURCE_DIR}/docs/site/build.sh ${PROJECT_BINARY_DIR}/site
  DEPENDS omniroll_program USES_TERMINAL VERBATIM)
