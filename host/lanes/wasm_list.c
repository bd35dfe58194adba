/* The WebAssembly modules of this build, which cmake/wasm.cmake makes and lists. */
#include <omniroll/study.h>

#include "wasm_modules.h"
#include <string.h>

#define X(laws)                                                                                    \
  __asm__(".pushsection .rodata\n"                                                                 \
          ".balign 16\n"                                                                           \
          "omr_wasm_" #laws ":\n"                                                                  \
          ".incbin \"" #laws ".wasm.gz\"\n"                                                        \
          "omr_wasm_" #laws "_end:\n"                                                              \
          ".byte 0\n"                                                                              \
          ".popsection\n");                                                                        \
  extern __attribute__((visibility("hidden"))) const unsigned char omr_wasm_##laws[],              \
      omr_wasm_##laws##_end[];
OMR_WASM_MODULES(X)
#undef X

const void *omr_kernels_wasm(const char *laws, size_t *size) {
#define X(known)                                                                                   \
  if (strcmp(laws, #known) == 0) {                                                                 \
    *size = (size_t)(omr_wasm_##known##_end - omr_wasm_##known);                                   \
    return omr_wasm_##known;                                                                       \
  }
  OMR_WASM_MODULES(X)
#undef X
  (void)laws;
  *size = 0;
  return NULL;
}
