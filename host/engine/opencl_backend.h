/* The OpenCL backend's own state, and its transfers (opencl_transfer.c). Private to host/engine. */
#ifndef OMR_OPENCL_BACKEND_H
#define OMR_OPENCL_BACKEND_H

#include "opencl_wait.h"

#include "../result/result.h"

enum { OMR_CL_STAGING = 524288 }; /* values converted between double and float at a time */

typedef struct cl_backend {
  omr_cl_device device;
  omr_run_record *record;
  bool single, from_cache;
  omr_numerics numerics;
  int lanes;
  int max_registers; /* as requested; 0: chosen */
  size_t group;      /* packs of a work-group */
  size_t value;      /* bytes of a value */
  int param_columns, state_columns, spin_columns, sample_columns;
  bool controlled;
  double step, end; /* unit of the clock, and end of the motion */
  size_t capacity;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel advance, sample;
  cl_mem params, state, spins, tables, samples;
  cl_mem state_copy, spins_copy; /* with controlled steps: the copy that is sampled */
  size_t held;                   /* instances that the buffers have room for */
  size_t held_samples;
  size_t stride; /* of the batch loaded */
  float *staging;
  omr_cl_worker *worker;
  omr_watch own, *watch; /* own: used until another is set */
  FILE *log;             /* of opening */
  double opened, told;   /* when the compiler began, and the wait that was last told, s */
  cl_event launched;     /* event of the present launch */
  bool broken;           /* after an error the device is not used again */
} cl_backend;

/* OMR_ERR_DEVICE for a call that failed; the device is not used again. */
omr_status omr_cl_failed(cl_backend *b, const char *call, cl_int code, omr_error *error);
/* OMR_ERR_DEVICE after an earlier failure. */
omr_status omr_cl_usable(const cl_backend *b, omr_error *error);
/* The same, and OMR_ERR_INTERNAL where no batch is loaded. */
omr_status omr_cl_loaded(const cl_backend *b, omr_error *error);
/* The worker makes the call, of a name for messages, with size bytes of user. A call that does not
 * return leaves a thread in the driver, so nothing of this backend may be released or freed
 * afterwards. */
omr_status omr_cl_await(cl_backend *b, const char *name, omr_cl_call *call, const void *user,
                        size_t size, omr_error *error);
/* Copy `count` values to and from a buffer, from its value `first` on. */
omr_status omr_cl_write(cl_backend *b, cl_mem buffer, size_t first, const double *from,
                        size_t count, omr_error *error);
omr_status omr_cl_read(cl_backend *b, cl_mem buffer, size_t first, double *to, size_t count,
                       omr_error *error);
/* The operations `put` and `get` of the backend. */
omr_status omr_cl_put(omr_backend *backend, const omr_batch *batch, const omr_columns *columns,
                      omr_error *error);
omr_status omr_cl_get(omr_backend *backend, omr_batch *batch, const omr_columns *columns,
                      omr_error *error);

#endif
