/* The check of a system's graph before it runs. */
#include "graph_check.h"

#include "../multibody/multibody.h"
#include <stdlib.h>
#include <string.h>

/* Two rows belong together if their entry in the projection on redundant combinations is larger. */
#define TOGETHER 1e-6
/* Part of the right sides by which redundant rows may disagree: rounding, and the initial state's
 * own violation. */
#define DISAGREE 1e-7

typedef struct check {
  omr_pool memory; /* of the arrays */
  omr_mb *mb;
  omr_findings *graph;
  const omr_finding_tolerance *allowed;
  double *project; /* [n n] on the combinations of rows that vanish */
  int *group;      /* [n] of rows, -1 for rows that take part in none */
  int groups;
  bool failed;
} check;

static omr_finding *add(check *c, omr_finding finding, omr_text *text) {
  omr_findings *g = c->graph;
  omr_finding *more = realloc(g->finding, ((size_t)g->findings + 1) * sizeof *more);
  if (more) g->finding = more;
  if (!more || !text->data || text->failed) {
    omr_text_free(text);
    c->failed = true;
    return NULL;
  }
  finding.text = text->data;
  g->finding[g->findings] = finding;
  g->errors += finding.error;
  return &g->finding[g->findings++];
}

static const char *name_of(const check *c, int constraint) {
  return c->mb->constraint[constraint]->name;
}

/* ---- what needs no rows */

static void find_self(check *c) {
  for (int i = 0; i < c->mb->constraints; i++) {
    const omr_mb_constraint *k = c->mb->constraint[i];
    if (k->a != k->b) continue;
    omr_text text = {0};
    omr_text_print(
        &text, "constraint %s joins %s to itself: name two different bodies, or the base for one",
        k->name, c->mb->body[k->a].name);
    add(c, (omr_finding){.kind = OMR_FINDING_SELF, .error = true, .constraint = i, .second = -1},
        &text);
  }
}

static bool holds(const omr_mb_constraint *k, int body) {
  if (k->rows == 0 && !k->kind->contact) return false;
  return k->a == body || k->b == body || k->carrier == body;
}

static void find_free(check *c) {
  for (int body = 1; body <= c->mb->bodies; body++) {
    bool held = false;
    for (int i = 0; i < c->mb->constraints; i++) held |= holds(c->mb->constraint[i], body);
    if (held) continue;
    omr_text text = {0};
    omr_text_print(&text,
                   "body %s has no constraint or contact: it moves freely, with six freedoms",
                   c->mb->body[body].name);
    add(c,
        (omr_finding){
            .kind = OMR_FINDING_FREE, .body = body, .constraint = -1, .second = -1, .count = 6},
        &text);
  }
}

static void find_violation(check *c, int i) {
  omr_mb *mb = c->mb;
  const omr_mb_constraint *k = mb->constraint[i];

  if (!k->kind->drift) return;
  const omr_mb_drift drift = omr_mb_drift_of(mb, k);
  const double off[2] = {drift.position, drift.velocity};
  const double allowed[] = {c->allowed->position > 0 ? c->allowed->position : 1e-6,
                            c->allowed->velocity > 0 ? c->allowed->velocity : 1e-6};

  /* contacts may be open, so only their velocities are checked */
  for (int which = k->kind->contact ? 1 : 0; which < 2; which++) {
    if (fabs(off[which]) <= allowed[which]) continue;

    omr_text text = {0};
    omr_text_print(&text,
                   which ? "the initial velocities violate constraint %s (%s) by %.6g m/s or "
                           "rad/s: give velocities that it allows"
                         : "the initial positions violate constraint %s (%s) by %.6g m or rad: "
                           "place its bodies so that it holds",
                   k->name, k->kind->name, fabs(off[which]));

    omr_finding_kind kind = which ? OMR_FINDING_VELOCITY : OMR_FINDING_POSITION;
    add(c,
        (omr_finding){
            .kind = kind, .error = true, .constraint = i, .second = -1, .value = off[which]},
        &text);
  }
}

/* ---- redundant conditions */

