/* Members of groups, without H5Lget_name_by_idx: HDF5 1.10.8 overruns memory there if a group is
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

/* Lists the members in the order of creation if the group keeps it, else alphabetically. False if
 * the group cannot be read (HDF5's last error) or memory runs out. */
bool omr_members_of(hid_t group, omr_members *members);
void omr_members_free(omr_members *members);

/* Visits the file's root, every group and every dataset, each before its contents; path begins with
 * "/". An object that cannot be opened or listed is passed as -1, with HDF5's last error. Ends with
 * false if `take` returns false. */
bool omr_hdf5_visit(hid_t file, bool (*take)(hid_t object, const char *path, void *user),
                    void *user);

#endif
