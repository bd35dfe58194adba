/* The model multibody on the reference: the system that the study lists. */
#include "graph_system.h"

#include "graph_check.h"

#include <string.h>

/* SWITCHES: of the contacts, of rings of rollers, then the conditions of measures. */

static int contact_events(const omr_graph_system *s) {
  return s->contacts.count * OMR_CONTACT_EVENTS;
}

static int system_events(const omr_graph_system *s) {
  return contact_events(s) + s->rings.count * OMR_RING_EVENTS;
}

static void event_values(void *self, const omr_mb *mb, double *g) {
  omr_graph_system *s = self;
  omr_contact_values(&s->contacts, mb, g);
  omr_rings_values(&s->rings, mb, g + contact_events(s));
  omr_graph_measure_values(s, g + system_events(s));
}

static omr_status look(omr_graph_system *s, omr_mb *mb, bool breaks, omr_error *error) {
  const omr_status status = omr_mb_evaluate(mb, NULL, error);
  if (status == OMR_OK) omr_graph_look(s, breaks);
  return status;
}

/* Looks on both sides of an event, since extremes may lie on either side of a jump. */
static omr_status happen(void *self, omr_mb *mb, int which, omr_error *error) {
  omr_graph_system *s = self;
  const int rings = which - contact_events(s);
  if (which >= system_events(s)) {
    omr_graph_measure_happen(s, which - system_events(s));
    return OMR_OK;
  }
  omr_status status = look(s, mb, false, error);
  if (status != OMR_OK) return status;
  status = rings >= 0 ? omr_rings_happen(s, mb, rings, error)
                      : omr_contact_happen(&s->contacts, mb, which, error);
  return status == OMR_OK ? look(s, mb, true, error) : status;
}

static double next_stop(void *self, double t) {
  const omr_graph_system *s = self;
  return omr_rings_stop_time(&s->rings, t);
}

static omr_status stop(void *self, omr_mb *mb, omr_error *error) {
  omr_graph_system *s = self;
  omr_status status = look(s, mb, false, error);
  if (status == OMR_OK) status = omr_rings_stop(s, mb, error);
  return status == OMR_OK ? look(s, mb, true, error) : status;
}

static omr_status begin(void *self, omr_mb *mb, omr_error *error) {
  omr_graph_system *s = self;
  omr_status status = omr_contact_begin(&s->contacts, mb, error);
  if (status == OMR_OK) status = omr_rings_begin(s, mb, error);
  return status == OMR_OK ? look(s, mb, true, error) : status;
}

static bool add_switches(omr_graph_system *s, omr_reference *r, omr_reason *why) {
  const int count = system_events(s) + s->events;
  if (count > OMR_MB_EVENTS)
    return omr_refuse(why,
                      "%d contacts, %d wheels with rollers and %d conditions of measures are more "
                      "than the events that can be looked for (%d; a contact has %d, a wheel %d)",
                      s->contacts.count, s->rings.count, s->events, OMR_MB_EVENTS,
                      OMR_CONTACT_EVENTS, OMR_RING_EVENTS);
  r->switches = (omr_mb_switches){
      .self = s, .count = count, .values = event_values, .happen = happen, .begin = begin};
  if (s->rings.count == 0) return true;
  r->switches.next_stop = next_stop;
  r->switches.stop = stop;
  return true;
}

/* ASSEMBLY */

omr_graph_system *omr_graph_make(omr_reference *r, const omr_graph *graph,
                                 const double *parameters) {
  omr_graph_system *s = r->self = omr_pool_take(&r->memory, 1, sizeof *s);
  if (!s) return NULL;
  s->owner = r;
  s->graph = graph;
  s->value = omr_pool_take(&r->memory, 2 * (size_t)graph->slots + 1, sizeof *s->value);
  s->object = omr_pool_take(&r->memory, (size_t)graph->elements + 1, sizeof *s->object);
  if (r->memory.failed) return NULL;
  s->seen = s->value + graph->slots;
  memcpy(s->value, parameters, (size_t)graph->parameters * sizeof *parameters);
  omr_graph_evaluate(graph, s->value);
  return s;
}

/* True for a violation. A contact that may open is not violated by bodies that are apart or
 * approach: they fall. */
