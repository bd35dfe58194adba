/* Calls that wait for a device, made by a thread of their own, so that the caller can go on where
 * they never return: a driver that hangs may do so anywhere. */
#ifndef OMR_OPENCL_WAIT_H
#define OMR_OPENCL_WAIT_H

#include "opencl.h"

typedef struct omr_cl_worker omr_cl_worker;

/* What the call came to, an OpenCL error code; user: its arguments. */
typedef cl_int omr_cl_call(void *user);

typedef enum omr_cl_waited {
  OMR_CL_RETURNED,
  OMR_CL_HANGS,   /* longer than allowed */
  OMR_CL_STOPPED, /* the caller was asked to stop, and the call takes longer than it should */
} omr_cl_waited;

/* NULL where no thread can be had: calls are then made without one. */
omr_cl_worker *omr_cl_worker_open(void);
/* Not after a call that did not return: thread and worker stay then until the process ends. NULL
 * is allowed. */
void omr_cl_worker_close(omr_cl_worker *worker);

/* Makes the call and waits for it. size bytes of user are copied: what they point to has to stay
 * where the call does not return. watch (NULL allowed) says how long it may take. */
omr_cl_waited omr_cl_wait(omr_cl_worker *worker, omr_cl_call *call, const void *user, size_t size,
                          const omr_watch *watch, cl_int *code);

#endif