/* P = U2 U2^T of the left null vectors, columns from `rank` on of u. */
static bool project(check *c, const double *u, int rank) {
  const size_t n = (size_t)c->mb->rows;
  c->project = omr_pool_take(&c->memory, n * n, sizeof *c->project);
  c->group = omr_pool_take(&c->memory, n, sizeof *c->group);
  if (c->memory.failed) return false;
  for (size_t j = (size_t)rank; j < n; j++)
    for (size_t k = 0; k < n; k++)
      for (size_t l = 0; l < n; l++) c->project[k * n + l] += u[j * n + k] * u[j * n + l];
  return true;
}

/* True for rows that take part if they belong to one constraint, or if P links them. */
static bool linked(const check *c, size_t k, size_t l) {
  const size_t n = (size_t)c->mb->rows;
  const double *p = c->project;
  if (p[k * n + k] <= TOGETHER || p[l * n + l] <= TOGETHER) return false;
  return c->mb->row_constraint[k] == c->mb->row_constraint[l] || fabs(p[k * n + l]) > TOGETHER;
}

static void spread(check *c, size_t from) {
  const size_t n = (size_t)c->mb->rows;
  c->group[from] = c->groups;
  for (bool more = true; more;) {
    more = false;
    for (size_t k = 0; k < n; k++) {
      for (size_t l = 0; c->group[k] == c->groups && l < n; l++) {
        if (c->group[l] >= 0 || !linked(c, k, l)) continue;
        c->group[l] = c->groups;
        more = true;
      }
    }
  }
  c->groups++;
}

static void find_groups(check *c) {
  const size_t n = (size_t)c->mb->rows;
  for (size_t k = 0; k < n; k++) c->group[k] = -1;
  for (size_t k = 0; k < n; k++)
    if (c->group[k] < 0 && linked(c, k, k)) spread(c, k);
}

/* Lists the constraints of a group, at most `most` of them; returns their number. */
static int members(const check *c, int group, int *out, int most) {
  int count = 0, last = -1;
  for (int k = 0; k < c->mb->rows; k++) {
    if (c->group[k] != group || c->mb->row_constraint[k] == last) continue;
    last = c->mb->row_constraint[k];
    if (count < most) out[count] = last;
    count++;
  }
  return count;
}

enum { NAMED = 12 }; /* constraints that a sentence names */

static void tell_redundant(check *c, int group) {
  const size_t n = (size_t)c->mb->rows;

  /* the trace of P over the group is the number of redundant conditions */
  double trace = 0;
  for (size_t k = 0; k < n; k++)
    if (c->group[k] == group) trace += c->project[k * n + k];

  /* name the constraints */
  int names[NAMED] = {0}, count = members(c, group, names, NAMED), many = (int)lround(trace);
  omr_text text = {0};
  omr_text_print(&text, count == 1 ? "constraint " : "constraints ");
  for (int i = 0; i < count && i < NAMED; i++)
    omr_text_print(&text, "%s%s",
                   i == 0           ? ""
                   : i == count - 1 ? " and "
                                    : ", ",
                   name_of(c, names[i]));
  if (count > NAMED) omr_text_print(&text, " and %d more", count - NAMED);

  omr_text_print(&text,
                 " %s %d condition%s too many (redundant): %s reactions are not determined; "
                 "omniroll takes the least ones",
                 count == 1 ? "has" : "share", many, many == 1 ? "" : "s",
                 count == 1 ? "its" : "their");

  add(c,
      (omr_finding){.kind = OMR_FINDING_REDUNDANT,
                    .constraint = names[0],
                    .second = count > 1 ? names[1] : -1,
                    .count = many},
      &text);
}

/* The sign of the largest part of y that a constraint has. */
static double sign_of(const check *c, const double *y, int constraint) {
  double most = 0;
  for (int k = 0; k < c->mb->rows; k++)
    if (c->mb->row_constraint[k] == constraint && fabs(y[k]) > fabs(most)) most = y[k];
  return most < 0 ? -1 : 1;
}

/* Square of y, and y.rhs, over the rows of a constraint (-1: of all). */
static void weigh(const check *c, const double *y, int constraint, double *square, double *asked) {
  *square = *asked = 0;
  for (int k = 0; k < c->mb->rows; k++) {
    if (constraint >= 0 && c->mb->row_constraint[k] != constraint) continue;
    *square += y[k] * y[k];
    *asked += y[k] * c->mb->row[k]->rhs;
  }
}

