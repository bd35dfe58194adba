/* Sums as bytes: numbers without a sign in groups of seven bits, doubles in eight bytes, the lowest
 * first. One walk over the sums writes and reads them. */
#include "partial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 2, DIGIT_BYTES = 4 };

typedef struct stream {
  unsigned char *bytes; /* written, or to read */
  size_t at, size;      /* size: room for writing, or bytes to read */
  bool reading, failed; /* failed: the bytes are no sums, or memory ran out */
  bool memory;
} stream;

static bool make_room(stream *s, size_t count) {
  if (s->failed || s->at + count <= s->size) return !s->failed;
  size_t size = s->size ? s->size : 4096;
  while (size < s->at + count) size *= 2;
  unsigned char *bytes = realloc(s->bytes, size);
  if (bytes) {
    s->bytes = bytes;
    s->size = size;
  }
  s->failed = s->memory = !bytes;
  return bytes != NULL;
}

static void pass_byte(stream *s, unsigned char *byte) {
  if (s->reading) {
    s->failed = s->failed || s->at >= s->size;
    *byte = s->failed ? 0 : s->bytes[s->at++];
  } else if (make_room(s, 1)) {
    s->bytes[s->at++] = *byte;
  }
}

static void pass_count(stream *s, uint64_t *value) {
  uint64_t rest = *value, read = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char byte = (unsigned char)((rest & 127) | (rest > 127 ? 128 : 0));
    pass_byte(s, &byte);
    if (shift > 63 || s->failed) {
      s->failed = true;
      return;
    }
    read |= (uint64_t)(byte & 127) << shift;
    rest >>= 7;
    if (byte < 128) break;
  }
  *value = read;
}

static void pass_double(stream *s, double *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  for (int i = 0; i < 8; i++) {
    unsigned char byte = (unsigned char)(bits >> 8 * i & 255);
    pass_byte(s, &byte);
    bits = (bits & ~((uint64_t)255 << 8 * i)) | (uint64_t)byte << 8 * i;
  }
  memcpy(value, &bits, sizeof bits);
}

static void pass_counts(stream *s, uint64_t *values, size_t count) {
  for (size_t i = 0; i < count && !s->failed; i++) pass_count(s, &values[i]);
}

static void pass_doubles(stream *s, double *values, size_t count) {
  for (size_t i = 0; i < count && !s->failed; i++) pass_double(s, &values[i]);
}

/* The digits that differ from the sign's, lowest first. */
static void pass_exact(stream *s, omr_exact *sum) {
  uint64_t first = 0, last = 0, negative = 0;

  /* which digits are written */
  if (!s->reading) {
    omr_exact_settle(sum);
    negative = sum->digit[OMR_EXACT_DIGITS - 1] < 0;
    const int64_t plain = negative ? UINT32_MAX : 0;
    last = OMR_EXACT_DIGITS;
    while (last && (sum->digit[last - 1] & UINT32_MAX) == plain) last--;
    while (first < last && sum->digit[first] == 0) first++;
  }
  pass_count(s, &first);
  pass_count(s, &last);
  pass_count(s, &negative);

  /* the others are those of the sign */
  if (s->reading) {
    s->failed = s->failed || first > last || last > OMR_EXACT_DIGITS || negative > 1;
    if (s->failed) return;
    memset(sum, 0, sizeof *sum);
    for (size_t i = (size_t)last; negative && i < OMR_EXACT_DIGITS; i++) sum->digit[i] = UINT32_MAX;
  }

  /* four bytes a digit */
  for (size_t i = (size_t)first; i < last; i++) {
    uint64_t digit = (uint64_t)sum->digit[i] & UINT32_MAX, value = 0;
    for (int b = 0; b < DIGIT_BYTES; b++) {
      unsigned char byte = (unsigned char)(digit >> 8 * b & 255);
      pass_byte(s, &byte);
      value |= (uint64_t)byte << 8 * b;
    }
    if (s->reading) sum->digit[i] = (int64_t)value;
  }
  if (s->reading) /* the last digit has the sign */
    sum->digit[OMR_EXACT_DIGITS - 1] = (int32_t)(uint32_t)sum->digit[OMR_EXACT_DIGITS - 1];
}

