/* The message of a build without HDF5 wherever result files are read or written. Runs in memory,
 * designs, devices and checks work without it. */
#ifndef OMR_NO_HDF5_H
#define OMR_NO_HDF5_H

#define OMR_NO_HDF5                                                                                \
  "this build reads and writes no result files, since it was made without HDF5: install "          \
  "libhdf5-dev and build again with "                                                              \
  "-DOMNIROLL_HDF5=ON"

#endif
