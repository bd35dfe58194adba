# Sets SOURCE_DATE_EPOCH, in the environment, where it is not set: to the last commit of CPACK_OMNIROLL_SOURCE, without git to the time of
# CHANGELOG.md.
if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  set(epoch "")
  if(EXISTS "${CPACK_OMNIROLL_SOURCE}/.git")
    execute_process(COMMAND git -C "${CPACK_OMNIROLL_SOURCE}" log -1 --format=%ct OUTPUT_VARIABLE epoch ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT epoch MATCHES "^[0-9]+$")
    file(TIMESTAMP "${CPACK_OMNIROLL_SOURCE}/CHANGELOG.md" epoch "%s" UTC)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
