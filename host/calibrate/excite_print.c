/* The report of a search for a manoeuvre: the table, JSON, and the command as CSV. */
#include "excite.h"
#include "identify.h"

#include "../study/json/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void excite_list(const omr_excite *e, excite_shown shown[EXCITE_SHOWN]) {
  const excite_shown list[EXCITE_SHOWN] = {{"best", "best", &e->tried[e->best]},
                                           {"median try", "median", &e->tried[e->median]},
                                           {"worst try", "worst", &e->tried[e->worst]},
                                           {"straight ahead", "straight_ahead", &e->ahead}};
  memcpy(shown, list, sizeof list);
}

/* ---- names */

static const char *path_of(const void *who, size_t dimension) {
  const omr_excite *e = who;
  for (size_t v = 0; v < e->study->variation_count; v++)
    if (e->study->variations[v].dimension == (int)dimension) return e->study->variations[v].path;
  return "";
}

static char *unknown_told(const omr_excite *e, size_t k) {
  const size_t d = e->layout.drawn;
  return omr_direction_told(e->singular + d + k * d, d, path_of, e);
}

/* The last part of a parameter's name in the study's frame, the name of a command's column. */
static const char *column_of(const omr_excite *e, int index) {
  return strrchr(omr_vehicle_path(e->study->frame, index), '.') + 1;
}

static char *manoeuvre_told(const omr_excite *e, const omr_excite_try *t) {
  return omr_manoeuvre_told(&t->manoeuvre, &e->limits, column_of(e, OMR_VP_COMMAND_VZ));
}

/* ---- the table */

static void print_tried(const omr_excite *e, FILE *out) {
  excite_shown shown[EXCITE_SHOWN];
  excite_list(e, shown);
  fprintf(out, "\n  %-16s %10s %8s  %s\n", "manoeuvre", "log det", "failed", "what it is");
  for (size_t i = 0; i < EXCITE_SHOWN; i++) {
    char *told = manoeuvre_told(e, shown[i].it);
    fprintf(out, "  %-16s %10.4g %8zu  %s\n", shown[i].name, shown[i].it->criterion,
            shown[i].it->failed, told ? told : "");
    free(told);
  }
}

static void print_left(const omr_excite *e, FILE *out) {
  excite_shown shown[EXCITE_SHOWN];
  excite_list(e, shown);
  fprintf(out, "\n  %-28s", "left of the prior's deviation");
  for (size_t i = 0; i < EXCITE_SHOWN; i++) fprintf(out, " %14s", shown[i].name);
  fputc('\n', out);
  for (size_t k = 0; k < e->layout.drawn; k++) {
    fprintf(out, "  %-29s", path_of(e, k));
    for (size_t i = 0; i < EXCITE_SHOWN; i++)
      fprintf(out, " %12.1f %%", 100 * sqrt(shown[i].it->left[k]));
    fputc('\n', out);
  }
}

static void print_unknown(const omr_excite *e, FILE *out) {
  size_t unknown = 0;
  while (unknown < e->layout.drawn && e->singular[unknown] < 1) unknown++;
  if (unknown == 0) {
    fprintf(out, "\n  the best manoeuvre tells more of every combination than was known before\n");
    return;
  }
  fprintf(out,
          "\n  of these combinations even the best tells less than was known before (%zu of %zu; "
          "share of the deviation left):\n",
          unknown, e->layout.drawn);
  for (size_t k = 0; k < unknown; k++) {
    const double s = e->singular[k];
    char *told = unknown_told(e, k);
    fprintf(out, "    %3.0f %%  %s\n", 100 / sqrt(1 + s * s), told ? told : "");
    free(told);
  }
}

void omr_excite_print(const omr_excite *e, FILE *out) {
  const omr_excite_settings *settings = &e->study->excite;
  char *told = manoeuvre_told(e, &e->tried[e->best]);
  fprintf(out,
          "manoeuvres for %s: %zu unknowns, %zu tries of %.9g s, %zu refined, %zu draws of the "
          "prior\n",
          e->study->name, e->layout.drawn, settings->tries, e->limits.duration,
          e->count - settings->tries, settings->draws);
  fprintf(out, "drive: %s\n", told ? told : "");
  free(told);
  print_tried(e, out);
  print_left(e, out);
  print_unknown(e, out);
}

/* ---- JSON */

