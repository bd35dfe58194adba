# Kernels that are compiled ahead for a list of studies and lie beside the program (host/lanes/shipped.h), for machines without a compiler:
# what `omniroll warm` keeps, for every instruction set of this build that runs here.
set(OMNIROLL_KERNELS "" CACHE STRING "Studies (a list of files) whose kernels are compiled ahead and installed with the program")

if(OMNIROLL_KERNELS)
  set(omniroll_warm "")
  foreach(isa IN LISTS OMNIROLL_LANE_ISAS)
    omniroll_lane_set_here(${isa} known here)
    if(NOT here)
      continue()
    endif()
    foreach(study IN LISTS OMNIROLL_KERNELS)
      get_filename_component(study ${study} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
      list(APPEND omniroll_warm COMMAND ${CMAKE_COMMAND} -E env --unset=OMNIROLL_CACHE OMNIROLL_KERNELS= OMNIROLL_CC=${CMAKE_C_COMPILER}
        XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/kernels ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:omniroll_program> warm ${study} --backend openmp --device ${isa})
    endforeach()
  endforeach()
  add_custom_command(OUTPUT kernels/made ${omniroll_warm} COMMAND ${CMAKE_COMMAND} -E touch kernels/made
    DEPENDS omniroll_program ${OMNIROLL_KERNELS} COMMENT "Compiling kernels ahead" VERBATIM)
  add_custom_target(omniroll_kernels ALL DEPENDS kernels/made)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/kernels/omniroll/ DESTINATION lib/omniroll/kernels ${omniroll_runtime} FILES_MATCHING PATTERN "*.lane")
endif()
