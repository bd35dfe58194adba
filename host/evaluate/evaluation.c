#include "evaluation.h"

#include "../include/omniroll/evaluate.h"
#include "../model/batch.h"
#include "../model/prepare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_status fail_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
}

static bool make_reading(size_t draws, size_t used, size_t goals, omr_candidate_reading *r) {
  omr_pool *memory = &r->memory;
  *r = (omr_candidate_reading){.vehicles.draws = draws};
  r->vehicles.values = omr_pool_take(memory, used * draws, sizeof(double));
  r->vehicles.status = omr_pool_take(memory, draws, sizeof *r->vehicles.status);
  r->work = omr_pool_take(memory, 2 * draws, sizeof *r->work);
  r->parts = omr_pool_take(memory, goals, sizeof *r->parts);
  for (size_t g = 0; r->parts && g < goals; g++)
    r->parts[g] = (omr_goal_influence){omr_pool_take(memory, draws, sizeof(double)),
                                       omr_pool_take(memory, draws, sizeof(double)), 0};
  return !memory->failed;
}

omr_status omr_group_read(const omr_candidate_group *group, size_t cell, size_t first, size_t end,
                          omr_goal_estimate *goals, omr_candidate_reading *r, omr_error *error) {
  const omr_goal_set *set = &group->set;
  const size_t draws = group->draws, row = cell * draws;
  if (!make_reading(draws, set->used_count, set->goals->count, r)) return fail_memory(error);
  omr_source *source = group->source;
  omr_status status = source->ops->status(source, row, draws, r->vehicles.status, NULL, error);
  for (size_t u = 0; status == OMR_OK && u < set->used_count; u++)
    status =
        source->ops->read(source, set->used[u], row, draws, r->vehicles.values + u * draws, error);
  for (size_t g = first; status == OMR_OK && g < end; g++)
    goals[g] = omr_goal_estimate_of(set, g, &r->vehicles, r->work, &r->parts[g]);
  return status;
}

/* Reads a candidate's rows and estimates its goals. Release with its pool in any case. */
static omr_status read_candidate(const omr_evaluation *e, const omr_candidate *c,
                                 omr_goal_estimate *goals, omr_candidate_reading *r,
                                 omr_error *error) {
  return omr_group_read(&e->groups[c->group], c->cell, 0, e->goals.count, goals, r, error);
}

/* Why the values of an instance make no vehicle; "" where they make one. */
static void find_reason(const omr_study *study, size_t instance, char *reason, size_t size) {
  omr_run_settings settings;
  omr_batch batch;
  omr_values values;
  *reason = '\0';
  if (omr_settings_make(study, &settings, NULL) != OMR_OK) return;
  if (omr_batch_make(&settings, OMR_PAD, &batch)) {
    omr_study_values(study, instance, &values, NULL);
    omr_prepare_instance(study, &settings, &values, &batch, 0, reason, size);
    omr_batch_free(&batch);
  }
  omr_settings_free(&settings);
}

/* "all failed: wheel_lifted, diverged", or "2 of 64 failed: ..."; values that make no vehicle have
 * the reason. */
static char *tell_failures(const omr_evaluation *e, const omr_candidate *c,
                           const omr_vehicles *vehicles) {
  const omr_study *study = e->groups[c->group].study;
  size_t first[OMR_INSTANCE_STATUS_COUNT] = {0}; /* 1 + the first vehicle that ended so */
  char reason[400];
  omr_text text = {0};

  /* For each way to end, the first vehicle that ended so. */
  for (size_t k = vehicles->draws; k-- > 0;)
    if (vehicles->status[k] > 0 && vehicles->status[k] < OMR_INSTANCE_STATUS_COUNT)
      first[vehicles->status[k]] = k + 1;

  /* The ways to end are listed by name. */
  if (c->failed == c->draws)
    omr_text_print(&text, "%s", c->draws > 1 ? "all failed: " : "failed: ");
  else
    omr_text_print(&text, "%zu of %zu failed: ", c->failed, c->draws);
  const char *between = "";
  for (int s = 1; s < OMR_INSTANCE_STATUS_COUNT; s++) {
    if (first[s] == 0) continue;
    omr_text_print(&text, "%s%s", between, omr_instance_status_name(s));
    between = ", ";
  }

  /* Values that make no vehicle say why. */
  if (first[OMR_INSTANCE_INVALID] && !omr_model_is_own(study->model)) {
    const size_t point = first[OMR_INSTANCE_INVALID] - 1;
    find_reason(study, c->cell * study->sample.points + point, reason, sizeof reason);
    if (*reason) omr_text_print(&text, " (%.300s)", reason);
  }

  if (!text.failed) return text.data;
  omr_text_free(&text);
  return NULL;
}

