/* Turns a study's JSON into omr_study: a function for each section and each check between sections,
 * in the files parse*.c. Every function fails with file, line and JSON path. */
#ifndef OMR_STUDY_PARSE_H
#define OMR_STUDY_PARSE_H

#include "../expression/criterion_names.h"
#include "targets.h"

/* omr_study_parse for the text that is kept with a result: of a design of type table, the values
 * are taken from that result, so that the table itself need not be there any more. */
omr_status omr_study_parse_kept(const char *text, const char *name, const char *const *overrides,
                                size_t count, const char *result_path, omr_study **study,
                                omr_error *error);

/* lost_unit.c. A copy of the parameters of a study whose model is a system of its own, which shows
 * the changes of an assignment of --set; NULL elsewhere. The caller deletes it. Then a refusal
 * where the assignment has put a number without a unit in the place of a quantity. */
cJSON *omr_own_parameters(const omr_json *json);
omr_status omr_refuse_lost_unit(const omr_json *json, const cJSON *before, const char *assignment,
                                omr_error *error);

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

/* table_hash.c: the study that is kept with a result says which table an object names, by the hash
 * of its bytes: compares it with the object's "hash", which it gets where it has none. */
omr_status omr_check_table_hash(omr_reader *reader, const cJSON *object, const char *path,
                                const char *bytes, size_t length);
/* parse_replay.c: the table that a drive or the command replays, from the object "replay". */
omr_status omr_read_drive_replay(omr_reader *reader, const cJSON *item, int wheel);
omr_status omr_read_command_replay(omr_reader *reader, const cJSON *item);
/* Whether tables reach from the start of the run to its end, and nothing excludes a rate that is
 * prescribed; after the variations are read. */
omr_status omr_check_replays(omr_reader *reader);

/* parse_small.c */

/* Whether a choice of a word of a small model uses the parameter. */
bool omr_choice_uses(const omr_small_choice *choice, int index);
/* Fails where the words of a small model leave the parameter without effect. */
omr_status omr_require_used(omr_reader *reader, const cJSON *item, int index);

/* One file per section. */
/* parse_parameters.c; after the integrator's section. */
omr_status omr_read_parameters(omr_reader *reader, const cJSON *root);
/* graph_read.c: in its place where the model takes its parameters and its system from the study;
 * into study->graph. */
omr_status omr_read_graph(omr_reader *reader, const cJSON *root);
/* Of a system of host/reference/systems: it has the rows of lists/graph_built_in.def, "numbers" and
 * "moving", expressions with names, and its measures are names in expressions. */
omr_status omr_read_built_in_graph(omr_reader *reader, const cJSON *root);
/* The same file, after the variations: fails where one says how many copies a group has. */
omr_status omr_check_graph(omr_reader *reader, const cJSON *root);
omr_status omr_read_small(omr_reader *reader); /* parse_small.c: words of a small model */
/* parse_layout.c: type and number of wheels. */
omr_status omr_read_layout(omr_reader *reader);
/* Once the contact is known. */
omr_status omr_check_wheel_count(omr_reader *reader);
/* parse_drive.c: kinds of drive; after the command. */
omr_status omr_read_drives(omr_reader *reader);
/* The object "replay" of a drive or a command, which has to be there. */
omr_status omr_require_replay(omr_reader *reader, const cJSON *place, const cJSON **item);
/* Turns a column of a table into the frame of the kernels. */
void omr_turn_column(omr_table *table, size_t column, omr_framing turn);
/* parse_command.c: its kind, and what it names. */
omr_status omr_read_command(omr_reader *reader);
/* The same file, after the values are read: a path becomes a table. */
omr_status omr_make_path(omr_reader *reader);
/* The same file: fails where a variation would change the path. */
omr_status omr_refuse_varied_path(omr_reader *reader, const cJSON *item, omr_target target);
/* parse_odometry.c: its wheels and its gyro. */
omr_status omr_read_odometry(omr_reader *reader);
/* parse_contact.c: law of contact and its words. */
omr_status omr_read_contact(omr_reader *reader);
/* yaw_loss.c: likewise. */
omr_status omr_check_yaw_loss(omr_reader *reader);
omr_status omr_read_discs(omr_reader *reader); /* parse_disc.c: words of discs; after the law */
/* parse_compliant.c: words of compliant contact; likewise. */
omr_status omr_read_compliant(omr_reader *reader);
/* The same file, after the variations are read: fails where something does not go with it. */
omr_status omr_check_compliant(omr_reader *reader);
/* parse_ground.c: kind of ground and shapes of its patches. */
omr_status omr_read_ground(omr_reader *reader);
/* Fails where the study's ground has no use for the OMR_VP_ parameter below "ground.". */
omr_status omr_require_usable_ground(omr_reader *reader, const cJSON *item, int index);
/* parse_floor.c: words of the floor below compliant contacts, and its map; after those. */
omr_status omr_read_floor(omr_reader *reader);
/* parse_map.c: the map of the floor, from the object "map". */
omr_status omr_read_floor_map(omr_reader *reader, const cJSON *item);
/* parse_floor.c: fails where the study's floor has no use for the OMR_VP_ parameter below "floor.".
 */
