# General lane objects: host/lanes/lanes.c once per instruction set, kind, precision and kind of law. What a study fixes is
# compiled in when it runs (host/lanes/compiled.h). OMNIROLL_LANE_OBJECTS becomes the list of their object files; lane_objects.h lists
# them for host/lanes/lane_list.c.
include(CheckCCompilerFlag)
include(CheckCSourceRuns)

set(OMNIROLL_LANE_SETS "here" CACHE STRING
  "Instruction sets of the lanes: here (the widest of this machine's processor), all (for packages), or a list of avx512, avx2 and baseline")
set(OMNIROLL_LANE_OPTIMIZE "-O1;-fstrict-aliasing" CACHE STRING "Optimisation of the lane objects, in every build type (a list)")
# Long runs compile an object of their own with -O2. A general one has of gcc's -O2 what costs no compile time: values that live across
# calls stay in registers around them, a tenth of its time. clang does so at any level, and refuses the flag.
set(omniroll_lane_optimize ${OMNIROLL_LANE_OPTIMIZE})
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(PREPEND omniroll_lane_optimize -fcaller-saves)
endif()
option(OMNIROLL_LANE_SCALAR_ONLY "Build the one-lane objects alone, which \"backend\": \"scalar\" takes: quick, to try a change" OFF)

set(OMNIROLL_LANE_OBJECTS "")
set(omniroll_lane_list "")