/* The two constraints of the group with the largest parts of y. */
static void find_pair(const check *c, const double *y, int pair[2]) {
  double best[2] = {0, 0};
  pair[0] = pair[1] = -1;
  for (int i = 0; i < c->mb->constraints; i++) {
    double square, asked;
    weigh(c, y, i, &square, &asked);
    if (square > best[0]) {
      best[1] = best[0];
      pair[1] = pair[0];
      best[0] = square;
      pair[0] = i;
    } else if (square > best[1]) {
      best[1] = square;
      pair[1] = i;
    }
  }
}

/* y = P rhs within the group is the disagreement of the rows: y.rhs would be 0. Reports the right
 * side of constraint X, and the value that the others leave for it, in the direction of X's part of
 * y. */
static void tell_inconsistent(check *c, int group, double *y) {
  const size_t n = (size_t)c->mb->rows;
  double size = 0, off = 0, square, asked, whole, all;

  /* the part of the right sides that no motion can meet */
  for (size_t k = 0; k < n; k++) {
    y[k] = 0;
    if (c->group[k] != group) continue;
    for (size_t l = 0; l < n; l++) y[k] += c->project[k * n + l] * c->mb->row[l]->rhs;
    size += pow(c->mb->row[k]->rhs, 2);
    off += y[k] * y[k];
  }
  if (!(sqrt(off) > DISAGREE * (1 + sqrt(size)))) return;

  /* accelerations of the two constraints with the largest parts of it */
  int pair[2];
  find_pair(c, y, pair);
  weigh(c, y, pair[0], &square, &asked);
  weigh(c, y, -1, &whole, &all);
  double part = sign_of(c, y, pair[0]) * sqrt(square), first = asked / part,
         second = (asked - all) / part;

  omr_text text = {0};
  if (pair[1] < 0)
    omr_text_print(&text, "constraint %s asks for the accelerations %.6g and %.6g in one direction",
                   name_of(c, pair[0]), first, second);
  else
    omr_text_print(&text, "constraint %s asks for the acceleration %.6g and %s for %.6g",
                   name_of(c, pair[0]), first, name_of(c, pair[1]), second);

  omr_text_print(&text, " (m/s2 or rad/s2) in the same direction: no motion meets both; remove "
                        "one, or let them agree");
  add(c,
      (omr_finding){.kind = OMR_FINDING_INCONSISTENT,
                    .error = true,
                    .constraint = pair[0],
                    .second = pair[1],
                    .value = first,
                    .other = second},
      &text);
}

static void find_redundant(check *c) {
  omr_mb *mb = c->mb;

  double *u = NULL;
  int rank = 0;
  if (!omr_mb_conditions(mb, &u, &rank)) {
    c->failed = true;
    return;
  }

  c->graph->conditions = mb->rows;
  c->graph->redundant = mb->rows - rank;
  c->graph->freedoms = 6 * mb->bodies - rank;

  /* errors first, then conditions that are merely redundant */
  double *y = omr_pool_take(&c->memory, (size_t)mb->rows, sizeof *y);
  if (y && project(c, u, rank)) {
    find_groups(c);
    for (int i = 0; i < c->groups; i++) tell_inconsistent(c, i, y);
    for (int i = 0; i < c->groups; i++) tell_redundant(c, i);
  } else {
    c->failed = true;
  }

  free(u);
}

/* ---- the whole */

omr_status omr_mb_graph_check(omr_mb *mb, const omr_finding_tolerance *tolerance,
                              omr_findings *graph, omr_error *error) {
  static const omr_finding_tolerance standard = {0, 0};
  *graph = (omr_findings){.bodies = mb->bodies};
  check c = {.mb = mb, .graph = graph, .allowed = tolerance ? tolerance : &standard};

  omr_status status = omr_mb_complete(mb, error);
  if (status != OMR_OK) return status;

  find_self(&c);
  /* rows of a body against itself mean nothing */
  if (graph->errors == 0) {
    c.failed = !omr_mb_gather(mb);
    for (int i = 0; !c.failed && i < mb->constraints; i++) find_violation(&c, i);
    if (!c.failed) find_redundant(&c);
    if (!c.failed) find_free(&c);
  }

  omr_pool_free(&c.memory);
  if (!c.failed) return OMR_OK;
  omr_findings_free(graph);
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the check of the constraints");
}

void omr_findings_free(omr_findings *graph) {
  for (int i = 0; i < graph->findings; i++) free(graph->finding[i].text);
  free(graph->finding);
  *graph = (omr_findings){0};
}
