# Every tests/<folder>/test_*.c is a file of a Criterion program, every tests/<folder>/test_*.py a unittest module; each is one ctest
# with its folder as label. What is skipped tells the reason: Criterion by its verbosity, unittest by tests/python_tests.py; ctest calls a
# test skipped where nothing of it ran (tests/count.py).
find_path(OMNIROLL_CRITERION_INCLUDE criterion/criterion.h)
find_library(OMNIROLL_CRITERION_LIBRARY criterion)
if(NOT OMNIROLL_CRITERION_INCLUDE OR NOT OMNIROLL_CRITERION_LIBRARY)
  message(FATAL_ERROR " The tests need Criterion: sudo apt-get install libcriterion-dev (or configure with -DBUILD_TESTING=OFF)")
endif()

# Leaves no file outside the build tree; threads that wait do not take the cores from the other tests. The leak checker crashes
# on the thread-local storage of PoCL's threads, so it leaves that out. PoCL keeps its programs itself; for ours it would compile each
# of them twice, so that only the tests of our cache have it.
set(OMNIROLL_TEST_CACHE ${PROJECT_BINARY_DIR}/cache CACHE PATH "Where PoCL keeps what the tests make it compile; builds may share it")
mark_as_advanced(OMNIROLL_TEST_CACHE)
# Tests of bits and known answers want a device that rounds exactly and is not a simulator; other drivers of the machine have a test of
# their own (tests/opencl/drivers.sh). Empty: all drivers of the machine, a GPU's too.
set(omniroll_pocl /etc/OpenCL/vendors/pocl.icd)
if(NOT EXISTS ${omniroll_pocl})
  set(omniroll_pocl "")
endif()
set(OMNIROLL_TEST_VENDORS "${omniroll_pocl}" CACHE STRING "The OpenCL driver's .icd file, or a folder of them, that the tests use; empty: all")
mark_as_advanced(OMNIROLL_TEST_VENDORS)
set(omniroll_test_vendors "")
if(OMNIROLL_TEST_VENDORS)
  set(omniroll_test_vendors "OCL_ICD_VENDORS=${OMNIROLL_TEST_VENDORS}")
endif()
set(omniroll_test_environment
  "OMNIROLL=$<TARGET_FILE:omniroll_program>"
  "POCL_CACHE_DIR=${OMNIROLL_TEST_CACHE}/pocl"
  "XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/cache"
  "OMNIROLL_CACHE=0"
  ${omniroll_test_vendors}
  "CRITERION_VERBOSITY_LEVEL=1"
  "OMP_WAIT_POLICY=PASSIVE"
  "ASAN_OPTIONS=detect_leaks=1"
  "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0:use_tls=0"
  "UBSAN_OPTIONS=print_stacktrace=1")
file(MAKE_DIRECTORY ${OMNIROLL_TEST_CACHE}/pocl ${PROJECT_BINARY_DIR}/cache)

function(omniroll_test_properties name folder)
  set_tests_properties(${name} PROPERTIES
    LABELS ${folder} TIMEOUT 600 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "${omniroll_test_environment}")
  # Criterion calls a test passed whose process then reports a leak.
  if(OMNIROLL_SANITIZE)
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "LeakSanitizer: detected memory leaks")
  endif()
endfunction()

# What each Criterion program is linked with.
set(omniroll_test_objects "")
if(OMNIROLL_SANITIZE)
  add_library(lsan_runner OBJECT tests/lsan_runner.c)
  target_include_directories(lsan_runner SYSTEM PRIVATE ${OMNIROLL_CRITERION_INCLUDE})
  set(omniroll_test_objects $<TARGET_OBJECTS:lsan_runner>)
endif()

# A test that this build cannot have, where somebody else's has it.
function(omniroll_skipped_test name reason)
  cmake_path(GET name PARENT_PATH folder)
  add_test(NAME ${name} COMMAND sh -c "echo '${reason}'; exit 77")
  omniroll_test_properties(${name} ${folder})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

