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
set(omniroll_completion ${PROJECT_BINARY_DIR}/completion/omniroll ${PROJECT_BINARY_DIR}/completion/_omniroll)
add_custom_command(
  OUTPUT ${omniroll_completion}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
  COMMAND omniroll_program help --completion bash > ${PROJECT_BINARY_DIR}/completion/omniroll
  COMMAND omniroll_program help --completion zsh > ${PROJECT_BINARY_DIR}/completion/_omniroll
  DEPENDS omniroll_program
  COMMENT "Writing the completion for bash and zsh")
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/omniroll.1 ${omniroll_completion})
