# The kernel text that counts its operations (host/bench/counting_object.c), for the numbers of wheels up to four and the laws of the lane
# objects in double, and always for three, the wheels of most of what `omniroll bench` measures. In single precision for one wheel, three and any
# number alone, where four would take 7 s more to compile. What the objects for any number count too much, for the columns of eight
# wheels: 6 % of three wheels, 3 to 4 % of four, 1.7 % of six, but a third of one.
# The objects join OMNIROLL_LANE_OBJECTS; counting_objects.h lists them for host/bench/count.c.
set(omniroll_counting_list "")
set(omniroll_counting_kinds "")
set(omniroll_counting_wheels ${OMNIROLL_LANE_WHEELS})
list(FILTER omniroll_counting_wheels INCLUDE REGEX "^[1-4]$")
if(NOT OMNIROLL_SANITIZE)
  list(APPEND omniroll_counting_wheels 3)
  list(REMOVE_DUPLICATES omniroll_counting_wheels)
endif()
foreach(wheels IN LISTS omniroll_counting_wheels ITEMS any)
  list(APPEND omniroll_counting_kinds double_${wheels})
  if(wheels MATCHES "^(1|3|any)$")
    list(APPEND omniroll_counting_kinds single_${wheels})
  endif()
endforeach()
foreach(kind IN LISTS omniroll_counting_kinds)
  string(REGEX MATCH "^([a-z]+)_(.+)$" matched ${kind})
  set(precision ${CMAKE_MATCH_1})
  set(wheels ${CMAKE_MATCH_2})
  # The time loop whose steps an error estimate chooses: for any number of wheels, as its lane objects.
  set(omniroll_counting_laws friction constraint)
  if(wheels STREQUAL "any")
    list(APPEND omniroll_counting_laws friction_pair constraint_pair)
  endif()
  foreach(law IN LISTS omniroll_counting_laws)
    set(name counting_${kind}_${law})
    add_library(${name} OBJECT host/bench/counting_object.c)
    target_compile_definitions(${name} PRIVATE OMR_PRECISION_NAME=${precision} OMR_WHEELS_NAME=${wheels} OMR_LAW_NAME=${law})
    if(precision STREQUAL "single")
      target_compile_definitions(${name} PRIVATE OMR_SINGLE=1)
    else()
      target_compile_definitions(${name} PRIVATE OMR_SINGLE=0)
    endif()
    if(law MATCHES "_pair$")
      target_compile_definitions(${name} PRIVATE OMR_CONTROLLED=1)
    endif()
    if(law MATCHES "^constraint")
      target_compile_definitions(${name} PRIVATE OMR_CONSTRAINED=1)
    else()
      target_compile_definitions(${name} PRIVATE OMR_CONSTRAINED=0)
    endif()
    if(NOT wheels STREQUAL "any")
      target_compile_definitions(${name} PRIVATE OMR_WHEELS=${wheels})
    endif()
    # Counts are those of optimised text in every build type; what optimises whole programs would not know the renamed routines.
    target_compile_options(${name} PRIVATE -O2 -fno-lto)
    if(OMNIROLL_SANITIZE) # checks of undefined behaviour are in the lane objects of the same text, and took half of the compiler's time
      target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
    endif()
    target_include_directories(${name} PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
    list(APPEND OMNIROLL_LANE_OBJECTS $<TARGET_OBJECTS:${name}>)
    string(APPEND omniroll_counting_list " \\\n  X(${precision}, ${wheels}, ${law})")
  endforeach()
endforeach()

file(CONFIGURE OUTPUT generated/counting_objects.h @ONLY CONTENT
"/* Every object of this build that counts, for any number of wheels the last ones.  X(precision, wheels, laws) */
#define OMR_COUNTING_OBJECTS(X)@omniroll_counting_list@
")
