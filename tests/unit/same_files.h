/* Compares two HDF5 files object by object: groups in the order of creation, type, shape, chunks,
 * filters and values of every dataset, and every attribute but `created` and what the scales keep
 * (references are addresses). */
#ifndef OMR_TEST_SAME_FILES_H
#define OMR_TEST_SAME_FILES_H

#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

typedef struct raw_bytes {
  char *data;
  size_t size;
} raw_bytes;

static raw_bytes attribute_bytes(hid_t attribute) {
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  raw_bytes bytes = {NULL, H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space)};
  if (H5Tis_variable_str(type) > 0) {
    char *text = NULL;
    cr_assert_geq(H5Aread(attribute, type, (void *)&text), 0);
    bytes = (raw_bytes){strdup(text), strlen(text)};
    H5free_memory(text);
  } else {
    bytes.data = calloc(bytes.size + 1, 1);
    cr_assert_geq(H5Aread(attribute, type, bytes.data), 0);
  }
  H5Tclose(type);
  H5Sclose(space);
  return bytes;
}

static herr_t compare_attribute(hid_t object, const char *name, const H5A_info_t *info,
                                void *data) {
  const hid_t other = *(hid_t *)data;
  (void)info;
  if (strcmp(name, "created") == 0 || strcmp(name, "DIMENSION_LIST") == 0 ||
      strcmp(name, "REFERENCE_LIST") == 0)
    return 0;
  if (strcmp(name, "checksum") == 0 && H5Aexists(object, "created") > 0) return 0;
  cr_assert_gt(H5Aexists(other, name), 0, "the other has no attribute %s", name);
  const hid_t a = H5Aopen(object, name, H5P_DEFAULT), b = H5Aopen(other, name, H5P_DEFAULT);
  raw_bytes one = attribute_bytes(a), two = attribute_bytes(b);
  cr_expect_eq(one.size, two.size, "size of the attribute %s", name);
  if (one.size == two.size)
    cr_expect(memcmp(one.data, two.data, one.size) == 0, "attribute %s differs", name);
  free(one.data);
  free(two.data);
  H5Aclose(a);
  H5Aclose(b);
  return 0;
}

static void compare_attributes(hid_t one, hid_t two) {
  H5O_info_t a, b;
  cr_assert_geq(H5Oget_info(one, &a), 0);
  cr_assert_geq(H5Oget_info(two, &b), 0);
  cr_expect_eq(a.num_attrs, b.num_attrs, "number of attributes");
  cr_assert_geq(H5Aiterate2(one, H5_INDEX_NAME, H5_ITER_INC, NULL, compare_attribute, &two), 0);
}

static void compare_storage(hid_t one, hid_t two, const char *name) {
  const hid_t a = H5Dget_create_plist(one), b = H5Dget_create_plist(two);
  hsize_t chunk[2][3] = {{0}};
  cr_expect_eq(H5Pget_layout(a), H5Pget_layout(b), "layout of %s", name);
  cr_expect_eq(H5Pget_nfilters(a), H5Pget_nfilters(b), "filters of %s", name);
  if (H5Pget_layout(a) == H5D_CHUNKED && H5Pget_layout(b) == H5D_CHUNKED) {
    H5Pget_chunk(a, 3, chunk[0]);
    H5Pget_chunk(b, 3, chunk[1]);
    cr_expect_arr_eq(chunk[0], chunk[1], sizeof chunk[0], "chunks of %s", name);
    cr_expect_eq(H5Dget_storage_size(one), H5Dget_storage_size(two), "bytes of %s", name);
  }
  H5Pclose(a);
  H5Pclose(b);
}

static void compare_values(hid_t one, hid_t two, const char *name) {
  const hid_t a = H5Dget_space(one), b = H5Dget_space(two), type = H5Dget_type(one),
              other = H5Dget_type(two);
  cr_assert_gt(H5Sextent_equal(a, b), 0, "shape of %s", name);
  cr_expect_gt(H5Tequal(type, other), 0, "type of %s", name);
  const size_t size = H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(a);
  void *x = malloc(size + 1), *y = malloc(size + 1);
  cr_assert_geq(H5Dread(one, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x), 0);
  cr_assert_geq(H5Dread(two, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, y), 0);
  if (H5Tis_variable_str(type) > 0) {
    for (size_t i = 0; i < size / sizeof(char *); i++)
      cr_expect_str_eq(((char **)x)[i], ((char **)y)[i], "%s", name);
    H5Dvlen_reclaim(type, a, H5P_DEFAULT, x);
    H5Dvlen_reclaim(type, b, H5P_DEFAULT, y);
  } else {
    cr_expect(memcmp(x, y, size) == 0, "values of %s differ", name);
  }
  free(x);
  free(y);
  H5Sclose(a);
  H5Sclose(b);
  H5Tclose(type);
  H5Tclose(other);
}

static void compare_groups(hid_t one, hid_t two) {
  H5G_info_t a, b;
  H5Gget_info(one, &a);
  H5Gget_info(two, &b);
  cr_assert_eq(a.nlinks, b.nlinks, "number of members");
  compare_attributes(one, two);
  for (hsize_t i = 0; i < a.nlinks; i++) {
    char name[2][64];
    H5Lget_name_by_idx(one, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name[0], 64, H5P_DEFAULT);
    H5Lget_name_by_idx(two, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name[1], 64, H5P_DEFAULT);
    cr_assert_str_eq(name[0], name[1], "member %d", (int)i);
    const hid_t x = H5Oopen(one, name[0], H5P_DEFAULT), y = H5Oopen(two, name[0], H5P_DEFAULT);
    cr_assert_eq(H5Iget_type(x), H5Iget_type(y));
    if (H5Iget_type(x) == H5I_GROUP) {
      compare_groups(x, y);
    } else {
      compare_attributes(x, y);
      compare_storage(x, y, name[0]);
      compare_values(x, y, name[0]);
    }
    H5Oclose(x);
    H5Oclose(y);
  }
}

static void expect_same_files(const char *one, const char *two) {
  const hid_t a = H5Fopen(one, H5F_ACC_RDONLY, H5P_DEFAULT),
              b = H5Fopen(two, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(a, 0, "%s", one);
  cr_assert_geq(b, 0, "%s", two);
  const hid_t x = H5Gopen2(a, "/", H5P_DEFAULT), y = H5Gopen2(b, "/", H5P_DEFAULT);
  compare_groups(x, y);
  H5Gclose(x);
  H5Gclose(y);
  H5Fclose(a);
  H5Fclose(b);
}

#endif