omr_status omr_require_usable_floor(omr_reader *reader, const cJSON *item, int index);
/* parse_external.c: kind, axes and table of the external force and torque. */
omr_status omr_read_external(omr_reader *reader);
/* parse_heading.c: the loop of the heading, of a command that is there; whether the parameter is
 * one of it, or of the limits of wheels; fails where the study has no use for it; and after the
 * drives are read, checks of periods and drives. */
omr_status omr_read_heading_hold(omr_reader *reader, const cJSON *command);
bool omr_is_outer_parameter(int index);
omr_status omr_require_usable_outer(omr_reader *reader, const cJSON *item, int index);
omr_status omr_check_outer_loops(omr_reader *reader);
/* Whether a time is a whole number of the controllers' periods, from `least` to `most`. */
omr_status omr_require_whole_periods(omr_reader *reader, const cJSON *item, const char *what,
                                     double time, double least, double most);
/* parse_feedback.c: the matrix of drives of type feedback; after the drives. */
omr_status omr_read_feedback(omr_reader *reader);
/* At least one wheel has a controller of type body, which `what` acts on. */
omr_status omr_require_body(omr_reader *reader, const cJSON *item, const char *what);
/* parse_way.c: the points of a command of type path, and its loop; after the drives are read,
 * checks of its period, drives and goal. */
omr_status omr_read_way(omr_reader *reader, const cJSON *command);
omr_status omr_check_way(omr_reader *reader);
/* parse_drive.c: after the values are read. */
omr_status omr_check_drives(omr_reader *reader);
/* parse_motor.c: the quantity that each drive gives, and the state of its motor at rest; after the
 * kinds of drive. */
omr_status omr_read_motors(omr_reader *reader);
/* The same file, after the values are read: motors, their drives and the supply belong together. */
omr_status omr_check_motors(omr_reader *reader);
/* parse_motor_sheet.c: the motor of a wheel, -1 for all, by its data sheet; after the values that
 * `object` gives are read. */
omr_status omr_read_motor_sheet(omr_reader *reader, const cJSON *object, int wheel);
/* Whether one of the wheels has a brushed motor, known when the values are read. */
bool omr_has_motor(const omr_study *study);
/* The one that the drive of a wheel uses. */
int omr_drive_amount(const omr_study *study, int wheel);
/* parse_wheel.c: values that exclude or need each other. */
omr_status omr_check_wheels(omr_reader *reader);
/* parse_wheel.c. */
omr_status omr_read_spins(omr_reader *reader);
/* wheel_names.c: the numbers of wheels in place of their names, all over the study. */
omr_status omr_replace_wheel_names(omr_reader *reader, cJSON *root);
/* parse_start.c: the object "initial", NULL where it is the word for a rolling start; that word
 * and "motion"; and, after the variations, whether the wheels' rates can make a motion. */
omr_status omr_read_initial(omr_reader *reader, const cJSON **initial);
bool omr_starts_rolling_by_word(const omr_reader *reader);
omr_status omr_read_motion(omr_reader *reader);
omr_status omr_check_motion(omr_reader *reader);
/* parse_vary.c. */
omr_status omr_read_variations(omr_reader *reader, const cJSON *root);
/* parse_vary_check.c. */
omr_status omr_check_variation(omr_reader *reader, const cJSON *item,
                               const omr_variation *variation);
/* parse_vary_check.c: two rows of rollers, after the variations are read. */
omr_status omr_check_rows(omr_reader *reader);
/* parse_vary.c: appends a variation for the path (a wheel of "each": for the target) without its
 * values. */
omr_status omr_add_variation(omr_reader *reader, const cJSON *item, const char *path,
                             omr_target target, bool each, omr_variation **added);
/* parse_draw.c. */
omr_status omr_read_draw(omr_reader *reader, const cJSON *entry, omr_variation *variation);
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
/* Columns of listed values: of rows in the study, or of a file, whose rows are taken in their order
 * or drawn, design.per_cell of them. *count: the values of each. */
omr_status omr_read_listed_rows(omr_reader *reader, const cJSON *paths, const cJSON *rows,
                                omr_listed listed, size_t *count);
