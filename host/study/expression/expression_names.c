/* Numbers with units and names in expressions. */
#include "../../lists/frames.h"
#include "expression_parser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool omr_parse_number(omr_parser *p, size_t digits, omr_part *out) {
  const char *start = p->at, *unit = start + digits + strspn(start + digits, " \t");
  const size_t length = omr_measure_unit_length(unit, p->names);

  /* A number and its unit make one quantity in SI units. */
  double value = 0;
  char *message = NULL;
  if (!omr_measure_quantity(start, digits, unit, length, &value, &out->measure, &message)) {
    if (!message) return omr_parser_fail_memory(p);
    omr_parser_refuse(p, start, "%s", message);
    free(message);
    return false;
  }
  if (!isfinite(value)) return omr_parser_refuse(p, start, "the number is too large");

  /* A unit that is also a name after a division could mean either. */
  int name;
  if (length && omr_measure_is_ambiguous(unit + length, p->names, &name))
    return omr_parser_refuse(
        p, unit + length + 1,
        "\"%.*s\" is a unit, and the name of a number here: write \"%.*s / %.*s\" with spaces to "
        "divide by that number, \"%.*s %.*s-1\" for the unit, or rename it",
        name, unit + length + 1, (int)length, unit, name, unit + length + 1, (int)length, unit,
        name, unit + length + 1);

  /* The quantity becomes a node of the expression. */
  p->at = length ? unit + length : start + digits;
  out->truth = false;
  out->gram = length == 1 && *unit == 'g';
  return omr_parser_append(p, (omr_expression_node){.operation = NUMBER, .number = value}, out);
}

/* NAMES */

/* "path_length, wheel_friction, status": as many as there is room for. */
static void list_names(const omr_names *names, char *list, size_t size) {
  size_t length = 0;
  for (size_t i = 0; i < names->count; i++) {
    const char *name = names->list[i].name;
    if (names->list[i].absent || !name) continue;
    if (length + strlen(name) + 32 > size) {
      length += (size_t)snprintf(list + length, size - length, "..., ");
      break;
    }
    length += (size_t)snprintf(list + length, size - length, "%s, ", name);
  }
  if (!names->of_system) snprintf(list + length, size - length, "status");
  if (names->of_system && length >= 2) list[length - 2] = '\0';
}

static bool has_name(const omr_names *names, const char *name) {
  const omr_name *found = omr_names_find(names, name);
  return found && !found->absent;
}

/* A column of the study or result, and the observable that another frame calls so. */
static const char *named_here(const omr_names *names, const char *name, bool *negated) {
  for (int i = 0; i < OMR_OBS_COUNT * OMR_FRAMES * OMR_FRAMES; i++) {
    const omr_frame_kind frame = (omr_frame_kind)(i % OMR_FRAMES),
                         other = (omr_frame_kind)(i / OMR_FRAMES % OMR_FRAMES);
    const int observable = i / (OMR_FRAMES * OMR_FRAMES);
    const char *here = omr_framed_observable(frame, observable).name;
    if (frame == other || strcmp(omr_framed_observable(other, observable).name, name) != 0 ||
        !has_name(names, here))
      continue;
    *negated =
        (omr_observable_turn(frame, observable).how ^ omr_observable_turn(other, observable).how) &
        OMR_TURN_NEGATED;
    return here;
  }
  return NULL;
}

static bool fail_unknown(omr_parser *p, const char *start, const char *name, const char *column) {
  /* The name may belong to another frame. */
  bool negated;
  const char *near = omr_names_nearest(p->names, column),
             *here = named_here(p->names, column, &negated);
  if (here)
    return omr_parser_refuse(p, start, "\"%s\" is a name of another frame: write \"%s\"%s", name,
                             here, negated ? ", with the other sign" : "");

  /* The message lists the names that are known. */
  char known[700] = "";
  list_names(p->names, known, sizeof known);
  if (near)
    return omr_parser_refuse(p, start,
                             "unknown name \"%.200s\" - did you mean \"%s\"? (there is: %s)", name,
                             near, known);
  if (p->names->of_system)
    return omr_parser_refuse(
        p, start,
        "unknown name \"%.200s\": an expression here may use parameters (%s), t, and numbers of "
        "bodies and joints such as \"BODY.wx\" (`omniroll describe multibody` lists them)",
        name, *known ? known : "none");
  return omr_parser_refuse(
      p, start,
      "unknown name \"%.200s\": there are the observables of the study, the parameters that it "
      "varies, `status`, and the criteria before this one: %s",
      name, known);
}

