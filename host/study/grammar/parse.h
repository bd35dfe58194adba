/* Turns a study's JSON into omr_study: declarations that the files parse*.c share. Every function
 * fails with file, line and JSON path. */
#ifndef OMR_STUDY_PARSE_H
#define OMR_STUDY_PARSE_H

#include "../../lists/frames.h"
#include "../json/json.h"
#include "../own_names.h"
#include "../study.h"
#include "../units/units.h"
#include "keys.h"

#define OMR_TRY(call)                                                                              \
  do {                                                                                             \
    const omr_status omr_try_status = (call);                                                      \
    if (omr_try_status != OMR_OK) return omr_try_status;                                           \
  } while (0)

/* Failures of a reader at an item, as omr_json_fail and omr_json_mistake. */
#define OMR_REFUSE(reader, item, ...)                                                              \
  omr_json_fail(&(reader)->json, item, (reader)->error, __VA_ARGS__)
#define OMR_MISTAKEN(reader, item, kind, ...)                                                      \
  omr_json_mistake(&(reader)->json, item, kind, (reader)->error, __VA_ARGS__)

/* A study being read. The items say who gave a value (NULL: nobody, the default stands) and so
 * where an error belongs. */
typedef struct omr_reader {
  omr_json json;
  omr_study *study; /* owned; whatever it holds is released by omr_study_destroy */
  omr_error *error;
  const cJSON *parameters; /* section; NULL if the file has none */
  const cJSON *shared;     /* parameters.wheel; NULL if absent */
  const cJSON *wheels;     /* parameters.wheels, a list of objects, one per wheel; NULL if absent */
  const cJSON *design;     /* section; NULL if absent */
  const cJSON *vehicle_item[OMR_VP_COUNT];
  const cJSON *shared_item[OMR_WP_COUNT];                /* in parameters.wheel */
  const cJSON *wheel_item[OMR_MAX_WHEELS][OMR_WP_COUNT]; /* in parameters.wheels[i], else the
                                                            inherited one of wheel */
  bool shared_drive_typed;                               /* parameters.wheel.drive names a type */
  omr_drive shared_drive;
  const char *values_file; /* design of type table: the result that has its values; NULL: the table
                              is read */
  size_t (*as_written)(const struct omr_reader *reader); /* how many instances the file has without
                              --set, 0: it cannot be read so; NULL: nothing was set */
  const cJSON *measured_run;      /* the run of "data" that is replayed; NULL: there is none */
  const cJSON *measured_interval; /* its interval, or "data" where that is the default */
  const cJSON *replay_item[OMR_MAX_WHEELS], *command_replay_item; /* objects "replay" */
  bool mecanum; /* rectangle layout: inclinations are multiplied by omr_mecanum_sign */
} omr_reader;

/* omr_study_parse for the text that is kept with a result: of a design of type table, the values
 * are taken from that result, so that the table itself need not be there any more. */
omr_status omr_study_parse_kept(const char *text, const char *name, const char *const *overrides,
                                size_t count, const char *result_path, omr_study **study,
                                omr_error *error);

/* Words among the parameters (lists/keys/words.def): whether a model has one; reads the keys of an
 * object (NULL: all are absent) that have a place in the study, by their paths after `prefix`, such
 * as "contact."; fails on words in contact that belong to other laws than the study's. */
bool omr_word_belongs(const omr_key *word, omr_model model);
omr_status omr_read_words(omr_reader *reader, const cJSON *object, const char *prefix);
omr_status omr_check_law_words(omr_reader *reader, const cJSON *contact);

/* A parameter of the study: an OMR_VP_ index, or an OMR_WP_ index with a wheel (-1: of all wheels).
 */
typedef struct omr_target {
  bool per_wheel;
  int index;
  int wheel;
} omr_target;

/* parse_kinds.c: the words of the study file that are no parameters, for reader and `describe`. */

extern const char *const omr_layout_names[3];
/* True for the parameters below "drive." and below "command.". */
bool omr_is_drive_parameter(int index);
bool omr_is_command_parameter(int index);
/* The text behind the number that a text starts with, blanks left out; NULL: it starts with none.
 */
const char *omr_after_number(const char *text);
/* lost_unit.c. A copy of the parameters of a study whose model is a system of its own, which shows
 * the changes of an assignment of --set; NULL elsewhere. The caller deletes it. Then a refusal
 * where the assignment has put a number without a unit in the place of a quantity. */
cJSON *omr_own_parameters(const omr_json *json);
omr_status omr_refuse_lost_unit(const omr_json *json, const cJSON *before, const char *assignment,
                                omr_error *error);

