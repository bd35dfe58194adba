/* Composes one HDF5 file: a thin layer over the HDF5 library for result files. It keeps the first
 * failure, and the calls after it do nothing harmful, so a caller checks once, at the end. Every
 * dataset carries its dimension scales, `units` and `long_name`, so h5py, MATLAB, netCDF and xarray
 * open the file directly. */
#ifndef OMR_HDF5_FILE_H
#define OMR_HDF5_FILE_H

#include "../support/replace.h"
#include "attributes.h"
#include "fields.h"
#include "hdf5_disk.h"

#define OMR_HDF5_RANK 3

/* What the first dimension of a dataset counts, where it may stand in other files. */
typedef enum omr_over { OMR_OVER_NOTHING, OMR_OVER_ROWS, OMR_OVER_TRACES } omr_over;

struct omr_hdf5 {
  hid_t file;
  omr_disk disk; /* the file has its address: an omr_hdf5 must not be copied */
  bool failed;
  bool plain;            /* datasets are not compressed: for temporary files */
  struct omr_sum **sums; /* of the values written so far (hdf5_sums.h) */
  size_t sum_count;
  struct omr_virtual *files; /* that hold the rows (hdf5_virtual.h); NULL: this one does */
  omr_over over;             /* what is being made or put */
  char task[128];            /* the first call that failed */
  char cause[512];           /* its reason, from the innermost HDF5 function */
};

/* A dimension and its coordinate values. */
typedef struct omr_hdf5_scale {
  hid_t id;
  hsize_t length;
} omr_hdf5_scale;
#define OMR_HDF5_NO_SCALE ((omr_hdf5_scale){-1, 0})

/* Name, unit and meaning of a variable; unit in CF spelling or NULL for none. */
typedef omr_sample_info omr_hdf5_name;

/* HDF5 prints its errors by default; every function of the project that calls it silences it
 * meanwhile. */
typedef struct omr_hdf5_report {
  H5E_auto2_t print;
  void *user;
} omr_hdf5_report;
omr_hdf5_report omr_hdf5_quiet(void);

/* Reserves memory before a file is opened or made: HDF5 1.10 crashes if memory runs out in some of
 * its calls (H5E__get_stack, H5AC_create), so this allocates as much as it may need and frees it.
 * OMR_ERR_MEMORY, which names `path`, if there is not enough. */
omr_status omr_hdf5_room(const char *path, omr_error *error);
void omr_hdf5_restore(omr_hdf5_report report);

/* Makes a new file with the descriptor, which the caller keeps. Groups keep the order of creation;
 * no times are stored. */
void omr_hdf5_create(omr_hdf5 *h5, int descriptor);
/* Opens the HDF5 file of the descriptor for changes. */
void omr_hdf5_open(omr_hdf5 *h5, int descriptor);
/* Writes all data that HDF5 still holds and closes every object in the file. False if this or
 * anything before it failed. */
bool omr_hdf5_close(omr_hdf5 *h5);
/* The error: the call that failed, and its cause. */
omr_status omr_hdf5_fail(const omr_hdf5 *h5, const omr_replace *place, omr_error *error);
/* Notes a failure outside of HDF5. */
void omr_hdf5_refuse(omr_hdf5 *h5, const char *task, const char *cause);
/* The same, of a dataset that cannot be written. */
void omr_hdf5_refuse_dataset(omr_hdf5 *h5, const char *name, const char *cause);

/* hdf5_partial.c: the group /partial, bytes in words of eight; and those of a file: *bytes is NULL
 * where it has none. False where the file is damaged or memory ran out. */
void omr_hdf5_partial(omr_hdf5 *h5, const unsigned char *bytes, size_t count);
bool omr_hdf5_get_partial(hid_t file, unsigned char **bytes, size_t *count);

/* The caller closes the group with H5Gclose. */
hid_t omr_hdf5_group(omr_hdf5 *h5, const char *name);
/* A group in a group, which is made where it is missing. */
hid_t omr_hdf5_subgroup(omr_hdf5 *h5, const char *group, const char *name);

/* Attributes of a file, group or dataset. Text is UTF-8 of any length; NULL writes "". */
void omr_hdf5_text(omr_hdf5 *h5, hid_t object, const char *name, const char *text);
void omr_hdf5_number(omr_hdf5 *h5, hid_t object, const char *name, double value);
void omr_hdf5_integer(omr_hdf5 *h5, hid_t object, const char *name, int64_t value);
void omr_hdf5_bytes(omr_hdf5 *h5, hid_t object, const char *name, const int8_t *values,
                    size_t count);

