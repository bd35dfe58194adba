/* What a model of the reference with data of its own opens and closes. */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

void *omr_reference_open(omr_reference *r, size_t own, omr_vec gravity, char *reason, size_t size) {
  r->self = calloc(1, own);
  r->mb = omr_mb_create(gravity);
  if (r->self && r->mb) return r->self;
  omr_reference_close(r);
  snprintf(reason, size, "out of memory");
  return NULL;
}

void omr_reference_close(omr_reference *r) {
  free(r->self);
  r->self = NULL;
}