/* Bins in their order: the distance to the one before, and the count. */
static void pass_sketch(stream *s, omr_sketch *sketch) {
  uint64_t taken = sketch->taken, dropped = (uint64_t)sketch->dropped, before = 0;
  pass_count(s, &taken);
  pass_count(s, &dropped);
  if (s->failed) return;

  /* bytes from a file may claim anything */
  if (s->reading && (taken > sketch->most || dropped > 63)) {
    s->failed = true;
    return;
  }

  /* bins, written in their order */
  omr_sketch_bin *sorted = s->reading ? NULL : omr_sketch_sorted(sketch);
  if (!s->reading && !sorted) s->failed = s->memory = true;
  for (size_t i = 0; i < taken && !s->failed; i++) {
    omr_sketch_bin bin = s->reading ? (omr_sketch_bin){0} : sorted[i];
    uint64_t step = bin.key - before;
    pass_count(s, &step);
    pass_count(s, &bin.count);
    before += step;
    if (!s->reading) continue;
    if (bin.count == 0)
      s->failed = true;
    else if (!omr_sketch_count(sketch, before, bin.count, (int)dropped))
      s->failed = s->memory = true;
  }
  free(sorted);
}

static void pass_column(stream *s, omr_partial_column *c) {
  pass_count(s, &c->used);
  pass_count(s, &c->without_value);
  pass_double(s, &c->min);
  pass_double(s, &c->max);
  pass_count(s, &c->min_at);
  pass_count(s, &c->max_at);
  pass_double(s, &c->least);
  pass_double(s, &c->most);
  pass_double(s, &c->first);
  pass_exact(s, &c->sum);
  pass_exact(s, &c->squares);
  pass_sketch(s, &c->sketch);
}

static void pass_criterion(stream *s, omr_criterion_counts *counts) {
  pass_count(s, &counts->met);
  pass_count(s, &counts->not_met);
  pass_count(s, &counts->unknown);
  pass_count(s, &counts->left_out);
}

/* A cell without rows is a 0. */
static void pass_cell(stream *s, omr_partial *sums, size_t cell) {
  const omr_statistics *frame = sums->frame;
  const omr_cells *cells = &frame->cells;
  uint64_t *status = cells->by_status + cell * OMR_INSTANCE_STATUS_COUNT, there = 0;
  for (int code = 0; code < OMR_INSTANCE_STATUS_COUNT; code++) there |= status[code] != 0;
  pass_count(s, &there);
  if (!there || s->failed) return;
  pass_counts(s, status, OMR_INSTANCE_STATUS_COUNT);
  pass_doubles(s, cells->values + cell * cells->design_count, cells->design_count);
  for (size_t c = 0; c < frame->criterion_count && !s->failed; c++)
    pass_criterion(s, &cells->criteria[cell * frame->criterion_count + c]);
  for (size_t c = 0; c < frame->quantity_count && !s->failed; c++)
    pass_column(s, &sums->cell_columns[cell * frame->quantity_count + c]);
}

static void pass_batch(stream *s, omr_partial *sums, size_t quantity, size_t number) {
  omr_partial_batch *b = &sums->batches[quantity * OMR_SOBOL_BATCHES + number];
  uint64_t there = b->each != NULL;
  pass_count(s, &there);
  if (!there || s->failed) return;
  if (s->reading && !omr_partial_open_batch(sums, quantity, number)) {
    s->failed = s->memory = true;
    return;
  }
  pass_count(s, &b->groups);
  pass_double(s, &b->low);
  pass_double(s, &b->high);
  pass_exact(s, &b->sum);
  pass_exact(s, &b->squares);
  for (size_t i = 0; i < 3 * sums->parameters && !s->failed; i++)
    pass_exact(s, &b->each[i / 3][i % 3]);
}