/* True for the parameters of the laws of contact: those below "contact." and "tyre.", and
 * "slip_speed". */
bool omr_is_law_parameter(int index);
/* True for the parameters below "external.". */
bool omr_is_external_parameter(int index);
/* True for the parameters below "ground."; the patch whose parameter it is, or -1. */
bool omr_is_ground_parameter(int index);
bool omr_is_floor_parameter(int index);
int omr_patch_of(int index);
/* + - - + for front-left, front-right, rear-left, rear-right. */
double omr_mecanum_sign(int wheel);

/* parse_values.c: single values. */

/* Member that must be an object, or NULL if absent. */
omr_status omr_read_object(omr_reader *reader, const cJSON *parent, const char *key,
                           const cJSON **object);
/* Fails unless the item is an array (of at least `least` members). */
omr_status omr_require_array(omr_reader *reader, const cJSON *item, int least, const char *of);
/* Member `key` as one of `count` words; an absent one leaves *choice. */
omr_status omr_read_choice(omr_reader *reader, const cJSON *parent, const char *key,
                           const char *const *words, size_t count, int *choice);
omr_status omr_read_word(omr_reader *reader, const cJSON *item, const char *const *words,
                         size_t count, int *choice);
/* Member `key` as true or false; an absent one leaves *value. */
omr_status omr_read_bool(omr_reader *reader, const cJSON *parent, const char *key, bool *value);
omr_status omr_read_flag(omr_reader *reader, const cJSON *item, bool *value);
/* A quantity in the unit, as omr_json_quantity. */
static inline omr_status omr_read_quantity(omr_reader *reader, const cJSON *item, const char *unit,
                                           double *value) {
  return omr_json_quantity(&reader->json, item, unit, value, reader->error);
}
/* Whole number from low to high. */
omr_status omr_read_whole(omr_reader *reader, const cJSON *item, double low, double high,
                          double *value);
/* Time above zero, in seconds. */
omr_status omr_read_time(omr_reader *reader, const cJSON *item, double *seconds);
/* Member that must be there. */
omr_status omr_require(omr_reader *reader, const cJSON *parent, const char *key,
                       const char *example, const cJSON **item);
/* Fails unless time is a whole number (at least one) of fixed steps, within 1e-9 of itself; the
 * message names the nearest that is. Where steps are controlled any time will do, and *steps is 0.
 */
omr_status omr_require_whole_steps(omr_reader *reader, const cJSON *item, const char *what,
                                   double time, uint64_t *steps);
/* Rows [time, value, ...] with strictly ascending times; units has table->columns + 1 entries. */
omr_status omr_read_table(omr_reader *reader, const cJSON *item, const char *const *units,
                          omr_table *table);
omr_status omr_fail_memory(omr_reader *reader);

/* read_keys.c: sections by the rows of their keys. */

/* Reads the members of an object (NULL: all are absent) into the section's struct `to`: every key
 * of a row with a place there, an absent one as its default. Fails on other members. */
omr_status omr_read_keys(omr_reader *reader, const cJSON *object, omr_section section, void *to);
/* Fails where a rule between two keys of the section is broken (lists/rules.def). */
omr_status omr_check_rules(omr_reader *reader, const cJSON *object, omr_section section,
                           const void *in);
/* Both of the member of `parent` that has the section's name; *object is NULL where it is absent.
 */
omr_status omr_read_section(omr_reader *reader, const cJSON *parent, omr_section section, void *to,
                            const cJSON **object);
/* Fails on members that are neither keys of the section nor among `more`. */
omr_status omr_check_section(omr_reader *reader, const cJSON *object, omr_section section,
                             const char *const *more, size_t more_count);
/* The value of a row as a number: of a word its index, of a flag 0 or 1. A text is checked. */
omr_status omr_read_value(omr_reader *reader, const cJSON *item, const omr_key *key, double *value);
/* One member by its row: a number, the index of a word; an absent one leaves *value. */
omr_status omr_read_member(omr_reader *reader, const cJSON *object, omr_section section,
                           const char *name, double *value);

/* The kind of mistake of an unknown name: a word that is not in the lists, or one that does not fit
 * the rest of the study, where the study gives the names. */
static inline omr_mistake_kind omr_unknown_name(const omr_study *study) {
  return omr_model_is_own(study->model) ? OMR_MISTAKE_CONFLICT : OMR_MISTAKE_WORD;
}

/* parse_target.c: parameters by name. */

