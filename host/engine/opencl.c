/* The OpenCL backend has one context, one queue and one program; a batch lives in buffers of the
 * storage precision. */
#include "opencl_backend.h"

#include "../../kernels/layout.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HANG_SECONDS 60             /* default of engine.hang_seconds */
#define FIRST_TOLD 5                /* s that the compiler takes before it is said */
#define LARGEST_FLOAT_STEP 16777216 /* 2^24: float cannot distinguish k from k + 1 from here on */

/* ---- memory */

static size_t total_columns(const cl_backend *b) {
  const size_t moving = (size_t)b->state_columns + (size_t)b->spin_columns;
  return (size_t)b->param_columns + moving + (size_t)b->sample_columns +
         (b->controlled ? moving : 0);
}

static size_t most_columns(const cl_backend *b) {
  int most = b->param_columns > b->state_columns ? b->param_columns : b->state_columns;
  if (b->spin_columns > most) most = b->spin_columns;
  if (b->sample_columns > most) most = b->sample_columns;
  return most > 0 ? (size_t)most : 1;
}

/* Instances that fit: no buffer exceeds the largest allocation, all buffers take four fifths of the
 * memory at most, and every index fits an int. In unified memory the engine's copies in double
 * count too. */
static size_t fitting_instances(const cl_backend *b, size_t table_count) {
  cl_ulong fixed = (table_count + 1) * b->value;
  cl_ulong room = b->device.memory / 5 * 4;
  cl_ulong each = total_columns(b) * (b->value + (b->device.unified_memory ? sizeof(double) : 0));
  cl_ulong fit = room > fixed ? (room - fixed) / (each ? each : 1) : 0;
  cl_ulong in_one = b->device.largest_allocation / (most_columns(b) * b->value);
  cl_ulong in_int = INT_MAX / most_columns(b);
  if (in_one < fit) fit = in_one;
  if (in_int < fit) fit = in_int;
  return (size_t)(fit / OMR_PAD * OMR_PAD);
}

static void release(cl_mem *buffer) {
  if (*buffer) clReleaseMemObject(*buffer);
  *buffer = NULL;
}

/* A buffer of at least one value: OpenCL has no empty ones. */
static omr_status allocate(cl_backend *b, cl_mem *buffer, size_t bytes, omr_error *error) {
  cl_int code;
  release(buffer);
  *buffer =
      clCreateBuffer(b->context, CL_MEM_READ_WRITE, bytes ? bytes : sizeof(double), NULL, &code);
  return code ? omr_cl_failed(b, "clCreateBuffer", code, error) : OMR_OK;
}

static omr_status reserve(cl_backend *b, size_t stride, omr_error *error) {
  if (stride <= b->held) return OMR_OK;
  b->held = 0;
  omr_status status = allocate(b, &b->params, stride * (size_t)b->param_columns * b->value, error);
  if (!status) status = allocate(b, &b->state, stride * (size_t)b->state_columns * b->value, error);
  if (!status) status = allocate(b, &b->spins, stride * (size_t)b->spin_columns * b->value, error);
  if (!status) b->held = stride;
  return status;
}

static omr_status reserve_samples(cl_backend *b, omr_error *error) {
  if (b->held <= b->held_samples) return OMR_OK;
  b->held_samples = 0;
  omr_status status =
      allocate(b, &b->samples, b->held * (size_t)b->sample_columns * b->value, error);
  if (!status && b->controlled)
    status = allocate(b, &b->state_copy, b->held * (size_t)b->state_columns * b->value, error);
  if (!status && b->controlled)
    status = allocate(b, &b->spins_copy, b->held * (size_t)b->spin_columns * b->value, error);
  if (!status) b->held_samples = b->held;
  return status;
}

/* ---- kernels */

typedef union sreal_arg {
  double d;
  float f;
} sreal_arg;

static cl_int set_sreal(const cl_backend *b, cl_kernel kernel, cl_uint index, double value) {
  sreal_arg arg;
  if (b->single)
    arg.f = (float)value;
  else
    arg.d = value;
  return clSetKernelArg(kernel, index, b->value, &arg);
}

