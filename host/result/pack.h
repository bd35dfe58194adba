/* Compresses the values of a chunk as HDF5's filters shuffle and deflate do, so that every reader
 * of HDF5 can read it, in a fraction of the time: once shuffled, most bytes of measured numbers are
 * noise, which deflate would search in vain. */
#ifndef OMR_PACK_H
#define OMR_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Upper bound of the packed size of `bytes` bytes. */
size_t omr_packed_most(size_t bytes);

/* Packs `count` values of `size` bytes each; scratch: count*size bytes. Returns the bytes in
 * `packed`, which has room for omr_packed_most of them; 0 if memory runs out. The output depends on
 * the values only. */
size_t omr_pack(const void *values, size_t count, size_t size, void *scratch, void *packed);

/* Unpacks the first `wanted` of count values from `bytes` packed bytes; false if they are not
 * valid. */
bool omr_unpack(const void *packed, size_t bytes, size_t count, size_t size, void *scratch,
                void *values, size_t wanted);

/* Fletcher's sum as HDF5's filter makes it. */
uint32_t omr_fletcher32(const void *bytes, size_t count);

#endif
