/* Puts a starter study together: the members of kind and machine, and beside them what the lists
 * say. */
#include "starter.h"
#include "../lists/observables.h"
#include "distributions.h"
#include "parse.h"

#include <math.h>
#include <string.h>

enum { COLUMN = 46, WIDTH = 128, NOTE = 1024 };

typedef struct writer {
  const omr_starter_kind *kind;
  const omr_starter_machine *machine;
  omr_text *text;
  char lost[128]; /* a marker that no list has */
} writer;

static const omr_parameter *find_parameter(const writer *w, const char *path) {
  static const char wheel[] = "wheel.";
  if (strncmp(path, wheel, strlen(wheel)) == 0)
    for (int i = 0; i < OMR_WP_COUNT; i++)
      if (strcmp(omr_wheel_parameters[i].path, path + strlen(wheel)) == 0)
        return &omr_wheel_parameters[i];
  for (int i = 0; i < OMR_VP_COUNT; i++) /* some names exist once for each of several models */
    if (strcmp(omr_vehicle_parameters[i].path, path) == 0 &&
        omr_parameter_belongs(&omr_vehicle_parameters[i], w->machine->model))
      return &omr_vehicle_parameters[i];
  return NULL;
}

static int print_bounds(char *note, size_t size, const omr_parameter *p) {
  const bool open = p->flags & OMR_P_OPEN_LOW;
  const char *whole = p->flags & OMR_P_INTEGER ? "whole, " : "";
  if (isinf(p->low)) return snprintf(note, size, "%s", p->flags & OMR_P_INTEGER ? ", whole" : "");
  if (isinf(p->high)) return snprintf(note, size, ", %s%s %.6g", whole, open ? ">" : ">=", p->low);
  return snprintf(note, size, ", %s%.6g to %.6g", whole, p->low, p->high);
}

/* "[1, >= 0, default 0.3] friction coefficient mu between roller and floor" */
static bool note_parameter(const writer *w, const char *path, char *note) {
  const omr_parameter *p = find_parameter(w, path);
  if (!p) return false;
  size_t length = (size_t)snprintf(note, NOTE, "[%s", p->unit);
  length += (size_t)print_bounds(note + length, NOTE - length, p);
  if (!isnan(p->standard))
    length += (size_t)snprintf(note + length, NOTE - length, ", default %.6g", p->standard);
  snprintf(note + length, NOTE - length, "] %s", p->meaning);
  return true;
}

/* "PATH +DRAW": unit and bounds, and how the values are drawn; what the parameter is stands beside
 * its own value. */
static bool note_drawn(const writer *w, const char *marker, char *note) {
  char path[128];
  const char *plus = strstr(marker, " +");
  if (!plus) return note_parameter(w, marker, note);
  snprintf(path, sizeof path, "%.*s", (int)(plus - marker), marker);
  const omr_parameter *p = find_parameter(w, path);
  for (int i = 0; p && i < OMR_DRAWS; i++) {
    const omr_draw_kind *draw = &omr_draw_kinds[i];
    if (strcmp(draw->name, plus + 2) != 0) continue;
    size_t length = (size_t)snprintf(note, NOTE, "[%s", p->unit);
    length += (size_t)print_bounds(note + length, NOTE - length, p);
    snprintf(note + length, NOTE - length, "] %s %s: %s", draw->name, draw->form, draw->meaning);
    return true;
  }
  return false;
}

static bool note_kind(const omr_kind *kinds, int count, const char *name, char *note) {
  for (int i = 0; i < count; i++) {
    if (strcmp(kinds[i].name, name) != 0) continue;
    snprintf(note, NOTE, "%s", kinds[i].meaning);
    return true;
  }
  return false;
}

static bool note_observable(const writer *w, const char *name, char *note) {
  if (omr_model_is_own(w->machine->model))
    return snprintf(note, NOTE, "system.measures.%s", name) > 0;
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    if (strcmp(omr_observables[i].name, name) != 0 ||
        !omr_observable_fits(i, w->machine->model, -1))
      continue;
    snprintf(note, NOTE, "[%s] %s", omr_observables[i].unit, omr_observables[i].meaning);
    return true;
  }
  return false;
}

static bool note_statistics(const char *name, char *note) {
  const omr_key *key = omr_find_key(OMR_SECTION_STATISTICS, name);
  if (key) snprintf(note, NOTE, "%s", key->meaning);
  return key != NULL;
}