/* Device time of a finished command, or the host's `elapsed` where the driver does not report it.
 */
static double event_seconds(cl_event event, double elapsed) {
  cl_ulong start, end;
  if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) ||
      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) ||
      end < start) {
    return elapsed;
  }
  return 1e-9 * (double)(end - start);
}

typedef struct cl_launch {
  cl_backend *b;
  cl_kernel kernel;
  size_t global, group;
} cl_launch;

/* Waits for the end: faults show only there. */
static cl_int run_kernel(void *user) {
  const cl_launch *l = user;
  cl_int result = CL_SUCCESS;
  cl_int code = clEnqueueNDRangeKernel(l->b->queue, l->kernel, 1, NULL, &l->global, &l->group, 0,
                                       NULL, &l->b->launched);
  if (!code) code = clFinish(l->b->queue);
  if (!code &&
      !clGetEventInfo(l->b->launched, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof result, &result,
                      NULL) &&
      result < 0)
    code = result;
  return code;
}

/* Runs one kernel to its end. */
static omr_status launch(cl_backend *b, cl_kernel kernel, const char *name, size_t packs,
                         double *seconds, omr_error *error) {
  char call[64];
  const cl_launch l = {b, kernel, (packs + b->group - 1) / b->group * b->group, b->group};
  const double start = omr_seconds();
  snprintf(call, sizeof call, "clEnqueueNDRangeKernel(%s)", name);
  b->launched = NULL;
  const omr_status status = omr_cl_await(b, call, run_kernel, &l, sizeof l, error);
  if (b->own.abandoned) return status;
  if (!status && seconds) *seconds += event_seconds(b->launched, omr_seconds() - start);
  if (b->launched) clReleaseEvent(b->launched);
  return status;
}

/* The state that a launch advances: the batch's own or a copy; end: end of its motion, with
 * controlled steps. */
typedef struct cl_moving {
  cl_mem state, spins;
  double end;
} cl_moving;

static cl_moving own_state(const cl_backend *b) {
  return (cl_moving){b->state, b->spins, b->end};
}

static omr_status run_advance(cl_backend *b, cl_moving moving, double until, size_t stride,
                              size_t packs, double *seconds, omr_error *error) {
  cl_int columns = (cl_int)stride, count = (cl_int)packs;
  cl_kernel k = b->advance;
  cl_int code = clSetKernelArg(k, 0, sizeof b->params, &b->params);
  if (!code) code = clSetKernelArg(k, 1, sizeof moving.state, &moving.state);
  if (!code) code = clSetKernelArg(k, 2, sizeof moving.spins, &moving.spins);
  if (!code) code = clSetKernelArg(k, 3, sizeof b->tables, &b->tables);
  if (!code) code = set_sreal(b, k, 4, b->controlled ? moving.end : b->step);
  if (!code) code = set_sreal(b, k, 5, until);
  if (!code) code = clSetKernelArg(k, 6, sizeof columns, &columns);
  if (!code) code = clSetKernelArg(k, 7, sizeof count, &count);
  if (code) return omr_cl_failed(b, "clSetKernelArg(omr_advance)", code, error);
  return launch(b, k, "omr_advance", packs ? packs : 1, seconds, error);
}

static omr_status run_sample(cl_backend *b, size_t stride, size_t packs, double *seconds,
                             omr_error *error) {
  cl_int columns = (cl_int)stride, count = (cl_int)packs;
  cl_kernel k = b->sample;
  cl_mem state = b->controlled ? b->state_copy : b->state;
  cl_int code = clSetKernelArg(k, 0, sizeof b->params, &b->params);
  if (!code) code = clSetKernelArg(k, 1, sizeof state, &state);
  if (!code) code = clSetKernelArg(k, 2, sizeof b->tables, &b->tables);
  if (!code) code = set_sreal(b, k, 3, b->step);
  if (!code) code = clSetKernelArg(k, 4, sizeof b->samples, &b->samples);
  if (!code) code = clSetKernelArg(k, 5, sizeof columns, &columns);
  if (!code) code = clSetKernelArg(k, 6, sizeof count, &count);
  if (code) return omr_cl_failed(b, "clSetKernelArg(omr_sample)", code, error);
  return launch(b, k, "omr_sample", packs ? packs : 1, seconds, error);
}