const omr_parameter *omr_target_parameter(omr_target target);
/* Its path in the study's frame, after "wheel." where it is one of wheels. */
const char *omr_target_path(const omr_reader *reader, omr_target target);
/* How the study's frame turns it; given in the unit `unit`, since a torque turns, and the factor of
 * a torque table does not: the table does. */
omr_framing omr_target_turn(const omr_reader *reader, omr_target target, const char *unit);
/* Unit in which the study gives the parameter: the list's, but "1" for the factor of a torque
 * table. */
const char *omr_target_unit(const omr_reader *reader, omr_target target);
/* Fails where the study's model, layout, command or drive has no use for the parameter. */
omr_status omr_require_usable(omr_reader *reader, const cJSON *item, omr_target target);
/* The parameter's value in that unit: a quantity, or one of the words that stand for numbers
 * (contact.tracking). */
/* Whether a slope is given by its rise over its way, "12 %", in place of its angle. */
bool omr_in_per_cent(omr_target target, const cJSON *item);
omr_status omr_read_target(omr_reader *reader, const cJSON *item, omr_target target,
                           const char *unit, double *value);
/* parse_disc.c: the same for the parameters that a disc_vehicle ignores. */
omr_status omr_require_usable_on_disc(omr_reader *reader, const cJSON *item, omr_target target);
/* parse_compliant.c: whether an omni_vehicle has a use for it only with compliant contact; and
 * whether a disc_vehicle has, whose penalty contact has springs too. */
bool omr_is_of_compliant(omr_target target);
bool omr_is_of_compliant_alone(omr_target target);
/* parse_compliant.c: the same for the parameters that an omni_vehicle ignores. */
omr_status omr_require_usable_compliant(omr_reader *reader, const cJSON *item, omr_target target);
/* Fails where a value lies outside the parameter's bounds. */
omr_status omr_require_bounds(omr_reader *reader, const cJSON *item, omr_target target,
                              double value);
/* A dotted path as in "vary": "platform.mass", "wheel.friction", "wheels[0].friction". */
omr_status omr_find_target(omr_reader *reader, const cJSON *item, const char *path,
                           omr_target *target);
/* Whether the path in "parameters" has a word and no number: "layout.type". */
bool omr_is_word_path(const char *path);
/* Fails: `what` ("drive" or "command") of this kind has no use for `key`. */
omr_status omr_fail_unused(omr_reader *reader, const cJSON *item, const char *what,
                           const omr_kind *kind, const char *key);
/* First and past-the-last wheel that the target means. */
int omr_target_first(omr_target target);
int omr_target_end(const omr_reader *reader, omr_target target);
/* Kind of drive that the parameter works on: of the first wheel that uses it, else of the first. */
omr_drive omr_target_drive(const omr_reader *reader, omr_target target);

/* named_files.c: a file's name in a study counts from the study's folder. NULL: out of memory; else
 * the caller frees it. */
char *omr_beside_study(const char *study, const char *file);
/* A table that is not there: which file `path` was looked for, from which folder on. */
omr_status omr_fail_no_table(omr_reader *reader, const cJSON *item, const char *path);

/* Whether studies of the model can have measured runs. */
static inline bool omr_has_measured(omr_model model) {
  return !omr_small_list_of(model) && !omr_model_is_own(model);
}
/* parse_data.c: the sections "data" and "calibrate"; the second once step and duration are known.
 */
omr_status omr_read_data(omr_reader *reader, const cJSON *root);
omr_status omr_check_data(omr_reader *reader, const cJSON *root);
/* parse_compared.c: whether a run, its values read, has enough for its comparisons; and whether the
 * vehicle has the wheels that are measured, once its layout is known. */
omr_status omr_check_compared(omr_reader *reader, const cJSON *place);
omr_status omr_check_measured_wheels(omr_reader *reader, const cJSON *root);
/* "calibrate"; the other once "vary" and "design" are read. */
omr_status omr_read_calibrate(omr_reader *reader, const cJSON *root);
omr_status omr_check_calibrate(omr_reader *reader, const cJSON *root);
/* parse_excite.c: "excite", how a manoeuvre is looked for. */
omr_status omr_read_excite(omr_reader *reader, const cJSON *root);

/* parse_replay.c: the table that a drive or the command replays, from the object "replay". */
omr_status omr_read_drive_replay(omr_reader *reader, const cJSON *item, int wheel);
omr_status omr_read_command_replay(omr_reader *reader, const cJSON *item);
/* Whether tables reach from the start of the run to its end, and nothing excludes a rate that is
 * prescribed; after the variations are read. */