/* "PATH=NAME": a word of a small model, with its other choices. */
static bool note_word(const writer *w, const char *name, char *note) {
  const omr_small_list *small = omr_small_list_of(w->machine->model);
  const char *equal = strchr(name, '=');
  for (int k = 0; small && equal && k < small->words; k++) {
    const omr_small_word *word = &small->word_list[k];
    const size_t length = strlen(word->path);
    if (length != (size_t)(equal - name) || strncmp(word->path, name, length) != 0) continue;
    size_t at = 0;
    for (int i = 0; i < omr_word_choices(word); i++)
      if (strcmp(word->choices[i].name, equal + 1) == 0)
        at = (size_t)snprintf(note, NOTE, "%s", word->choices[i].meaning);
    for (int i = 0; at && i < omr_word_choices(word); i++)
      if (strcmp(word->choices[i].name, equal + 1) != 0)
        at += (size_t)snprintf(note + at, NOTE - at, "; or \"%s\"", word->choices[i].name);
    return at > 0;
  }
  return false;
}

static const char *after(const char *marker, const char *list) {
  const size_t length = strlen(list);
  return strncmp(marker, list, length) == 0 ? marker + length : NULL;
}

static bool note_of(const writer *w, const char *marker, char *note) {
  const char *name;
  if ((name = after(marker, "="))) return snprintf(note, NOTE, "%s", name) > 0;
  if ((name = after(marker, "law:"))) return note_kind(omr_law_kinds, OMR_LAW_KINDS, name, note);
  if ((name = after(marker, "drive:")))
    return note_kind(omr_drive_kinds, OMR_DRIVE_KINDS, name, note);
  if ((name = after(marker, "command:")))
    return note_kind(omr_command_kinds, OMR_COMMAND_KINDS, name, note);
  if ((name = after(marker, "design:")))
    return note_kind(omr_design_kinds, OMR_DESIGNS, name, note);
  if ((name = after(marker, "observable:"))) return note_observable(w, name, note);
  if ((name = after(marker, "statistics:"))) return note_statistics(name, note);
  if ((name = after(marker, "word:"))) return note_word(w, name, note);
  return note_drawn(w, marker, note);
}

/* A note behind `at` characters of a line, wrapped below itself; above the line where that is long.
 */
static void add_note(omr_text *text, size_t at, const char *note) {
  const size_t column = at + 2 > COLUMN ? at + 2 : COLUMN, room = WIDTH - column - 3;
  omr_text_print(text, "%*s", (int)(column - at), "");
  for (;;) {
    size_t cut = strlen(note);
    if (cut > room)
      for (cut = room; cut > 0 && note[cut] != ' ';) cut--;
    if (cut == 0) cut = strcspn(note, " ");
    omr_text_print(text, "// %.*s\n", (int)cut, note);
    note += cut;
    while (*note == ' ') note++;
    if (!*note) return;
    omr_text_print(text, "%*s", (int)column, "");
  }
}

static void add_note_above(omr_text *text, size_t indent, const char *note) {
  while (*note) {
    const size_t room = WIDTH - indent - 3;
    size_t cut = strlen(note);
    if (cut > room)
      for (cut = room; cut > 0 && note[cut] != ' ';) cut--;
    omr_text_print(text, "%*s// %.*s\n", (int)indent, "", (int)cut, note);
    note += cut;
    while (*note == ' ') note++;
  }
}

/* One line, with `comma` behind its member and its marker as a comment. */
static void add_line(writer *w, const char *line, size_t length, bool comma) {
  char member[512], marker[256] = "", note[NOTE];
  snprintf(member, sizeof member, "%.*s", (int)length, line);
  char *mark = strstr(member, "  @");
  if (mark) {
    snprintf(marker, sizeof marker, "%s", mark + 3);
    *mark = 0;
  }
  const size_t end = strlen(member), indent = strspn(member, " ");
  if (comma) memcpy(member + end, ",", 2);
  if (!mark) {
    omr_text_print(w->text, "%s\n", member);
    return;
  }
  if (!note_of(w, marker, note)) snprintf(w->lost, sizeof w->lost, "%.100s", marker);
  if (end > COLUMN) {
    add_note_above(w->text, indent, note);
    omr_text_print(w->text, "%s\n", member);
    return;
  }
  omr_text_print(w->text, "%s", member);
  add_note(w->text, strlen(member), note);
}

static void add_lines(writer *w, const char *lines) {
  for (const char *line = lines; *line;) {
    const size_t length = strcspn(line, "\n");
    add_line(w, line, length, false);
    line += length + (line[length] == '\n');
  }
}

static size_t count_of(const char *const *items) {
  size_t count = 0;
  while (count < OMR_STARTER_ITEMS && items[count]) count++;
  return count;
}

