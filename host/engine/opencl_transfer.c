/* Transfers between the batch's columns and a device's buffers, under the watch. */
#include "opencl_backend.h"

omr_status omr_cl_failed(cl_backend *b, const char *call, cl_int code, omr_error *error) {
  b->broken = true;
  return omr_cl_fail(error, call, code, b->device.name);
}

omr_status omr_cl_usable(const cl_backend *b, omr_error *error) {
  if (!b->broken) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "OpenCL: %s failed before and cannot be used further in this process",
                  b->device.name);
}

/* The worker makes the call. A call that does not return leaves a thread in the driver, so nothing
 * of this backend may be released or freed afterwards. */
omr_status omr_cl_await(cl_backend *b, const char *name, omr_cl_call *call, const void *user,
                        size_t size, omr_error *error) {
  cl_int code = CL_SUCCESS;
  const omr_cl_waited waited = omr_cl_wait(b->worker, call, user, size, b->watch, &code);
  if (waited == OMR_CL_RETURNED) return code ? omr_cl_failed(b, name, code, error) : OMR_OK;
  b->broken = b->own.abandoned = b->watch->abandoned = true;
  if (waited == OMR_CL_STOPPED)
    return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped while %s did not return on %s", name,
                    b->device.name);
  return omr_fail(error, OMR_ERR_DEVICE,
                  "OpenCL: the device %s hangs: %s has not returned for %.3g s "
                  "(engine.hang_seconds, or 30 times what it should take). The device is given up "
                  "with all that it holds: end this process, look at device and driver, and go on "
                  "there or with backend openmp",
                  b->device.name, name, b->watch->seconds);
}

typedef struct cl_transfer {
  cl_command_queue queue;
  cl_mem buffer;
  size_t offset, bytes;
  const void *from; /* or */
  void *to;
} cl_transfer;

static cl_int transfer(void *user) {
  const cl_transfer *t = user;
  return t->to ? clEnqueueReadBuffer(t->queue, t->buffer, CL_TRUE, t->offset, t->bytes, t->to, 0,
                                     NULL, NULL)
               : clEnqueueWriteBuffer(t->queue, t->buffer, CL_TRUE, t->offset, t->bytes, t->from, 0,
                                      NULL, NULL);
}

static omr_status write_bytes(cl_backend *b, cl_mem buffer, size_t offset, const void *from,
                              size_t bytes, omr_error *error) {
  const cl_transfer t = {b->queue, buffer, offset, bytes, from, NULL};
  return omr_cl_await(b, "clEnqueueWriteBuffer", transfer, &t, sizeof t, error);
}

static omr_status read_bytes(cl_backend *b, cl_mem buffer, size_t offset, void *to, size_t bytes,
                             omr_error *error) {
  const cl_transfer t = {b->queue, buffer, offset, bytes, NULL, to};
  return omr_cl_await(b, "clEnqueueReadBuffer", transfer, &t, sizeof t, error);
}

/* Values of a buffer from its value `first` on. */
omr_status omr_cl_write(cl_backend *b, cl_mem buffer, size_t first, const double *from,
                        size_t count, omr_error *error) {
  omr_status status = OMR_OK;
  if (!count) return OMR_OK;
  double start = omr_seconds();
  if (!b->single)
    status = write_bytes(b, buffer, first * sizeof *from, from, count * sizeof *from, error);
  for (size_t done = 0; b->single && !status && done < count;) {
    size_t n = count - done < OMR_CL_STAGING ? count - done : OMR_CL_STAGING;
    for (size_t i = 0; i < n; i++) b->staging[i] = (float)from[done + i];
    status = write_bytes(b, buffer, (first + done) * sizeof(float), b->staging, n * sizeof(float),
                         error);
    done += n;
  }
  b->record->transfer_seconds += omr_seconds() - start;
  return status;
}

omr_status omr_cl_read(cl_backend *b, cl_mem buffer, size_t first, double *to, size_t count,
                       omr_error *error) {
  omr_status status = OMR_OK;
  if (!count) return OMR_OK;
  double start = omr_seconds();
  if (!b->single) status = read_bytes(b, buffer, first * sizeof *to, to, count * sizeof *to, error);
  for (size_t done = 0; b->single && !status && done < count;) {
    size_t n = count - done < OMR_CL_STAGING ? count - done : OMR_CL_STAGING;
    status =
        read_bytes(b, buffer, (first + done) * sizeof(float), b->staging, n * sizeof(float), error);
    for (size_t i = 0; i < n && !status; i++) to[done + i] = (double)b->staging[i];
    done += n;
  }
  b->record->transfer_seconds += omr_seconds() - start;
  return status;
}

omr_status omr_cl_loaded(const cl_backend *b, omr_error *error) {
  omr_status status = omr_cl_usable(b, error);
  if (!status && !b->stride)
    status = omr_fail(error, OMR_ERR_INTERNAL, "OpenCL: no batch is loaded");
  return status;
}

omr_status omr_cl_put(omr_backend *backend, const omr_batch *batch, const omr_columns *columns,
                      omr_error *error) {
  cl_backend *b = (cl_backend *)backend;
  omr_status status = omr_cl_loaded(b, error);
  for (size_t j = 0; !status && j < columns->param_count; j++) {
    const size_t first = (size_t)columns->params[j] * b->stride;
    status = omr_cl_write(b, b->params, first, batch->params + first, b->stride, error);
  }
  for (size_t j = 0; !status && j < columns->state_count; j++) {
    const size_t first = (size_t)columns->states[j] * b->stride;
    status = omr_cl_write(b, b->state, first, batch->state + first, b->stride, error);
  }
  return status;
}

omr_status omr_cl_get(omr_backend *backend, omr_batch *batch, const omr_columns *columns,
                      omr_error *error) {
  cl_backend *b = (cl_backend *)backend;
  omr_status status = omr_cl_loaded(b, error);
  for (size_t j = 0; !status && j < columns->state_count; j++) {
    const size_t first = (size_t)columns->states[j] * b->stride;
    status = omr_cl_read(b, b->state, first, batch->state + first, b->stride, error);
  }
  return status;
}
