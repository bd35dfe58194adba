/* Calls that wait for a device run in a thread of their own, so that the caller can go on where
 * they never return: a driver may hang in any call. */
#ifndef OMR_OPENCL_WAIT_H
#define OMR_OPENCL_WAIT_H

#include "opencl.h"

typedef struct omr_cl_worker omr_cl_worker;

/* The call returns an OpenCL error code; user: its arguments. */
typedef cl_int omr_cl_call(void *user);

typedef enum omr_cl_waited {
  OMR_CL_RETURNED,
  OMR_CL_HANGS,   /* the call takes longer than allowed */
  OMR_CL_STOPPED, /* the caller wants to stop and the call is overdue */
} omr_cl_waited;

/* NULL where the system gives no thread: calls are then made without one. */
omr_cl_worker *omr_cl_worker_open(void);
/* Must not be called after a call that did not return: thread and worker then stay until the
 * process ends. NULL is allowed. */
void omr_cl_worker_close(omr_cl_worker *worker);

/* Makes the call and waits for it. `size` bytes of user are copied; the memory they point to must
 * stay where the call does not return. watch (NULL allowed) limits the time. */
omr_cl_waited omr_cl_wait(omr_cl_worker *worker, omr_cl_call *call, const void *user, size_t size,
                          const omr_watch *watch, cl_int *code);

#endif
