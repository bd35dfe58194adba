/* Puts a starter study together: members of its kind and its machine, with comments of the lists.
 */
#include "starter.h"
#include "../../lists/observables.h"
#include "../designs/distributions.h"
#include "../grammar/reader.h"

#include <math.h>
#include <string.h>

enum { COLUMN = 46, WIDTH = 128, NOTE = 1024, DEPTH = 16, KEY = 48, PATH = 160 };

typedef struct writer {
  const omr_starter_kind *kind;
  const omr_starter_machine *machine;
  omr_text *text;
  char keys[DEPTH][KEY]; /* of the objects and lists that a line is in; "" in a list */
  size_t depth;
  size_t explained;    /* where a comment on the line above begins */
  char lost[2 * PATH]; /* a path that no list has */
} writer;

/* A member of a line: the keys that lead to it, and the text of its value. */
typedef struct member {
  char path[PATH];
  const char *value;
} member;

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
static bool note_parameter(const omr_parameter *p, char *note) {
  if (!p) return false;
  size_t length = (size_t)snprintf(note, NOTE, "[%s", p->unit);
  length += (size_t)print_bounds(note + length, NOTE - length, p);
  if (!isnan(p->standard))
    length += (size_t)snprintf(note + length, NOTE - length, ", default %.6g", p->standard);
  snprintf(note + length, NOTE - length, "] %s", p->meaning);
  return true;
}

/* An item of "vary": unit and bounds, and how the values are drawn; the meaning stands at the
 * parameter itself. draw: the key that says how. */