/* Launches that do nothing: drivers that finish compiling at a kernel's first launch (PoCL) then do
 * so during the build, and the stored binary holds the finished code. */
static omr_status warm_up(cl_backend *b, omr_error *error) {
  omr_status status = reserve(b, OMR_PAD, error);
  if (!status) status = reserve_samples(b, error);
  if (!status) status = run_advance(b, own_state(b), 0.0, OMR_PAD, 0, NULL, error);
  return status ? status : run_sample(b, OMR_PAD, 0, NULL, error);
}

/* ---- opening */

static omr_status check_precision(const cl_backend *b, bool emulated, FILE *log, omr_error *error) {
  const omr_cl_device *d = &b->device;
  if (!b->single && !d->has_double) {
    return omr_fail(error, OMR_ERR_DEVICE,
                    "OpenCL device %s has no double precision (cl_khr_fp64): set \"precision\": "
                    "\"single\", or choose another \"device\" or backend openmp",
                    d->name);
  }
  omr_cl_say_rounding(d, b->single, b->numerics, log);
  return b->single ? OMR_OK : omr_cl_check_double(d, emulated, error);
}

static omr_status choose_lanes(cl_backend *b, int wanted, omr_error *error) {
  if (wanted < 0 || wanted > 16 || (wanted & (wanted - 1))) {
    return omr_fail(error, OMR_ERR_DEVICE,
                    "%d lanes: engine \"lanes\" must be 1, 2, 4, 8 or 16 (or left out)", wanted);
  }
  bool cpu = (b->device.type & CL_DEVICE_TYPE_CPU) != 0;
  cl_uint native = b->single ? b->device.width_float : b->device.width_double;
  b->lanes = 1;
  while (cpu && b->lanes < 16 && (cl_uint)b->lanes * 2 <= native) b->lanes *= 2;
  if (wanted) b->lanes = wanted;
  return OMR_OK;
}

static omr_status make_queue(cl_backend *b, omr_error *error) {
  cl_int code;
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                        (cl_context_properties)b->device.platform, 0};
  b->context = clCreateContext(properties, 1, &b->device.id, NULL, NULL, &code);
  if (code) return omr_cl_failed(b, "clCreateContext", code, error);
  b->queue = clCreateCommandQueue(b->context, b->device.id, CL_QUEUE_PROFILING_ENABLE, &code);
  return code ? omr_cl_failed(b, "clCreateCommandQueue", code, error) : OMR_OK;
}

static omr_status make_kernels(cl_backend *b, omr_error *error) {
  cl_int code;
  b->advance = clCreateKernel(b->program, "omr_advance", &code);
  if (code) return omr_cl_failed(b, "clCreateKernel(omr_advance)", code, error);
  b->sample = clCreateKernel(b->program, "omr_sample", &code);
  if (code) return omr_cl_failed(b, "clCreateKernel(omr_sample)", code, error);
  omr_cl_resources(b->program, b->advance, &b->device, b->record);
  return omr_cl_check_group(&b->device, (cl_kernel const[2]){b->advance, b->sample}, b->group,
                            error);
}

static omr_status make_tables(cl_backend *b, const omr_run_settings *settings, omr_error *error) {
  omr_status status = allocate(b, &b->tables, settings->table_count * b->value, error);
  if (status) return status;
  return omr_cl_write(b, b->tables, 0, settings->tables, settings->table_count, error);
}

/* After 5 s, 10 s, 20 s and so on. */
static void tell_compiling(void *user) {
  cl_backend *b = user;
  const double so_far = omr_seconds() - b->opened;
  if (!b->log || so_far < (b->told > 0 ? 2 * b->told : FIRST_TOLD)) return;
  b->told = so_far;
  fprintf(b->log, "compiling the kernels for %s: %.0f s so far\n", b->device.name, so_far);
  fflush(b->log);
}

