#include "backend.h"
omr_status omr_selftest(FILE *out, omr_error *error) { (void)out;(void)error; return OMR_OK; }
