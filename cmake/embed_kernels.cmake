# Inlines the `#include "x"` lines of a kernel source (recursively) and writes the text as a C file, so that the program
# carries its kernels. #line directives keep the compiler's messages true. x is looked for beside the file that includes it, in the
# folder GENERATED, and from the folder above SOURCE's on.
#
#   cmake -DSOURCE=kernels/all.cl -DGENERATED=build/generated -DOUTPUT=build/kernel_source.c -DNAME=omr_kernel_source
#         -P cmake/embed_kernels.cmake
#
# Or each text of a folder as it stands: FOLDER/single.json as the array PREFIX_single, FOLDER/kinds/single.json as PREFIX_kinds_single.
#
#   cmake -DFOLDER=host/study/starters -DOUTPUT=build/starter_texts.c -DPREFIX=omr_starter -P cmake/embed_kernels.cmake

cmake_minimum_required(VERSION 3.18)

# Appends the array `name`, with its length, to the C file. Character constants suit a plain char of either sign.
function(append_array name bytes)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  file(APPEND "${OUTPUT}"
    "extern const char ${name}[];\n"
    "extern const unsigned long ${name}_length;\n"
    "const char ${name}[] = {\n${bytes}0};\n"
    "const unsigned long ${name}_length = sizeof ${name} - 1;\n")
endfunction()

if(FOLDER AND OUTPUT AND PREFIX)
  file(GLOB_RECURSE texts RELATIVE "${FOLDER}" "${FOLDER}/*.json")
  file(WRITE "${OUTPUT}" "")
  foreach(path IN LISTS texts)
    file(READ "${FOLDER}/${path}" bytes HEX)
    string(REGEX REPLACE "\\.json$" "" name "${PREFIX}_${path}")
    string(REPLACE "/" "_" name "${name}")
    append_array(${name} "${bytes}")
  endforeach()
  return()
endif()

if(NOT SOURCE OR NOT OUTPUT OR NOT NAME)
  message(FATAL_ERROR "usage: cmake -DSOURCE=<kernel source> -DOUTPUT=<C file> -DNAME=<array> -P embed_kernels.cmake")
endif()

set(include_line "\n[ \t]*#[ \t]*include[ \t]*\"[^\"\n]*\"[^\n]*")
get_filename_component(source_folder "${SOURCE}" ABSOLUTE)
get_filename_component(source_folder "${source_folder}" DIRECTORY)

function(inline path depth result)
  if(depth GREATER 8)
    message(FATAL_ERROR "${path}: included by itself or more than 8 deep")
  endif()
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "kernel source not found: ${path}")
  endif()
  get_filename_component(folder "${path}" DIRECTORY)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" rest)
  set(rest "\n${rest}") # every include then stands after a newline
  set(text "#line 1 \"${name}\"")
  set(line 0)
  while(rest MATCHES "${include_line}")
    set(match "${CMAKE_MATCH_0}")
    string(REGEX REPLACE ".*\"([^\"\n]*)\".*" "\\1" included "${match}")
    set(found "${folder}/${included}")
    foreach(other IN ITEMS "${GENERATED}/${included}" "${source_folder}/../${included}")
      if(NOT EXISTS "${found}")
        set(found "${other}")
      endif()
    endforeach()
    string(FIND "${rest}" "${match}" at)
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(LENGTH "${match}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${rest}" ${at} -1 rest)
    string(REGEX REPLACE "[^\n]" "" newlines "${before}\n")
    string(LENGTH "${newlines}" count)
    math(EXPR line "${line} + ${count}")
    math(EXPR next_depth "${depth} + 1")
    inline("${found}" ${next_depth} inner)
    math(EXPR next "${line} + 1")
    set(text "${text}${before}\n${inner}\n#line ${next} \"${name}\"")
  endwhile()
  set(${result} "${text}${rest}" PARENT_SCOPE)
endfunction()

get_filename_component(source "${SOURCE}" ABSOLUTE)
inline("${source}" 0 text)

# Characters go through a file, since only file(READ) gives bytes.
file(WRITE "${OUTPUT}.txt" "${text}")
file(READ "${OUTPUT}.txt" bytes HEX)
file(REMOVE "${OUTPUT}.txt")
file(WRITE "${OUTPUT}" "")
append_array(${NAME} "${bytes}")
