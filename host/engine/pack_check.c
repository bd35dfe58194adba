/* Events show in the state columns that count or name them. */
#include "pack_check.h"

#include "../../kernels/layout.h"
#include "../lists/samples.h"
#include "../support/support.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  PLACES = OMR_PAD, /* instances of a copied block, with the layout of the batch */
  CLASSES = 16,     /* of changes of a column */
  MOST_KEPT = 48,   /* stored packs */
  EVERY = 64        /* packs per drawn pack */
};

/* The meaning of a column's change. */
typedef enum tells {
  TELLS_VALUE, /* a small whole number: each value is an event of its own */
  TELLS_COUNT, /* a counter: by one, two or more within a launch */
  TELLS_CHANGE /* any change, and a return to 0 */
} tells;

typedef struct event_column {
  int column;
  tells tells;
} event_column;

/* Columns of some instances: params, state and spins in the object's precision. */
typedef struct block {
  char *params, *state, *spins;
} block;

typedef struct kept_pack {
  block start, end;
  double step, until;
  int place;
} kept_pack;

struct omr_pack_check {
  const omr_run_settings *settings;
  const omr_lane_object *general;
  size_t size; /* of a value */
  int threads, event_count;
  event_column *events;
  atomic_uchar *kept_kinds, *checked_kinds; /* [event_count * CLASSES] */
  block *before, *again;                    /* [threads] */
  kept_pack kept[MOST_KEPT];
  int kept_count;
  int drawn; /* drawn pack of this launch; -1: none */
  size_t passed;
  unsigned launches;
  uint64_t random;
  omp_lock_t lock; /* guards the members below, and kept; one per run */
  atomic_bool bad;
  char why[256];
};

/* ---- memory */

static void free_block(block *b) {
  free(b->params);
  free(b->state);
  free(b->spins);
}

static bool make_block(const omr_pack_check *c, block *b) {
  const omr_run_settings *s = c->settings;
  b->params = omr_aligned_calloc((size_t)s->param_columns * PLACES, c->size);
  b->state = omr_aligned_calloc((size_t)s->state_columns * PLACES, c->size);
  b->spins = omr_aligned_calloc((size_t)s->spin_columns * PLACES + 1, c->size);
  return b->params && b->state && b->spins;
}

/* Lists the columns that name or count events of a vehicle. */
static void list_events(omr_pack_check *c) {
  static const event_column of_vehicle[] = {
      {S_STATUS, TELLS_VALUE},       {S_EXCHANGES, TELLS_COUNT},     {S_HOLDS, TELLS_COUNT},
      {S_TURNS, TELLS_COUNT},        {S_CUT, TELLS_CHANGE},          {S_IMPACT, TELLS_CHANGE},
      {S_SUBSTEPS, TELLS_VALUE},     {S_SAMPLE, TELLS_COUNT},        {S_EVENT, TELLS_COUNT},
      {S_LIFTINGS, TELLS_COUNT},     {S_LOADED, TELLS_VALUE},        {S_FEW_TIME, TELLS_CHANGE},
      {S_REGENERATED, TELLS_CHANGE}, {S_CONTROL_LOSS, TELLS_CHANGE}, {S_TRACK_X, TELLS_CHANGE}};
  static const event_column of_wheel[] = {
      {T_REST, TELLS_VALUE},      {T_EDGE, TELLS_VALUE},        {T_SECOND, TELLS_CHANGE},
      {T_INTEGRAL, TELLS_CHANGE}, {T_LIGHT_TIME, TELLS_CHANGE}, {T_LOST_GRIP, TELLS_CHANGE}};
  enum {
    OF_VEHICLE = sizeof of_vehicle / sizeof *of_vehicle,
    OF_WHEEL = sizeof of_wheel / sizeof *of_wheel
  };

  /* A small model only shows its status. */
  const int *k = c->settings->integers;
  c->event_count = 0;
  if (k[K_MODEL]) {
    c->events[c->event_count++] = (event_column){c->settings->status_column, TELLS_VALUE};
    return;
  }

  /* The vehicle's columns, then each wheel's. */
  for (int i = 0; i < OF_VEHICLE; i++) c->events[c->event_count++] = of_vehicle[i];
  for (int wheel = 0; wheel < k[K_WHEELS]; wheel++) {
    for (int i = 0; i < OF_WHEEL; i++)
      c->events[c->event_count++] =
          (event_column){OMR_STATE_COLUMN(wheel, of_wheel[i].column), of_wheel[i].tells};
  }
}

