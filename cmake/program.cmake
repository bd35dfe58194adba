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
# The types of studies for Python, of the schema that the program prints. Links to the modules make
# python/ the whole package, as type checkers want it.
set(omniroll_study_types "")
if(EXISTS "${OMNIROLL_PYTHON}")
  set(omniroll_study_types ${PROJECT_BINARY_DIR}/python/omniroll/study_types.pyi)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/omniroll)
  file(GLOB omniroll_modules CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/analysis/omniroll analysis/omniroll/[a-z]*
    analysis/omniroll/__*.py)
  file(GLOB omniroll_links ${PROJECT_BINARY_DIR}/python/omniroll/*.py) # of modules that are no longer there, too
  foreach(link IN LISTS omniroll_links)
    file(REMOVE ${link})
  endforeach()
  foreach(name IN LISTS omniroll_modules)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/analysis/omniroll/${name} ${PROJECT_BINARY_DIR}/python/omniroll/${name} SYMBOLIC)
  endforeach()
  add_custom_command(
    OUTPUT ${omniroll_study_types}
    COMMAND omniroll_program schema > ${PROJECT_BINARY_DIR}/python/study.schema.json
    COMMAND ${OMNIROLL_PYTHON} -B ${PROJECT_SOURCE_DIR}/analysis/typed_studies.py ${PROJECT_BINARY_DIR}/python/study.schema.json
      ${omniroll_study_types}
    DEPENDS omniroll_program analysis/typed_studies.py
    COMMENT "Writing the types of studies for Python")
else()
  message(STATUS "omniroll: no ${OMNIROLL_PYTHON}, so that Python's omniroll.study_types is not written; -DOMNIROLL_PYTHON=PATH names a Python")
endif()
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/man1/omniroll.1 ${omniroll_completion} ${omniroll_study_types})
