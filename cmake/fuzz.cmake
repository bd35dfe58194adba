# Fuzz targets: every tests/fuzz/fuzz_*.c is a libFuzzer program, linked with the library of this build, which the preset "fuzz" compiles
# once with coverage and both sanitizers. Each is one ctest of ten seconds; tests/fuzz/campaign.sh runs them for hours.
if(NOT CMAKE_C_COMPILER_ID MATCHES Clang OR NOT OMNIROLL_SANITIZE)
  message(FATAL_ERROR " OMNIROLL_FUZZ needs clang and OMNIROLL_SANITIZE=ON: cmake --preset fuzz")
endif()
find_program(OMNIROLL_SH sh REQUIRED)
set(OMNIROLL_FUZZ_SECONDS 10 CACHE STRING "How long each target runs as a test")
file(GLOB omniroll_fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
if(NOT OMNIROLL_HDF5)
  list(FILTER omniroll_fuzz_sources EXCLUDE REGEX "/fuzz_(folder|result)\\.c$")
endif()
foreach(source IN LISTS omniroll_fuzz_sources)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "^fuzz_" "" name ${stem})
  set(target test_fuzz_${name})
  add_executable(${target} ${source})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${target} PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  target_link_libraries(${target} PRIVATE omniroll omniroll::dependencies m)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  add_test(NAME fuzz/${name}
    COMMAND ${OMNIROLL_SH} ${PROJECT_SOURCE_DIR}/tests/fuzz/target.sh $<TARGET_FILE:${target}> ${OMNIROLL_FUZZ_SECONDS}
      ${PROJECT_BINARY_DIR}/fuzz -seed=18) # the same inputs each time, as far as the time goes; the campaign has others
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 300 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endforeach()