add_test(NAME structure/rooms COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/rooms.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/rooms structure)
add_test(NAME structure/anchors COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/anchors.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/anchors structure)
add_test(NAME structure/parameters COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/parameters.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/parameters structure)
add_test(NAME structure/constant COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/constant.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/constant structure)
add_test(NAME structure/turns COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/turns.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/turns structure)
add_test(NAME structure/trees COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/trees.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/trees structure)
add_test(NAME structure/letters COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/letters.py ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/letters structure)
add_test(NAME structure/style COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/style.py --check ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/style structure)
add_test(NAME structure/pages COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/style.py --pages --check ${PROJECT_SOURCE_DIR})
omniroll_test_properties(structure/pages structure)
add_test(NAME structure/sources COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/sources.py $<TARGET_FILE:sources_hash>)
omniroll_test_properties(structure/sources structure)
# Builds a program of its own: once, where gcc builds the release.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT OMNIROLL_SANITIZE)
  add_test(NAME structure/recipes COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/recipes.py ${PROJECT_SOURCE_DIR}
    ${CMAKE_COMMAND})
  omniroll_test_properties(structure/recipes structure)
endif()
add_test(NAME structure/circles COMMAND ${OMNIROLL_PYTHON} ${PROJECT_SOURCE_DIR}/tests/structure/circles.py ${CMAKE_NM}
  $<TARGET_OBJECTS:omniroll> $<TARGET_OBJECTS:omniroll_program> COMMAND_EXPAND_LISTS)
omniroll_test_properties(structure/circles structure)

# Instruction sets that this build leaves out are read by the compiler all the same.
foreach(isa IN ITEMS avx512 avx2)
  string(TOUPPER ${isa} upper)
  if(isa IN_LIST omniroll_sets AND NOT isa IN_LIST OMNIROLL_LANE_ISAS)
    list(JOIN omniroll_flags_${isa} " " flags)
    check_c_compiler_flag("${flags}" OMNIROLL_FLAG_${upper})
    math(EXPR singles "2 * ${omniroll_doubles_${isa}}")
    if(OMNIROLL_FLAG_${upper})
      add_test(NAME structure/text_${isa} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/structure/lane_text.sh ${PROJECT_SOURCE_DIR}
        ${PROJECT_BINARY_DIR} ${omniroll_doubles_${isa}} ${singles} ${CMAKE_C_COMPILER} ${omniroll_flags_${isa}} -DOMR_ISA=${isa})
      omniroll_test_properties(structure/text_${isa} structure)
    endif()
  endif()
endforeach()

include(cmake/test_programs.cmake)
include(cmake/counters.cmake)