typedef struct cl_building {
  cl_backend *b;
  const char *options;
  omr_status *status;
  omr_error *error;
} cl_building;

static cl_int build(void *user) {
  const cl_building *w = user;
  cl_backend *b = w->b;
  *w->status = omr_cl_build(b->context, &b->device, w->options, b->log, &b->program, &b->from_cache,
                            w->error);
  return CL_SUCCESS;
}

/* In the thread of the calls, so that this one can tell how long it takes; no limit, since large
 * kernels take compilers minutes. */
static omr_status build_and_tell(cl_backend *b, const char *options, omr_error *error) {
  omr_status status = OMR_OK;
  cl_int code;
  const omr_watch watch = {.seconds = HUGE_VAL, .waits = tell_compiling, .user = b};
  const cl_building building = {b, options, &status, error};
  omr_cl_wait(b->worker, build, &building, sizeof building, &watch, &code);
  return status;
}

/* Drivers that finish compiling at the first launch are waited for too, ten times as long as for a
 * launch. */
static omr_status warm_up_and_tell(cl_backend *b, omr_error *error) {
  const double seconds = b->own.seconds;
  b->own.waits = tell_compiling;
  b->own.user = b;
  b->own.seconds = 10 * seconds;
  const omr_status status = warm_up(b, error);
  b->own.waits = NULL;
  b->own.seconds = seconds;
  return status;
}

static omr_status make_program(cl_backend *b, const omr_run_settings *settings, FILE *log,
                               omr_error *error) {
  omr_text options = {0};
  double start = b->opened = omr_seconds();
  b->log = log;
  omr_cl_build_options(&b->device, settings, b->single ? OMR_SINGLE_PRECISION : OMR_DOUBLE,
                       b->numerics, b->lanes, b->group, &options);
  omr_cl_register_options(&b->device, b->max_registers, &options);
  omr_status status = options.failed ? omr_fail(error, OMR_ERR_MEMORY,
                                                "out of memory while the OpenCL kernels are built")
                                     : OMR_OK;
  /* Build, try and store the program. */
  if (!status) status = build_and_tell(b, options.data, error);
  if (!status) status = make_kernels(b, error);
  if (!status) status = warm_up_and_tell(b, error);
  if (!status && !b->from_cache) omr_cl_keep(b->program, &b->device, options.data, log);

  omr_text_free(&options);
  b->record->build_seconds += omr_seconds() - start;
  return status;
}

static void fill_record(const cl_backend *b) {
  omr_run_record *r = b->record;
  const omr_cl_device *d = &b->device;
  snprintf(r->backend, sizeof r->backend, "opencl");
  snprintf(r->device, sizeof r->device, "%s (%.60s, driver %.40s)", d->name, d->platform_name,
           d->driver);
  snprintf(r->precision, sizeof r->precision, "%s", b->single ? "single" : "double");
  snprintf(r->numerics, sizeof r->numerics, "%s", omr_numerics_name(b->numerics));
  const bool correct = b->numerics == OMR_NUMERICS_EXACT && omr_cl_rounds(d, b->single);
  snprintf(r->rounding, sizeof r->rounding, "%s", correct ? "correct" : "device");
  r->lanes = b->lanes;
  r->work_group = (int)b->group;
  r->threads = (int)d->units;
}

static void opencl_close(omr_backend *backend) {
  cl_backend *b = (cl_backend *)backend;
  if (!b || b->own.abandoned) return;
  omr_cl_worker_close(b->worker);
  release(&b->params);
  release(&b->state);
  release(&b->spins);
  release(&b->tables);
  release(&b->samples);
  release(&b->state_copy);
  release(&b->spins_copy);
  if (b->advance) clReleaseKernel(b->advance);
  if (b->sample) clReleaseKernel(b->sample);
  if (b->program) clReleaseProgram(b->program);
  if (b->queue) clReleaseCommandQueue(b->queue);
  if (b->context) clReleaseContext(b->context);
  free(b->staging);
  free(b);
}

