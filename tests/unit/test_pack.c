/* Chunks packed by ourselves: zlib and the plain inverse of a shuffle, written here, give back
 * every byte, and what is expected of noise, constants and grids is kept. */
#include "../../host/result/pack.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { COUNT = 65536 };

/* HDF5's own, of which its filter has the sum (H5checksum.c); no header of its interface has it. */
extern uint32_t H5_checksum_fletcher32(const void *bytes, size_t count);

static uint64_t noise(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

enum { CONSTANT, NUMBERS, NOISE, UNIFORM, GRID, LONG_GRID, SORTED, HALVES, ENDED, KINDS };

static void fill(double *values, int kind) {
  uint64_t state = 5;
  for (uint64_t i = 0; i < COUNT; i++) {
    const double unit = (double)(noise(&state) >> 11) * 0x1p-53;
    const uint64_t bits = noise(&state);
    switch (kind) {
    case CONSTANT: values[i] = 0.3; break;
    case NUMBERS: memcpy(&values[i], &i, sizeof i); break;
    case NOISE: memcpy(&values[i], &bits, sizeof bits); break;
    case UNIFORM: values[i] = 0.1 + 0.4 * unit; break;
    case GRID: values[i] = 0.05 + 0.55 / 63 * (double)(i % 64); break;
    case LONG_GRID: values[i] = 1 / (double)(i % 4096 + 3); break;
    case SORTED: values[i] = sqrt((double)i); break;
    case ENDED:
      if (i >= COUNT * 2 / 5)
        values[i] = 0;
      else
        memcpy(&values[i], &bits, sizeof bits);
      break;
    default: values[i] = i % 2 ? unit : (double)NAN; break;
    }
  }
}

static size_t pack_and_check(const void *values, size_t count, size_t size) {
  const size_t bytes = count * size, most = omr_packed_most(bytes);
  unsigned char *scratch = malloc(bytes), *packed = malloc(most), *planes = malloc(bytes),
                *back = malloc(bytes);
  const size_t length = omr_pack(values, count, size, scratch, packed);
  uLongf found = (uLongf)bytes;
  cr_assert(length > 0 && length <= most);
  cr_assert_eq(uncompress(planes, &found, packed, (uLong)length), Z_OK);
  cr_assert_eq(found, bytes);
  for (size_t i = 0; i < count; i++)
    for (size_t b = 0; b < size; b++) back[i * size + b] = planes[b * count + i];
  cr_expect_eq(memcmp(values, back, bytes), 0);
  memset(back, 0, bytes);
  cr_assert(omr_unpack(packed, length, count, size, scratch, back, count / 2));
  cr_expect_eq(memcmp(values, back, count / 2 * size), 0);
  cr_expect_not(omr_unpack(packed, length, count + 1, size, planes, back, 1),
                "another number of values");
  packed[length - 1] ^= 0x55;
  cr_expect_not(omr_unpack(packed, length, count, size, scratch, back, count), "a wrong checksum");
  packed[length - 1] ^= 0x55;
  packed[length / 2] ^= 0x55; /* bits between blocks may mean nothing */
  cr_expect(!omr_unpack(packed, length, count, size, scratch, back, count) ||
                !memcmp(values, back, bytes),
            "a wrong byte");
  free(scratch);
  free(packed);
  free(planes);
  free(back);
  return length;
}

/* Noise cannot be packed; of uniform numbers from 0.1 to 0.5 sign and exponent go, 12 of 64 bits,
 * of which log2 of three binades stays. Repetitions within deflate's window have to be found:
 * constants, and grids of up to 4096 values, which are there 16 times, so that one of them, 1/16,
 * has to be kept. Rows that a last chunk does not have, 3 of 5 here, take no room, nor do they keep
 * what stands before them from being seen as noise. */
Test(pack, all_bytes_come_back_and_no_more_is_kept_than_has_to_be) {
  static const double most[KINDS] = {
      [CONSTANT] = 0.01,  [NUMBERS] = 0.01, [NOISE] = 1.001, [UNIFORM] = 0.85, [GRID] = 0.02,
      [LONG_GRID] = 0.07, [SORTED] = 0.85,  [HALVES] = 0.75, [ENDED] = 0.41};
  double *values = malloc(COUNT * sizeof *values);
  for (int kind = 0; kind < KINDS; kind++) {
    fill(values, kind);
    const double part = (double)pack_and_check(values, COUNT, 8) / (8.0 * COUNT);
    cr_expect_leq(part, most[kind], "kind %d: %g of its bytes", kind, part);
  }
  free(values);
}

Test(pack, any_number_of_values_of_any_size) {
  static const size_t counts[] = {1, 2, 7, 100, 4095, 4096, 12345};
  double *values = malloc(COUNT * sizeof *values);
  fill(values, UNIFORM);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t size = 1; size <= 8; size++) pack_and_check(values, counts[c], size);
  free(values);
}

/* Lengths around those of its lanes and blocks, odd ones too; numbers that are zero modulo 65535.
 */
Test(pack, fletcher_is_that_of_hdf5) {
  enum { MOST = 3 * 16 * 360 + 40 };
  static unsigned char bytes[MOST + 1];
  static const unsigned char same[] = {0, 255, 1};
  uint64_t state = 7;
  for (int kind = 0; kind < 4; kind++) {
    for (size_t i = 0; i <= MOST; i++)
      bytes[i] = kind < 3 ? same[kind] : (unsigned char)(noise(&state) >> 56);
    for (size_t count = 1; count <= MOST; count += count < 100 ? 1 : 57)
      for (size_t from = 0; from < 2; from++) /* at an odd address too */
        cr_assert_eq(omr_fletcher32(bytes + from, count),
                     H5_checksum_fletcher32(bytes + from, count), "kind %d, %zu bytes", kind,
                     count);
  }
}
