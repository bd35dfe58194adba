/* The C text of an object for one run: settings as constants, the kernels, and the object. */
#include "compiled.h"

#include "../../kernels/layout.h"
#include "../support/support.h"
#include "kernel_text.h"

#include <string.h>

void omr_compiled_text(const omr_compile_want *w, omr_text *text) {
  const char *kind = w->counting ? "scalar" : w->fast ? "fast" : "lanes";
  omr_text_print(text,
                 "#define OMR_COMPILED 1\n#define OMR_LANES %d\n#define OMR_SINGLE %d\n"
                 "#define OMR_ISA %s\n#define OMR_KIND %s\n",
                 w->lanes, w->single, w->counting ? "counting" : w->isa, kind);
  if (w->fast) omr_text_print(text, "#define OMR_FAST 1\n");
  if (w->counting) omr_text_print(text, "#define OMR_COUNTING 1\n");
#define X(id, meaning) omr_text_print(text, "#define K_VALUE_" #id " %d\n", w->settings[K_##id]);
  OMR_SETTINGS(X)
#undef X
  omr_text_add(text, omr_lane_head, strlen(omr_lane_head));
  if (w->counting) omr_text_add(text, omr_counting_head, strlen(omr_counting_head));
  omr_text_add(text, omr_kernel_source, omr_kernel_source_length);
  omr_text_print(text, "\n#pragma GCC visibility push(default)\n");
  omr_text_add(text, omr_lane_tail, strlen(omr_lane_tail));
  omr_text_print(text, "#pragma GCC visibility pop\n");
}
