# Lane objects: host/engine/lanes.c once per instruction set, kind, precision, number of wheels and kind of law. OMNIROLL_LANE_OBJECTS
# becomes the list of their object files; lane_objects.h lists them for host/engine/lane_list.c.
include(CheckCCompilerFlag)

set(OMNIROLL_LANE_WHEELS "1;3;4;6;8" CACHE STRING
    "Numbers of wheels with lane objects of their own, above four for the plain case alone, besides the one for any number")
set(OMNIROLL_LANE_OPTIMIZE "-O2" CACHE STRING "Optimisation of the lane objects, in every build type (a list)")

set(OMNIROLL_LANE_LAWS "regularized;rolling;massless;classical" CACHE STRING
    "Laws of contact with lane objects of their own for vehicles (a list), besides saturated Coulomb friction, which has them for one wheel too")
option(OMNIROLL_LANE_FAST "Build the lane objects of fast numerics (engine.numerics) as well" ON)
set(OMNIROLL_LANE_SKIP "" CACHE STRING "Instruction sets to leave out (a list of avx512, avx2 and baseline)")

# gcc takes the text in the order in which it is written unless it is told to schedule before registers are given out: then what one
# wheel does fills the waits of another.
set(omniroll_lane_schedule "")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(omniroll_lane_schedule -fschedule-insns -fsched-pressure)
endif()

set(OMNIROLL_LANE_OBJECTS "")
set(omniroll_lane_list "")
set(OMNIROLL_LANE_ISAS "")

# Fast numerics: contraction, and divisions by the same number share its reciprocal. Sums keep their order, since compensated ones
# need it, and NaN and infinity stay, since diverged instances are found by them.
set(omniroll_fast_flags -ffp-contract=fast -freciprocal-math -fno-signed-zeros)

# Numbers of the laws (kernels/config.h) that have objects for the plain case. Relaxed constraints would gain 2 % by them.
set(omniroll_law_plain 0)
set(omniroll_law_regularized 1)
set(omniroll_law_rolling 2)
set(omniroll_law_massless 4)
set(omniroll_law_classical 5)

