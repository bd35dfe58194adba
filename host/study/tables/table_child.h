/* Tables in HDF5 that others made, read by a process of their own (support/own_program.h):
 * `omniroll read-table FILE`, which is not for users. */
#ifndef OMR_TABLE_CHILD_H
#define OMR_TABLE_CHILD_H

#include "columns.h"

/* As omr_columns_read_hdf5, by the program. Without one the table is refused. */
omr_status omr_columns_ask_hdf5(omr_columns *columns, const char *path, omr_error *error);

/* The other side is omr_table_answer (omniroll/program.h), in table_answer.c. */

/* The beginning, the end and the limits of an answer. */
#define OMR_TABLE_BEGIN "omniroll table 1\n"
#define OMR_TABLE_END "end of table\n"
enum { OMR_TABLE_COLUMNS = 65536, OMR_TABLE_TEXT = 4096 };
#define OMR_TABLE_BYTES ((uint64_t)8 << 30) /* of all values */

#endif
