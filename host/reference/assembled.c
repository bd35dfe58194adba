/* Checks if the values of a study's instances make systems, for models that the reference assembles
 * from the study's own lists; omr_study_check looks at the others (engine/check.c). */
#include "reference.h"

#include "study/system/graph.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 32 };

/* In a build without the reference: checks only if the numbers are right. */
static bool has_numbers(const omr_study *study, const omr_values *values, omr_reason *why) {
  const omr_graph *graph = study->graph;
  double *value = calloc((size_t)graph->slots + 1, sizeof *value);
  *why = (omr_reason){"out of memory"};
  for (int p = 0; value && p < graph->parameters; p++)
    value[p] = values->vehicle[OMR_VP_GRAPH_0 + p];
  if (value) omr_graph_evaluate(graph, value);
  const bool good = value && omr_graph_judge(graph, value, why->text, sizeof why->text);
  free(value);
  return good;
}

/* True if instance k can be assembled; the caller owns its notes, or the reason for a refusal. */
static bool assembles(const omr_study *study, const omr_reference_model *model, size_t k,
                      omr_text *notes, omr_reason *why) {
  omr_reference r = {0};
  omr_values values;
  omr_study_values(study, k, &values, NULL);
  if (!model) return has_numbers(study, &values, why);
  const bool good = model->assemble(study, &values, &r, why);
  *notes = r.notes;
  r.notes = (omr_text){0};
  omr_reference_close(&r);
  return good;
}

/* Notes are indented below a summary; here they become rows among others. */
static void add_rows(omr_text *text, const char *notes) {
  while (*notes) {
    const size_t length = strcspn(notes, "\n"), indent = strspn(notes, " ");
    omr_text_print(text, "%.*s\n", (int)(length - indent), notes + indent);
    notes += length + (notes[length] == '\n');
  }
}

/* Spreads instances evenly from the first to the last. */
static size_t place_of(const omr_study *study, size_t j, size_t looked) {
  return looked > 1 ? (size_t)((double)j * (double)(study->instances - 1) / (double)(looked - 1))
                    : 0;
}

static omr_status look(const omr_study *study, const omr_reference_model *model, omr_text *text,
                       omr_error *error) {
  const size_t looked = study->instances < LOOKED_AT ? study->instances : LOOKED_AT;
  size_t invalid = 0, first = 0;
  omr_reason why = {""}, reason = {""};

  /* assemble the chosen instances; keep the first notes and the first reason */
  for (size_t j = 0; j < looked; j++) {
    const size_t k = place_of(study, j, looked);
    omr_text notes = {0};
    const bool good = assembles(study, model, k, &notes, &reason);
    if (good && text->length == 0 && notes.data) add_rows(text, notes.data);
    omr_text_free(&notes);

    if (good || invalid++ > 0) continue;
    first = k;
    why = reason;
  }

  /* a study without any system cannot run; otherwise name the first instance that makes none */
  if (invalid == looked)
    return omr_fail(error, OMR_ERR_STUDY, "%s: instance %zu: %s", study->name, first, why.text);
  if (invalid)
    omr_text_print(text,
                   "invalid    %zu of %zu instances looked at make no system and will not run; "
                   "instance %zu: %s\n",
                   invalid, looked, first, why.text);
  return text->failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
}

omr_status omr_study_assembly(const omr_study *study, char **lines, omr_error *error) {
  const omr_reference_model *model = omr_reference_model_of(study->model);
  omr_text text = {0};
  *lines = NULL;
  if (!omr_model_is_own(study->model)) return OMR_OK;
  if (!model)
    omr_text_print(&text, "assembly   numbers alone are looked at: this build has no reference, "
                          "which needs SUNDIALS and LAPACKE\n");
  const omr_status status = look(study, model, &text, error);
  if (status == OMR_OK)
    *lines = text.data;
  else
    omr_text_free(&text);
  return status;
}
