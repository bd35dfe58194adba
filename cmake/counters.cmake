# What keeps the counters of tests/run.sh honest: tests/counters proves them with tests that skip, pass and leak on purpose.
add_executable(deliberate tests/counters/deliberate.c ${omniroll_test_objects})
set_target_properties(deliberate PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_include_directories(deliberate SYSTEM PRIVATE ${OMNIROLL_CRITERION_INCLUDE})
target_link_libraries(deliberate PRIVATE ${OMNIROLL_CRITERION_LIBRARY})

function(omniroll_counters_test name)
  add_test(NAME counters/${name} COMMAND ${OMNIROLL_PYTHON} -B tests/python_tests.py tests/counters/test_${name}.py)
  omniroll_test_properties(counters/${name} counters)
  set_tests_properties(counters/${name} PROPERTIES SKIP_RETURN_CODE 77)
  set_property(TEST counters/${name} APPEND PROPERTY ENVIRONMENT ${ARGN})
endfunction()

omniroll_counters_test(count
  "OMNIROLL_CMAKE=${CMAKE_COMMAND}" "OMNIROLL_CTEST=${CMAKE_CTEST_COMMAND}" "OMNIROLL_DELIBERATE=$<TARGET_FILE:deliberate>")
omniroll_counters_test(nightly "OMNIROLL_CTEST=${CMAKE_CTEST_COMMAND}")

# A leak inside a test is a failed test, and without it the same program passes.
if(OMNIROLL_SANITIZE)
  add_test(NAME counters/leak COMMAND deliberate --filter deliberate/leaks)
  add_test(NAME counters/no_leak COMMAND deliberate --filter deliberate/passes)
  omniroll_test_properties(counters/leak counters)
  omniroll_test_properties(counters/no_leak counters)
  set_tests_properties(counters/leak PROPERTIES WILL_FAIL TRUE)
endif()

# The sanitizers' builds have other calls, and a shared library is no archive.
if(NOT OMNIROLL_SANITIZE AND NOT BUILD_SHARED_LIBS AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/program_objects.txt CONTENT "$<JOIN:$<TARGET_OBJECTS:omniroll_program>,\n>\n")
  omniroll_counters_test(callers
    "OMNIROLL_ARCHIVE=$<TARGET_FILE:omniroll>" "OMNIROLL_OBJECT_LIST=${PROJECT_BINARY_DIR}/program_objects.txt")
endif()
