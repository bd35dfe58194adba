/* Blocks of deflate written by ourselves: zlib gives every byte back, whatever stands before them, and Huffman's codes are as
 * short as codes can be. */
#include "../../host/result/deflate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ROOM = 1 << 20 };

static unsigned char bytes[1 << 18], stream[ROOM], back[ROOM];

/* A stream without zlib's frame. */
static void expect_back(const unsigned char *expected, size_t count, const omr_bits *end) {
  z_stream z = {.next_in = stream, .avail_in = (uInt)(end->at - stream), .next_out = back, .avail_out = ROOM};
  cr_assert_eq(end->count, 0, "a whole byte");
  cr_assert_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
  cr_expect_eq(inflate(&z, Z_FINISH), Z_STREAM_END, "%s", z.msg ? z.msg : "");
  cr_expect_eq(z.total_out, count);
  cr_expect_eq(z.avail_in, 0);
  cr_expect_arr_eq(back, expected, count);
  inflateEnd(&z);
}

static void fill(size_t count, unsigned seed, unsigned values) {
  uint32_t state = seed;
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525 + 1013904223;
    bytes[i] = (unsigned char)((state >> 16) % values * (256 / values));
  }
}

/* Lengths around those of a stored block and of a match. */
Test(deflate, zlib_gives_back_every_kind_of_block) {
  static const size_t counts[] = {1, 2, 3, 257, 258, 259, 260, 4096, 65535, 65536, 131071, 200000};
  static const unsigned values[] = {1, 2, 3, 16, 256};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
      fill(counts[c], 7, values[v]);
      for (int kind = 0; kind < (v == 0 ? 3 : 2); kind++) {
        omr_bits out = {stream, 0, 0};
        if (kind == 0) omr_deflate_stored(&out, bytes, counts[c]);
        if (kind == 1) omr_deflate_coded(&out, bytes, counts[c]);
        if (kind == 2) omr_deflate_constant(&out, bytes[0], counts[c]);
        omr_deflate_end(&out);
        expect_back(bytes, counts[c], &out);
      }
    }
  }
}

/* Of every byte: those from 144 on have codes of 9 bits in the fixed code. */
Test(deflate, any_byte_may_be_the_constant) {
  for (int byte = 0; byte < 256; byte++) {
    omr_bits out = {stream, 0, 0};
    memset(bytes, byte, 1000);
    omr_deflate_constant(&out, (unsigned char)byte, 1000);
    omr_deflate_end(&out);
    expect_back(bytes, 1000, &out);
  }
}

/* Blocks end at any bit; whoever follows begins where the one before ended, or at the next whole byte. */
Test(deflate, blocks_follow_each_other) {
  omr_bits out = {stream, 0, 0};
  size_t count = 0;
  fill(100000, 3, 256);
  for (int i = 0; i < 60; i++) {
    const size_t here = 1 + (size_t)i * 37 % 800;
    if (i % 4 == 3) {
      memset(bytes + count, i, here);
      omr_deflate_constant(&out, (unsigned char)i, here);
    } else if (i % 4 == 1) {
      omr_deflate_stored(&out, bytes + count, here);
    } else {
      omr_deflate_coded(&out, bytes + count, here);
    }
    if (i % 7 == 0) omr_deflate_align(&out);
    if (i % 7 == 0) cr_expect_eq(out.count, 0);
    count += here;
  }
  omr_deflate_end(&out);
  expect_back(bytes, count, &out);
}

static double kraft(const uint8_t *lengths, int symbols) {
  double sum = 0;
  for (int s = 0; s < symbols; s++) sum += lengths[s] ? ldexp(1, -lengths[s]) : 0;
  return sum;
}

/* Huffman (1952): no code is shorter. Counts of powers of two have codes of exactly their entropy. */
Test(deflate, codes_of_powers_of_two_have_the_length_of_their_entropy) {
  const uint32_t counts[9] = {1, 1, 2, 4, 0, 8, 16, 32, 64};
  const uint8_t expected[9] = {7, 7, 6, 5, 0, 4, 3, 2, 1};
  uint8_t lengths[9];
  omr_code_lengths(counts, 9, 15, lengths);
  cr_expect_arr_eq(lengths, expected, sizeof expected);
}

/* Counts as Fibonacci's numbers make the longest codes: of 24 symbols 23 bits, of which deflate has 15. The code stays complete.
 */
Test(deflate, no_code_is_longer_than_it_may_be) {
  uint32_t counts[24] = {1, 1};
  uint8_t lengths[24];
  for (int s = 2; s < 24; s++) counts[s] = counts[s - 1] + counts[s - 2];
  for (int longest = 5; longest <= 23; longest++) {
    int most = 0;
    omr_code_lengths(counts, 24, longest, lengths);
    for (int s = 0; s < 24; s++) most = lengths[s] > most ? lengths[s] : most;
    cr_expect_leq(most, longest);
    cr_expect_eq(kraft(lengths, 24), 1.0);
  }
  cr_expect_eq(lengths[0], 23);
  size_t count = 0;
  for (int s = 0; s < 24; s++)
    for (uint32_t i = 0; i < counts[s]; i++) bytes[count++] = (unsigned char)(s * 10);
  omr_bits out = {stream, 0, 0};
  omr_deflate_coded(&out, bytes, count);
  omr_deflate_end(&out);
  expect_back(bytes, count, &out);
}
