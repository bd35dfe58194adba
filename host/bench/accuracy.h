/* Vehicle-seconds per second and core at an accuracy, on the yardstick vehicle (study.c). */
#ifndef OMR_BENCH_ACCURACY_FILE
#define OMR_BENCH_ACCURACY_FILE

#include "cases.h"

#include <cjson/cJSON.h>

/* Measures on the machine's main backend. A failed measurement keeps its message in *accuracy;
 * errors are lack of memory and an interruption. The caller frees *accuracy in either case. */
omr_status bench_accuracy_measure(const omr_bench_request *options, const bench_machine *machine,
                                  bench_accuracy **accuracy, omr_error *error);
void bench_accuracy_free(bench_accuracy *accuracy); /* NULL here and below: not measured */
void bench_accuracy_print(const bench_accuracy *accuracy, FILE *out);
cJSON *bench_accuracy_json(const bench_accuracy *accuracy);

#endif