omr_pack_check *omr_pack_check_make(const omr_run_settings *settings,
                                    const omr_lane_object *general, int threads) {
  omr_pack_check *c = calloc(1, sizeof *c);
  if (!c) return NULL;

  /* Every run draws its packs in the same order. */
  omp_init_lock(&c->lock);
  c->settings = settings;
  c->general = general;
  c->size = general->single ? sizeof(float) : sizeof(double);
  c->threads = threads;
  c->random = 0x9e3779b97f4a7c15u;
  c->drawn = -1;

  /* Marks of the events, and two blocks for each thread. */
  c->events = calloc(64, sizeof *c->events);
  c->before = calloc((size_t)threads, sizeof *c->before);
  c->again = calloc((size_t)threads, sizeof *c->again);
  c->kept_kinds = calloc((size_t)64 * CLASSES, sizeof *c->kept_kinds);
  c->checked_kinds = calloc((size_t)64 * CLASSES, sizeof *c->checked_kinds);
  bool made = c->events && c->before && c->again && c->kept_kinds && c->checked_kinds;
  for (int t = 0; made && t < threads; t++)
    made = make_block(c, &c->before[t]) && make_block(c, &c->again[t]);

  /* The events depend on the study's features. */
  if (made) {
    list_events(c);
    return c;
  }
  omr_pack_check_free(c);
  return NULL;
}

void omr_pack_check_free(omr_pack_check *c) {
  if (!c) return;
  /* Blocks of the threads and of stored packs. */
  for (int t = 0; t < c->threads; t++) {
    if (c->before) free_block(&c->before[t]);
    if (c->again) free_block(&c->again[t]);
  }
  for (int i = 0; i < c->kept_count; i++) {
    free_block(&c->kept[i].start);
    free_block(&c->kept[i].end);
  }

  free(c->before);
  free(c->again);
  free(c->events);
  free(c->kept_kinds);
  free(c->checked_kinds);
  omp_destroy_lock(&c->lock);
  free(c);
}

/* ---- copies */

/* Copies the lanes of a pack in `columns` columns, `stride` values apart. */
static void copy_columns(const omr_pack_check *c, const char *from, size_t from_stride, char *to,
                         size_t to_stride, int columns) {
  const size_t bytes = c->size * (size_t)c->general->lanes;
  for (int j = 0; j < columns; j++)
    memcpy(to + (size_t)j * to_stride * c->size, from + (size_t)j * from_stride * c->size, bytes);
}

/* Address of a pack's spins, which are stored in blocks, unlike the columns of the batch
 * (kernels/entry.h, pack_spins). */
static char *spins_of(const omr_pack_check *c, void *spins, int first) {
  const size_t block = (size_t)c->settings->spin_columns * PLACES;
  return (char *)spins + ((size_t)(first / PLACES) * block + (size_t)(first % PLACES)) * c->size;
}

static void take_state(const omr_pack_check *c, const omr_lane_buffers *b, int first, block *to) {
  const size_t place = (size_t)(first % PLACES) * c->size;
  copy_columns(c, (const char *)b->state + (size_t)first * c->size, (size_t)b->stride,
               to->state + place, PLACES, c->settings->state_columns);
  copy_columns(c, spins_of(c, b->spins, first), PLACES, to->spins + place, PLACES,
               c->settings->spin_columns);
}

