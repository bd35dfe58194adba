/* Writes the checksums of a complete file. */
#include "hdf5_read.h"
#include "hdf5_sums.h"
#include "hdf5_visit.h"

static bool put_sum(hid_t object, uint64_t value) {
  if (H5Aexists(object, OMR_SUM_NAME) > 0) H5Adelete(object, OMR_SUM_NAME);
  const hid_t space = H5Screate(H5S_SCALAR),
              attribute =
                  H5Acreate2(object, OMR_SUM_NAME, H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_UINT64, &value) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return good;
}

static bool seal(hid_t object, const char *path, void *user) {
  omr_hdf5 *h5 = user;
  uint64_t value = 0;
  (void)path;
  if (object >= 0 && !omr_sum_is_due(h5, object)) return true;
  if (object >= 0 && omr_sum_of_object(h5, object, &value) && put_sum(object, value)) return true;
  omr_hdf5_refuse(h5, "write the checksums", omr_hdf5_last_cause().text);
  return false;
}

void omr_sums_seal(omr_hdf5 *h5) {
  if (h5->failed || h5->plain) return;
  omr_hdf5_visit(h5->file, seal, h5);
}