/* Items of a list, each a line; `more` follow after the last. */
static void add_items(writer *w, const char *const *items, int indent, bool more) {
  const size_t count = count_of(items);
  for (size_t i = 0; i < count; i++) {
    char line[512];
    const int length = snprintf(line, sizeof line, "%*s%s", indent, "", items[i]);
    add_line(w, line, (size_t)length, more || i + 1 < count);
  }
}

static void add_vary(writer *w, const char *which) {
  const bool levels = strstr(which, "levels"), drawn = strstr(which, "drawn");
  omr_text_print(w->text, "  \"vary\": [\n");
  if (levels) add_items(w, w->machine->levels, 4, drawn);
  if (drawn) add_items(w, w->machine->drawn, 4, false);
  omr_text_print(w->text, "  ],\n");
}

/* The paths of the levels, and rows of values for them. */
static void add_cases(writer *w) {
  omr_text_print(w->text, "    \"paths\": [");
  for (size_t i = 0; i < count_of(w->machine->levels); i++) {
    const char *path = strstr(w->machine->levels[i], ": \"") + 2;
    omr_text_print(w->text, "%s%.*s", i ? ", " : "", (int)(strcspn(path + 1, "\"") + 2), path);
  }
  omr_text_print(w->text, "],\n    \"rows\": [\n");
  add_items(w, w->machine->cases, 6, false);
  omr_text_print(w->text, "    ]\n");
}

static void add_integrator(writer *w) {
  const omr_starter_machine *m = w->machine;
  char line[224];
  const char *meaning = omr_model_is_own(m->model)
                            ? "relative, of each step that the reference takes"
                            : "the accuracy that every instance chooses its steps for; the summary "
                              "of a run tells what error is left, and `omniroll plan` the "
                              "tolerance that an accuracy needs";
  omr_text_print(w->text, "  \"integrator\": {\n");
  const int length =
      m->tolerance
          ? snprintf(line, sizeof line, "    \"tolerance\": %s,  @=%s", m->tolerance, meaning)
          : snprintf(line, sizeof line,
                     "    \"step\": \"%s\",  @=length of a step; a run says where springs ask for "
                     "a shorter one, and what error is left",
                     m->step);
  add_line(w, line, (size_t)length, false);
  omr_text_print(w->text, "    \"duration\": \"%s\"\n  },\n", m->duration);
}

static void add_observables(writer *w) {
  const size_t count = count_of(w->machine->observables);
  for (size_t i = 0; i < count; i++) {
    char line[160];
    const char *name = w->machine->observables[i];
    const int length = snprintf(line, sizeof line, "      \"%s\"  @observable:%s", name, name);
    add_line(w, line, (size_t)length, i + 1 < count);
  }
}

static void add_criterion(writer *w, const char *criterion, bool more) {
  omr_text_print(w->text, "    // %s\n    \"fail\": \"%s\"%s", w->machine->question, criterion,
                 more ? "," : "");
  omr_text_print(w->text, "\n");
}

static void add_parameters(writer *w) {
  omr_text_print(w->text, "  \"parameters\": {\n");
  add_lines(w, w->machine->parameters);
  omr_text_print(w->text, "  },\n");
  if (w->machine->system) add_lines(w, w->machine->system);
}

/* A line of the kind that begins with $. */
static void fill_in(writer *w, const char *what) {
  if (after(what, "parameters"))
    add_parameters(w);
  else if (after(what, "vary"))
    add_vary(w, what);
  else if (after(what, "cases"))
    add_cases(w);
  else if (after(what, "fail"))
    add_criterion(w, w->machine->fail, true);
  else if (after(what, "rare"))
    add_criterion(w, w->machine->rare, false);
  else if (after(what, "integrator"))
    add_integrator(w);
  else if (after(what, "observables"))
    add_observables(w);
  else if (after(what, "interval"))
    omr_text_print(w->text, "      \"interval\": \"%s\"\n", w->machine->interval);
  else
    snprintf(w->lost, sizeof w->lost, "$%.100s", what);
}

static void add_members(writer *w) {
  for (const char *line = w->kind->text; *line;) {
    const size_t length = strcspn(line, "\n");
    char what[64];
    if (*line == '$') {
      snprintf(what, sizeof what, "%.*s", (int)length - 1, line + 1);
      fill_in(w, what);
    } else {
      add_line(w, line, length, false);
    }
    line += length + (line[length] == '\n');
  }
}