# One object: the kind "scalar" is the yardstick, one lane with the same flags; "fast" is of lanes with fast numerics. Laws of contact
# are of friction or constraints; the others are what kernels/plain.h says, with one law and the settings of most studies as constants.
# LAW_pair is the same law with the time loop whose steps an error estimate chooses, LAW_rosenbrock with that method in place of RK4.
function(omniroll_lane_object isa flags kind lanes precision wheels law)
  set(name ${isa}_${kind}_${precision}_${wheels}_${law})
  set(definitions OMR_LANES=${lanes} OMR_ISA=${isa} OMR_KIND=${kind} OMR_WHEELS_NAME=${wheels} OMR_LAW_NAME=${law})
  set(constrained 0)
  string(REGEX REPLACE "_(pair|rosenbrock)$" "" contact ${law})
  if(law MATCHES "_pair$")
    list(APPEND definitions OMR_CONTROLLED=1)
  elseif(law MATCHES "_rosenbrock$")
    list(APPEND definitions OMR_PLAIN_METHOD=4)
  endif()
  if(contact STREQUAL "constraint")
    set(constrained 1)
  elseif(DEFINED omniroll_law_${contact})
    list(APPEND definitions OMR_PLAIN=1 OMR_PLAIN_LAW=${omniroll_law_${contact}})
    if(omniroll_law_${contact} GREATER_EQUAL 2)
      set(constrained 1)
    endif()
  elseif(NOT contact STREQUAL "friction")
    message(FATAL_ERROR "OMNIROLL_LANE_LAWS: there is no law ${law}; known are regularized, rolling, massless and classical")
  endif()
  list(APPEND definitions OMR_CONSTRAINED=${constrained})
  if(precision STREQUAL "single")
    list(APPEND definitions OMR_SINGLE=1)
  else()
    list(APPEND definitions OMR_SINGLE=0)
  endif()
  if(NOT wheels STREQUAL "any")
    list(APPEND definitions OMR_WHEELS=${wheels})
  endif()
  add_library(lanes_${name} OBJECT host/engine/lanes.c)
  target_compile_definitions(lanes_${name} PRIVATE ${definitions})
  if("-O1" IN_LIST flags)
    target_compile_options(lanes_${name} PRIVATE ${OMNIROLL_LANE_OPTIMIZE} ${flags})
  else()
    target_compile_options(lanes_${name} PRIVATE ${OMNIROLL_LANE_OPTIMIZE} ${omniroll_lane_schedule} ${flags})
  endif()
  # The yardstick is scalar: no packs of what happens to stand side by side.
  if(kind STREQUAL "scalar")
    target_compile_options(lanes_${name} PRIVATE -fno-tree-slp-vectorize)
  endif()
  if(kind STREQUAL "fast")
    target_compile_definitions(lanes_${name} PRIVATE OMR_FAST=1)
    target_compile_options(lanes_${name} PRIVATE ${omniroll_fast_flags})
  endif()
  # Without SSE4.1 each choice between lanes is a loop, of which the checks of undefined behaviour make 13 MB and more than a minute, and
  # those of addresses half a minute; the same text is checked in the objects of the other instruction sets.
  if(OMNIROLL_SANITIZE AND isa STREQUAL "baseline" AND OMNIROLL_FLAG_AVX2 AND NOT avx2 IN_LIST OMNIROLL_LANE_SKIP)
    target_compile_options(lanes_${name} PRIVATE -fno-sanitize=all)
  endif()
  target_include_directories(lanes_${name} PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  set(OMNIROLL_LANE_OBJECTS ${OMNIROLL_LANE_OBJECTS} $<TARGET_OBJECTS:lanes_${name}> PARENT_SCOPE)
  set(omniroll_lane_list "${omniroll_lane_list} \\\n  X(${isa}, ${kind}, ${precision}, ${wheels}, ${law})" PARENT_SCOPE)
endfunction()

# Every object of one instruction set, with packs of `bytes` bytes. The yardstick and fast numerics have objects of their own for three
# wheels under friction alone, for the sake of build times.
function(omniroll_lane_set isa bytes flags wheel_list with_fast)
  math(EXPR doubles "${bytes} / 8")
  math(EXPR singles "${bytes} / 4")
  foreach(wheels IN LISTS wheel_list)
    set(laws friction constraint)
    if(wheels STREQUAL "any")
      list(APPEND laws friction_pair constraint_pair)
    elseif(wheels GREATER 4)
      set(laws "")
    endif()
    foreach(law IN LISTS laws)
      omniroll_lane_object(${isa} "${flags}" lanes ${doubles} double ${wheels} ${law})
      omniroll_lane_object(${isa} "${flags}" lanes ${singles} single ${wheels} ${law})
      if(wheels STREQUAL "any" OR (wheels EQUAL 3 AND law STREQUAL "friction"))
        omniroll_lane_object(${isa} "${flags}" scalar 1 double ${wheels} ${law})
        omniroll_lane_object(${isa} "${flags}" scalar 1 single ${wheels} ${law})
      endif()
    endforeach()
    if(wheels STREQUAL "any")
      set(fast_laws friction constraint friction_pair constraint_pair)
    else()
      set(fast_laws "")
      if(wheels EQUAL 3)
        set(fast_laws plain)
      endif()
      set(plain_laws plain plain_pair)
      if(wheels GREATER 1 AND NOT wheels GREATER 4)
        list(APPEND plain_laws plain_rosenbrock ${OMNIROLL_LANE_LAWS})
      endif()
      foreach(law IN LISTS plain_laws)
        omniroll_lane_object(${isa} "${flags}" lanes ${doubles} double ${wheels} ${law})
        omniroll_lane_object(${isa} "${flags}" lanes ${singles} single ${wheels} ${law})
      endforeach()
    endif()
    if(with_fast)
      foreach(law IN LISTS fast_laws)
        omniroll_lane_object(${isa} "${flags}" fast ${doubles} double ${wheels} ${law})
        omniroll_lane_object(${isa} "${flags}" fast ${singles} single ${wheels} ${law})
      endforeach()
    endif()
  endforeach()
  set(OMNIROLL_LANE_OBJECTS ${OMNIROLL_LANE_OBJECTS} PARENT_SCOPE)
  set(omniroll_lane_list "${omniroll_lane_list}" PARENT_SCOPE)
  set(OMNIROLL_LANE_ISAS ${OMNIROLL_LANE_ISAS} ${isa} PARENT_SCOPE)
endfunction()

# The baseline of x86-64 has no fused multiply-add and is there for correctness only, so that its build may be short (-O1); elsewhere it
# is the fast one.
set(omniroll_wheel_list ${OMNIROLL_LANE_WHEELS} any)
set(omniroll_baseline_flags "")
set(omniroll_baseline_wheels any)
set(omniroll_baseline_fast OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(omniroll_baseline_flags "-O1")
  check_c_compiler_flag("-march=x86-64-v4 -mprefer-vector-width=512" OMNIROLL_FLAG_AVX512)
  check_c_compiler_flag("-march=x86-64-v3" OMNIROLL_FLAG_AVX2)
  if(OMNIROLL_FLAG_AVX512 AND NOT avx512 IN_LIST OMNIROLL_LANE_SKIP)
    omniroll_lane_set(avx512 64 "-march=x86-64-v4;-mprefer-vector-width=512" "${omniroll_wheel_list}" ${OMNIROLL_LANE_FAST})
  endif()
  if(OMNIROLL_FLAG_AVX2 AND NOT avx2 IN_LIST OMNIROLL_LANE_SKIP)
    omniroll_lane_set(avx2 32 "-march=x86-64-v3" "${omniroll_wheel_list}" ${OMNIROLL_LANE_FAST})
  endif()
else()
  set(omniroll_baseline_wheels "${omniroll_wheel_list}")
  set(omniroll_baseline_fast ${OMNIROLL_LANE_FAST})
endif()
# Without the baseline a build runs on processors with one of the others alone.
if(NOT baseline IN_LIST OMNIROLL_LANE_SKIP)
  omniroll_lane_set(baseline 16 "${omniroll_baseline_flags}" "${omniroll_baseline_wheels}" ${omniroll_baseline_fast})
endif()

file(CONFIGURE OUTPUT generated/lane_objects.h @ONLY CONTENT
"/* Every lane object of this build, the widest packs first.  X(instruction set, kind, precision, wheels, laws) */
#define OMR_LANE_OBJECTS(X)@omniroll_lane_list@
")