omr_status omr_check_replays(omr_reader *reader);

/* parse_small.c */

/* Fails where the words of a small model leave the parameter without effect. */
omr_status omr_require_used(omr_reader *reader, const cJSON *item, int index);

/* One file per section. */
omr_status
omr_read_parameters(omr_reader *reader,
                    const cJSON *root); /* parse_parameters.c; after the integrator's section */
/* graph_read.c: in its place where the model takes its parameters and its system from the study;
 * into study->graph. */
omr_status omr_read_graph(omr_reader *reader, const cJSON *root);
/* Of a system of host/reference/systems: it has the rows of lists/graph_built_in.def, "numbers" and
 * "moving", expressions with names, and its measures are names in expressions. */
omr_status omr_read_built_in_graph(omr_reader *reader, const cJSON *root);
/* The same file, after the variations: fails where one says how many copies a group has. */
omr_status omr_check_graph(omr_reader *reader, const cJSON *root);
omr_status omr_read_small(omr_reader *reader);  /* parse_small.c: words of a small model */
omr_status omr_read_layout(omr_reader *reader); /* parse_layout.c: type and number of wheels */
omr_status
omr_read_drives(omr_reader *reader); /* parse_drive.c: kinds of drive; after the command */
/* The object "replay" of a drive or a command, which has to be there. */
omr_status omr_require_replay(omr_reader *reader, const cJSON *place, const cJSON **item);
/* Turns a column of a table into the frame of the kernels. */
void omr_turn_column(omr_table *table, size_t column, omr_framing turn);
omr_status omr_read_command(omr_reader *reader); /* parse_command.c: its kind, and what it names */
/* The same file, after the values are read: a path becomes a table. */
omr_status omr_make_path(omr_reader *reader);
/* The same file: fails where a variation would change the path. */
omr_status omr_refuse_varied_path(omr_reader *reader, const cJSON *item, omr_target target);
omr_status omr_read_contact(omr_reader *reader); /* parse_contact.c: law of contact and its words */
omr_status
omr_check_contact(omr_reader *reader);        /* parse_contact.c: after the variations are read */
omr_status omr_check_dry(omr_reader *reader); /* parse_dry.c: likewise */
omr_status omr_check_yaw_loss(omr_reader *reader); /* yaw_loss.c: likewise */
omr_status omr_read_discs(omr_reader *reader);     /* parse_disc.c: words of discs; after the law */
omr_status omr_read_compliant(
    omr_reader *reader); /* parse_compliant.c: words of compliant contact; likewise */
/* The same file, after the variations are read: fails where something does not go with it. */
omr_status omr_check_compliant(omr_reader *reader, const cJSON *root);
omr_status
omr_read_ground(omr_reader *reader); /* parse_ground.c: kind of ground and shapes of its patches */
/* Fails where the study's ground has no use for the OMR_VP_ parameter below "ground.". */
omr_status omr_require_usable_ground(omr_reader *reader, const cJSON *item, int index);
/* parse_floor.c: words of the floor below compliant contacts, and its map; after those. */
omr_status omr_read_floor(omr_reader *reader);
/* parse_map.c: the map of the floor, from the object "map". */
omr_status omr_read_floor_map(omr_reader *reader, const cJSON *item);
/* parse_floor.c: fails where the study's floor has no use for the OMR_VP_ parameter below "floor.".
 */
omr_status omr_require_usable_floor(omr_reader *reader, const cJSON *item, int index);
/* After variations are read: fails where a part of the floor is described and not there. */
omr_status omr_check_floor(omr_reader *reader);
omr_status omr_read_external(omr_reader *reader); /* parse_external.c: kind, axes and table of the
                                                     external force and torque */
omr_status omr_check_drives(omr_reader *reader);  /* parse_drive.c: after the values are read */
/* parse_motor.c: the quantity that each drive gives, and the state of its motor at rest; after the
 * kinds of drive. */
omr_status omr_read_motors(omr_reader *reader);
/* The same file, after the values are read: motors, their drives and the supply belong together. */
omr_status omr_check_motors(omr_reader *reader);
/* Of the same file, when all is read: fails where the method does not integrate currents. */
omr_status omr_check_inductance(omr_reader *reader, const cJSON *root);
/* parse_motor_sheet.c: the motor of a wheel, -1 for all, by its data sheet; after the values that
 * `object` gives are read. */