static bool note_drawn(const writer *w, const char *line, const char *draw, char *note) {
  static const char key[] = "\"path\": \"";
  char path[PATH];
  const char *found = strstr(line, key);
  if (!found) return false;
  found += strlen(key);
  snprintf(path, sizeof path, "%.*s", (int)strcspn(found, "\""), found);

  const omr_parameter *p = find_parameter(w, path);
  for (int i = 0; p && i < OMR_DRAWS; i++) {
    const omr_draw_kind *kind = &omr_draw_kinds[i];
    if (strcmp(kind->name, draw) != 0) continue;
    size_t length = (size_t)snprintf(note, NOTE, "[%s", p->unit);
    length += (size_t)print_bounds(note + length, NOTE - length, p);
    snprintf(note + length, NOTE - length, "] %s %s: %s", kind->name, kind->form, kind->meaning);
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
  return key && snprintf(note, NOTE, "%s", key->meaning) > 0;
}

/* A word of a small model, with its other choices. */
static bool note_word(const writer *w, const char *path, const char *chosen, char *note) {
  const omr_small_list *small = omr_small_list_of(w->machine->model);
  for (int k = 0; small && k < small->words; k++) {
    const omr_small_word *word = &small->word_list[k];
    if (strcmp(word->path, path) != 0) continue;
    const int choices = omr_word_choices(word);
    size_t at = 0;
    for (int i = 0; i < choices; i++)
      if (strcmp(word->choices[i].name, chosen) == 0)
        at = (size_t)snprintf(note, NOTE, "%s", word->choices[i].meaning);
    for (int i = 0; at && i < choices; i++)
      if (strcmp(word->choices[i].name, chosen) != 0)
        at += (size_t)snprintf(note + at, NOTE - at, "; or \"%s\"", word->choices[i].name);
    return at > 0;
  }
  return false;
}

static const char *after(const char *path, const char *section) {
  const size_t length = strlen(section);
  return strncmp(path, section, length) == 0 ? path + length : NULL;
}

/* Members whose value is a word of a list. */
static bool note_choice(const char *path, const char *word, char *note) {
  const struct {
    const char *path;
    const omr_kind *kinds;
    int count;
  } lists[] = {{"parameters.contact.law", omr_law_kinds, OMR_LAW_KINDS},
               {"parameters.wheel.kind", omr_wheel_kinds, OMR_WHEEL_KINDS},
               {"parameters.wheel.drive.type", omr_drive_kinds, OMR_DRIVE_KINDS},
               {"parameters.command.type", omr_command_kinds, OMR_COMMAND_KINDS},
               {"design.type", omr_design_kinds, OMR_DESIGNS}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strcmp(lists[i].path, path) == 0)
      return note_kind(lists[i].kinds, lists[i].count, word, note);
  return false;
}

static const char *integrator_note(const writer *w, const char *key) {
  if (strcmp(key, "step") == 0)
    return "length of a step; a run says where springs ask for a shorter one, and what error is "
           "left";
  if (strcmp(key, "tolerance") != 0) return "";
  return omr_model_is_own(w->machine->model)
             ? "relative, of each step that the reference takes"
             : "the accuracy that every instance chooses its steps for; the summary of a run tells "
               "what error is left, and `omniroll plan` the tolerance that an accuracy needs";
}

/* The note in the lists for the last member of a line; "" where the lists do not describe its
 * section. false: they should, and have no such row. */
static bool note_of(const writer *w, const char *line, const member *m, char *note) {
  char word[KEY] = "";
  const char *name;
  const bool own = omr_model_is_own(w->machine->model);
  if (*m->value == '"')
    snprintf(word, sizeof word, "%.*s", (int)strcspn(m->value + 1, "\""), m->value + 1);
  *note = 0;

  if (note_choice(m->path, word, note)) return true;
  if ((name = after(m->path, "integrator.")))
    return snprintf(note, NOTE, "%s", integrator_note(w, name)) >= 0;
  if ((name = after(m->path, "statistics."))) return note_statistics(name, note);

  /* a study of its own has names of its own */
  if (after(m->path, "output.observables") && own)
    return snprintf(note, NOTE, "system.measures.%s", word) > 0;
  if (after(m->path, "output.observables")) return note_observable(w, word, note);
  if ((name = after(m->path, "vary."))) return note_drawn(w, line, name, note) || own;
  if ((name = after(m->path, "parameters.")))
    return note_word(w, name, word, note) || note_parameter(find_parameter(w, name), note) || own;
  return strcmp(m->path, "design.type") != 0;
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

/* Appends the keys of the writer to a path. */
static void print_path(const writer *w, char *path) {
  size_t length = 0;
  *path = 0;
  for (size_t i = 0; i <= w->depth && length < PATH; i++)
    if (w->keys[i][0])
      length +=
          (size_t)snprintf(path + length, PATH - length, "%s%s", length ? "." : "", w->keys[i]);
}

/* Follows a line into its objects and lists and out of them, and finds its last member. */
static void follow(writer *w, const char *line, member *last) {
  last->value = line + strspn(line, " ");
  print_path(w, last->path);
  for (const char *at = line; *at;) {
    if (*at == '"') {
      const size_t length = strcspn(at + 1, "\"");
      if (at[length + 2] == ':') {
        snprintf(w->keys[w->depth], KEY, "%.*s", (int)length, at + 1);
        last->value = at + length + 4;
        print_path(w, last->path);
      }
      at += length + 2;
      continue;
    }
    if ((*at == '{' || *at == '[') && w->depth + 1 < DEPTH) w->keys[++w->depth][0] = 0;
    if ((*at == '}' || *at == ']') && w->depth > 0) w->depth--;
    at++;
  }
}

static bool opens_or_closes(const char *line) {
  const size_t length = strlen(line);
  return !length || strchr("{[", line[length - 1]) || strchr("}]", line[strspn(line, " ")]);
}

/* A line of members, with the comment that it has, or else the one of the lists. */
static void add_members(writer *w, char *line) {
  char note[NOTE];
  member last;
  const size_t indent = strspn(line, " ");

  /* The comment is taken off while the members of the line are followed. */
  const bool explained = w->explained == indent;
  char *comment = strstr(line, "  // ");
  w->explained = 0;
  if (comment) *comment = 0;
  follow(w, line, &last);
  if (comment) *comment = ' ';

  /* A line that is explained already stays as it is. */
  if (comment || explained || opens_or_closes(line)) {
    omr_text_print(w->text, "%s\n", line);
    return;
  }

  /* Every other line gets its note from the lists, above it where there is no room behind it. */
  if (!note_of(w, line, &last, note))
    snprintf(w->lost, sizeof w->lost, "%s: %.100s", last.path, last.value);
  const size_t length = strlen(line), end = length - (line[length - 1] == ',');
  if (*note && end > COLUMN) add_note_above(w->text, indent, note);
  omr_text_print(w->text, "%s", line);
  if (*note && end <= COLUMN)
    add_note(w->text, length, note);
  else
    omr_text_print(w->text, "\n");
}

/* The value of a machine's member: to the end of its line, or of the lines that are further in.
 * NULL if there is none. */
static const char *find_value(const char *text, const char *name, size_t *length) {
  char key[2 * KEY];
  snprintf(key, sizeof key, "\n  \"%s\": ", name);
  const char *value = strstr(text, key), *end;
  if (!value) return NULL;
  value += strlen(key);
  end = strchr(value, '\n');
  if (after(end, "\n    ")) {
    do end = strchr(end + 1, '\n');
    while (after(end, "\n    "));
    end += strlen("\n  }");
  }
  *length = (size_t)(end - value) - (end[-1] == ',');
  return value;
}

/* Appends lines, `deeper` blanks further in. */
static void indent_lines(omr_text *text, const char *lines, size_t length, size_t deeper) {
  for (const char *end = lines + length; lines < end;) {
    const size_t next = strcspn(lines, "\n");
    const int size = (int)(next < (size_t)(end - lines) ? next : (size_t)(end - lines));
    omr_text_print(text, "%*s%.*s%s", (int)deeper, "", size, lines, lines + size < end ? "\n" : "");
    lines += size + 1;
  }
}

static void add_lines(writer *w, const char *lines);

/* A line with "$NAME", or a comment with $NAME. */
static void fill_in(writer *w, const char *line, const char *mark) {
  char name[KEY];
  size_t length;
  const bool quoted = mark[-1] == '"';
  const size_t before = (size_t)(mark - line) - quoted, indent = strspn(line, " ");
  snprintf(name, sizeof name, "%.*s", (int)strspn(mark + 1, "abcdefghijklmnopqrstuvwxyz"),
           mark + 1);
  const char *rest = mark + 1 + strlen(name) + quoted;
  const char *value = find_value(w->machine->text, name, &length);
  if (!value) {
    /* models without bodies of their own have no system */
    if (strcmp(name, "system") != 0) snprintf(w->lost, sizeof w->lost, "$%s", name);
    return;
  }

  /* items of a list stand in place of the line, any other value in place of the name */
  omr_text filled = {0};
  if (quoted && before == indent)
    indent_lines(&filled, value + strlen("[\n"), length - strlen("[\n\n  ]"), indent - 4);
  else
    omr_text_print(&filled, "%.*s%.*s", (int)before, line, (int)length - (quoted ? 0 : 2),
                   value + !quoted);
  omr_text_print(&filled, "%s\n", rest);

  /* the machine's own members get comments too */
  if (filled.failed)
    w->text->failed = true;
  else
    add_lines(w, filled.data);
  omr_text_free(&filled);
}

static void add_lines(writer *w, const char *lines) {
  char line[512];
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, lines);
    lines += length + (lines[length] == '\n');

    const char *mark = strchr(line, '$');
    const size_t indent = strspn(line, " ");
    if (mark) {
      fill_in(w, line, mark);
    } else if (after(line + indent, "//")) {
      w->explained = indent;
      omr_text_print(w->text, "%s\n", line);
    } else {
      add_members(w, line);
    }
  }
}

