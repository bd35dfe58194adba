/* multibody on the reference: the system that the study lists. */
#include "joints.h"
#include "reference.h"

#include "study/graph.h"
#include <string.h>

/* A free body that falls from the height 0, thrown up at the study's first parameter. */
static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     char *reason, size_t size) {
  static const double upright[4] = {1, 0, 0, 0};
  r->mb = omr_mb_create(omr_vec_of(0, -9.81, 0));
  r->self = study->graph;
  if (!r->mb) {
    snprintf(reason, size, "out of memory");
    return false;
  }
  const int body = omr_mb_add_body(r->mb, "body", 1, omr_vec_of(1, 1, 1));
  omr_mb_place(r->mb, body, omr_vec_of(0, 0, 0), upright,
               omr_vec_of(0, values->vehicle[OMR_VP_GRAPH_0], 0), omr_vec_of(0, 0, 0));
  omr_error error = {.message = ""};
  if (omr_mb_complete(r->mb, &error) == OMR_OK) return true;
  snprintf(reason, size, "%s", error.message);
  return false;
}

static void release(omr_reference *r) {
  (void)r;
}

static void sample(const omr_reference *r, double *out) {
  const omr_graph *graph = r->self;
  for (int j = 0; j < graph->samples; j++) out[j] = omr_mb_frame(r->mb, 1)->r.y;
}

static void reduce(const omr_reference *r, double *o) {
  const omr_graph *graph = r->self;
  for (int j = 0; j < graph->measures; j++) o[OMR_OBS_GRAPH_0 + j] = omr_mb_frame(r->mb, 1)->r.y;
}

const omr_reference_model omr_reference_multibody = {
    .model = OMR_MODEL_MULTIBODY,
    .assemble = assemble,
    .release = release,
    .sample = sample,
    .reduce = reduce,
};
