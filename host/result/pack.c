#define _GNU_SOURCE /* memmem */
#include "pack.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* For columns of observables, level 1 with shuffled bytes leaves 65 % of the bytes, level 4 64 %,
 * and without shuffling both leave 73 %. */
enum { LEVEL = 1, WINDOW = 32768, SAMPLE = 4096, WORD = 8, PLACES = 3 };

size_t omr_packed_most(size_t bytes) {
  return bytes + bytes / 8 + 4096;
}

static inline void exchange(uint64_t *a, uint64_t *b, int shift, uint64_t mask) {
  const uint64_t other = (*a >> shift ^ *b) & mask;
  *a ^= other << shift;
  *b ^= other;
}

/* Byte b of word i becomes byte i of word b: exchanges blocks of 4 bytes across the diagonal, in
 * these blocks of 2, in these of 1. */
static inline void transpose(uint64_t w[8]) {
  const uint64_t fours = UINT64_C(0x00000000ffffffff), twos = UINT64_C(0x0000ffff0000ffff),
                 ones = UINT64_C(0x00ff00ff00ff00ff);
  exchange(&w[0], &w[4], 32, fours);
  exchange(&w[1], &w[5], 32, fours);
  exchange(&w[2], &w[6], 32, fours);
  exchange(&w[3], &w[7], 32, fours);
  exchange(&w[0], &w[2], 16, twos);
  exchange(&w[1], &w[3], 16, twos);
  exchange(&w[4], &w[6], 16, twos);
  exchange(&w[5], &w[7], 16, twos);
  exchange(&w[0], &w[1], 8, ones);
  exchange(&w[2], &w[3], 8, ones);
  exchange(&w[4], &w[5], 8, ones);
  exchange(&w[6], &w[7], 8, ones);
}

/* Number of 8-byte values that can be taken eight at a time. */
static size_t by_words(size_t count, size_t size) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1 && size == 8 ? count / 8 * 8 : 0;
}

/* Puts the first bytes of all values first, then the second bytes, and so on. */
static void shuffle(const unsigned char *values, size_t count, size_t size, unsigned char *planes) {
  const size_t whole = by_words(count, size);
  for (size_t i = 0; i < whole; i += 8) {
    uint64_t words[8];
    memcpy(words, values + 8 * i, sizeof words);
    transpose(words);
    for (size_t b = 0; b < 8; b++) memcpy(planes + b * count + i, &words[b], sizeof words[b]);
  }
  for (size_t b = 0; b < size; b++)
    for (size_t i = whole; i < count; i++) planes[b * count + i] = values[size * i + b];
}

static void unshuffle(const unsigned char *planes, size_t count, size_t size, unsigned char *values,
                      size_t wanted) {
  const size_t whole = by_words(wanted, size);
  for (size_t i = 0; i < whole; i += 8) {
    uint64_t words[8];
    for (size_t b = 0; b < 8; b++) memcpy(&words[b], planes + b * count + i, sizeof words[b]);
    transpose(words);
    memcpy(values + 8 * i, words, sizeof words);
  }
  for (size_t i = whole; i < wanted; i++)
    for (size_t b = 0; b < size; b++) values[size * i + b] = planes[b * count + i];
}

/* True if the bytes at some places come again within deflate's window: constants, steps, the digits
 * of a grid. */
static bool repeats(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < PLACES; i++) {
    const size_t at = count / PLACES * i, left = count - at;
    const size_t window = left < WINDOW ? left : WINDOW;
    if (window > WORD && memmem(bytes + at + 1, window - 1, bytes + at, WORD)) return true;
  }
  return false;
}

/* Rate of equal pairs of bytes, relative to noise (once in 256): 1 for noise, 256 for a
 * constant. */
static double sameness(const unsigned char *bytes, size_t count) {
  uint32_t counts[256] = {0};
  uint64_t squares = 0;
  const size_t step = count > SAMPLE ? count / SAMPLE : 1, taken = count / step;
  for (size_t i = 0; i < taken; i++) counts[bytes[i * step]]++;
  for (int b = 0; b < 256; b++) squares += (uint64_t)counts[b] * counts[b];
  return 256.0 * (double)(squares - taken) / ((double)taken * (double)(taken - 1));
}

/* Stores noise unchanged, codes bytes without order by their frequency, and searches the rest for
 * repetitions too. */
static void choose(const unsigned char *bytes, size_t count, int *level, int *strategy) {
  *level = LEVEL;
  *strategy = Z_DEFAULT_STRATEGY;
  if (count < SAMPLE || repeats(bytes, count)) return;
  if (sameness(bytes, count) < 1.1)
    *level = Z_NO_COMPRESSION;
  else
    *strategy = Z_HUFFMAN_ONLY;
}