/* Makes a coordinate: a one-dimensional dataset of H5T_NATIVE_DOUBLE or H5T_NATIVE_UINT64. Close it
 * with omr_hdf5_scale_close. values: NULL if they are put there later. */
omr_hdf5_scale omr_hdf5_scale_make(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type,
                                   hsize_t length, const void *values);
void omr_hdf5_scale_close(omr_hdf5_scale *scale);

/* Makes a dataset over `rank` dimensions, slowest first; type may also be H5T_NATIVE_INT8. Returns
 * it for further attributes; the caller closes it with H5Dclose. Doubles get the fill value NaN.
 * values: NULL if they are put there later. */
hid_t omr_hdf5_variable(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, int rank,
                        const omr_hdf5_scale *scales, const void *values);

/* Writes texts of any length: one for each place along `scale`, or, if that is NULL, the scale
 * itself with `count` words. Returns the dataset, which the caller closes with H5Dclose. */
hid_t omr_hdf5_words(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, const omr_hdf5_scale *scale,
                     size_t count, const char *const *words);

/* hdf5_fields.c: writes a whole variable; nothing after a failure. */
void omr_hdf5_put_variable(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, hid_t type, int rank,
                           const omr_hdf5_scale *scales, const void *values);
/* Makes the coordinate 0, 1, ... count - 1. */
omr_hdf5_scale omr_hdf5_scale_count(omr_hdf5 *h5, hid_t group, omr_hdf5_name name, size_t count);

/* Structures of `size` bytes whose members are variables of a group, over `rank` dimensions. Before
 * them come `blank` places that have none: NaN or 0. */
typedef struct omr_structures {
  hid_t group;
  const void *first;
  size_t count, size, blank;
  int rank;
  const omr_hdf5_scale *scales;
} omr_structures;
void omr_hdf5_put_fields(omr_hdf5 *h5, const omr_structures *structures, const omr_field *fields,
                         size_t count);
/* A coordinate of texts that stand in a member. */
omr_hdf5_scale omr_hdf5_scale_texts(omr_hdf5 *h5, const omr_structures *structures,
                                    const omr_field *field);

/* Writes count rows of the slowest dimension from `first` on. Each HDF5 chunk stays in memory until
 * it is full, so that it is compressed once. Rows that stand in other files (h5->over) only enter
 * the checksum. */
void omr_hdf5_put(omr_hdf5 *h5, hid_t dataset, const char *name, hid_t type, hsize_t first,
                  hsize_t count, const void *values);

/* Writes the chunk of a one-dimensional dataset that begins at row `first`; the caller has
 * shuffled, deflated and summed it (pack.h). */
void omr_hdf5_put_chunk(omr_hdf5 *h5, hid_t dataset, hsize_t first, size_t bytes,
                        const void *packed);

/* hdf5_chunks.c: datasets of 8-byte values, filled row by row from the first on, all together. */
typedef struct omr_hdf5_chunks {
  hid_t *datasets;              /* the caller's */
  size_t columns, rows, length; /* rows of a chunk and of a dataset; rows 0: not open */
  size_t first, count;          /* first row of the chunk that is being filled, rows in it */
  unsigned char *values;        /* [columns][rows] */
  struct omr_sum **sums;        /* [columns], of hdf5_sums.h */
  bool summed;                  /* the chunks end in Fletcher's sum */
} omr_hdf5_chunks;
/* False if the datasets are not stored in compressed chunks; then use omr_hdf5_put. */
bool omr_hdf5_chunks_open(omr_hdf5 *h5, omr_hdf5_chunks *chunks, const hid_t *datasets,
                          size_t columns);
void omr_hdf5_chunks_put(omr_hdf5 *h5, omr_hdf5_chunks *chunks, const void *const *columns,
                         size_t count);
/* Writes the rows of a chunk so far, so that it can be read before it is full. */
void omr_hdf5_chunks_show(omr_hdf5 *h5, omr_hdf5_chunks *chunks);
/* Writes the remaining rows and closes; no row may follow. */
void omr_hdf5_chunks_end(omr_hdf5 *h5, omr_hdf5_chunks *chunks);
void omr_hdf5_chunks_close(omr_hdf5_chunks *chunks);

/* Rows of a chunk of a dataset of 8-byte values in such chunks, its length, and whether its chunks
 * end in Fletcher's sum (chunks of older files do not); 0 if it is stored in another way. */
