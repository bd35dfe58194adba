/* Objects compiled ahead that lie next to the program (CMake option OMNIROLL_KERNELS), or in the
 * folder that the variable OMNIROLL_KERNELS names: for machines without a compiler. */
#ifndef OMR_SHIPPED_H
#define OMR_SHIPPED_H

#include <sys/types.h>

/* Opens the folder; -1: there is none, with the reason where the variable names one that cannot be
 * used, "" otherwise. Its files may belong to the effective user or to the owners: root, and the
 * owner of this library, whose code runs here anyway. The caller closes it. */
int omr_shipped_folder(uid_t owners[2], char why[320]);

#endif