# Takes a quarter of an hour: tests/nightly.sh builds and runs it.
if(OMNIROLL_HDF5)
  add_executable(sobol_coverage EXCLUDE_FROM_ALL tests/long/sobol_coverage.c ${omniroll_test_objects})
  set_target_properties(sobol_coverage PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(sobol_coverage PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  target_include_directories(sobol_coverage SYSTEM PRIVATE ${OMNIROLL_CRITERION_INCLUDE})
  target_link_libraries(sobol_coverage PRIVATE omniroll omniroll::dependencies ${OMNIROLL_CRITERION_LIBRARY} m)
endif()

# What tests/bench/instructions.sh steps through; as tests, the operations that objects compiled for a run execute against the counted ones.
add_executable(step_instructions tests/bench/step_instructions.c)
set_target_properties(step_instructions PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_include_directories(step_instructions PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
target_link_libraries(step_instructions PRIVATE omniroll m)
if(NOT OMNIROLL_SANITIZE)
  foreach(precision double single)
    add_test(NAME bench/instructions_${precision}
      COMMAND sh ${PROJECT_SOURCE_DIR}/tests/bench/instructions.sh -b ${PROJECT_BINARY_DIR} -p ${precision} -n 4 -t 0.02)
    omniroll_test_properties(bench/instructions_${precision} bench)
    set_tests_properties(bench/instructions_${precision} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()

# The kernels' text and build options, for tests and benches that compile them.
if(OMNIROLL_HAVE_OPENCL)
  add_executable(kernel_text tests/bench/kernel_text.c)
  set_target_properties(kernel_text PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(kernel_text PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  target_link_libraries(kernel_text PRIVATE omniroll omniroll::dependencies m)
  add_test(NAME opencl/single_precision
    COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/opencl/single_precision.py $<TARGET_FILE:kernel_text>)
  omniroll_test_properties(opencl/single_precision opencl)
  set_tests_properties(opencl/single_precision PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME opencl/drivers COMMAND sh ${PROJECT_SOURCE_DIR}/tests/opencl/drivers.sh -q $<TARGET_FILE:omniroll_program>)
  omniroll_test_properties(opencl/drivers opencl)
  set_tests_properties(opencl/drivers PROPERTIES SKIP_RETURN_CODE 77)
  if(NOT OMNIROLL_SANITIZE) # its shim is loaded first, and so is a sanitizer's library
    add_test(NAME opencl/devices COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/bench/devices.py ${PROJECT_BINARY_DIR}
      --short --rows 2 8 --studies lean --precision single)
    omniroll_test_properties(opencl/devices opencl)
    set_tests_properties(opencl/devices PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endif()

# What a driver's compiler does to arithmetic is looked at as users have it (tests/run.sh switches most of PoCL's optimisation off);
# opencl_backend computes nothing.
get_directory_property(omniroll_tests TESTS)
foreach(name IN LISTS omniroll_tests)
  if(name MATCHES "^opencl/" AND NOT name STREQUAL "opencl/opencl_backend")
    set_property(TEST ${name} PROPERTY ENVIRONMENT_MODIFICATION "POCL_EXTRA_BUILD_FLAGS=unset:")
  endif()
endforeach()

# What follows runs the program into files.
if(NOT OMNIROLL_HDF5)
  return()
endif()

add_test(NAME cli/hostile_text COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/cli/hostile_text.py $<TARGET_FILE:omniroll_program>)
omniroll_test_properties(cli/hostile_text cli)
add_test(NAME cli/screens COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/cli/screens.py $<TARGET_FILE:omniroll_program>)
omniroll_test_properties(cli/screens cli)

# What goes wrong where a run compiles; a sanitizer's runtime is no part of what is compiled for a run.
if(NOT OMNIROLL_SANITIZE)
  add_test(NAME cli/compile_trials COMMAND sh ${PROJECT_SOURCE_DIR}/tests/long/compile_trials.sh $<TARGET_FILE:omniroll_program>)
  omniroll_test_properties(cli/compile_trials cli)
  set_tests_properties(cli/compile_trials PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The n-th failure of a call, some for each command; tests/long/nth_failures.sh has all. The sanitizers have a malloc of their own.
if(NOT OMNIROLL_SANITIZE)
  add_library(failing MODULE tests/faults/failing.c)
  set_target_properties(failing PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests PREFIX "")
  target_link_libraries(failing PRIVATE ${CMAKE_DL_LIBS})
  add_test(NAME faults/nth_failure COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py $<TARGET_FILE:omniroll_program>
    $<TARGET_FILE:failing> --sample 1 --commands
    new,new_list,run,run_hash,resume,merge,merge_virtual,validate,validate_json,validate_bad,sample,describe,describe_json,schema,devices,devices_json,plan,reference,compare,analyze,analyze_json,analyze_copy,export,export_json,verify,verify_parts,verify_virtual,export_virtual,help,help_json,help_paths)
  omniroll_test_properties(faults/nth_failure faults)
  # These take seconds each, and converge and bench so many allocations that one in a sample says little.
  add_test(NAME faults/nth_failure_slow COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py
    $<TARGET_FILE:omniroll_program> $<TARGET_FILE:failing> --sample 1 --kinds system,thread --commands report,figures,converge,bench
    --short-commands report,converge)
  omniroll_test_properties(faults/nth_failure_slow faults)
  if(OMNIROLL_HAVE_OPENCL)
    add_test(NAME faults/nth_failure_opencl COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py
      $<TARGET_FILE:omniroll_program> $<TARGET_FILE:failing> --sample 2 --kinds opencl --backend opencl
      --commands run,resume,run_hash,devices,devices_json,plan)
    omniroll_test_properties(faults/nth_failure_opencl faults)
    set_tests_properties(faults/nth_failure_opencl PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  # Every one: a disk that fails while a group is looked for left out the table of the step error.
  add_test(NAME faults/nth_failure_analyze COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py
    $<TARGET_FILE:omniroll_program> $<TARGET_FILE:failing> --kinds system --commands analyze)
  omniroll_test_properties(faults/nth_failure_analyze faults)
  # The first ones open the file: a disk that failed there was taken for a file without checksums.
  add_test(NAME faults/nth_failure_verify COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py
    $<TARGET_FILE:omniroll_program> $<TARGET_FILE:failing> --kinds system --commands verify,verify_parts --first 60)
  omniroll_test_properties(faults/nth_failure_verify faults)
  # Drivers that are C++ flush at exit what was the standard output when they came.
  add_test(NAME faults/nth_failure_devices COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py
    $<TARGET_FILE:omniroll_program> $<TARGET_FILE:failing> --kinds memory --commands devices_json --sample 8)
  omniroll_test_properties(faults/nth_failure_devices faults)
  # HDF5 calls exit where some of its allocations fail, and the program says so.
  add_test(NAME faults/nth_failure_hdf5 COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/faults/nth_failure.py
    $<TARGET_FILE:omniroll_program> $<TARGET_FILE:failing> --kinds library_memory --commands export --sample 20)
  omniroll_test_properties(faults/nth_failure_hdf5 faults)
endif()

# Address space that is short: HDF5 and UDUNITS do not survive a failed allocation.
if(OMNIROLL_HDF5 AND NOT OMNIROLL_SANITIZE)
  add_test(NAME faults/address_space COMMAND sh ${PROJECT_SOURCE_DIR}/tests/faults/address_space.sh $<TARGET_FILE:omniroll_program>)
  omniroll_test_properties(faults/address_space faults)
  set_tests_properties(faults/address_space PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The program with failure points, of the same objects but for the sources that have some: the linker finds those before the library's.
add_executable(omniroll_failpoints $<TARGET_OBJECTS:omniroll_program> ${omniroll_failpoint_sources})
set_target_properties(omniroll_failpoints PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_compile_definitions(omniroll_failpoints PRIVATE OMR_FAILPOINTS)
target_include_directories(omniroll_failpoints PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
target_link_libraries(omniroll_failpoints PRIVATE omniroll omniroll::dependencies m)
# Makes a device one that is wrong or hangs.
if(OMNIROLL_HAVE_OPENCL)
  add_library(device_shim MODULE tests/opencl/device_shim.c)
  set_target_properties(device_shim PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(device_shim PRIVATE ${CMAKE_DL_LIBS})
  if(TEST campaign/device)
    set_property(TEST campaign/device APPEND PROPERTY ENVIRONMENT "OMNIROLL_SHIM=$<TARGET_FILE:device_shim>")
  endif()
endif()
get_directory_property(omniroll_tests TESTS)
foreach(name IN LISTS omniroll_tests)
  if(name MATCHES "^campaign/|^calibrate/resume$")
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "OMNIROLL_FAILPOINTS=$<TARGET_FILE:omniroll_failpoints>")
  endif()
endforeach()
set(omniroll_shipped $<TARGET_FILE:omniroll_program> $<TARGET_FILE:omniroll>)
if(TARGET omniroll_shared)
  list(APPEND omniroll_shipped $<TARGET_FILE:omniroll_shared>)
endif()
add_test(NAME counters/failpoints
  COMMAND sh ${PROJECT_SOURCE_DIR}/tests/counters/failpoints.sh $<TARGET_FILE:omniroll_failpoints> ${omniroll_shipped})
omniroll_test_properties(counters/failpoints counters)

# A program without HDF5, from the same objects: one file is compiled. Of an archive, the linker takes what is still missing alone.
if(NOT BUILD_SHARED_LIBS)
  set(omniroll_other_libraries ${omniroll_libraries})
  list(FILTER omniroll_other_libraries EXCLUDE REGEX "hdf5|libz[.]")
  add_executable(omniroll_no_hdf5 $<TARGET_OBJECTS:omniroll_program> ${omniroll_hdf5_none})
  set_target_properties(omniroll_no_hdf5 PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(omniroll_no_hdf5 PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  target_link_libraries(omniroll_no_hdf5 PRIVATE $<TARGET_FILE:omniroll> ${omniroll_other_libraries} OpenMP::OpenMP_C m)
  add_dependencies(omniroll_no_hdf5 omniroll)
  add_test(NAME install/no_hdf5
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/install/no_hdf5.sh $<TARGET_FILE:omniroll_no_hdf5> ${PROJECT_BINARY_DIR})
  omniroll_test_properties(install/no_hdf5 install)
endif()

# The analysis tests also read a result of the program.
set(omniroll_test_result ${PROJECT_BINARY_DIR}/tests/result.h5)
add_test(NAME analysis/result COMMAND omniroll_program run tests/analysis/result.json --overwrite -o ${omniroll_test_result})
omniroll_test_properties(analysis/result analysis)
set_tests_properties(analysis/result PROPERTIES FIXTURES_SETUP omniroll_result)
set(omniroll_test_failures ${PROJECT_BINARY_DIR}/tests/failures.h5)
add_test(NAME analysis/failures COMMAND omniroll_program run tests/analysis/failures.json --overwrite -o ${omniroll_test_failures})
omniroll_test_properties(analysis/failures analysis)
set_tests_properties(analysis/failures PROPERTIES FIXTURES_SETUP omniroll_result)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests)

file(GLOB omniroll_python_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} tests/analysis/test_*.py
  tests/simulators/test_*.py tests/scale/test_*.py)
# Those that run studies from Python load the library into it, where the sanitizers cannot be.
if(TARGET omniroll_shared)
  set(omniroll_loaded_library $<TARGET_FILE:omniroll_shared>)
elseif(BUILD_SHARED_LIBS AND NOT OMNIROLL_SANITIZE)
  set(omniroll_loaded_library $<TARGET_FILE:omniroll>)
else()
  set(omniroll_loaded_library "")
  list(FILTER omniroll_python_tests EXCLUDE REGEX "/test_(running|stepping|export_model|conformance|trial|packaging|processes|notebook|papers|ladder|team_robots|executors|other_files)\\.py$")
endif()
if(omniroll_loaded_library STREQUAL "") # the documentation runs studies from Python too
  list(FILTER omniroll_python_tests EXCLUDE REGEX "/test_(documentation|tutorials)\\.py$")
endif()
foreach(source IN LISTS omniroll_python_tests)
  string(REGEX REPLACE "^tests/(.*)/test_(.*)[.]py$" "\\1/\\2" name ${source})
  add_test(NAME ${name} COMMAND ${OMNIROLL_PYTHON} -B tests/python_tests.py ${source})
  omniroll_test_properties(${name} analysis)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
    "PYTHONPATH=${PROJECT_SOURCE_DIR}/analysis:${PROJECT_SOURCE_DIR}/build/python" "MPLBACKEND=Agg" "OMNIROLL_RESULT=${omniroll_test_result}"
    "OMNIROLL_FAILURES=${omniroll_test_failures}" "OMNIROLL_LIBRARY=${omniroll_loaded_library}")
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED omniroll_result)
endforeach()

if(TARGET device_shim AND TEST analysis/processes)
  set_property(TEST analysis/processes APPEND PROPERTY ENVIRONMENT "OMNIROLL_SHIM=$<TARGET_FILE:device_shim>")
endif()

# Preloaded where a test wants fewer threads than there are; the sanitizers would have to be in Python too.
if(NOT OMNIROLL_SANITIZE AND OMNIROLL_HDF5)
  add_library(few_threads MODULE tests/faults/few_threads.c)
  set_target_properties(few_threads PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(few_threads PRIVATE ${CMAKE_DL_LIBS})
  set_property(TEST analysis/processes APPEND PROPERTY ENVIRONMENT "OMNIROLL_FEW_THREADS=$<TARGET_FILE:few_threads>")
endif()

# The types of the Python package.
find_program(OMNIROLL_MYPY mypy)
if(NOT OMNIROLL_MYPY)
  omniroll_skipped_test(analysis/mypy "there was no mypy when this build was configured")
elseif(NOT OMNIROLL_SANITIZE)
  add_test(NAME analysis/mypy COMMAND ${OMNIROLL_MYPY} --config-file analysis/pyproject.toml
    --cache-dir ${PROJECT_BINARY_DIR}/cache/mypy analysis/omniroll studies/papers studies/contact_ladder.py studies/convergence.py
    docs/explanation/contact_figures.py)
  omniroll_test_properties(analysis/mypy analysis)
endif()

# A program of a stranger's project against the installed library; the sanitizers would have to be in that project too.
if(NOT OMNIROLL_SANITIZE)
  add_test(NAME install/consumer
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/install/install.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND} ${CMAKE_C_COMPILER} ${OMNIROLL_PYTHON})
  omniroll_test_properties(install/consumer install)
endif()

# The reference in what studies/first.sh builds: once, where gcc builds the release.
if(NOT OMNIROLL_HAVE_REFERENCE)
  omniroll_skipped_test(install/reference "this build has no LAPACKE or SUNDIALS, which it needs")
elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT OMNIROLL_SANITIZE)
  add_test(NAME install/reference
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/install/reference.sh ${CMAKE_COMMAND} ${CMAKE_C_COMPILER} ${OMNIROLL_CVODE_INCLUDE}
      ${OMNIROLL_CVODE_LIBRARY} ${OMNIROLL_LAPACKE_INCLUDE} ${OMNIROLL_LAPACKE_LIBRARY})
  omniroll_test_properties(install/reference install)
  set_tests_properties(install/reference PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The program against the installed library alone, and the exported functions and public structs against the recorded ones.
if(TARGET omniroll_shared)
  add_test(NAME install/door
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/install/door.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND} ${CMAKE_C_COMPILER})
  omniroll_test_properties(install/door install)
  add_test(NAME install/interface
    COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/install/interface.py --nm ${CMAKE_NM} --compiler ${CMAKE_C_COMPILER}
      --soversion ${OMNIROLL_SOVERSION} $<TARGET_FILE:omniroll_shared>)
  omniroll_test_properties(install/interface install)
endif()

# What the packages hold, as trees; tests/long/packages.sh makes the packages and installs them.
if(TARGET omniroll_shared)
  add_test(NAME install/packages
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/install/packages.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND} ${OMNIROLL_PYTHON})
  omniroll_test_properties(install/packages install)
  set_tests_properties(install/packages PROPERTIES SKIP_RETURN_CODE 77)
endif()

# What reads studies, built with the sanitizer of threads: once, where gcc builds the release.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT OMNIROLL_SANITIZE AND OMNIROLL_HDF5)
  add_test(NAME faults/race COMMAND sh ${PROJECT_SOURCE_DIR}/tests/faults/race.sh ${PROJECT_BINARY_DIR})
  omniroll_test_properties(faults/race faults)
  set_tests_properties(faults/race PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Completion as bash and, where it is there, zsh do it.
add_test(NAME cli/completion COMMAND bash ${PROJECT_SOURCE_DIR}/tests/cli/completion.sh $<TARGET_FILE:omniroll_program>)
omniroll_test_properties(cli/completion cli)

# Manual pages without a warning of groff and, where it is there, mandoc.
add_test(NAME cli/man COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/man.sh $<TARGET_FILE:omniroll_program>)
omniroll_test_properties(cli/man cli)
set_tests_properties(cli/man PROPERTIES SKIP_RETURN_CODE 77)

# Processes that share or lose a study: Slurm, Open MPI, kill -9; with the sanitizers they would test the same sharing, slowly. Exit code
# 77: what it needs is not here.
if(NOT OMNIROLL_SANITIZE)
  add_test(NAME cluster/slurm COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cluster/slurm.sh $<TARGET_FILE:omniroll_program>)
  add_test(NAME cluster/mpirun COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cluster/mpirun.sh $<TARGET_FILE:omniroll_program>)
  add_test(NAME cluster/kill
    COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/long/kill.py $<TARGET_FILE:omniroll_failpoints> --short)
  # Writes down what a run does to files, for tests that let the power fail after each of these operations.
  add_library(power_loss_recorder MODULE tests/long/power_loss_recorder.c)
  set_target_properties(power_loss_recorder PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests PREFIX "" C_EXTENSIONS ON)
  target_link_libraries(power_loss_recorder PRIVATE ${CMAKE_DL_LIBS})
  add_test(NAME cluster/power_loss
    COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/long/power_loss.py $<TARGET_FILE:omniroll_program> $<TARGET_FILE:power_loss_recorder> --short)
  foreach(name IN ITEMS cluster/slurm cluster/mpirun cluster/kill cluster/power_loss)
    omniroll_test_properties(${name} cluster)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()

# The layout of the code, by the version that the distribution has: others differ in details.
find_program(OMNIROLL_CLANG_FORMAT NAMES clang-format-14 clang-format)
set(omniroll_clang_format_version "")
if(OMNIROLL_CLANG_FORMAT)
  execute_process(COMMAND ${OMNIROLL_CLANG_FORMAT} --version OUTPUT_VARIABLE omniroll_clang_format_version)
endif()
if(omniroll_clang_format_version MATCHES "version 14\\.")
  add_test(NAME format/clang_format COMMAND sh ${PROJECT_SOURCE_DIR}/tests/format.sh ${OMNIROLL_CLANG_FORMAT})
  omniroll_test_properties(format/clang_format format)
else()
  omniroll_skipped_test(format/clang_format "there was no clang-format 14 when this build was configured")
endif()

# What few changes touch is a stage of its own in tests/run.sh, which .ci/run has: label "more".
get_directory_property(omniroll_tests TESTS)
foreach(name IN LISTS omniroll_tests)
  if(name MATCHES "^(bench|cluster|faults|install|opencl)/|^analysis/(layout|processes|tutorials|calibration|page_numbers|published)$"
    OR name MATCHES "^structure/recipes$|^cli/(bench_command|converge_command|compile_trials)$|^campaign/device$|^calibrate/resume$|^parity/fast$")
    set_property(TEST ${name} APPEND PROPERTY LABELS more)
  endif()
endforeach()

# Long tests begin first, so that none of them ends alone.
file(STRINGS ${PROJECT_SOURCE_DIR}/tests/slow.txt omniroll_slow REGEX "^[a-z_]+/")
get_directory_property(omniroll_tests TESTS)
foreach(line IN LISTS omniroll_slow)
  string(REGEX MATCH "^[^:]+" name "${line}")
  if(name IN_LIST omniroll_tests)
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endforeach()
