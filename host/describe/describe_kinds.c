/* Kinds of laws, drives, commands, grounds, patches and external forces, and the parameters that
 * each uses. */
#include "describe_page.h"

#include <string.h>

enum { CELL = 64, WIDE = 160 };

/* Last part of each path, whole paths for kinds of wheels, whose members are in several objects; of
 * the vectors of external force and torque the vector's name, once. */
static void print_uses(char *text, omr_frame_kind frame, const omr_kind *kind, bool per_wheel) {
  static const char external[] = "external.";
  char last[CELL] = "";
  text[0] = 0;
  for (const int *used = kind->uses; *used >= 0; used++) {
    const char *path = per_wheel ? omr_wheel_path(frame, *used) : omr_vehicle_path(frame, *used);
    const bool vector = strncmp(path, external, strlen(external)) == 0;
    const bool whole = kind >= omr_wheel_kinds && kind < omr_wheel_kinds + OMR_WHEEL_KINDS;
    const char *dot = vector ? path + strlen(external) - 1 : whole ? NULL : strrchr(path, '.');
    const char *name = dot ? dot + 1 : path;
    const int most = (int)(vector ? strcspn(name, ".") : strlen(name));
    if (vector && strncmp(last, name, (size_t)most) == 0 && !last[most]) continue;
    snprintf(last, sizeof last, "%.*s", most, name);
    omr_print_more(text, WIDE, "%s%s", *text ? ", " : "", last);
  }
}

void omr_fill_kinds(omr_listing *t, const omr_kind *kinds, int count, bool per_wheel) {
  for (int i = 0; i < count; i++) {
    char uses[WIDE];
    print_uses(uses, t->frame, &kinds[i], per_wheel);
    const char *cells[] = {kinds[i].name, uses};
    omr_listing_row(t, cells, omr_framed_kind(t->frame, &kinds[i]));
  }
}

void omr_fill_laws(omr_listing *t) {
  for (int i = 0; i < OMR_LAW_KINDS; i++) {
    char uses[WIDE], text[2 * WIDE + CELL];
    print_uses(uses, t->frame, &omr_law_kinds[i], true);
    snprintf(text, sizeof text, "%s; uses %s", omr_law_kinds[i].meaning, uses);
    omr_listing_row(t, &omr_law_kinds[i].name, text);
  }
}

void omr_fill_wheel_kinds(omr_listing *t) {
  if (t->model == OMR_MODEL_VEHICLE) omr_fill_kinds(t, omr_wheel_kinds, OMR_WHEEL_KINDS, true);
}

void omr_fill_drives(omr_listing *t) {
  /* body is the last kind and needs a vehicle */
  omr_fill_kinds(t, omr_drive_kinds, omr_has_platform(t->model) ? OMR_DRIVE_KINDS : OMR_DRIVE_BODY,
                 true);
}