static void pass_measure(stream *s, omr_partial *sums) {
  const size_t pairs = sums->quantities * sums->parameters;
  pass_count(s, &sums->groups);
  pass_count(s, &sums->groups_ok);
  pass_counts(s, sums->groups_failed, OMR_INSTANCE_STATUS_COUNT);
  pass_counts(s, sums->group_used, sums->quantities);
  pass_doubles(s, sums->group_low, sums->quantities);
  pass_doubles(s, sums->group_high, sums->quantities);

  /* one of the measures */
  for (size_t i = 0; sums->terms && i < 3 * pairs && !s->failed; i++)
    pass_exact(s, &sums->terms[i / 3].each[i % 3]);
  for (size_t q = 0; sums->batches && q < sums->quantities; q++)
    for (size_t b = 0; b < OMR_SOBOL_BATCHES && !s->failed; b++) pass_batch(s, sums, q, b);
}

/* What the sums have to agree about, then all of them. */
static void pass_all(stream *s, omr_partial *sums) {
  omr_statistics *frame = sums->frame;
  uint64_t form[] = {VERSION,
                     frame->quantity_count,
                     frame->criterion_count,
                     frame->cells.count,
                     (uint64_t)sums->measure,
                     sums->parameters};
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    const uint64_t own = form[i];
    pass_count(s, &form[i]);
    s->failed = s->failed || form[i] != own;
  }

  /* counts */
  pass_count(s, &sums->rows); /* omr_partial_rows reads it */
  pass_counts(s, frame->by_status, OMR_INSTANCE_STATUS_COUNT);
  pass_doubles(s, frame->earliest, OMR_INSTANCE_STATUS_COUNT);
  pass_counts(s, frame->failed[0], OMR_INSTANCE_STATUS_COUNT * OMR_FAILED_NUMBERS);
  for (size_t c = 0; c < frame->criterion_count && !s->failed; c++)
    pass_criterion(s, &frame->criteria[c].counts);

  /* columns, of the whole and of cells, and sensitivities */
  for (size_t c = 0; c < frame->quantity_count && !s->failed; c++)
    pass_column(s, &sums->columns[c]);
  for (size_t c = 0; c < frame->cells.count && !s->failed; c++) pass_cell(s, sums, c);
  if (!s->failed) pass_measure(s, sums);
}

omr_status omr_partial_pack(const omr_partial *sums, unsigned char **bytes, size_t *count,
                            omr_error *error) {
  stream s = {0};
  pass_all(&s, (omr_partial *)sums); /* only settles their digits */
  *bytes = s.bytes;
  *count = s.at;
  if (!s.failed) return OMR_OK;
  free(s.bytes);
  *bytes = NULL;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
}

omr_status omr_partial_unpack(omr_partial *sums, const unsigned char *bytes, size_t count,
                              omr_error *error) {
  stream s = {.bytes = (unsigned char *)bytes, .size = count, .reading = true};
  pass_all(&s, sums);
  if (s.memory) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
  return s.failed || s.at != s.size
             ? omr_fail(error, OMR_ERR_IO, "the sums are damaged, or of another study or version")
             : OMR_OK;
}

uint64_t omr_partial_rows(const unsigned char *bytes, size_t count) {
  enum { FORM = 6 };
  stream s = {.bytes = (unsigned char *)bytes, .size = count, .reading = true};
  uint64_t numbers[FORM + 1] = {0};
  pass_counts(&s, numbers, FORM + 1);
  return s.failed ? 0 : numbers[FORM];
}

omr_status omr_partial_of(const omr_study *study, const omr_result *result, omr_partial **sums,
                          omr_error *error) {
  omr_status status = omr_partial_make(study, result, sums, error);
  if (status == OMR_OK)
    status = omr_partial_unpack(*sums, result->partial, result->partial_bytes, error);
  if (status == OMR_OK) return OMR_OK;
  omr_partial_free(*sums);
  *sums = NULL;
  return status;
}