/* Without a thread for the calls the host cannot watch the clock while one of them hangs. */
static void watch_calls(cl_backend *b, const omr_engine_options *options, FILE *log) {
  b->own.seconds = options->hang_seconds > 0 ? options->hang_seconds : HANG_SECONDS;
  b->watch = &b->own;
  b->worker = omr_cl_worker_open();
  if (!b->worker && log)
    fprintf(log, "warning: the system gives no thread that waits for the device: if it hangs, this "
                 "process waits with it\n");
}

/* A device by name, by the first of several names, or by the backend's own choice. */
static omr_status choose_device(const omr_engine_options *options, FILE *log, omr_cl_device *device,
                                omr_error *error) {
  omr_device_numbers numbers;
  const char *wanted = options->device;
  if (!wanted && options->devices) {
    const omr_status status =
        omr_opencl_numbers(options->devices, options->precision, &numbers, error);
    if (status != OMR_OK) return status;
    wanted = numbers.number[0];
  }
  return omr_cl_choose(wanted, options->precision, log, device, error);
}

static omr_status opencl_open(const omr_engine_options *options, const omr_run_settings *settings,
                              struct omr_run_record *record, FILE *log, omr_backend **backend,
                              omr_error *error) {
  *backend = NULL;
  cl_backend *b = calloc(1, sizeof *b);
  if (!b) return omr_fail(error, OMR_ERR_MEMORY, "out of memory while OpenCL is opened");

  /* Options and sizes that the kernels need. */
  b->record = record;
  watch_calls(b, options, log);
  b->single = options->precision == OMR_SINGLE_PRECISION;
  b->max_registers = options->max_registers;
  b->numerics = options->numerics;
  b->value = b->single ? sizeof(float) : sizeof(double);
  b->controlled = settings->controlled;
  b->step = settings->step;
  b->end = settings->end;
  b->param_columns = settings->param_columns;
  b->state_columns = settings->state_columns;
  b->spin_columns = settings->spin_columns;
  b->sample_columns = settings->sample_columns;

  /* Device and lanes, with refusals of options that the device lacks. */
  omr_status status = choose_device(options, log, &b->device, error);
  if (!status) status = check_precision(b, options->emulated_double, log, error);
  if (!status) status = choose_lanes(b, options->lanes, error);
  if (!status) status = omr_cl_check_registers(&b->device, options->max_registers, error);
  if (!status) status = omr_cl_check_tables(&b->device, settings->table_count * b->value, error);
  if (!status) status = omr_cl_choose_group(&b->device, options->work_group, &b->group, error);
  if (!status && b->single && !(b->staging = malloc(OMR_CL_STAGING * sizeof *b->staging))) {
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory while OpenCL is opened");
  }

  /* Context, tables, kernels. */
  if (!status) status = make_queue(b, error);
  if (!status) status = make_tables(b, settings, error);
  if (!status) status = make_program(b, settings, log, error);
  if (status) {
    opencl_close((omr_backend *)b);
    return status;
  }

  /* Only the finished program shows how many instances fit. */
  b->capacity = fitting_instances(b, settings->table_count);
  fill_record(b);
  *backend = (omr_backend *)b;
  return OMR_OK;
}

/* ---- a batch */

static size_t opencl_capacity(const omr_backend *backend) {
  return ((const cl_backend *)backend)->capacity;
}

static omr_status opencl_load(omr_backend *backend, const omr_batch *batch, omr_error *error) {
  cl_backend *b = (cl_backend *)backend;
  if (!batch->count || batch->count > batch->stride || batch->stride % OMR_PAD ||
      batch->stride > b->capacity) {
    return omr_fail(
        error, OMR_ERR_DEVICE,
        "OpenCL: a batch of %zu instances does not fit %s, which holds %zu: lower engine \"chunk\"",
        batch->count, b->device.name, b->capacity);
  }

  /* The buffers are reserved before all columns are copied to the device. */
  omr_status status = omr_cl_usable(b, error);
  if (!status) status = reserve(b, batch->stride, error);
  if (!status)
    status = omr_cl_write(b, b->params, 0, batch->params, batch->stride * (size_t)b->param_columns,
                          error);
  if (!status)
    status =
        omr_cl_write(b, b->state, 0, batch->state, batch->stride * (size_t)b->state_columns, error);
  if (!status)
    status =
        omr_cl_write(b, b->spins, 0, batch->spins, batch->stride * (size_t)b->spin_columns, error);
  b->stride = status ? 0 : batch->stride;

  return status;
}

