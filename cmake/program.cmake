# The program, and its manual page from the text of --help.
file(GLOB omniroll_cli_sources CONFIGURE_DEPENDS host/cli/*.c)
add_executable(omniroll_program ${omniroll_cli_sources})
set_target_properties(omniroll_program PROPERTIES OUTPUT_NAME omniroll RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(omniroll_program PRIVATE ${OMNIROLL_PRIVATE_INCLUDES})
target_link_libraries(omniroll_program PRIVATE omniroll m)

add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/omniroll.1
  COMMAND omniroll_program help --man > ${PROJECT_BINARY_DIR}/omniroll.1
  DEPENDS omniroll_program
  COMMENT "Writing the manual page")
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/omniroll.1)
