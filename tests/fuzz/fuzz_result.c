/* The reader of results, on files that are sound HDF5 and not what the program writes: datasets and
 * attributes of a small result are dropped, renamed, of other types and shapes, or hold anything.
 * (Bytes of the file changed at random would try HDF5 itself.) */
#include "fuzz.h"

#include "result/reader.h"
#include "study/tables/columns.h"

#include <hdf5.h>
#include <omniroll/omniroll.h>

enum { MOST = 160, NAME = 128, MOST_CHANGES = 12, BASES = 2 };

static const char *const studies[BASES] = {
    "{\"model\": \"uk_wheel\", \"title\": \"base\", \"parameters\": {\"drive\": {\"torque\": 60}},"
    "\"vary\": [{\"path\": \"drive.torque\", \"values\": [-30, 20, 60]}],"
    "\"integrator\": {\"step\": 1e-3, \"duration\": 0.01}, \"engine\": {\"backend\": \"scalar\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0, 2], \"interval\": 2e-3}}}",
    "{\"model\": \"omni_wheel\", \"title\": \"base\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.08, \"tip_radius\": 0.01, \"slip_speed\": 0.2, \"initial\": "
    "{\"rate\": 9}, \"roller\": {\"density\": 4000}}},"
    "\"vary\": [{\"path\": \"wheel.axle_bearing\", \"values\": [0, 1e30]}],"
    "\"integrator\": {\"step\": 1e-3, \"duration\": 5e-3, \"stability\": \"ignore\", "
    "\"on_failure\": "
    "\"retry_half_step\"}, \"engine\": {\"backend\": \"scalar\"},"
    "\"statistics\": {\"fail\": \"path_length > 5 m\"},"
    "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": 1e-3}}}"};

static struct {
  char *bytes;
  size_t length, count;
  char path[MOST][NAME]; /* datasets */
} base[BASES];
static char file_path[128];

static herr_t note(hid_t object, const char *name, const H5O_info_t *info, void *user) {
  const size_t b = *(const size_t *)user;
  (void)object;
  if (info->type == H5O_TYPE_DATASET && base[b].count < MOST && strlen(name) < NAME)
    memcpy(base[b].path[base[b].count++], name, strlen(name) + 1);
  return 0;
}

static void make_base(size_t b) {
  omr_error error = {0};
  omr_study *study = NULL;
  omr_result *result = NULL;
  if (omr_study_parse(studies[b], "base.json", NULL, 0, &study, &error) != OMR_OK ||
      omr_run(study, NULL, &result, &error) != OMR_OK ||
      omr_result_write(result, file_path, &error) != OMR_OK) {
    fprintf(stderr, "%s\n", error.message);
    abort();
  }
  omr_result_destroy(result);
  omr_study_destroy(study);
  MUST(omr_read_file(file_path, &base[b].bytes, &base[b].length, &error) == OMR_OK);
  const hid_t file = H5Fopen(file_path, H5F_ACC_RDONLY, H5P_DEFAULT);
  MUST(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, note, &b) >= 0);
  H5Fclose(file);
  MUST(base[b].count > 5);
}

static void clean(void) {
  unlink(file_path);
  rmdir(scratch_folder());
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  snprintf(file_path, sizeof file_path, "%s/r.h5", scratch_folder());
  for (size_t b = 0; b < BASES; b++) make_base(b);
  atexit(clean);
  return 0;
}

/* CHANGES */

static hid_t any_type(input *in) {
  switch (take_byte(in) % 8) {
  case 0: return H5Tcopy(H5T_NATIVE_FLOAT);
  case 1: return H5Tcopy(H5T_NATIVE_INT8);
  case 2: return H5Tcopy(H5T_NATIVE_UINT64);
  case 3: return H5Tcopy(H5T_STD_I64BE);
  case 4: {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 1 + take_byte(in) % 64u);
    H5Tset_strpad(text, (H5T_str_t)(take_byte(in) % 3));
    return text;
  }
  case 5: {
    const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "a", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(pair, "b", 8, H5T_NATIVE_INT64);
    return pair;
  }
  case 6: {
    const hsize_t two = 2;
    return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two);
  }
  default: return H5Tcopy(H5T_NATIVE_DOUBLE);
  }
}

/* Some kilobytes at most. */
static hid_t any_space(input *in) {
  const int rank = take_byte(in) % 5;
  hsize_t lengths[4] = {0};
  for (int d = 0; d < rank; d++) lengths[d] = take_byte(in) % 6;
  const uint8_t kind = take_byte(in) % 16;
  if (kind == 0) return H5Screate(H5S_NULL);
  return rank ? H5Screate_simple(rank, lengths, NULL) : H5Screate(H5S_SCALAR);
}

enum { ROOM = 6 * 6 * 6 * 6 * 64 };

static void any_bytes(input *in, char *room) {
  const size_t count = take_byte(in);
  memset(room, 0, ROOM);
  for (size_t i = 0; i < count; i++) room[i] = (char)take_byte(in);
}

static void replace_dataset(hid_t file, const char *name, input *in) {
  static char room[ROOM];
  const hid_t type = any_type(in), space = any_space(in);
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  any_bytes(in, room);
  if (dataset >= 0) {
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Tclose(type);
}

static void change_values(hid_t file, const char *name, input *in) {
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  if (dataset < 0) return;
  const hid_t space = H5Dget_space(dataset);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count > 0 && count < 4096) {
    double *values = calloc((size_t)count, sizeof *values);
    MUST(values);
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) {
      for (int i = take_byte(in) % 4; i >= 0; i--) {
        const uint64_t bits = (uint64_t)take_number(in) << 32 | take_number(in);
        memcpy(&values[take_byte(in) % (size_t)count], &bits, sizeof bits);
      }
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    free(values);
  }
  H5Sclose(space);
  H5Dclose(dataset);
}

