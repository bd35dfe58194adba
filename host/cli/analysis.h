/* Commands that the Python package of analysis/ carries out. */
#ifndef OMR_CLI_ANALYSIS_H
#define OMR_CLI_ANALYSIS_H

#include <omniroll/omniroll.h>

/* Becomes `python3 -m module arguments...`, with the package that belongs to this program: it
 * returns only where that fails. The module prints its own errors and ends with the exit codes of
 * this program. Python: $OMNIROLL_PYTHON, else /usr/bin/python3, else python3; package:
 * $OMNIROLL_ANALYSIS, else next to the program, installed or in its source tree. */
omr_status cli_run_python(const char *module, size_t count, const char *const *arguments,
                          omr_error *error);

#endif