# One object: the kind "scalar" is the yardstick, one lane with the same flags. LAW_pair is the law with the time loop whose steps an
# error estimate chooses; mixed: friction with wheels of several kinds.
function(omniroll_lane_object isa flags kind lanes precision law)
  set(name ${isa}_${kind}_${precision}_${law})
  set(definitions OMR_LANES=${lanes} OMR_ISA=${isa} OMR_KIND=${kind} OMR_LAW_NAME=${law})
  string(COMPARE EQUAL "${precision}" single single)
  string(REGEX MATCH "^constraint" constraint ${law})
  string(COMPARE NOTEQUAL "${constraint}" "" constrained)
  list(APPEND definitions OMR_SINGLE=$<BOOL:${single}> OMR_CONSTRAINED=$<BOOL:${constrained}>)
  if(law MATCHES "_pair$")
    list(APPEND definitions OMR_CONTROLLED=1)
  endif()
  if(law MATCHES "^compliant")
    list(APPEND definitions OMR_COMPLIANT=1)
  else()
    string(REGEX MATCH "^mixed" mixed ${law})
    string(COMPARE NOTEQUAL "${mixed}" "" mixed)
    list(APPEND definitions OMR_MIXED=$<BOOL:${mixed}>)
  endif()
  add_library(lanes_${name} OBJECT host/lanes/lanes.c)
  target_compile_definitions(lanes_${name} PRIVATE ${definitions})
  target_compile_options(lanes_${name} PRIVATE ${omniroll_lane_optimize} ${flags} ${omniroll_lane_unhardened})
  # The yardstick is scalar: no packs of what happens to stand side by side.
  if(kind STREQUAL "scalar")
    target_compile_options(lanes_${name} PRIVATE -fno-tree-slp-vectorize)
  endif()
  # The checks of a sanitizer make an object of each of these texts a minute and more to compile. They are looked at in double precision,
  # in packs of several lanes; undefined behaviour with fixed steps alone, which have the same right-hand sides.
  if(OMNIROLL_SANITIZE AND (precision STREQUAL "single" OR kind STREQUAL "scalar" OR isa STREQUAL "baseline"))
    target_compile_options(lanes_${name} PRIVATE -fno-sanitize=all)
  elseif(OMNIROLL_SANITIZE AND law MATCHES "_pair$")
    target_compile_options(lanes_${name} PRIVATE -fno-sanitize=undefined)
  endif()
  # What an input says is in the host alone; the kernels' branches would only be counted.
  if(OMNIROLL_FUZZ)
    target_compile_options(lanes_${name} PRIVATE -fno-sanitize=all)
  endif()
  target_include_directories(lanes_${name} PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  set(OMNIROLL_LANE_OBJECTS ${OMNIROLL_LANE_OBJECTS} $<TARGET_OBJECTS:lanes_${name}> PARENT_SCOPE)
  set(omniroll_lane_list "${omniroll_lane_list} \\\n  X(${isa}, ${kind}, ${precision}, ${law})" PARENT_SCOPE)
endfunction()

# Every object of one instruction set and kind, with packs of `doubles` values in double precision.
function(omniroll_lane_set isa flags kind doubles)
  set(singles 1)
  if(doubles GREATER 1)
    math(EXPR singles "2 * ${doubles}")
  endif()
  foreach(law IN ITEMS friction constraint mixed friction_pair constraint_pair mixed_pair compliant compliant_pair)
    omniroll_lane_object(${isa} "${flags}" ${kind} ${doubles} double ${law})
    omniroll_lane_object(${isa} "${flags}" ${kind} ${singles} single ${law})
  endforeach()
  set(OMNIROLL_LANE_OBJECTS ${OMNIROLL_LANE_OBJECTS} PARENT_SCOPE)
  set(omniroll_lane_list "${omniroll_lane_list}" PARENT_SCOPE)
endfunction()

# Instruction sets from the widest: flags, values of double precision in a pack, and what the processor has to have, as
# host/engine/openmp.c asks it. The baseline of x86-64 may not count on a fused multiply-add (kernels/compat.h asks the processor at each)
# and is there for correctness only; elsewhere it is the fast one.
set(omniroll_sets avx512 avx2 baseline)
set(omniroll_flags_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
set(omniroll_flags_avx2 -march=x86-64-v3)
set(omniroll_flags_baseline "")
set(omniroll_doubles_avx512 8)
set(omniroll_doubles_avx2 4)
set(omniroll_doubles_baseline 2)
set(omniroll_needs_avx512 avx512f avx512dq avx512vl avx512bw avx512cd fma)
set(omniroll_needs_avx2 avx2 fma bmi2)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(omniroll_sets baseline)
endif()

# Whether the compiler knows the set, and this machine's processor has it.
function(omniroll_lane_set_here isa known here)
  set(${known} TRUE PARENT_SCOPE)
  set(${here} TRUE PARENT_SCOPE)
  if(isa STREQUAL "baseline")
    return()
  endif()
  string(TOUPPER ${isa} upper)
  list(JOIN omniroll_flags_${isa} " " flags)
  check_c_compiler_flag("${flags}" OMNIROLL_FLAG_${upper})
  set(${known} ${OMNIROLL_FLAG_${upper}} PARENT_SCOPE)
  list(TRANSFORM omniroll_needs_${isa} REPLACE "(.+)" "__builtin_cpu_supports(\"\\1\")" OUTPUT_VARIABLE checks)
  list(JOIN checks " && " all)
  check_c_source_runs("int main(void) { return !(${all}); }" OMNIROLL_RUNS_${isa})
  set(${here} ${OMNIROLL_RUNS_${isa}} PARENT_SCOPE)
endfunction()

set(OMNIROLL_LANE_ISAS "")
foreach(isa IN LISTS omniroll_sets)
  if(OMNIROLL_LANE_SETS STREQUAL "here")
    omniroll_lane_set_here(${isa} known here)
    if(known AND here AND NOT OMNIROLL_LANE_ISAS)
      set(OMNIROLL_LANE_ISAS ${isa})
    endif()
  elseif(OMNIROLL_LANE_SETS STREQUAL "all" OR isa IN_LIST OMNIROLL_LANE_SETS)
    list(APPEND OMNIROLL_LANE_ISAS ${isa})
  endif()
endforeach()
foreach(isa IN LISTS OMNIROLL_LANE_SETS)
  if(NOT isa IN_LIST omniroll_sets AND NOT isa MATCHES "^(here|all)$")
    message(FATAL_ERROR "OMNIROLL_LANE_SETS: there is no instruction set ${isa} on ${CMAKE_SYSTEM_PROCESSOR}; known are here, all, ${omniroll_sets}")
  endif()
endforeach()
if(NOT OMNIROLL_LANE_SCALAR_ONLY)
  foreach(isa IN LISTS OMNIROLL_LANE_ISAS)
    omniroll_lane_set(${isa} "${omniroll_flags_${isa}}" lanes ${omniroll_doubles_${isa}})
  endforeach()
endif()
# One set of scalar objects, for every processor that the build is for.
list(GET OMNIROLL_LANE_ISAS -1 isa)
omniroll_lane_set(${isa} "${omniroll_flags_${isa}}" scalar 1)

file(CONFIGURE OUTPUT generated/lane_objects.h @ONLY CONTENT
"/* Every lane object of this build, the widest packs first.  X(instruction set, kind, precision, laws) */
#define OMR_LANE_OBJECTS(X)@omniroll_lane_list@
")
