# The program, which sees the public headers, rows of host/lists and cJSON alone; its manual pages and completions, from the tables of --help.
file(GLOB omniroll_cli_sources CONFIGURE_DEPENDS host/cli/*.c)
add_executable(omniroll_program ${omniroll_cli_sources})
set_target_properties(omniroll_program PROPERTIES OUTPUT_NAME omniroll RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(omniroll_program PRIVATE ${PROJECT_BINARY_DIR}/generated) # lists/words.h
# A wheel has the engine once: its program takes the library beside it, as any other program could (install/door).
target_link_libraries(omniroll_program PRIVATE $<IF:$<BOOL:${SKBUILD}>,omniroll_shared,omniroll> ${OMNIROLL_CJSON_LIBRARY} m)

# omniroll.1, and a page omniroll-COMMAND.1 of every command
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/man1/omniroll.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/man1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man1
  COMMAND omniroll_program help --man-folder ${PROJECT_BINARY_DIR}/man1
  DEPENDS omniroll_program
  COMMENT "Writing the manual pages")
set(omniroll_completion ${PROJECT_BINARY_DIR}/completion/omniroll ${PROJECT_BINARY_DIR}/completion/_omniroll)
add_custom_command(
  OUTPUT ${omniroll_completion}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
  COMMAND omniroll_program help --completion bash > ${PROJECT_BINARY_DIR}/completion/omniroll
  COMMAND omniroll_program help --completion zsh > ${PROJECT_BINARY_DIR}/completion/_omniroll
  DEPENDS omniroll_program
  COMMENT "Writing the completion for bash and zsh")
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/man1/omniroll.1 ${omniroll_completion})
