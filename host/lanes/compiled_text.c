/* The C text of an object for one run: settings as constants, the kernels, and the object. */
#include "compiled.h"

#include "../../kernels/layout.h"
#include "../support/support.h"
#include "kernel_text.h"

#include <string.h>

/* Settings that stay an argument: places and lengths of tables, and the most rollers of a wheel. */
static bool is_place(int setting) {
  switch (setting) {
  case K_MAX_ROLLERS:
  case K_CLOCK:
  case K_CORNERS:
  case K_COMMAND_ROWS:
  case K_EXTERNAL_START:
  case K_EXTERNAL_ROWS:
  case K_FLOOR_MAP: return true;
  default:
    return (setting >= K_TABLE_0 && setting <= K_TABLE_7) ||
           (setting >= K_ROWS_0 && setting <= K_ROWS_7);
  }
}

static void add_setting(omr_text *text, const char *name, int setting, int value) {
  if (is_place(setting))
    omr_text_print(text, "#define AT_%s(c) ((c)[K_%s])\n", name, name);
  else
    omr_text_print(text, "#define K_VALUE_%s %d\n#define AT_%s(c) ((void)(c), K_VALUE_%s)\n", name,
                   value, name, name);
}

void omr_compiled_text(const omr_compile_want *w, omr_text *text) {
  const char *kind = w->counting ? "scalar" : w->fast ? "fast" : "lanes";
  omr_text_print(text,
                 "#define OMR_COMPILED 1\n#define OMR_LANES %d\n#define OMR_SINGLE %d\n"
                 "#define OMR_ISA %s\n#define OMR_KIND %s\n",
                 w->lanes, w->single, w->counting ? "counting" : w->isa, kind);
  if (w->fast) omr_text_print(text, "#define OMR_FAST 1\n");
  if (w->counting) omr_text_print(text, "#define OMR_COUNTING 1\n");
#define X(id, meaning) add_setting(text, #id, K_##id, w->settings[K_##id]);
  OMR_SETTINGS(X)
#undef X
  omr_text_add(text, omr_lane_head, strlen(omr_lane_head));
  if (w->counting) omr_text_add(text, omr_counting_head, strlen(omr_counting_head));
  omr_text_add(text, omr_kernel_source, omr_kernel_source_length);
  omr_text_print(text, "\n#pragma GCC visibility push(default)\n");
  omr_text_add(text, omr_lane_tail, strlen(omr_lane_tail));
  omr_text_print(text, "#pragma GCC visibility pop\n");
}
