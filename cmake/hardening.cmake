# What compiler and linker can do against a fault of memory that became an attack, each as far as this compiler has it:
#   _FORTIFY_SOURCE=2   the C library checks the sizes of buffers that the compiler knows (optimised builds alone; sanitizers check more)
#   stack protector     a function with an array on its stack ends the program where something wrote past the array
#   cf-protection       a jump or a return to a place that is none ends the program, where processor and system enforce it
#   PIE, RELRO, BIND_NOW, no executable stack: addresses that nobody knows, and tables of them that nobody can write
# Lane objects and those that count have neither of the first two (omniroll_lane_unhardened): they get numbers that have been checked, and
# call nothing that _FORTIFY_SOURCE checks. Only where every object of a file is built for cf-protection does the linker say so of the
# file; therefore they have it: one instruction per function. A step has no instruction more for all of it (tests/bench/instructions.sh).
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

set(omniroll_lane_unhardened "")
set(OMNIROLL_HARDENED_WITH "")

# Adds one option of the compiler where it has it.
macro(omniroll_harden_compiler flag name)
  check_c_compiler_flag(${flag} OMNIROLL_FLAG_${name})
  if(OMNIROLL_FLAG_${name})
    add_compile_options(${flag})
    list(APPEND OMNIROLL_HARDENED_WITH ${name})
  endif()
endmacro()

macro(omniroll_harden_linker flag name)
  check_linker_flag(C ${flag} OMNIROLL_LINK_${name})
  if(OMNIROLL_LINK_${name})
    add_link_options(${flag})
    list(APPEND OMNIROLL_HARDENED_WITH ${name})
  endif()
endmacro()

if(OMNIROLL_HARDENING)
  check_pie_supported(LANGUAGES C)
  if(CMAKE_C_LINK_PIE_SUPPORTED)
    list(APPEND OMNIROLL_HARDENED_WITH PIE)
  endif()
  omniroll_harden_compiler(-fstack-protector-strong STACK_PROTECTOR)
  omniroll_harden_compiler(-fcf-protection CF_PROTECTION)
  omniroll_harden_linker(LINKER:-z,relro RELRO)
  omniroll_harden_linker(LINKER:-z,now BIND_NOW)
  omniroll_harden_linker(LINKER:-z,noexecstack NOEXECSTACK)
  if(OMNIROLL_FLAG_STACK_PROTECTOR)
    list(APPEND omniroll_lane_unhardened -fno-stack-protector)
  endif()
  # Compilers that some distributions build define it by themselves; who builds a package may have asked for more.
  if(NOT OMNIROLL_SANITIZE AND NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
    add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
    list(APPEND omniroll_lane_unhardened -U_FORTIFY_SOURCE)
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
      list(APPEND OMNIROLL_HARDENED_WITH FORTIFY_SOURCE)
    endif()
  endif()
endif()