omr_status omr_read_motor_sheet(omr_reader *reader, const cJSON *object, int wheel);
/* Whether one of the wheels has a brushed motor, known when the values are read. */
bool omr_has_motor(const omr_study *study);
/* The one that the drive of a wheel uses. */
int omr_drive_amount(const omr_study *study, int wheel);
/* Fails where no drive of the target gives the quantity that the parameter belongs to: a torque, a
 * voltage, a duty. */
omr_status omr_require_quantity(omr_reader *reader, const cJSON *item, omr_target target);
/* Fails where a motor or supply that is not there would be varied. */
omr_status omr_check_motor_variation(omr_reader *reader, const cJSON *item,
                                     const omr_variation *variation);
omr_status
omr_check_wheels(omr_reader *reader); /* parse_wheel.c: values that exclude or need each other */
omr_status omr_read_spins(omr_reader *reader);                         /* parse_wheel.c */
omr_status omr_read_variations(omr_reader *reader, const cJSON *root); /* parse_vary.c */
omr_status omr_check_variation(omr_reader *reader, const cJSON *item,
                               const omr_variation *variation); /* parse_vary_check.c */
omr_status omr_check_rows(omr_reader *reader); /* parse_vary_check.c: two rows of rollers, after the
                                                  variations are read */
/* parse_vary.c: appends a variation for the path (a wheel of "each": for the target) without its
 * values. */
omr_status omr_add_variation(omr_reader *reader, const cJSON *item, const char *path,
                             omr_target target, bool each, omr_variation **added);
omr_status omr_read_draw(omr_reader *reader, const cJSON *entry,
                         omr_variation *variation); /* parse_draw.c */
/* parse_unknown.c: the unknowns of the clock (of_sensor false: members of "data") or of a sample
 * (of "data.measured[i]"). */
omr_status omr_read_unknowns(omr_reader *reader, const cJSON *object, bool of_sensor,
                             size_t sample);
/* A start error of the sample, of each run, as large as its noise. */
omr_status omr_assume_start_error(omr_reader *reader, size_t sample);
omr_status omr_read_level(omr_reader *reader, const cJSON *item, const omr_variation *variation,
                          double *value);
omr_status omr_allocate_levels(omr_reader *reader, omr_variation *variation, size_t levels);
/* parse_rows.c: designs whose instances are listed, in the study or in a file; they take the place
 * of "vary". */
bool omr_has_rows(const cJSON *root);
omr_status omr_read_rows(omr_reader *reader, const cJSON *root);
/* design.seed, as a number or as text, where it is given. */
omr_status omr_read_seed(omr_reader *reader, const cJSON *design);
omr_status omr_read_design(omr_reader *reader,
                           const cJSON *root); /* parse_design.c; after the variations */
omr_status
omr_read_correlation(omr_reader *reader); /* parse_correlation.c; after the sampled are numbered */
omr_status omr_read_subset(omr_reader *reader); /* parse_subset.c; after the sampled are numbered */
omr_status omr_read_integrator(omr_reader *reader, const cJSON *root); /* parse_run.c */
omr_status omr_check_method(omr_reader *reader,
                            const cJSON *root); /* parse_run.c; after the law of contact is read */
omr_status
omr_read_failures(omr_reader *reader,
                  const cJSON *integrator); /* parse_failures.c: budget, on_failure, retries */
omr_status
omr_check_budget(omr_reader *reader,
                 const cJSON *root); /* parse_failures.c; after law and engine are read */
omr_status omr_read_engine(omr_reader *reader, const cJSON *root); /* parse_run.c */
omr_status omr_read_output(omr_reader *reader, const cJSON *root); /* parse_output.c */
/* parse_traced.c: the instances of output.trajectories, by number and name; after the observables.
 */
omr_status omr_read_traced(omr_reader *reader, const cJSON *trajectories);
/* parse_observable.c: an observable that the study's model has, by its name, a text that is `item`
 * or part of it; and one that the study keeps. */
omr_status omr_read_observable(omr_reader *reader, const cJSON *item, const char *word, int *index);
omr_status omr_read_kept_observable(omr_reader *reader, const cJSON *item, const char *word,
                                    int *index);
omr_status omr_read_made_of(omr_reader *reader,
                            const cJSON *root); /* parse_made_of.c; after the design */
omr_status omr_read_statistics(omr_reader *reader,
                               const cJSON *root); /* parse_statistics.c; after the output */
omr_status omr_read_stop(omr_reader *reader,
                         const cJSON *root); /* parse_stop.c; after the statistics */
omr_status omr_read_step_error(omr_reader *reader,
                               const cJSON *root); /* parse_accept.c; after statistics */
void omr_statistics_settings_free(omr_statistics_settings *settings); /* parse_statistics.c */

#endif