size_t omr_hdf5_chunk_rows(hid_t dataset, size_t *length, bool *summed);
/* Number of columns that are packed or unpacked at a time, and the bytes of the buffer for it. */
size_t omr_hdf5_chunks_at_once(void);
size_t omr_hdf5_chunks_room(size_t rows);
/* Reads the first block.count values of the chunks of form.rows rows that begin at row block.first,
 * for datasets[block.column] and its neighbours, at most omr_hdf5_chunks_at_once of them; values is
 * [columns][stride], and done shows for each column if its chunk could be read. */
typedef struct omr_chunk_form {
  size_t rows;
  bool summed; /* from omr_hdf5_chunk_rows */
} omr_chunk_form;
void omr_hdf5_chunks_get(const hid_t *datasets, omr_table_block block, omr_chunk_form form,
                         void *room, double *values, size_t stride, bool *done);

/* hdf5_instances.c: the group /instances, with room for `rows` instances of a result like this one,
 * filled row by row in their order. */
typedef struct omr_hdf5_rows {
  hid_t group, instance, status, status_time, retries; /* retries: -1 if the study has none */
  hid_t *columns;
  size_t column_count;
  omr_hdf5_chunks chunks;    /* of columns, times and numbers, if there are enough rows */
  struct omr_virtual *files; /* that hold the rows; NULL: the datasets do */
} omr_hdf5_rows;
#define OMR_HDF5_NO_ROWS                                                                           \
  { -1, -1, -1, -1, -1, NULL, 0, {0}, NULL }
void omr_hdf5_rows_open(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *like, size_t count);
void omr_hdf5_rows_put(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *part, size_t first);
/* After omr_hdf5_rows_show the rows so far can be read; after omr_hdf5_rows_end no row follows. */
void omr_hdf5_rows_show(omr_hdf5 *h5, omr_hdf5_rows *rows);
void omr_hdf5_rows_end(omr_hdf5 *h5, omr_hdf5_rows *rows);
void omr_hdf5_rows_close(omr_hdf5_rows *rows);

/* hdf5_trajectories.c: a group with samples of `traced` instances, likewise; the caller writes no
 * row twice. */
typedef struct omr_hdf5_traces {
  hid_t group, instance;
  hid_t *series; /* in the order of omr_result_series; -1: no such dataset, or not yet */
  size_t series_count;
  omr_hdf5_scale scales[3]; /* traced instances, times, wheels */
} omr_hdf5_traces;
void omr_hdf5_traces_open(omr_hdf5 *h5, omr_hdf5_traces *traces, const char *name,
                          const omr_result *like, size_t traced);
/* Makes a dataset that not every result has (omr_series.rare) with the first part that has it; it
 * is NaN for the others. */
void omr_hdf5_traces_put(omr_hdf5 *h5, omr_hdf5_traces *traces, const omr_result *part,
                         size_t first);
void omr_hdf5_traces_close(omr_hdf5_traces *traces); /* leaves the group open */

/* hdf5_trajectories.c: the scale of quantities that each wheel has. */
omr_hdf5_scale omr_hdf5_wheels(omr_hdf5 *h5, hid_t group, int wheels);

/* hdf5_failures.c: writes the group /failures; nothing if no instance failed. */
void omr_hdf5_failures(omr_hdf5 *h5, const omr_failures *failures);
/* Reads it back: `count` failures from `first` on, with their reasons. False with HDF5's reason, or
 * when out of memory. */
bool omr_hdf5_failures_read(hid_t file, size_t first, size_t count, omr_failures *failures);

/* hdf5.c: attributes of study and run; and a file at `path` that `compose` fills and that appears
 * complete or not at all. */
void omr_hdf5_study(omr_hdf5 *h5, const omr_result *result);
void omr_hdf5_run(omr_hdf5 *h5, const omr_run_record *run, bool retries);
void omr_hdf5_created(omr_hdf5 *h5);
/* Writes how each instance ended, and when. */
void omr_hdf5_status(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance, const int8_t *codes,
                     const double *times);
/* Writes the group /nominal. */
void omr_hdf5_nominal(omr_hdf5 *h5, const omr_result *nominal);
typedef void omr_hdf5_compose(omr_hdf5 *h5, const void *content);
omr_status omr_hdf5_write(const char *path, omr_hdf5_compose *compose, const void *content,
                          omr_error *error);

#endif
