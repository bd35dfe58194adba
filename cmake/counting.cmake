# The kernel text that counts its operations (host/bench/counting_object.c), for the same numbers of wheels and laws as the lane objects.
# The objects join OMNIROLL_LANE_OBJECTS; counting_objects.h lists them for host/bench/count.c.
set(omniroll_counting_list "")
foreach(wheels IN LISTS OMNIROLL_LANE_WHEELS ITEMS any)
  foreach(law friction constraint)
    set(name counting_${wheels}_${law})
    add_library(${name} OBJECT host/bench/counting_object.c)
    target_compile_definitions(${name} PRIVATE OMR_WHEELS_NAME=${wheels} OMR_LAW_NAME=${law})
    if(law STREQUAL "constraint")
      target_compile_definitions(${name} PRIVATE OMR_CONSTRAINED=1)
    else()
      target_compile_definitions(${name} PRIVATE OMR_CONSTRAINED=0)
    endif()
    if(NOT wheels STREQUAL "any")
      target_compile_definitions(${name} PRIVATE OMR_WHEELS=${wheels})
    endif()
    # Counts are those of optimised text in every build type; what optimises whole programs would not know the renamed routines.
    target_compile_options(${name} PRIVATE -O2 -fno-lto)
    target_include_directories(${name} PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
    list(APPEND OMNIROLL_LANE_OBJECTS $<TARGET_OBJECTS:${name}>)
    string(APPEND omniroll_counting_list " \\\n  X(${wheels}, ${law})")
  endforeach()
endforeach()

file(CONFIGURE OUTPUT generated/counting_objects.h @ONLY CONTENT
"/* Every object of this build that counts, for any number of wheels the last ones.  X(wheels, laws) */
#define OMR_COUNTING_OBJECTS(X)@omniroll_counting_list@
")
