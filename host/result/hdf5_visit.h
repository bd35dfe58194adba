/* Members of groups, without H5Lget_name_by_idx: HDF5 1.10.8 overruns memory there where a group is
 * damaged. */
#ifndef OMR_HDF5_VISIT_H
#define OMR_HDF5_VISIT_H

#include "../support/hdf5.h"

#include <stdbool.h>
#include <stddef.h>

/* Names of the members of a group; release with omr_members_free. */
typedef struct omr_members {
  char **name;
  size_t count;
} omr_members;

/* In the order in which they were made where the group keeps it, else of the alphabet. False where
 * it cannot be read (HDF5's last error) or memory runs out. */
bool omr_members_of(hid_t group, omr_members *members);
void omr_members_free(omr_members *members);

/* The file's root, every group and every dataset, each before what is in it; path begins with "/".
 * What cannot be opened or listed is taken as -1, with HDF5's last error. Ends with false where
 * `take` says so. */
bool omr_hdf5_visit(hid_t file, bool (*take)(hid_t object, const char *path, void *user),
                    void *user);

#endif
