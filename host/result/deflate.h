/* Blocks of a deflate stream (RFC 1951) for bytes whose kind is known, so that nothing is searched for: noise, bytes that differ
 * in how often they come, and a single byte again and again. */
#ifndef OMR_DEFLATE_H
#define OMR_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* A stream that is being written: whole bytes up to `at`, behind it `count` bits (fewer than 8 between calls). Up to 8 bytes
 * behind `at` are written to. */
typedef struct omr_bits {
  unsigned char *at;
  uint64_t held;
  int count;
} omr_bits;

/* Each appends blocks, none of them the last of the stream. count > 0. */
void omr_deflate_stored(omr_bits *out, const unsigned char *bytes, size_t count);
void omr_deflate_coded(omr_bits *out, const unsigned char *bytes, size_t count); /* fewer than 2^31 */
void omr_deflate_constant(omr_bits *out, unsigned char byte, size_t count);

/* Ends at a whole byte, as zlib's Z_SYNC_FLUSH does: what follows may be of another writer. */
void omr_deflate_align(omr_bits *out);
/* The last block of a stream, an empty one, to a whole byte. */
void omr_deflate_end(omr_bits *out);

/* Huffman's code lengths [symbols] for how often each symbol comes, none longer than `longest`: 0 for those that do not. At least
 * two come; as many as fit into `longest` bits and 288 at most. */
void omr_code_lengths(const uint32_t *counts, int symbols, int longest, uint8_t *lengths);

#endif