/* guide: comments of the kind, as they stand in its file. */
static void add_top(writer *w, int guide, const omr_starter_step *steps, size_t count) {
  omr_text_print(w->text, "// Starter study \"%s\": %s\n//\n%.*s", w->kind->name, w->kind->question,
                 guide, w->kind->text);
  if (count) omr_text_print(w->text, "//\n// Next:\n");
  for (size_t i = 0; i < count; i++)
    omr_text_print(w->text, "//   %-36s  %s\n", steps[i].command, steps[i].meaning);
  omr_text_print(w->text,
                 "//\n"
                 "// A number is SI (m, kg, s, rad); text carries its unit: \"45 deg\", \"0.2 "
                 "ms\", \"30 cm\". Comments say what a member is,\n"
                 "// in brackets its SI unit (1: a pure number), bounds and default. Members with "
                 "a default may be left out.\n"
                 "// Names of parameters, observables, laws and methods: omniroll describe %s\n"
                 "// All values below are examples, none is measured: put in your own.\n",
                 omr_model_names[w->machine->model]);
}

/* The machine and, for a kind with a question, the question without the answer's explanation. */
static void add_title(writer *w) {
  const char *question = w->kind->question, *mark = strchr(question, '?');
  omr_text_print(w->text, "  \"title\": \"%s%s%.*s\",\n", w->machine->title, mark ? ": " : "",
                 mark ? (int)(mark + 1 - question) : 0, question);
  omr_text_print(w->text, "  \"model\": \"%s\",\n", omr_model_names[w->machine->model]);
}

omr_status omr_starter_write(const omr_starter_kind *kind, const omr_starter_machine *machine,
                             const omr_starter_step *steps, size_t step_count, omr_text *text,
                             omr_error *error) {
  writer w = {.kind = kind, .machine = machine, .text = text, .depth = 1};
  const char *members = strstr(kind->text, "{\n");
  add_top(&w, (int)(members - kind->text), steps, step_count);
  omr_text_print(text, "{\n");
  add_title(&w);
  add_lines(&w, members + strlen("{\n"));
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

  /* The kind has to exist; the name of a model in its place is a common mistake. */
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

  /* Some kinds are about one machine only. */
  const char *own = (*found_kind)->machine;
  if (own && machine && strcmp(own, machine) != 0)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "a starter study of kind %s is about %s; for another, take omniroll new single --model %s",
        kind, own, machine);

  /* The machine is the named one, or the kind's own, or the first. */
  *found_machine = machine_named(machine ? machine : own ? own : omr_starter_machines[0].name);
  if (*found_machine) return OMR_OK;
  for (size_t i = 0; i < omr_starter_machine_count; i++) names[i] = omr_starter_machines[i].name;
  return fail_name("model", machine, names, omr_starter_machine_count, error);
}