static cJSON *try_json(const omr_excite *e, const omr_excite_try *t) {
  char *told = manoeuvre_told(e, t);
  cJSON *one = cJSON_CreateObject(), *left = cJSON_CreateArray();
  omr_tree_text(one, "family", omr_manoeuvre_words[t->manoeuvre.family]);
  omr_tree_text(one, "manoeuvre", told ? told : "");
  omr_tree_number(one, "log_det", t->criterion);
  omr_tree_number(one, "failed", (double)t->failed);
  for (size_t k = 0; k < e->layout.drawn; k++) {
    cJSON *parameter = cJSON_CreateObject();
    omr_tree_text(parameter, "path", path_of(e, k));
    omr_tree_number(parameter, "left_of_prior", sqrt(t->left[k]));
    omr_tree_append(left, parameter);
  }
  omr_tree_add(one, "parameters", left);
  free(told);
  return one;
}

static cJSON *unknown_json(const omr_excite *e) {
  const size_t d = e->layout.drawn;
  cJSON *list = cJSON_CreateArray();
  for (size_t k = 0; k < d; k++) {
    const double s = e->singular[k];
    char *told = unknown_told(e, k);
    cJSON *one = cJSON_CreateObject();
    omr_tree_number(one, "singular_value", s);
    omr_tree_number(one, "left_of_prior", 1 / sqrt(1 + s * s));
    omr_tree_text(one, "combination", told ? told : "");
    omr_tree_append(list, one);
    free(told);
  }
  return list;
}

/* The best command's table; the caller frees it. NULL: out of memory. */
static double *table_of(const omr_excite *e) {
  double *table = calloc(omr_manoeuvre_rows(&e->limits) * OMR_MANOEUVRE_COLUMNS, sizeof *table);
  if (table) omr_manoeuvre_lay(&e->tried[e->best].manoeuvre, &e->limits, table);
  return table;
}

static cJSON *command_json(const double *table, size_t rows) {
  cJSON *command = cJSON_CreateObject(), *list = cJSON_CreateArray();
  omr_tree_text(command, "type", "table");
  for (size_t k = 0; k < rows; k++)
    omr_tree_append(
        list, cJSON_CreateDoubleArray(table + k * OMR_MANOEUVRE_COLUMNS, OMR_MANOEUVRE_COLUMNS));
  omr_tree_add(command, "table", list);
  return command;
}

omr_status omr_excite_json(const omr_excite *e, char **json, omr_error *error) {
  excite_shown shown[EXCITE_SHOWN];
  double *table = table_of(e);
  if (!table) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  cJSON *root = cJSON_CreateObject();
  excite_list(e, shown);
  omr_tree_text(root, "study", e->study->name);
  omr_tree_number(root, "duration", e->limits.duration);
  omr_tree_number(root, "tries", (double)e->study->excite.tries);
  omr_tree_number(root, "draws", (double)e->study->excite.draws);
  for (size_t i = 0; i < EXCITE_SHOWN; i++)
    omr_tree_add(root, shown[i].key, try_json(e, shown[i].it));
  omr_tree_add(root, "directions", unknown_json(e));
  omr_tree_add(root, "command", command_json(table, omr_manoeuvre_rows(&e->limits)));
  free(table);
  return omr_json_give(root, json, error);
}

/* ---- CSV */

omr_status omr_excite_write(const omr_excite *e, const char *path, omr_error *error) {
  double *table = table_of(e);
  if (!table) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  FILE *file = fopen(path, "w");
  if (!file) {
    free(table);
    return omr_fail(error, OMR_ERR_IO, "%s cannot be written: %s", path, strerror(errno));
  }
  fprintf(file, "time [s],%s [m/s],%s [m/s],%s [rad/s]\n", column_of(e, OMR_VP_COMMAND_VX),
          column_of(e, OMR_VP_COMMAND_VZ), column_of(e, OMR_VP_COMMAND_YAW_RATE));
  for (size_t k = 0; k < omr_manoeuvre_rows(&e->limits); k++) {
    const double *row = table + k * OMR_MANOEUVRE_COLUMNS;
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", row[0], row[1], row[2], row[3]);
  }
  free(table);
  const bool written = !ferror(file);
  if (fclose(file) == 0 && written) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO, "%s cannot be written: %s", path, strerror(errno));
}