static void take_params(const omr_pack_check *c, const omr_lane_buffers *b, int first, block *to) {
  copy_columns(c, (const char *)b->params + (size_t)first * c->size, (size_t)b->stride,
               to->params + (size_t)(first % PLACES) * c->size, PLACES, c->settings->param_columns);
}

static void copy_block(const omr_pack_check *c, const block *from, block *to) {
  memcpy(to->params, from->params, (size_t)c->settings->param_columns * PLACES * c->size);
  memcpy(to->state, from->state, (size_t)c->settings->state_columns * PLACES * c->size);
  memcpy(to->spins, from->spins, (size_t)c->settings->spin_columns * PLACES * c->size);
}

/* ---- comparing */

static double value_of(const omr_pack_check *c, const char *at) {
  float single;
  double value;
  if (c->size == sizeof value) {
    memcpy(&value, at, sizeof value);
    return value;
  }
  memcpy(&single, at, sizeof single);
  return (double)single;
}

static void tell_difference(omr_pack_check *c, const char *what, int column, double general,
                            double other) {
  omp_set_lock(&c->lock);
  if (!atomic_load(&c->bad)) {
    snprintf(c->why, sizeof c->why, "column %d of the %s is %.17g and %.17g in the general object",
             column, what, other, general);
    atomic_store(&c->bad, true);
  }
  omp_unset_lock(&c->lock);
}

/* Compares the lanes at `place`. Two NaNs count as equal: which of them a sum passes on is the
 * compiler's choice. */
static bool equal(omr_pack_check *c, const char *general, const char *other, int place, int columns,
                  const char *what) {
  const size_t lanes = (size_t)c->general->lanes;
  for (int j = 0; j < columns; j++) {
    const size_t at = ((size_t)j * PLACES + (size_t)place) * c->size;
    if (!memcmp(general + at, other + at, lanes * c->size)) continue;
    for (size_t l = 0; l < lanes; l++) {
      const char *a = general + at + l * c->size, *b = other + at + l * c->size;
      const double x = value_of(c, a), y = value_of(c, b);
      if (!memcmp(a, b, c->size) || (isnan(x) && isnan(y))) continue;
      tell_difference(c, what, j, x, y);
      return false;
    }
  }
  return true;
}

static bool equal_blocks(omr_pack_check *c, const block *general, const block *other, int place) {
  return equal(c, general->state, other->state, place, c->settings->state_columns, "state") &&
         equal(c, general->spins, other->spins, place, c->settings->spin_columns, "rollers' spins");
}

static void go(const omr_pack_check *c, const omr_lane_object *object, const block *b, double step,
               double until, const void *tables, int place) {
  const omr_lane_buffers buffers = {b->params, b->state, b->spins, tables, c->settings->integers,
                                    PLACES};
  object->advance(&buffers, step, until, place);
}

/* ---- events */

/* The class of a column's change in one lane; -1: no event. */
static int class_of(tells tells, double before, double after) {
  if (before == after || !(fabs(after) < 1e9) || !(fabs(before) < 1e9)) return -1;
  if (tells == TELLS_VALUE) return (int)llround(after) & (CLASSES - 1);
  if (tells == TELLS_CHANGE) return after == 0 ? 2 : 1;
  const double change = fabs(after - before);
  return change < 1.5 ? 1 : change < 2.5 ? 2 : 3;
}