static void add_comment(omr_text *text, const char *paragraphs) {
  for (const char *line = paragraphs; *line;) {
    const size_t length = strcspn(line, "\n");
    omr_text_print(text, "// %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static void add_top(writer *w, const omr_starter_step *steps, size_t count) {
  omr_text_print(w->text, "// Starter study \"%s\": %s\n//\n", w->kind->name, w->kind->question);
  add_comment(w->text, w->kind->guide);
  if (count) omr_text_print(w->text, "//\n// Next:\n");
  for (size_t i = 0; i < count; i++)
    omr_text_print(w->text, "//   %-36s  %s\n", steps[i].command, steps[i].meaning);
  omr_text_print(
      w->text,
      "//\n"
      "// A number is SI (m, kg, s, rad); text carries its unit: \"45 deg\", \"0.2 ms\", \"30 "
      "cm\". Comments say what "
      "a member is,\n"
      "// in brackets its SI unit (1: a pure number), bounds and default. Members with a default "
      "may be left out.\n"
      "// All parameters, observables, laws and methods there are: omniroll describe %s\n"
      "// All values below are examples, none is measured: put in your own.\n",
      omr_model_names[w->machine->model]);
}

/* The machine and, where the kind asks one, its question, without what it says of the answer. */
static void add_title(writer *w) {
  const char *question = w->kind->question, *mark = strchr(question, '?');
  omr_text_print(w->text, "  \"title\": \"%s%s%.*s\",\n", w->machine->title, mark ? ": " : "",
                 mark ? (int)(mark + 1 - question) : 0, question);
  omr_text_print(w->text, "  \"model\": \"%s\",\n", omr_model_names[w->machine->model]);
}

omr_status omr_starter_write(const omr_starter_kind *kind, const omr_starter_machine *machine,
                             const omr_starter_step *steps, size_t step_count, omr_text *text,
                             omr_error *error) {
  writer w = {.kind = kind, .machine = machine, .text = text};
  add_top(&w, steps, step_count);
  omr_text_print(text, "{\n");
  add_title(&w);
  add_members(&w);
  omr_text_print(text, "}\n");
  if (text->failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (w.lost[0])
    return omr_fail(error, OMR_ERR_INTERNAL, "starter study %s of %s: no list has %s", kind->name,
                    machine->name, w.lost);
  return OMR_OK;
}

static const omr_starter_kind *kind_named(const char *name) {
  for (size_t i = 0; i < omr_starter_kind_count; i++)
    if (strcmp(omr_starter_kinds[i].name, name) == 0) return &omr_starter_kinds[i];
  return NULL;
}

static const omr_starter_machine *machine_named(const char *name) {
  for (size_t i = 0; i < omr_starter_machine_count; i++)
    if (strcmp(omr_starter_machines[i].name, name) == 0) return &omr_starter_machines[i];
  return NULL;
}

static omr_status fail_name(const char *what, const char *name, const char *const *names,
                            size_t count, omr_error *error) {
  const char *nearest = omr_nearest(name, names, count);
  if (nearest)
    return omr_fail(error, OMR_ERR_USAGE,
                    "there is no %s \"%s\" of starter study; did you mean \"%s\"?", what, name,
                    nearest);
  omr_text all = {0};
  for (size_t i = 0; i < count; i++) omr_text_print(&all, "%s%s", i ? ", " : "", names[i]);
  omr_status status =
      omr_fail(error, OMR_ERR_USAGE, "there is no %s \"%s\" of starter study; there is: %s", what,
               name, all.data ? all.data : "");
  omr_text_free(&all);
  return status;
}

omr_status omr_starter_find(const char *kind, const char *machine,
                            const omr_starter_kind **found_kind,
                            const omr_starter_machine **found_machine, omr_error *error) {
  enum { MOST = 32 };
  const char *names[MOST];
  *found_kind = kind_named(kind);
  if (!*found_kind && machine_named(kind))
    return omr_fail(
        error, OMR_ERR_USAGE,
        "\"%s\" is a model, no kind of starter study; did you mean omniroll new --model %s?", kind,
        kind);
  if (!*found_kind) {
    for (size_t i = 0; i < omr_starter_kind_count; i++) names[i] = omr_starter_kinds[i].name;
    return fail_name("kind", kind, names, omr_starter_kind_count, error);
  }
  const char *own = (*found_kind)->machine;
  if (own && machine && strcmp(own, machine) != 0)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "a starter study of kind %s is about %s; for another, take omniroll new single --model %s",
        kind, own, machine);
  *found_machine = machine_named(machine ? machine : own ? own : omr_starter_machines[0].name);
  if (*found_machine) return OMR_OK;
  for (size_t i = 0; i < omr_starter_machine_count; i++) names[i] = omr_starter_machines[i].name;
  return fail_name("model", machine, names, omr_starter_machine_count, error);
}