omr_status omr_read_listed_file(omr_reader *reader, const cJSON *item, bool drawn,
                                omr_listed listed, size_t *count);
/* The path that a column's name means: the name itself, or the path of a result's column. */
void omr_path_of_column(const omr_reader *reader, const char *name, char *path, size_t size);
omr_status omr_require_plain_table(omr_reader *reader, const cJSON *item, const char *path);
/* parse_objectives.c, after the statistics. */
omr_status omr_read_objectives(omr_reader *reader, const cJSON *root);
/* parse_candidates.c: the candidates of a design of that type, behind what "vary" draws. */
omr_status omr_read_candidates(omr_reader *reader, const cJSON *root);
/* design.seed, as a number or as text, where it is given. */
omr_status omr_read_seed(omr_reader *reader, const cJSON *design);
/* parse_design.c; after the variations. */
omr_status omr_read_design(omr_reader *reader, const cJSON *root);
/* parse_correlation.c; after the sampled are numbered. */
omr_status omr_read_correlation(omr_reader *reader);
/* parse_subset.c; after the sampled are numbered. */
omr_status omr_read_subset(omr_reader *reader);
/* parse_run.c. */
omr_status omr_read_integrator(omr_reader *reader, const cJSON *root);
/* parse_run.c; after the law of contact is read. */
omr_status omr_check_method(omr_reader *reader, const cJSON *root);
/* parse_failures.c: budget, on_failure, retries. */
omr_status omr_read_failures(omr_reader *reader, const cJSON *integrator);
/* parse_failures.c; after law and engine are read. */
omr_status omr_check_budget(omr_reader *reader, const cJSON *root);
/* parse_run.c. */
omr_status omr_read_engine(omr_reader *reader, const cJSON *root);
/* parse_output.c. */
omr_status omr_read_output(omr_reader *reader, const cJSON *root);
/* parse_ask.c: output.derived, and "ask"; after the observables. */
omr_status omr_read_ask(omr_reader *reader, const cJSON *root);
/* The study asks for an observable, once. */
omr_status omr_ask_for(omr_reader *reader, int observable, omr_best best);
/* parse_traced.c: the instances of output.trajectories, by number and name; after the observables.
 */
omr_status omr_read_traced(omr_reader *reader, const cJSON *trajectories);
/* parse_observable.c: an observable that the study's model has, by its name, a text that is `item`
 * or part of it; and one that the study keeps. */
omr_status omr_read_observable(omr_reader *reader, const cJSON *item, const char *word, int *index);
omr_status omr_read_kept_observable(omr_reader *reader, const cJSON *item, const char *word,
                                    int *index);
/* parse_variants.c: merges the changes of the chosen variant into the study; a study that has
 * variants and no choice is OMR_ERR_USAGE. */
omr_status omr_take_variant(omr_json *json, omr_error *error);
/* Whether --set of this assignment is about variants, which come before everything else. */
bool omr_is_choice(const char *assignment);
/* parse_made_of.c; after the design. */
omr_status omr_read_made_of(omr_reader *reader, const cJSON *root);
/* parse_statistics.c; after the output. */
omr_status omr_read_statistics(omr_reader *reader, const cJSON *root);
/* parse_stop.c; after the statistics. */
omr_status omr_read_stop(omr_reader *reader, const cJSON *root);
/* The same file. The number of a criterion by its name; their count where there is none. */
size_t omr_find_criterion(const omr_statistics_settings *settings, const char *name);
/* The column of an observable that the study keeps, and its unit, by a name that is none of a
 * varied parameter: `varied` says why. `also`: what else the message says that there is. */
omr_status omr_find_observed(omr_reader *reader, const cJSON *item, const omr_names *names,
                             const char *name, const char *also, const char *varied,
                             const omr_name **found);
/* parse_accept.c; after statistics. */
omr_status omr_read_step_error(omr_reader *reader, const cJSON *root);
void omr_statistics_settings_free(omr_statistics_settings *settings); /* parse_statistics.c */

/* The other mistakes of a study that was refused for one. */

/* Reads the study of the reader's JSON into a fresh omr_study; fails as readers do. */
typedef omr_status omr_read_again(omr_reader *reader);

/* The study was refused with a mistake (reader->error). Takes the value out of the tree, or puts
 * the example of a missing one in, reads again, and so on, and adds what is wrong in any case to
 * the error, which is then in the order of lines. What may follow from a mistake that is known
 * already is not reported: a member that lacks since its name is misspelt, a value whose unit
 * depends on a word that is wrong. The tree and the study of the reader are of no use afterwards.
 */
void omr_find_more_mistakes(omr_reader *reader, omr_read_again *read);

#endif
