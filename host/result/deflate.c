#include "deflate.h"

#include <string.h>

enum { STORED = 0, FIXED = 1, DYNAMIC = 2, MOST_STORED = 65535 };
enum { LITERALS = 256, END = 256, SYMBOLS = 257, MOST_SYMBOLS = 288, DISTANCES = 2, LONGEST = 15 };
enum { LENGTH_SYMBOLS = 19, LONGEST_LENGTH = 7 };
enum { RUN = 258 }; /* bytes of the longest match */

/* BITS: the first one written is the lowest */

static void flush(omr_bits *out) {
  for (int b = 0; b < 8; b++) out->at[b] = (unsigned char)(out->held >> 8 * b);
  out->at += out->count >> 3;
  out->held >>= out->count & ~7;
  out->count &= 7;
}

/* No more than 56 bits between flushes. */
static void add(omr_bits *out, uint64_t bits, int count) {
  out->held |= bits << out->count;
  out->count += count;
}

static void put(omr_bits *out, uint64_t bits, int count) {
  add(out, bits, count);
  flush(out);
}

static void begin_block(omr_bits *out, int last, int type) {
  put(out, (uint64_t)(last | type << 1), 3);
}

/* STORED */

static void put_stored(omr_bits *out, int last, const unsigned char *bytes, size_t count) {
  begin_block(out, last, STORED);
  put(out, 0, (8 - out->count) & 7);
  put(out, count | (count ^ 0xffff) << 16, 32);
  if (count) memcpy(out->at, bytes, count);
  out->at += count;
}

void omr_deflate_stored(omr_bits *out, const unsigned char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    const size_t left = count - done, here = left < MOST_STORED ? left : MOST_STORED;
    put_stored(out, 0, bytes + done, here);
    done += here;
  }
}

void omr_deflate_align(omr_bits *out) {
  put_stored(out, 0, NULL, 0);
}

void omr_deflate_end(omr_bits *out) {
  put_stored(out, 1, NULL, 0);
}

/* CODES */

typedef struct node {
  uint32_t count;
  int16_t parent;
} node;

static void sort_leaves(int *leaves, int count, const uint32_t *counts) {
  for (int i = 1; i < count; i++) {
    const int leaf = leaves[i];
    int at = i;
    for (; at > 0 && counts[leaves[at - 1]] > counts[leaf]; at--) leaves[at] = leaves[at - 1];
    leaves[at] = leaf;
  }
}

/* The longest length. Inner nodes come in the order of their counts, as the sorted leaves do: the two least are at the front of
 * either (van Leeuwen 1976). */
static int build(const uint32_t *counts, const int *leaves, int leaf_count, uint8_t *lengths) {
  node nodes[2 * MOST_SYMBOLS];
  int depth[2 * MOST_SYMBOLS], leaf = 0, inner = leaf_count, end = leaf_count, longest = 0;
  for (int i = 0; i < leaf_count; i++) nodes[i].count = counts[leaves[i]];
  for (; end < 2 * leaf_count - 1; end++) {
    nodes[end].count = 0;
    for (int child = 0; child < 2; child++) {
      const int least = leaf < leaf_count && (inner == end || nodes[leaf].count <= nodes[inner].count) ? leaf++ : inner++;
      nodes[end].count += nodes[least].count;
      nodes[least].parent = (int16_t)end;
    }
  }
  depth[end - 1] = 0;
  for (int i = end - 2; i >= 0; i--) {
    depth[i] = depth[nodes[i].parent] + 1;
    if (i >= leaf_count) continue;
    lengths[leaves[i]] = (uint8_t)depth[i];
    if (depth[i] > longest) longest = depth[i];
  }
  return longest;
}

/* Where a length is too long, counts are made more alike until none is. */
void omr_code_lengths(const uint32_t *counts, int symbols, int longest, uint8_t *lengths) {
  uint32_t own[MOST_SYMBOLS];
  int leaves[MOST_SYMBOLS], leaf_count = 0;
  memset(lengths, 0, (size_t)symbols);
  for (int s = 0; s < symbols; s++) {
    own[s] = counts[s];
    if (counts[s]) leaves[leaf_count++] = s;
  }
  sort_leaves(leaves, leaf_count, own);
  while (build(own, leaves, leaf_count, lengths) > longest)
    for (int i = 0; i < leaf_count; i++) own[leaves[i]] = own[leaves[i]] / 2 + 1;
}