/* The n-th attribute of an object, or a name from the input. */
static void attribute_name(hid_t object, input *in, char name[NAME]) {
  const hsize_t count = (hsize_t)(H5Aget_num_attrs(object) > 0 ? H5Aget_num_attrs(object) : 1);
  name[0] = '\0';
  H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, take_byte(in) % count, name, NAME,
                     H5P_DEFAULT);
}

static void set_text(hid_t object, const char *name, const char *text, bool variable) {
  const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, variable ? H5T_VARIABLE : strlen(text) + 1);
  H5Adelete(object, name);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    H5Awrite(attribute, type, variable ? (const void *)&text : text);
    H5Aclose(attribute);
  }
  H5Tclose(type);
  H5Sclose(space);
}

static void set_anything(hid_t object, const char *name, input *in) {
  static char room[ROOM];
  const hid_t type = any_type(in), space = any_space(in);
  H5Adelete(object, name);
  any_bytes(in, room);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    H5Awrite(attribute, type, room);
    H5Aclose(attribute);
  }
  H5Sclose(space);
  H5Tclose(type);
}

static void change_attribute(hid_t file, const char *of, input *in) {
  char name[NAME];
  const uint8_t kind = take_byte(in);
  const hid_t object = H5Oopen(file, kind & 0x80 ? "/" : of, H5P_DEFAULT);
  if (object < 0) return;
  attribute_name(object, in, name);
  if (name[0] && kind % 4 == 0) {
    H5Adelete(object, name);
  } else if (name[0] && kind % 4 == 1) {
    set_anything(object, name, in);
  } else if (name[0]) {
    char *text = take_text(in, 0);
    set_text(object, name, text, kind % 4 == 2);
    free(text);
  }
  H5Oclose(object);
}

static void change(hid_t file, size_t b, input *in) {
  const uint8_t kind = take_byte(in);
  const char *name = base[b].path[take_byte(in) % base[b].count];
  switch (kind % 8) {
  case 0: H5Ldelete(file, name, H5P_DEFAULT); break;
  case 1:
  case 2: replace_dataset(file, name, in); break;
  case 3: {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
    break;
  }
  case 4: {
    const char *other = base[b].path[take_byte(in) % base[b].count];
    H5Ldelete(file, other, H5P_DEFAULT);
    H5Lcreate_soft(name, file, other, H5P_DEFAULT, H5P_DEFAULT);
    break;
  }
  case 5: change_values(file, name, in); break;
  default: change_attribute(file, name, in);
  }
}

/* READING */

static void look(const omr_result *result, FILE *out) {
  omr_error error = {0};
  char hex[33], *json = NULL;
  double sum = 0;
  const size_t rows = omr_result_instances(result);
  for (size_t c = 0; c < omr_result_columns(result); c++) {
    const double *values = omr_result_column(result, c);
    MUST(omr_result_column_name(result, c) && omr_result_column_unit(result, c));
    for (size_t k = 0; k < rows; k++) sum += values[k];
  }
  for (size_t q = 0; q < omr_result_quantities(result); q++) {
    size_t samples, wheels;
    const double *values = omr_result_trajectory(result, q, &samples, &wheels);
    for (size_t i = 0; values && i < omr_result_traced(result) * samples * wheels; i++)
      sum += values[i];
  }
  for (size_t i = 0; i < omr_result_traced(result); i++) (void)omr_result_traced_row(result, i);
  for (size_t i = 0; i < omr_result_failures(result); i++) {
    (void)omr_result_failure_reason(result, i);
    MUST(omr_result_failure(result, i, NULL, NULL, NULL));
  }
  fprintf(out, "%g %s %s\n", sum, omr_result_title(result), omr_result_warnings(result));
  omr_result_hash(result, hex, &error);
  if (omr_result_statistics_json(result, &json, &error) == OMR_OK) omr_text_destroy(json);
  omr_print_summary(result, out);
}

static void read_all(const char *path) {
  omr_error error = {0};
  omr_result *result = NULL;
  FILE *out = fopen("/dev/null", "we");
  MUST(out);
  const omr_analyze_options options = OMR_ANALYZE_OPTIONS_INIT;
  if (omr_result_open(path, &result, &error) == OMR_OK) {
    look(result, out);
    omr_result_destroy(result);
  } else {
    MUST(error.message[0] && !result);
  }
  omr_export_instances(path, NULL, out, &error);
  omr_export_trajectories(path, NULL, out, &error);
  omr_analyze(path, &options, out, &error);
  omr_columns columns = {0};
  omr_columns_read_hdf5(&columns, path, &error);
  omr_columns_free(&columns);
  fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size};
  const size_t b = take_byte(&in) % BASES;
  write_file(file_path, base[b].bytes, base[b].length);
  const hid_t file = H5Fopen(file_path, H5F_ACC_RDWR, H5P_DEFAULT);
  MUST(file >= 0);
  for (int i = 0; in.left && i < MOST_CHANGES; i++) change(file, b, &in);
  H5Fclose(file);
  MUST(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); /* this target's own */
  read_all(file_path);
  MUST(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); /* the library closes what it opened */
  return 0;
}