static bool is_feasible(const omr_evaluation *e, const omr_candidate *c) {
  if ((double)c->failed > e->failed_limit * (double)c->draws) return false;
  for (size_t g = 0; g < e->goals.count; g++) {
    const omr_goal_estimate *goal = &c->goals[g];
    if (e->goals.list[g].constraint ? !(goal->margin >= 0) : isnan(goal->value)) return false;
  }
  return true;
}

static omr_status fill_candidate(omr_evaluation *e, size_t number, omr_error *error) {
  omr_candidate *c = &e->candidates[number];
  omr_candidate_reading r;
  const omr_candidate_group *group = &e->groups[c->group];
  const omr_status status = read_candidate(e, c, c->goals, &r, error);

  if (status == OMR_OK) {
    c->draws = r.vehicles.draws;
    c->holds = 1;
    for (size_t k = 0; k < c->draws; k++) c->failed += r.vehicles.status[k] != OMR_INSTANCE_OK;
    if (c->failed) c->status = tell_failures(e, c, &r.vehicles);

    /* Each goal has its step error; constraints count as independent. */
    for (size_t g = 0; g < e->goals.count; g++) {
      c->step[g] = omr_goal_step(&group->set, g, group->refined, c->goals[g].terms);
      if (e->goals.list[g].constraint) c->holds *= c->goals[g].holds;
      if (!isnan(c->goals[g].value)) c->known = true;
    }
    c->feasible = is_feasible(e, c);
  }

  omr_pool_free(&r.memory);
  return status;
}

/* Smaller is better. */
static double badness(const omr_evaluation *e, const omr_candidate *c, size_t objective) {
  const double value = c->goals[objective].value;
  return e->goals.list[objective].maximize ? -value : value;
}

static void find_best(omr_evaluation *e) {
  for (size_t o = 0; o < e->goals.objectives; o++) {
    e->best[o] = SIZE_MAX;
    for (size_t i = 0; i < e->table.count; i++)
      if (e->candidates[i].feasible &&
          (e->best[o] == SIZE_MAX ||
           badness(e, &e->candidates[i], o) < badness(e, &e->candidates[e->best[o]], o)))
        e->best[o] = i;
  }
}

/* Whether one is nowhere worse than the other, and somewhere better. */
static bool dominates(const omr_evaluation *e, const omr_candidate *one,
                      const omr_candidate *other) {
  bool better = false;
  for (size_t o = 0; o < e->goals.objectives; o++) {
    if (badness(e, one, o) > badness(e, other, o)) return false;
    better = better || badness(e, one, o) < badness(e, other, o);
  }
  return better;
}

static void find_front(omr_evaluation *e) {
  for (size_t i = 0; i < e->table.count; i++) {
    omr_candidate *c = &e->candidates[i];
    c->front = c->feasible;
    for (size_t j = 0; c->front && j < e->table.count; j++)
      c->front = !e->candidates[j].feasible || !dominates(e, &e->candidates[j], c);
  }
}

/* Differences of every candidate from the best one in an objective. */
static omr_status compare_with_best(omr_evaluation *e, size_t o, omr_error *error) {
  const size_t from = e->reference ? e->reference - 1 : e->best[o];
  if (from >= e->table.count || e->table.refused[from]) return OMR_OK;

  /* The best one's parts are read once. */
  const omr_candidate *best = &e->candidates[from];
  omr_goal_estimate *goals = calloc(e->goals.count + 1, sizeof *goals);
  omr_candidate_reading of_best = {0};
  omr_status status = goals ? read_candidate(e, best, goals, &of_best, error) : fail_memory(error);

  /* Every other one is read and set against them. */
  for (size_t i = 0; status == OMR_OK && i < e->table.count; i++) {
    omr_candidate *c = &e->candidates[i];
    if (e->table.refused[i]) continue;
    const double difference = c->goals[o].value - best->goals[o].value;
    omr_candidate_reading r;
    if (i == from) {
      c->apart[o] = (omr_goal_apart){difference, {difference, difference}};
      continue;
    }
    status = read_candidate(e, c, goals, &r, error);
    if (status == OMR_OK)
      c->apart[o] = (omr_goal_apart){
          difference,
          omr_goal_difference(&e->groups[c->group].set, o, difference, &r.parts[o],
                              r.vehicles.draws, &of_best.parts[o], of_best.vehicles.draws)};
    omr_pool_free(&r.memory);
  }

  omr_pool_free(&of_best.memory);
  free(goals);
  return status;
}

