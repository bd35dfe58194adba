/* Objects that were compiled ahead and lie beside the program (CMake option OMNIROLL_KERNELS), or
 * in the folder that the variable OMNIROLL_KERNELS names: for machines without a compiler. */
#ifndef OMR_SHIPPED_H
#define OMR_SHIPPED_H

#include <sys/types.h>

/* The folder, opened; -1: there is none, with the reason where the variable names one that cannot
 * be used, "" otherwise. Its files may be the effective user's or one of the owners': root, and who
 * owns this library, whose code runs here anyway. The caller closes it. */
int omr_shipped_folder(uid_t owners[2], char why[320]);

#endif