/* Whether the pack went through a kind of event that is not marked yet; marks all its events. */
static bool marks_new(const omr_pack_check *c, const block *before, const omr_lane_buffers *b,
                      int first, atomic_uchar *kinds) {
  /* Columns that did not change in any lane are skipped. */
  bool found = false;
  for (int e = 0; e < c->event_count; e++) {
    const char *was = before->state +
                      ((size_t)c->events[e].column * PLACES + (size_t)(first % PLACES)) * c->size,
               *is = (const char *)b->state +
                     ((size_t)c->events[e].column * (size_t)b->stride + (size_t)first) * c->size;
    if (!memcmp(was, is, c->size * (size_t)c->general->lanes)) continue;

    /* Threads may find the same event at the same time; one of them wins. */
    for (int l = 0; l < c->general->lanes; l++) {
      const size_t at = (size_t)l * c->size;
      const int kind = class_of(c->events[e].tells, value_of(c, was + at), value_of(c, is + at));
      if (kind < 0) continue;
      atomic_uchar *mark = &kinds[e * CLASSES + kind];
      if (!atomic_load_explicit(mark, memory_order_relaxed))
        found = !atomic_exchange(mark, 1) || found;
    }
  }

  return found;
}

static void keep(omr_pack_check *c, const omr_launch *launch, int first, const block *before) {
  omp_set_lock(&c->lock);
  if (c->kept_count < MOST_KEPT) {
    kept_pack *k = &c->kept[c->kept_count];
    *k = (kept_pack){.step = launch->step, .until = launch->until, .place = first % PLACES};
    if (make_block(c, &k->start) && make_block(c, &k->end)) {
      copy_block(c, before, &k->start);
      take_params(c, &launch->buffers, first, &k->start);
      take_state(c, &launch->buffers, first, &k->end);
      c->kept_count++;
    } else {
      free_block(&k->start);
      free_block(&k->end);
    }
  }
  omp_unset_lock(&c->lock);
}

void omr_pack_check_begin(omr_pack_check *c, int packs, bool compiled) {
  c->launches++;
  c->drawn = -1;
  if (!compiled) return;
  if (c->passed && c->passed < EVERY) {
    c->passed += (size_t)packs;
    return;
  }
  c->random ^= c->random << 13; /* Marsaglia, Xorshift RNGs, 2003 */
  c->random ^= c->random >> 7;
  c->random ^= c->random << 17;
  c->drawn = (int)(c->random % (uint64_t)packs);
  c->passed = (size_t)packs;
}

bool omr_pack_check_looks(const omr_pack_check *c, int pack) {
  return pack == c->drawn || (unsigned)pack % EVERY == c->launches % EVERY;
}

void omr_pack_check_advance(omr_pack_check *c, const omr_launch *launch, int pack, int thread) {
  const int first = (pack - launch->origin) * c->general->lanes;
  block *before = &c->before[thread], *again = &c->again[thread];

  /* The state before the launch. */
  take_state(c, &launch->buffers, first, before);
  launch->object->advance(&launch->buffers, launch->step, launch->until, first);

  /* The general object's packs are stored where they show something new. */
  if (launch->object == c->general) {
    if (marks_new(c, before, &launch->buffers, first, c->kept_kinds) || !c->kept_count)
      keep(c, launch, first, before);
    return;
  }

  /* A compiled object's packs are computed again by the general one. */
  const bool new = marks_new(c, before, &launch->buffers, first, c->checked_kinds);
  if (!new &&pack != c->drawn) return;
  take_params(c, &launch->buffers, first, before);
  go(c, c->general, before, launch->step, launch->until, launch->buffers.tables, first % PLACES);
  take_state(c, &launch->buffers, first, again);
  equal_blocks(c, before, again, first % PLACES);
}

bool omr_pack_check_kept(omr_pack_check *c, const omr_lane_object *object, const void *tables) {
  block *again = &c->again[0];
  for (int i = 0; i < c->kept_count; i++) {
    const kept_pack *k = &c->kept[i];
    copy_block(c, &k->start, again);
    go(c, object, again, k->step, k->until, tables, k->place);
    if (!equal_blocks(c, &k->end, again, k->place)) return false;
  }
  memcpy(c->checked_kinds, c->kept_kinds, (size_t)64 * CLASSES);
  return true;
}

bool omr_pack_check_good(const omr_pack_check *c, char why[256]) {
  const bool good = !atomic_load(&c->bad);
  snprintf(why, 256, "%s", good ? "" : c->why);
  return good;
}
