# The kernels as WebAssembly modules, with which a report's page integrates its vehicle anew: host/lanes/wasm.c once for each class of
# laws, packed, and in the library by wasm_list.c. It takes clang and LLVM's linker alone: with settings as variables and a fused
# multiply-add of its own (exact_fma.h) the text needs no C library. Without them the list is empty and pages have no such part.
set(OMNIROLL_WASM "AUTO" CACHE STRING "Kernels as WebAssembly for the pages of reports: AUTO (where clang and wasm-ld are found), ON or OFF")
set(OMNIROLL_WASM_LAWS "")
if(OMNIROLL_WASM)
  find_program(OMNIROLL_WASM_CC NAMES clang clang-14)
  find_program(OMNIROLL_WASM_LD NAMES wasm-ld wasm-ld-14)
  find_program(OMNIROLL_GZIP gzip)
  set(omniroll_wasm_missing TRUE)
  if(OMNIROLL_WASM_CC AND OMNIROLL_WASM_LD AND OMNIROLL_GZIP)
    file(WRITE ${PROJECT_BINARY_DIR}/wasm/probe.c "#include <stddef.h>\n#include <stdint.h>\nsize_t probe(void) { return sizeof(uint64_t); }\n")
    execute_process(COMMAND ${OMNIROLL_WASM_CC} --target=wasm32 -c ${PROJECT_BINARY_DIR}/wasm/probe.c -o ${PROJECT_BINARY_DIR}/wasm/probe.o
      RESULT_VARIABLE omniroll_wasm_missing OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT omniroll_wasm_missing)
    set(OMNIROLL_WASM_LAWS friction constraint mixed friction_pair constraint_pair mixed_pair compliant compliant_pair)
  elseif(OMNIROLL_WASM STREQUAL "AUTO")
    message(STATUS "built without kernels for pages; to have them: sudo apt-get install clang lld")
  else()
    message(FATAL_ERROR "OMNIROLL_WASM needs clang with the target wasm32, wasm-ld and gzip: sudo apt-get install clang lld")
  endif()
endif()

set(omniroll_wasm_list "")
set(omniroll_wasm_files "")
list(TRANSFORM OMNIROLL_PRIVATE_INCLUDES PREPEND "-I" OUTPUT_VARIABLE omniroll_wasm_includes)
foreach(law IN LISTS OMNIROLL_WASM_LAWS)
  string(REGEX MATCH "_pair$" pair ${law})
  string(REGEX REPLACE "_pair$" "" class ${law})
  set(definitions -DOMR_CONSTRAINED=$<STREQUAL:${class},constraint> -DOMR_COMPLIANT=$<STREQUAL:${class},compliant>
    -DOMR_CONTROLLED=$<STREQUAL:${pair},_pair>)
  if(NOT class STREQUAL "compliant")
    list(APPEND definitions -DOMR_MIXED=$<STREQUAL:${class},mixed>)
  endif()
  set(base ${PROJECT_BINARY_DIR}/wasm/${law})
  add_custom_command(
    OUTPUT ${base}.wasm.gz
    COMMAND ${OMNIROLL_WASM_CC} --target=wasm32 -std=c17 -O1 -fno-math-errno -ffp-contract=off ${definitions} ${omniroll_wasm_includes}
      -c ${PROJECT_SOURCE_DIR}/host/lanes/wasm.c -o ${base}.o
    COMMAND ${OMNIROLL_WASM_LD} --no-entry --strip-all --stack-first -z stack-size=1048576 --export=__heap_base ${base}.o -o ${base}.wasm
    COMMAND ${OMNIROLL_GZIP} -9nf ${base}.wasm
    DEPENDS host/lanes/wasm.c host/lanes/exact_fma.h ${omniroll_kernels}
    COMMENT "Kernels for pages: ${law}" VERBATIM)
  list(APPEND omniroll_wasm_files ${base}.wasm.gz)
  string(APPEND omniroll_wasm_list " \\\n  X(${law})")
endforeach()
file(CONFIGURE OUTPUT generated/wasm_modules.h @ONLY CONTENT
"/* The WebAssembly modules of this build, by their classes of laws. */
#define OMR_WASM_MODULES(X)@omniroll_wasm_list@
")
set_source_files_properties(host/lanes/wasm_list.c PROPERTIES OBJECT_DEPENDS "${omniroll_wasm_files}" COMPILE_OPTIONS
  "-Wa,-I,${PROJECT_BINARY_DIR}/wasm")
