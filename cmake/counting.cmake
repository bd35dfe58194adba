# The kernel text that counts its operations (host/bench/counting_object.c), for `omniroll bench`. Its objects join OMNIROLL_LANE_OBJECTS.
foreach(law friction constraint)
  set(constrained 0)
  if(law STREQUAL "constraint")
    set(constrained 1)
  endif()
  add_library(counting_${law} OBJECT host/bench/counting_object.c)
  target_compile_definitions(counting_${law} PRIVATE OMR_CONSTRAINED=${constrained} OMR_COUNTING_NAME=omr_counting_${law})
  # Counts are those of optimised text in every build; the compiler's whole-program passes would not know the routines in it.
  target_compile_options(counting_${law} PRIVATE -O2 -fno-lto)
  target_include_directories(counting_${law} PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
  list(APPEND OMNIROLL_LANE_OBJECTS $<TARGET_OBJECTS:counting_${law}>)
endforeach()