static size_t packs_of(const cl_backend *b) {
  return b->stride / (size_t)b->lanes;
}

static omr_status opencl_advance(omr_backend *backend, double until, omr_error *error) {
  cl_backend *b = (cl_backend *)backend;
  omr_status status = omr_cl_loaded(b, error);
  if (status) return status;
  if (b->single && !b->controlled && until > LARGEST_FLOAT_STEP) {
    return omr_fail(
        error, OMR_ERR_DEVICE,
        "single precision counts %d steps at most: use \"precision\": \"double\" or fewer steps",
        LARGEST_FLOAT_STEP);
  }
  return run_advance(b, own_state(b), until, b->stride, packs_of(b), &b->record->kernel_seconds,
                     error);
}

/* Advances a copy of the state to `at`, where its motion ends. */
static omr_status copy_state(cl_backend *b, double at, omr_error *error) {
  const cl_moving copy = {b->state_copy, b->spins_copy, at};
  const size_t states = b->stride * (size_t)b->state_columns * b->value,
               spins = b->stride * (size_t)b->spin_columns * b->value;
  cl_int code = clEnqueueCopyBuffer(b->queue, b->state, copy.state, 0, 0, states, 0, NULL, NULL);
  if (!code) code = clEnqueueCopyBuffer(b->queue, b->spins, copy.spins, 0, 0, spins, 0, NULL, NULL);
  if (code) return omr_cl_failed(b, "clEnqueueCopyBuffer", code, error);
  return run_advance(b, copy, at, b->stride, packs_of(b), &b->record->kernel_seconds, error);
}

static omr_status opencl_sample(omr_backend *backend, double at, double *samples,
                                omr_error *error) {
  cl_backend *b = (cl_backend *)backend;
  omr_status status = omr_cl_loaded(b, error);
  if (!status) status = reserve_samples(b, error);
  if (!status && b->controlled) status = copy_state(b, at, error);
  if (!status) status = run_sample(b, b->stride, packs_of(b), &b->record->kernel_seconds, error);
  return status
             ? status
             : omr_cl_read(b, b->samples, 0, samples, b->stride * (size_t)b->sample_columns, error);
}

static omr_status opencl_fetch(omr_backend *backend, omr_batch *batch, omr_error *error) {
  cl_backend *b = (cl_backend *)backend;
  omr_status status = omr_cl_loaded(b, error);
  if (!status && batch->stride != b->stride)
    status = omr_fail(error, OMR_ERR_INTERNAL, "OpenCL: not the batch that was loaded");
  if (!status)
    status = omr_cl_read(b, b->state, 0, batch->state, b->stride * (size_t)b->state_columns, error);
  return status ? status
                : omr_cl_read(b, b->spins, 0, batch->spins, b->stride * (size_t)b->spin_columns,
                              error);
}

static void opencl_watch(omr_backend *backend, omr_watch *watch) {
  ((cl_backend *)backend)->watch = watch;
}

bool omr_opencl_from_cache(const omr_backend *backend) {
  return ((const cl_backend *)backend)->from_cache;
}

const omr_backend_ops omr_opencl_backend = {
    .name = "opencl",
    .open = opencl_open,
    .capacity = opencl_capacity,
    .load = opencl_load,
    .advance = opencl_advance,
    .sample = opencl_sample,
    .fetch = opencl_fetch,
    .put = omr_cl_put,
    .get = omr_cl_get,
    .close = opencl_close,
    .watch = opencl_watch,
};
