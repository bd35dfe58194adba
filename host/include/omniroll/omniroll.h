/* omniroll: ensembles of omni-wheel and mecanum vehicles with explicit rollers.
 *
 * A study is read from JSON, run on a backend, and gives a result that is written as HDF5.
 * Functions that can fail return an omr_status and, where an omr_error is passed, a message with
 * place and remedy. The conventions of ownership, threads and NULL stand in base.h. */
#ifndef OMNIROLL_OMNIROLL_H
#define OMNIROLL_OMNIROLL_H

#include <omniroll/base.h>
#include <omniroll/batch.h>
#include <omniroll/calibrate.h>
#include <omniroll/evaluate.h>
#include <omniroll/excite.h>
#include <omniroll/machine.h>
#include <omniroll/reference.h>
#include <omniroll/result.h>
#include <omniroll/run.h>
#include <omniroll/study.h>

#endif
