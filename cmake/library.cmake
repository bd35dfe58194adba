# libomniroll: host/ without the program, the lane objects, and the kernel texts as C strings.
file(GLOB_RECURSE omniroll_kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/* ${PROJECT_SOURCE_DIR}/host/lists/*.def)
list(APPEND omniroll_kernels ${OMNIROLL_GENERATED_LISTS}/small_layouts.h ${OMNIROLL_GENERATED_LISTS}/small_kernels.h)
set(omniroll_kernel_source "")
function(omniroll_embed text name)
  set(output ${PROJECT_BINARY_DIR}/generated/${name}.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/${text} -DGENERATED=${PROJECT_BINARY_DIR}/generated
            -DOUTPUT=${output} -DNAME=${name}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/${text} ${ARGN} cmake/embed_kernels.cmake
    COMMENT "Embedding ${text}" VERBATIM)
  set(omniroll_kernel_source ${omniroll_kernel_source} ${output} PARENT_SCOPE)
endfunction()
omniroll_embed(kernels/all.cl omr_kernel_source ${omniroll_kernels})
omniroll_embed(kernels/peak.cl omr_peak_source ${omniroll_kernels})
omniroll_embed(host/lanes/lanes.h omr_lane_head)
omniroll_embed(host/lanes/lane_object.h omr_lane_tail kernels/peak.h)
omniroll_embed(host/bench/counting_real.h omr_counting_head host/bench/counted.h)
set(omniroll_counting host/bench/counted.h host/bench/counting_real.h host/bench/counting_operations.h)
omniroll_embed(host/bench/counting.c omr_counting_text ${omniroll_counting})
omniroll_embed(host/bench/counting_single.c omr_counting_single_text ${omniroll_counting})

# Texts that are embedded as they stand: each file of the folder, as embed_kernels.cmake names it.
function(omniroll_embed_folder folder prefix)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.json)
  set(output ${PROJECT_BINARY_DIR}/generated/${prefix}_texts.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/${folder} -DOUTPUT=${output} -DPREFIX=${prefix}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
    DEPENDS ${texts} cmake/embed_kernels.cmake
    COMMENT "Embedding ${folder}" VERBATIM)
  set(omniroll_kernel_source ${omniroll_kernel_source} ${output} PARENT_SCOPE)
endfunction()
omniroll_embed_folder(host/study/starters omr_starter)

file(GLOB_RECURSE omniroll_sources CONFIGURE_DEPENDS
  host/support/*.c host/lists/*.c host/study/*.c host/model/*.c host/lanes/*.c host/engine/*.c host/result/*.c host/describe/*.c host/statistics/*.c host/campaign/*.c host/evaluate/*.c host/calibrate/*.c host/converge/*.c host/bench/*.c host/selftest/*.c)
list(FILTER omniroll_sources EXCLUDE REGEX "/(lanes/lanes|lanes/wasm|bench/counting|bench/counting_single)\\.c$")
if(OMNIROLL_HAVE_OPENCL)
  list(FILTER omniroll_sources EXCLUDE REGEX "/engine/opencl_none\\.c$")
else()
  file(GLOB omniroll_opencl_sources host/engine/opencl*.c)
  list(FILTER omniroll_opencl_sources EXCLUDE REGEX "/opencl_none\\.c$")
  list(REMOVE_ITEM omniroll_sources ${omniroll_opencl_sources})
endif()

# Without HDF5: everything that knows an open file is left out, and each room's files_none.c says so in its place.
set(omniroll_hdf5_pattern "/(result/(hdf5[a-z_]*|pack|reader[a-z_]*|writer|export)|statistics/(analyze|write|side_by_side/side_by_side|[a-z_]+_hdf5)|study/tables/(columns_hdf5|table_child|table_answer)|\
reference/compare/comparison_hdf5|calibrate/hdf5_calibrated|campaign/(assemble|campaign[a-z_]*|chunk|chunk_journal|existing_result|group|lock|manifest|manifest_differences|merge|partial_file|verify))\\.c")
# The reference: all of host/reference with SUNDIALS, the inverses alone with LAPACKE, and without either what says so; what runs and compares is there in
# any case.
if(OMNIROLL_HAVE_REFERENCE)
  file(GLOB_RECURSE omniroll_reference_sources CONFIGURE_DEPENDS host/reference/*.c)
  list(FILTER omniroll_reference_sources EXCLUDE REGEX "/reference_none\\.c$")
  foreach(model IN LISTS OMNIROLL_SYSTEMS)
    omniroll_embed(host/reference/systems/${model}.json omr_system_${model})
  endforeach()
else()
  file(GLOB omniroll_reference_sources CONFIGURE_DEPENDS
    host/reference/compare/*.c host/reference/files_none.c host/reference/ensemble*.c host/reference/assembled.c host/reference/chosen.c
    host/reference/result_row.c host/reference/whole_study.c)
  list(APPEND omniroll_reference_sources host/reference/reference_none.c)
  if(OMNIROLL_HAVE_LAPACK)
    list(APPEND omniroll_reference_sources host/reference/multibody/moore_penrose.c)
  endif()
endif()
list(APPEND omniroll_sources ${omniroll_reference_sources})

set(omniroll_hdf5_none ${omniroll_sources})
list(FILTER omniroll_hdf5_none INCLUDE REGEX "/files_none\\.c$")
if(OMNIROLL_HDF5)
  list(REMOVE_ITEM omniroll_sources ${omniroll_hdf5_none})
else()
  list(FILTER omniroll_sources EXCLUDE REGEX "${omniroll_hdf5_pattern}$")
endif()

# Failure points (support/phase.h) are in a second program, for tests alone (cmake/tests.cmake), which compiles these sources again.
set(omniroll_failpoint_sources "")
foreach(source IN LISTS omniroll_sources)
  file(STRINGS ${source} omniroll_phase_lines REGEX "#include .*phase\\.h\"" LIMIT_COUNT 1)
  if(omniroll_phase_lines)
    list(APPEND omniroll_failpoint_sources ${source})
  endif()
endforeach()
list(FILTER omniroll_sources EXCLUDE REGEX "/phase\\.c$")

# What reads studies, keeps journals and prints takes next to no time when it runs, and a third less of the compiler's without -O2.
file(GLOB_RECURSE omniroll_plain_sources CONFIGURE_DEPENDS host/cli/*.c host/study/*.c host/campaign/*.c host/bench/*.c)
set_source_files_properties(${omniroll_plain_sources} PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O1>")

# What decides numbers, as one hash (cmake/sources_hash.c): the program's own sources decide none.
file(GLOB_RECURSE omniroll_hashed RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS host/*.c host/*.h host/*.def host/reference/systems/*.json kernels/*.h
  kernels/*.cl)
list(FILTER omniroll_hashed EXCLUDE REGEX "^host/cli/")
list(JOIN omniroll_hashed "\n" omniroll_hashed_lines)
file(CONFIGURE OUTPUT generated/sources_hash.txt CONTENT "@omniroll_hashed_lines@\n" @ONLY)
add_executable(sources_hash cmake/sources_hash.c)
target_include_directories(sources_hash SYSTEM PRIVATE ${OMNIROLL_XXHASH_INCLUDE})
target_link_libraries(sources_hash PRIVATE ${OMNIROLL_XXHASH_LIBRARY})
set(omniroll_sources_hash ${PROJECT_BINARY_DIR}/generated/sources_hash.h)
add_custom_command(
  OUTPUT ${omniroll_sources_hash}
  COMMAND sources_hash ${PROJECT_BINARY_DIR}/generated/sources_hash.txt ${omniroll_sources_hash}
  DEPENDS sources_hash ${omniroll_hashed} ${PROJECT_BINARY_DIR}/generated/sources_hash.txt
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Hashing the sources" VERBATIM)

# Raised where a function or a public struct that programs are linked with changes or goes (tests/install/interface.py).
set(OMNIROLL_SOVERSION 0)
add_library(omniroll ${omniroll_sources} ${omniroll_sources_hash} ${omniroll_kernel_source} ${OMNIROLL_LANE_OBJECTS})
add_library(omniroll::omniroll ALIAS omniroll)
set_target_properties(omniroll PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${OMNIROLL_SOVERSION})
target_include_directories(omniroll
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/host/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
target_link_libraries(omniroll PRIVATE omniroll::dependencies ${CMAKE_DL_LIBS})

# The version that the headers say is this one.
set(omniroll_include ${PROJECT_SOURCE_DIR}/host/include/omniroll)
file(GLOB omniroll_headers CONFIGURE_DEPENDS ${omniroll_include}/*.h)
file(STRINGS ${omniroll_include}/base.h omniroll_version_lines REGEX "^#define OMR_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM omniroll_version_lines REPLACE "^.* " "")
list(JOIN omniroll_version_lines "." omniroll_header_version)
if(NOT omniroll_header_version VERSION_EQUAL PROJECT_VERSION)
  message(FATAL_ERROR "host/include/omniroll/base.h is of version ${omniroll_header_version}, the project of ${PROJECT_VERSION}: change OMR_VERSION_*")
endif()

# Hidden is what has no OMR_API. With BUILD_SHARED_LIBS the program and the tests take the hidden functions from the shared library.
if(NOT BUILD_SHARED_LIBS)
  set_target_properties(omniroll PROPERTIES C_VISIBILITY_PRESET hidden)
endif()

# libomniroll.so for other languages, from the same objects: it exports what the headers declare and nothing else. With
# BUILD_SHARED_LIBS the library itself is the shared one and exports all; the sanitizers would have to be in the caller.
if(NOT BUILD_SHARED_LIBS AND NOT OMNIROLL_SANITIZE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${omniroll_headers})
  set(omniroll_exports "")
  foreach(header IN LISTS omniroll_headers)
    file(READ ${header} omniroll_text)
    string(REPLACE ";" "," omniroll_text "${omniroll_text}")
    string(REGEX MATCHALL "OMR_API [^()]*[^a-z0-9_(](omr_[a-z0-9_]+)\\(" omniroll_declarations "${omniroll_text}")
    foreach(declaration IN LISTS omniroll_declarations)
      string(REGEX REPLACE "^.*[^a-z0-9_](omr_[a-z0-9_]+)\\($" "\\1" declaration "${declaration}")
      string(APPEND omniroll_exports "    ${declaration};\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT generated/omniroll.map @ONLY CONTENT "{\n  global:\n@omniroll_exports@  local: *;\n};\n")
  add_library(omniroll_shared SHARED $<TARGET_OBJECTS:omniroll> ${OMNIROLL_LANE_OBJECTS})
  set_target_properties(omniroll_shared PROPERTIES
    OUTPUT_NAME omniroll VERSION ${PROJECT_VERSION} SOVERSION ${OMNIROLL_SOVERSION} LINKER_LANGUAGE C
    LINK_DEPENDS ${PROJECT_BINARY_DIR}/generated/omniroll.map)
  target_include_directories(omniroll_shared
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/host/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(omniroll_shared PRIVATE omniroll::dependencies m)
  target_link_options(omniroll_shared PRIVATE
    "LINKER:--version-script=${PROJECT_BINARY_DIR}/generated/omniroll.map" LINKER:-z,defs)
endif()

# What omr_build_info() says.
string(TOUPPER "${CMAKE_BUILD_TYPE}" omniroll_build_type)
string(JOIN " " omniroll_flags ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${omniroll_build_type}} ${omniroll_float_flags})
string(JOIN " " omniroll_isas ${OMNIROLL_LANE_ISAS})
string(JOIN " " omniroll_lane_flags ${omniroll_lane_optimize})
set_source_files_properties(host/support/version.c PROPERTIES COMPILE_DEFINITIONS
  "OMR_VERSION=\"${PROJECT_VERSION}\";OMR_COMPILER=\"${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\"")
set_property(SOURCE host/support/version.c APPEND PROPERTY COMPILE_DEFINITIONS
  "OMR_FLAGS=\"${omniroll_flags}\"" "OMR_LANE_FLAGS=\"${omniroll_lane_flags}\"" "OMR_LANE_ISAS=\"${omniroll_isas}\""
  OMR_HAVE_OPENCL=${OMNIROLL_HAVE_OPENCL} OMR_HAVE_HDF5=$<BOOL:${OMNIROLL_HDF5}>)

# The compiler that a run asks first for objects of its own (host/lanes/compiler.c).
set_source_files_properties(host/lanes/compiler.c PROPERTIES COMPILE_DEFINITIONS "OMR_CC=\"${CMAKE_C_COMPILER}\"")
