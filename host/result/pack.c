#define _GNU_SOURCE /* memmem */
#include "pack.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* Of columns of observables, level 1 with shuffled bytes leaves 65 % of the bytes, level 4 64 %, and without shuffling both leave
 * 73 %. */
enum { LEVEL = 1, WINDOW = 32768, SAMPLE = 4096, WORD = 8, PLACES = 3 };

size_t omr_packed_most(size_t bytes) {
  return bytes + bytes / 8 + 4096;
}

/* The first byte of every value, then the second ones, and so on. */
static void shuffle(const unsigned char *values, size_t count, size_t size, unsigned char *planes) {
  if (size == 8) {
    for (size_t i = 0; i < count; i++) {
      for (size_t b = 0; b < 8; b++) planes[b * count + i] = values[8 * i + b];
    }
    return;
  }
  for (size_t b = 0; b < size; b++)
    for (size_t i = 0; i < count; i++) planes[b * count + i] = values[size * i + b];
}

static void unshuffle(const unsigned char *planes, size_t count, size_t size, unsigned char *values, size_t wanted) {
  if (size == 8) {
    for (size_t i = 0; i < wanted; i++) {
      for (size_t b = 0; b < 8; b++) values[8 * i + b] = planes[b * count + i];
    }
    return;
  }
  for (size_t i = 0; i < wanted; i++)
    for (size_t b = 0; b < size; b++) values[size * i + b] = planes[b * count + i];
}

/* Whether what stands at some places comes again within deflate's window: constants, steps, the digits of a grid. */
static bool repeats(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < PLACES; i++) {
    const size_t at = count / PLACES * i, left = count - at;
    const size_t window = left < WINDOW ? left : WINDOW;
    if (window > WORD && memmem(bytes + at + 1, window - 1, bytes + at, WORD)) return true;
  }
  return false;
}

/* How often two bytes are the same, where it is once in 256 for noise: 1 for noise, 256 for a constant. */
static double sameness(const unsigned char *bytes, size_t count) {
  uint32_t counts[256] = {0};
  uint64_t squares = 0;
  const size_t step = count > SAMPLE ? count / SAMPLE : 1, taken = count / step;
  for (size_t i = 0; i < taken; i++) counts[bytes[i * step]]++;
  for (int b = 0; b < 256; b++) squares += (uint64_t)counts[b] * counts[b];
  return 256.0 * (double)(squares - taken) / ((double)taken * (double)(taken - 1));
}

/* Noise is stored as it is, bytes without order are coded by how often they come, the rest is searched for repetitions too. */
static void choose(const unsigned char *bytes, size_t count, int *level, int *strategy) {
  *level = LEVEL;
  *strategy = Z_DEFAULT_STRATEGY;
  if (count < SAMPLE || repeats(bytes, count)) return;
  if (sameness(bytes, count) < 1.1)
    *level = Z_NO_COMPRESSION;
  else
    *strategy = Z_HUFFMAN_ONLY;
}

static bool deflate_planes(z_stream *z, unsigned char *planes, size_t count, size_t size) {
  for (size_t b = 0; b < size; b++) {
    int level, strategy;
    choose(planes + b * count, count, &level, &strategy);
    if (deflateParams(z, level, strategy) != Z_OK) return false;
    z->next_in = planes + b * count;
    z->avail_in = (uInt)count;
    const bool last = b + 1 == size;
    if (deflate(z, last ? Z_FINISH : Z_NO_FLUSH) != (last ? Z_STREAM_END : Z_OK) || z->avail_in) return false;
  }
  return true;
}

size_t omr_pack(const void *values, size_t count, size_t size, void *scratch, void *packed) {
  z_stream z = {0};
  shuffle(values, count, size, scratch);
  if (deflateInit(&z, LEVEL) != Z_OK) return 0;
  z.next_out = packed;
  z.avail_out = (uInt)omr_packed_most(count * size);
  const bool done = deflate_planes(&z, scratch, count, size);
  const size_t bytes = z.total_out;
  deflateEnd(&z);
  return done ? bytes : 0;
}

bool omr_unpack(const void *packed, size_t bytes, size_t count, size_t size, void *scratch, void *values, size_t wanted) {
  uLongf length = (uLongf)(count * size);
  if (uncompress(scratch, &length, packed, (uLong)bytes) != Z_OK || length != count * size || wanted > count) return false;
  unshuffle(scratch, count, size, values, wanted);
  return true;
}
