/* Backends integrate batches of instances. The engine knows no device, a backend knows no study.
 *
 * Life of a batch: load -> advance* (-> sample*) -> fetch. Results depend on the instances only,
 * never on how they are batched, padded or sliced. */
#ifndef OMR_BACKEND_H
#define OMR_BACKEND_H

#include "../model/batch.h"

struct omr_run_record; /* result/result.h */
typedef struct omr_backend omr_backend;

/* How long a backend waits for its device, and whether the caller still wants the result. The
 * engine owns it. */
typedef struct omr_watch {
  double seconds;            /* a call that takes longer counts as hanging */
  double expected;           /* expected duration of the launch */
  bool (*go_on)(void *user); /* false: stop; called while a call is overdue */
  void (*waits)(void *user); /* called now and then while a call lasts; NULL: not */
  void *user;
  bool abandoned; /* set by the backend: a call did not return and may still write to the batch,
                     which nobody may free any more */
} omr_watch;

/* Columns of a batch, by their numbers. */
typedef struct omr_columns {
  const int *params, *states;
  size_t param_count, state_count;
} omr_columns;

typedef struct omr_backend_ops {
  const char *name;
  bool blocked; /* batches are (model/batch.h) */
  /* Chooses device or instruction set and builds; fills record's backend, device, precision, lanes,
   * threads, build_seconds. */
  omr_status (*open)(const omr_engine_options *options, const omr_run_settings *settings,
                     struct omr_run_record *record, FILE *log, omr_backend **backend,
                     omr_error *error);
  /* Largest number of instances that one batch can hold on this device. */
  size_t (*capacity)(const omr_backend *backend);
  omr_status (*load)(omr_backend *backend, const omr_batch *batch, omr_error *error);
  /* Integrates every running instance up to `until` on its clock. With fixed steps `until` is a
   * whole number of steps (an instance with substeps takes several for each); with controlled steps
   * it is a time that no pass crosses, and an instance stops before the pass that would. Returns
   * when done. */
  omr_status (*advance)(omr_backend *backend, double until, omr_error *error);
  /* Sample columns of the state at `at` on the clock, up to which everything has been advanced:
   * [sample_columns * stride], order of samples/vehicle.def, then per wheel that of
   * samples/wheel.def. Controlled steps go on to this instant in a copy of the state, so that
   * samples change no step of the motion. */
  omr_status (*sample)(omr_backend *backend, double at, double *samples, omr_error *error);
  /* Copies the present state into batch->state and batch->spins. */
  omr_status (*fetch)(omr_backend *backend, omr_batch *batch, omr_error *error);
  /* Copy columns of the loaded batch between two launches: `put` from the batch's arrays to the
   * device, `get` those of the state back. */
  omr_status (*put)(omr_backend *backend, const omr_batch *batch, const omr_columns *columns,
                    omr_error *error);
  omr_status (*get)(omr_backend *backend, omr_batch *batch, const omr_columns *columns,
                    omr_error *error);
  /* Takes slots[count] of the fetched batch, which were prepared anew; NULL: load does. */
  omr_status (*renew)(omr_backend *backend, const omr_batch *batch, const size_t *slots,
                      size_t count, omr_error *error);
  void (*close)(omr_backend *backend); /* NULL-safe */
  /* The backend obeys the watch from now on; the watch must outlive it. NULL: the backend never
   * waits. */
  void (*watch)(omr_backend *backend, omr_watch *watch);
  /* Before a launch: the seconds that the run still needs at its present speed. A backend that
   * prepares for longer work may call the watch to see whether it should keep waiting. NULL: it
   * does not matter. */
  void (*expect)(omr_backend *backend, double seconds, omr_watch *watch);
  /* Whether the results before an OMR_ERR_SELFTEST are wrong while later ones are right. NULL:
   * never. */
  bool (*doubted)(const omr_backend *backend);
  /* Compiles the kernels that a run would compile and describes them; the watch may end it. NULL:
   * opening has compiled them. */
  omr_status (*warm)(omr_backend *backend, omr_watch *watch, char told[256], omr_error *error);
} omr_backend_ops;

extern const omr_backend_ops omr_openmp_backend; /* lanes; also the scalar yardstick
                                                    (options->backend == OMR_BACKEND_SCALAR) */
extern const omr_backend_ops
    omr_opencl_backend; /* reports OMR_ERR_DEVICE where built without OpenCL or without devices */

/* Largest difference to known answers that passes, relative to values of order one: single
 * precision carries 6e-8 through 10 000 steps of a stiff law. */
static inline double omr_selftest_tolerance(bool single) {
  return single ? 1e-4 : 1e-9;
}

/* Whether `auto` finds a GPU that runs this precision. */
bool omr_opencl_has_gpu(omr_precision precision);

/* Number of the one OpenCL device that `wanted` names: "platform:device", or part of a name of
 * device or platform (opencl_devices.c). OMR_ERR_DEVICE with the list where it is none or more than
 * one. */
omr_status omr_opencl_number(const char *wanted, char number[16], omr_error *error);

/* The devices that engine.devices names, for omr_engine_options.device of each: "all", those that
 * are as good as the best one for the precision, or a list of names. */
enum { OMR_MOST_DEVICES = 64 };
typedef struct omr_device_numbers {
  size_t count;
  char number[OMR_MOST_DEVICES][16];
} omr_device_numbers;
omr_status omr_opencl_numbers(const char *wanted, omr_precision precision,
                              omr_device_numbers *numbers, omr_error *error);

/* The device "platform:device" computes the cases that are hard to round (probe_cases.h). */
struct omr_probe;
omr_status omr_opencl_probe(const char *number, bool single, struct omr_probe *probe,
                            omr_error *error);

/* Whether the openmp backend can run with this instruction set here. */
bool omr_openmp_runs(const char *isa);
/* The same for scalar, which a build for several sets has only for the last of them. */
bool omr_scalar_runs(const char *isa);
/* The i-th instruction set of openmp by name, NULL past the last. */
const char *omr_openmp_isa(size_t i);

/* Prints one line per device, for `omniroll devices`. */
void omr_openmp_print_devices(FILE *out);
void omr_opencl_print_devices(FILE *out);
/* Appends the same as objects to a JSON array; `why` gets the reason where OpenCL has no device. */
struct cJSON;
void omr_openmp_list_devices(struct cJSON *devices);
void omr_opencl_list_devices(struct cJSON *devices, omr_error *why);
#endif
