/* Gear teeth of a system: one contact is one mesh. */
#include "graph_system.h"

#define KEY(key) OMR_GRAPH_KEY_CONTACT_##key

static void set_deviation(omr_graph_system *s, const omr_graph_element *e, omr_graph_object *o) {
  o->wave = (omr_sine_teeth){omr_graph_given(s, e, KEY(DEVIATION)),
                             omr_graph_given(s, e, KEY(DEVIATION_LENGTH)),
                             omr_graph_given(s, e, KEY(DEVIATION_PHASE))};
  if (o->wave.amplitude == 0) return;
  o->is.teeth.deviation = omr_sine_deviation;
  o->is.teeth.deviation_self = &o->wave;
}

bool omr_graph_add_teeth(omr_graph_system *s, omr_mb *mb, int element, omr_reason *why) {
  const omr_graph_element *e = &s->graph->element[element];
  omr_graph_object *o = &s->object[element];
  const double za = omr_graph_given(s, e, KEY(TEETH_A)), zb = omr_graph_given(s, e, KEY(TEETH_B)),
               module = omr_graph_given(s, e, KEY(MODULE));
  omr_error error = {.message = ""};

  /* numbers of teeth, module and axis must be possible */
  if (!(za >= 5 && za <= 1000 && zb >= 5 && zb <= 1000) || za != rint(za) || zb != rint(zb))
    return omr_refuse(
        why, "gear_teeth %.100s: teeth_a and teeth_b are whole numbers from 5 to 1000", e->path);
  if (!(module > 0) || !(omr_graph_given(s, e, KEY(DEVIATION_LENGTH)) > 0))
    return omr_refuse(why, "gear_teeth %.100s: module and deviation_length are above 0", e->path);
  if (!(omr_norm(omr_graph_vector(s, e->slot[KEY(GEAR_AXIS)])) > 0))
    return omr_refuse(why, "gear_teeth %.100s: its axis has the length 0", e->path);

  /* the mesh as the library describes it */
  o->is.teeth = (omr_gear_teeth){
      .shape = omr_standard_teeth(module, omr_graph_given(s, e, KEY(PRESSURE_ANGLE)),
                                  omr_graph_given(s, e, KEY(ADDENDUM)), (int)za, (int)zb),
      .rigid = e->word[KEY(TEETH)] == 0,
      .stiffness = omr_graph_given(s, e, KEY(PAIR_STIFFNESS)),
      .damping = omr_graph_given(s, e, KEY(PAIR_DAMPING)),
      .backlash = omr_graph_given(s, e, KEY(BACKLASH)),
      .phase = omr_graph_given(s, e, KEY(MESH_PHASE))};

  if (!o->is.teeth.rigid && !(o->is.teeth.stiffness > 0))
    return omr_refuse(why, "gear_teeth %.100s: compliant teeth need a stiffness above 0", e->path);
  set_deviation(s, e, o);

  /* add it between both gears */
  const omr_teeth_place place = {
      e->body[0], e->body[1], omr_unit(omr_graph_vector(s, e->slot[KEY(GEAR_AXIS)])),
      omr_graph_vector(s, e->slot[KEY(CENTER_A)]), omr_graph_vector(s, e->slot[KEY(CENTER_B)])};
  if (omr_gear_mesh(mb, &o->is.teeth, e->path, place, &error) == OMR_OK) return true;

  return omr_refuse(why, "%.390s", error.message);
}

double omr_graph_teeth_value(const omr_graph_system *s, int element, int quantity) {
  const omr_mesh_state mesh = omr_mesh_look(s->owner->mb, &s->object[element].is.teeth);
  switch (quantity) {
  case OMR_GRAPH_CONTACT_LOAD: return mesh.force;
  case OMR_GRAPH_CONTACT_ERROR: return mesh.error;
  case OMR_GRAPH_CONTACT_PAIRS: return mesh.pairs;
  case OMR_GRAPH_CONTACT_ROLL: return mesh.roll;
  case OMR_GRAPH_CONTACT_TOUCHES: return mesh.pairs > 0 ? 1 : 0;
  default: return (double)NAN; /* a line of action has no single place */
  }
}