static bool put(z_stream *z, unsigned char *bytes, size_t count, int level, int strategy) {
  if (deflateParams(z, level, strategy) != Z_OK) return false;
  z->next_in = bytes;
  z->avail_in = (uInt)count;
  return deflate(z, Z_NO_FLUSH) == Z_OK && z->avail_in == 0;
}

/* Number of equal bytes at the end: all, or the bytes of rows that a last chunk does not have. */
static size_t same_at_end(const unsigned char *bytes, size_t count) {
  size_t same = 1;
  while (same < count && bytes[count - 1 - same] == bytes[count - 1]) same++;
  return same;
}

/* Compresses a plane; the bytes before a long constant end get settings of their own. */
static bool put_plane(z_stream *z, unsigned char *bytes, size_t count) {
  const size_t same = same_at_end(bytes, count),
               constant = same == count || same >= SAMPLE ? same : 0, left = count - constant;
  int level, strategy;
  choose(bytes, left, &level, &strategy);
  if (left && !put(z, bytes, left, level, strategy)) return false;
  return !constant || put(z, bytes + left, constant, LEVEL, Z_RLE);
}

size_t omr_pack(const void *values, size_t count, size_t size, void *scratch, void *packed) {
  z_stream z = {0};
  unsigned char *planes = scratch;
  shuffle(values, count, size, planes);
  if (deflateInit(&z, LEVEL) != Z_OK) return 0;
  z.next_out = packed;
  z.avail_out = (uInt)omr_packed_most(count * size);
  bool done = true;
  for (size_t b = 0; done && count && b < size; b++)
    done = put_plane(&z, planes + b * count, count);
  done = done && deflate(&z, Z_FINISH) == Z_STREAM_END;
  const size_t bytes = z.total_out;
  deflateEnd(&z);
  return done ? bytes : 0;
}

bool omr_unpack(const void *packed, size_t bytes, size_t count, size_t size, void *scratch,
                void *values, size_t wanted) {
  uLongf length = (uLongf)(count * size);
  if (uncompress(scratch, &length, packed, (uLong)bytes) != Z_OK || length != count * size ||
      wanted > count)
    return false;
  unshuffle(scratch, count, size, values, wanted);
  return true;
}

enum { LANES = 8, ROUNDS = 360 }; /* so many rounds of 16-bit numbers do not overflow */

/* Modulo 65535, and 0 for 0 only. */
static uint64_t fold(uint64_t x) {
  while (x >> 16) x = (x & 0xffff) + (x >> 16);
  return x;
}

/* Adds the next numbers in lanes that the compiler vectorises: number i of round r enters `sums`
 * once for itself and once for each that comes after it, LANES (rounds - r) - i times. */
static void add_rounds(const unsigned char *at, size_t rounds, uint64_t *sum, uint64_t *sums) {
  uint32_t once[LANES] = {0}, often[LANES] = {0};
  for (size_t r = 0; r < rounds; r++, at += 2 * LANES) {
    uint16_t numbers[LANES];
    memcpy(numbers, at, sizeof numbers);
    for (int i = 0; i < LANES; i++) {
      once[i] += numbers[i];
      often[i] += once[i];
    }
  }
  *sums += *sum * LANES * rounds;
  for (unsigned i = 0; i < LANES; i++) {
    *sum += once[i];
    *sums += (uint64_t)LANES * often[i] - (uint64_t)i * once[i];
  }
  *sum = fold(*sum);
  *sums = fold(*sums);
}

/* HDF5 takes the most significant byte first. A sum modulo 65535 of numbers with exchanged bytes is
 * 256 times the sum, which is the sum with its bytes exchanged. */
static uint32_t most_significant_first(uint64_t sum) {
  const uint16_t number = (uint16_t)sum;
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap16(number) : number;
}

/* Sums 16-bit numbers. A last odd byte is the first byte of a number. */
uint32_t omr_fletcher32(const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  uint64_t sum = 0, sums = 0;
  for (size_t left = count / (2 * LANES), here; left > 0; left -= here) {
    here = left < ROUNDS ? left : ROUNDS;
    add_rounds(at, here, &sum, &sums);
    at += 2 * LANES * here;
  }
  for (size_t left = count % (2 * LANES), here; left > 0; left -= here, at += here) {
    uint16_t number = 0;
    here = left < 2 ? left : 2;
    memcpy(&number, at, here);
    sum += number;
    sums += sum;
  }
  return most_significant_first(fold(sums)) << 16 | most_significant_first(fold(sum));
}