static uint16_t reversed(unsigned code, int length) {
  unsigned turned = 0;
  for (int b = 0; b < length; b++) turned |= (code >> b & 1) << (length - 1 - b);
  return (uint16_t)turned;
}

/* Codes of the same length follow each other in the order of their symbols (RFC 1951, 3.2.2); they are written from their highest
 * bit. */
static void make_codes(const uint8_t *lengths, int symbols, uint16_t *codes) {
  unsigned next[LONGEST + 2] = {0};
  for (int s = 0; s < symbols; s++) next[lengths[s] + 1]++;
  next[0] = next[1] = 0; /* symbols without a code */
  for (int l = 1; l <= LONGEST; l++) next[l + 1] = (next[l] + next[l + 1]) << 1;
  for (int s = 0; s < symbols; s++) codes[s] = lengths[s] ? reversed(next[lengths[s]]++, lengths[s]) : 0;
}

/* The lengths of the codes, in a code of their own; of distances there are two, which no byte uses. */
static void put_lengths(omr_bits *out, const uint8_t lengths[SYMBOLS]) {
  static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint8_t all[SYMBOLS + DISTANCES], own[LENGTH_SYMBOLS];
  uint16_t codes[LENGTH_SYMBOLS];
  uint32_t counts[LENGTH_SYMBOLS] = {0};
  memcpy(all, lengths, SYMBOLS);
  memset(all + SYMBOLS, 1, DISTANCES);
  for (int i = 0; i < SYMBOLS + DISTANCES; i++) counts[all[i]]++;
  if (counts[1] == SYMBOLS + DISTANCES) counts[0] = 1; /* never: 257 codes are longer than 1 bit */
  omr_code_lengths(counts, LENGTH_SYMBOLS, LONGEST_LENGTH, own);
  make_codes(own, LENGTH_SYMBOLS, codes);
  put(out, (uint64_t)((SYMBOLS - 257) | (DISTANCES - 1) << 5 | (LENGTH_SYMBOLS - 4) << 10), 14);
  for (int i = 0; i < LENGTH_SYMBOLS; i++) put(out, own[order[i]], 3);
  for (int i = 0; i < SYMBOLS + DISTANCES; i++) put(out, codes[all[i]], own[all[i]]);
}

static void count_bytes(const unsigned char *bytes, size_t count, uint32_t counts[SYMBOLS]) {
  uint32_t lanes[4][LITERALS] = {{0}}; /* a byte that comes again at once waits for the count before */
  for (size_t i = 0; i < count; i++) lanes[i & 3][bytes[i]]++;
  for (int b = 0; b < LITERALS; b++) counts[b] = lanes[0][b] + lanes[1][b] + lanes[2][b] + lanes[3][b];
  counts[END] = 1;
}

void omr_deflate_coded(omr_bits *out, const unsigned char *bytes, size_t count) {
  uint32_t counts[SYMBOLS];
  uint8_t lengths[SYMBOLS];
  uint16_t codes[SYMBOLS];
  count_bytes(bytes, count, counts);
  omr_code_lengths(counts, SYMBOLS, LONGEST, lengths);
  make_codes(lengths, SYMBOLS, codes);
  begin_block(out, 0, DYNAMIC);
  put_lengths(out, lengths);
  omr_bits own = *out;
  size_t i = 0;
  for (; i + 3 <= count; i += 3) {
    for (size_t k = i; k < i + 3; k++) add(&own, codes[bytes[k]], lengths[bytes[k]]);
    flush(&own);
  }
  for (; i < count; i++) put(&own, codes[bytes[i]], lengths[bytes[i]]);
  *out = own;
  put(out, codes[END], lengths[END]);
}

/* CONSTANTS: once the byte, then matches with the byte before, all in the fixed code (RFC 1951, 3.2.6) */

static void put_literal(omr_bits *out, unsigned char byte) {
  if (byte < 144)
    put(out, reversed(0x30U + byte, 8), 8);
  else
    put(out, reversed(0x190U + byte - 144, 9), 9);
}

void omr_deflate_constant(omr_bits *out, unsigned char byte, size_t count) {
  const uint16_t match = reversed(0xc5, 8); /* of 258 bytes (symbol 285), from 1 byte before (symbol 0, five bits) */
  begin_block(out, 0, FIXED);
  for (size_t i = 0; i < 1 + (count - 1) % RUN; i++) put_literal(out, byte);
  for (size_t i = 0; i < (count - 1) / RUN; i++) put(out, match, 13);
  put(out, 0, 7);
}