static bool is_violated(const omr_graph_system *s, const omr_finding *f) {
  if (f->kind != OMR_FINDING_POSITION && f->kind != OMR_FINDING_VELOCITY) return f->error;
  const omr_mb_constraint *c = f->constraint >= 0 ? s->owner->mb->constraint[f->constraint] : NULL;
  for (int i = 0; i < s->contacts.count; i++)
    if (c == &s->contacts.contact[i]->base && s->contacts.contact[i]->law.normal != OMR_NORMAL_HELD)
      return false;
  return f->error;
}

/* Checks the graph: errors end the assembly, everything else is noted. */
static bool check_graph(omr_graph_system *s, omr_reference *r, omr_reason *why) {
  omr_findings findings;

  omr_error error = {.message = ""};
  bool good = omr_mb_graph_check(r->mb, NULL, &findings, &error) == OMR_OK;
  if (!good) return omr_refuse(why, "%s", error.message);

  /* the first violation is the reason; redundant conditions are only reported */
  for (int i = 0; i < findings.findings; i++) {
    const omr_finding *f = &findings.finding[i];
    if (f->kind == OMR_FINDING_REDUNDANT) omr_text_print(&r->notes, "  redundant  %s\n", f->text);
    if (!is_violated(s, f) || !good) continue;
    omr_refuse(why, "%.390s", f->text);
    good = false;
  }

  omr_text_print(&r->notes, "  freedoms   %d, of %d bodies under %d conditions at the start\n",
                 findings.freedoms, findings.bodies, findings.conditions);
  omr_findings_free(&findings);
  return good;
}

bool omr_graph_put_together(omr_graph_system *s, omr_reference *r, omr_reason *why) {
  if (!(r->mb = omr_mb_create(omr_graph_vector(s, s->graph->gravity))))
    return omr_refuse(why, "out of memory");
  if (s->plate) omr_mb_move_base(r->mb, omr_plate_move, s->plate->vehicle);
  omr_graph_add_measures(s, r->mb);
  return omr_graph_place_bodies(s, r->mb, why) &&
         omr_graph_add_contacts(s, r->mb, why) && /* may move bodies at the start */
         omr_graph_add_edges(s, r->mb, why);
}

static bool build(omr_graph_system *s, omr_reference *r, omr_reason *why) {
  omr_error error = {.message = ""};
  if (!omr_graph_judge(s->graph, s->value, why->text, sizeof why->text) ||
      !omr_graph_put_together(s, r, why) || !add_switches(s, r, why))
    return false;

  /* the first evaluation fails if the equations have no solution */
  omr_status status = omr_mb_complete(r->mb, &error);
  if (status == OMR_OK) status = omr_mb_evaluate(r->mb, NULL, &error);

  if (status == OMR_OK) {
    if (!omr_graph_make_looks(s, r->mb->states)) return omr_refuse(why, "out of memory");

    s->start_energy = omr_graph_energy(s);
    omr_graph_begin_measures(s);
    return check_graph(s, r, why);
  }

  return omr_refuse(why, "%s", error.message);
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     omr_reason *why) {
  omr_graph_system *s = omr_graph_make(r, study->graph, values->vehicle + OMR_VP_GRAPH_0);
  if (!s) return omr_refuse(why, "out of memory");
  s->rings.tick = omr_study_tick(study);
  return build(s, r, why);
}

/* A vehicle on rollers leaves the model if a load falls below zero. */
static void check_loads(const omr_graph_system *s) {
  if (omr_rings_lifted(&s->rings, s->owner->mb)) s->owner->failed = OMR_INSTANCE_LIFTED;
}

static void sample(const omr_reference *r, double *out) {
  omr_graph_system *s = r->self;
  for (int j = 0; j < s->graph->samples; j++)
    out[j] = omr_graph_number(s, s->graph->sample_slot[j]);
  check_loads(s);
}

static void observe(omr_reference *r) {
  omr_graph_look(r->self, false);
  check_loads(r->self);
}

static void reduce(const omr_reference *r, double *observables) {
  omr_graph_system *s = r->self;
  for (int i = 0; i < s->graph->measures; i++)
    observables[OMR_OBS_GRAPH_0 + i] = omr_graph_measure(s, i);
}

const omr_reference_model omr_reference_multibody = {
    .assemble = assemble, .sample = sample, .observe = observe, .reduce = reduce};