/* The nodes of a criterion defined before, with their places moved. */
static bool copy_criterion(omr_parser *p, const omr_expression *criterion, omr_part *out) {
  const size_t offset = p->expression->count;
  for (size_t i = 0; i < criterion->count; i++) {
    omr_expression_node node = criterion->nodes[i];
    node.left += offset;
    node.right += offset;
    if (!omr_parser_append(p, node, out)) return false;
  }
  p->expression->status = p->expression->status || criterion->status;
  out->truth = criterion->truth;
  return true;
}

/* status == ok, status != ok. */
static bool parse_status(omr_parser *p, omr_part *out) {
  char word[64];

  /* Only == and != compare the status. */
  const bool equal = omr_parser_take(p, "=="), other = !equal && omr_parser_take(p, "!=");
  if (!equal && !other)
    return omr_parser_refuse(
        p, p->at, "the status is compared with a word: status == ok, status != wheel_lifted");

  /* The word after it has to be a status. */
  omr_parser_skip(p);
  const char *start = p->at;
  const size_t length = omr_identifier_length(start);
  snprintf(word, sizeof word, "%.*s", (int)length, start);
  const int code = omr_expression_status_code(word);

  /* An unknown word gets the nearest status, or the list of them. */
  if (code < 0) {
#define X(id, code, name, ...) name,
    static const char *const words[] = {
#include "../../lists/statuses.def"
    };
#undef X
#define X(id, code, name, ...) " " name
    static const char list[] =
#include "../../lists/statuses.def"
        ;
#undef X
    const char *near = length ? omr_nearest(word, words, sizeof words / sizeof *words) : NULL;
    if (near)
      return omr_parser_refuse(p, start, "there is no status \"%.200s\" - did you mean \"%s\"?",
                               word, near);
    return omr_parser_refuse(p, start, "a status is one of:%s", list);
  }

  /* The comparison becomes a node of the expression. */
  p->at += length;
  p->expression->status = true;
  out->truth = true;
  return omr_parser_append(p,
                           (omr_expression_node){.operation = equal ? STATUS_IS : STATUS_IS_NOT,
                                                 .number = (double)code,
                                                 .column = p->names->columns},
                           out);
}

bool omr_parse_name(omr_parser *p, size_t length, omr_part *out) {
  const char *start = p->at;
  char path[160], column[160], *message = NULL;

  /* The name is copied out of the text. */
  if (length >= sizeof path) return omr_parser_refuse(p, start, "the name is too long");
  snprintf(path, sizeof path, "%.*s", (int)length, start);
  p->at += length;

  /* status and pi are words of the language. */
  if (strcmp(path, "status") == 0 && !p->names->of_system) return parse_status(p, out);
  if (strcmp(path, "pi") == 0 && !omr_names_find(p->names, path)) {
    out->measure = (omr_measure){.bare = true};
    return omr_parser_append(p, (omr_expression_node){.operation = NUMBER, .number = M_PI}, out);
  }

  /* Every other name belongs to a column. */
  omr_names_column(path, length, column, sizeof column);
  const omr_name *name = omr_names_find(p->names, column);

  /* A name without a column gets the remedy that fits it best. */
  if (!name && strcmp(path, "and") == 0) return omr_parser_refuse(p, start, "write && for \"and\"");
  if (!name && strcmp(path, "or") == 0) return omr_parser_refuse(p, start, "write || for \"or\"");
  if (!name && strcmp(path, "not") == 0) return omr_parser_refuse(p, start, "write ! for \"not\"");
  if (!name && !p->names->of_system && omr_expression_status_code(path) >= 0)
    return omr_parser_refuse(p, start, "\"%s\" is a status: write status == %s", path, path);
  if (!name) return fail_unknown(p, start, path, column);
  if (name->absent) return omr_parser_refuse(p, start, "\"%s\" %s", path, name->absent);

  /* A criterion is copied in; a column brings its unit. */
  if (name->criterion) return copy_criterion(p, name->criterion, out);
  if (!omr_measure_of_unit(name->unit, &out->measure, &message)) {
    free(message);
    return omr_parser_refuse(p, start, "the unit \"%s\" of \"%s\" is not readable", name->unit,
                             path);
  }
  return omr_parser_append(p, (omr_expression_node){.operation = COLUMN, .column = name->column},
                           out);
}