static void make_candidate(omr_evaluation *e, omr_candidate *c) {
  c->goals = omr_pool_take(&e->memory, e->goals.count, sizeof *c->goals);
  c->apart = omr_pool_take(&e->memory, e->goals.objectives, sizeof *c->apart);
  c->step = omr_pool_take(&e->memory, e->goals.count, sizeof *c->step);
  c->holds = (double)NAN;
  if (e->memory.failed) return;
  const omr_bounds none = {(double)NAN, (double)NAN};
  for (size_t g = 0; g < e->goals.count; g++) {
    c->goals[g] = (omr_goal_estimate){.value = (double)NAN,
                                      .bounds = none,
                                      .margin = (double)NAN,
                                      .limit = (double)NAN,
                                      .holds = (double)NAN};
    c->step[g] = (double)NAN;
  }
  for (size_t o = 0; o < e->goals.objectives; o++)
    c->apart[o] = (omr_goal_apart){(double)NAN, none};
}

/* The cell of each candidate in its group: in the order of those that run, or the only one. */
static void place_candidates(omr_evaluation *e, size_t *next) {
  for (size_t i = 0; i < e->table.count; i++) {
    omr_candidate *c = &e->candidates[i];
    c->group = e->table.group[i];
    if (e->table.refused[i]) {
      omr_text text = {0};
      omr_text_print(&text, "refused: %s", e->table.refused[i]);
      c->status = text.data;
      continue;
    }
    c->cell = e->groups[c->group].cells == 1 ? 0 : next[c->group];
    next[c->group]++;
  }
}

/* Units and limits, which all groups share. */
static void take_limits(omr_evaluation *e) {
  for (size_t g = 0; g < e->goals.count; g++) {
    for (size_t k = 0; k < e->group_count; k++) {
      const omr_goal_set *set = &e->groups[k].set;
      if (!set->goal) continue;
      snprintf(e->units[g], sizeof e->units[g], "%s", set->goal[g]->number->unit);
      e->above[g] = set->goal[g]->above;
    }
    e->limits[g] = (double)NAN;
    for (size_t i = 0; i < e->table.count; i++)
      if (!isnan(e->candidates[i].goals[g].limit)) e->limits[g] = e->candidates[i].goals[g].limit;
  }
}

omr_status omr_evaluation_fill(omr_evaluation *e, omr_error *error) {
  omr_pool *memory = &e->memory;
  size_t *next = omr_pool_take(memory, e->group_count, sizeof *next);
  e->candidates = omr_pool_take(memory, e->table.count, sizeof *e->candidates);
  e->best = omr_pool_take(memory, e->goals.objectives, sizeof *e->best);
  e->units = omr_pool_take(memory, e->goals.count, sizeof *e->units);
  e->limits = omr_pool_take(memory, e->goals.count, sizeof *e->limits);
  e->above = omr_pool_take(memory, e->goals.count, sizeof *e->above);
  for (size_t i = 0; !memory->failed && i < e->table.count; i++)
    make_candidate(e, &e->candidates[i]);
  if (memory->failed) return fail_memory(error);
  place_candidates(e, next);
  omr_status status = OMR_OK;

  /* Each candidate for itself, then the best ones, and the others beside them. */
  for (size_t i = 0; status == OMR_OK && i < e->table.count; i++)
    if (!e->table.refused[i]) status = fill_candidate(e, i, error);
  if (status != OMR_OK) return status;
  take_limits(e);
  find_best(e);
  find_front(e);
  for (size_t o = 0; status == OMR_OK && o < e->goals.objectives; o++)
    status = compare_with_best(e, o, error);
  return status;
}

void omr_group_free(omr_candidate_group *group) {
  omr_goal_set_free(&group->set);
  omr_source_close(group->source);
  omr_statistics_destroy(group->statistics);
  omr_refined_free(&group->own);
  omr_result_file_close(group->file);
  omr_study_destroy(group->study);
}

void omr_evaluation_destroy(omr_evaluation *e) {
  if (!e) return;
  for (size_t i = 0; e->candidates && i < e->table.count; i++) free(e->candidates[i].status);
  for (size_t g = 0; e->groups && g < e->group_count; g++) omr_group_free(&e->groups[g]);
  free(e->groups);
  omr_goals_free(&e->goals);
  omr_table_free(&e->table);
  omr_pool_free(&e->memory);
  free(e->name);
  free(e);
}

size_t omr_evaluation_candidates(const omr_evaluation *e) {
  return e->table.count;
}
