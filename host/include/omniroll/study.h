/* Studies: reading and checking, their runs, models, starter studies. Conventions of ownership,
 * threads and NULL: base.h. */
#ifndef OMNIROLL_STUDY_H
#define OMNIROLL_STUDY_H

#include <omniroll/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not changed once it is read, so that several threads may use it. */
typedef struct omr_study omr_study;

/* Reads and checks a study. `overrides` are `count` texts "path=value" that replace or add members
 * of the JSON before it is checked (value is JSON, or a bare word taken as a string; NULL: none).
 * Errors carry file, line and JSON path. The caller destroys *study. */
OMR_API omr_status omr_study_load(const char *path, const char *const *overrides, size_t count,
                                  omr_study **study, omr_error *error);
/* The same from memory; `name` appears in messages. */
OMR_API omr_status omr_study_parse(const char *text, const char *name, const char *const *overrides,
                                   size_t count, omr_study **study, omr_error *error);
/* The names of the variants that a study holds, a line each, or "" for a study that has none or
 * whose overrides choose one, "variant=NAME", as omr_study_load needs it. text NULL: that of the
 * file `path`, which otherwise appears in messages. The caller destroys *names with
 * omr_text_destroy. */
OMR_API omr_status omr_study_variants(const char *path, const char *text,
                                      const char *const *overrides, size_t count, char **names,
                                      omr_error *error);
/* A file of JSON with comments, as a study may have them, as JSON without: strict, with no key
 * twice, comments blanked by spaces, all else as it is written. It need not be a study. The caller
 * destroys *json. Errors carry file and line. */
OMR_API omr_status omr_json_read(const char *path, char **json, omr_error *error);
/* NULL is allowed. No run or forecast of it may still be there. */
OMR_API void omr_study_destroy(omr_study *study);

/* How many instances a run has at most. */
OMR_API size_t omr_study_instances(const omr_study *study);
/* Its title. Belongs to the study. */
OMR_API const char *omr_study_title(const omr_study *study);
/* The name of its file, or the name given to omr_study_parse. Belongs to the study. */
OMR_API const char *omr_study_name(const omr_study *study);
/* The name of its model. Static text. */
OMR_API const char *omr_study_model(const omr_study *study);
/* The study as JSON, with the overrides in it, as results keep it. Belongs to the study. */
OMR_API const char *omr_study_text(const omr_study *study);
/* The tolerance of error-controlled steps; 0 where steps are fixed. */
OMR_API double omr_study_tolerance(const omr_study *study);
/* Whether integrator.step_error has a run measure the error of its step. */
OMR_API bool omr_study_measures_step_error(const omr_study *study);

/* Studies of single vehicles, made of a study: its design is replaced by a list of rows, whose
 * origin "made_of" gives; "stop", which may end a run early, is left out. `trace` is the time
 * between samples of their trajectories as a study writes it, "10 ms"; "": the study's own
 * interval, or whole steps that make about 1000 samples; NULL: nothing is traced. The caller
 * destroys *made, which needs the study no longer.
 *
 * The nominal vehicle: a varied parameter has the value that "parameters" gives it; without one the
 * median of its distribution, levels or column, of an even number of values the lower of the two in
 * the middle. A design of type one_at_a_time steps from a base, whose defaults count too. */
OMR_API omr_status omr_study_nominal(const omr_study *study, const char *trace, omr_study **made,
                                     omr_error *error);
/* Some instances by their numbers, "0,3,7-9", with the bits that they have in the whole run.
 * OMR_ERR_USAGE for a number that the study lacks, or whose values follow from results (a later
 * level of a subset simulation). */
OMR_API omr_status omr_study_of_instances(const omr_study *study, const char *list,
                                          const char *trace, omr_study **made, omr_error *error);
/* The file name of the study that it was made of; NULL: it was made of none. Belongs to the study.
 */
OMR_API const char *omr_study_made_of(const omr_study *study);
/* The vehicles of such a study, and the value of every varied parameter, for a nominal one with its
 * origin; a line each. Nothing for a study that was made of none. */
OMR_API void omr_study_made_of_print(const omr_study *study, FILE *out);

/* The run of the study, as the program prints it (`omniroll validate`), with the forewarnings. Some
 * of its instances are prepared. */
OMR_API omr_status omr_study_validate_print(const omr_study *study, FILE *out, omr_error *error);
/* The same as a JSON object: "title", "model", "wheels", "instances", "design", "varied", "step",
 * "duration", "instance_steps", "traced", "warnings" and more; one instance that makes no vehicle
 * is reported as in `omniroll validate`. The caller destroys *json. */
OMR_API omr_status omr_study_validate_json(const omr_study *study, char **json, omr_error *error);
/* Doubts about a study that can run, before it does: steps too long for the method, controllers
 * that do not settle, commands whose vibration has no value, vehicles that are hardly meant so. A
 * line each, "" for none. The caller destroys *warnings. */
OMR_API omr_status omr_study_warnings(const omr_study *study, char **warnings, omr_error *error);
/* The look of the vehicle of an instance (from 0 on), or of the study's nominal values (OMR_NONE):
 * a JSON object of "wheels" (in order of their numbers: "x" and "z" of the centre, forward and to
 * the right; in the frame "ros", which the member "frame" names, "x" and "y", forward and to the
 * left, and so below; "axis_angle", "radius", "half_width" where the model has a width, "rollers",
 * "center_distance", "row_distance", "inclination", "drive"; "tilt" of a disc that leans), "roller"
 * (measures of one of wheel 0), "rods" ([x, z, x, z] each), and of vehicles "mass",
 * "center_of_mass" ([x, z, height]), "polygon" of support ([x, z] each), "margin" of the centre of
 * mass in it, "command" (the fastest, and when it first comes) and "warnings" (objects of "kind",
 * "text", "wheels"). SI units, body axes, angles in radians. OMR_ERR_USAGE: no such instance;
 * OMR_ERR_STUDY: its values make no vehicle. The caller destroys *json. */
OMR_API omr_status omr_study_scene_json(const omr_study *study, size_t instance, char **json,
                                        omr_error *error);
/* The bodies of the vehicle of an instance, or of the nominal values (OMR_NONE), for models of it
 * in other simulators: a JSON object of "title", "model", "frame", "instance", "gravity",
 * "contact", "ground", "uneven", "external", "yaw_loss"; of "platform" without wheels and "whole"
 * with them
 * ("mass", "center_of_mass", and "inertia" about the axes or "yaw_inertia", about their centres);
 * of the "start" ("place", "yaw", "pitch" with the nose down, "roll"); and of "wheels" ("name",
 * "kind", "drive", "by", "law", "place" of the centre or the swivel axis, "axis" about which its
 * positive rates turn, "axis_angle", "radius", "trail", "total_mass"; "roller" with measures, mass
 * and inertias; on compliant contact "contact_stiffness" and "contact_damping" under the load at
 * rest, and "preload" of a suspension). Places and directions are [forward, left, up], from the
 * floor below the body origin. "values" of the vehicle and of each wheel are its parameters by
 * their paths, in the frame "y_up"; null where not given. Errors as above, and OMR_ERR_STUDY for a
 * model without platform. The caller destroys *json. */
OMR_API omr_status omr_study_bodies_json(const omr_study *study, size_t instance, char **json,
                                         omr_error *error);
/* The scene as the program prints it (`omniroll show`): a sketch from above to scale, at most 64
 * columns wide, a table, and warnings. `utf8`: strokes of UTF-8, otherwise ASCII. */
OMR_API omr_status omr_study_scene_print(const omr_study *study, size_t instance, bool utf8,
                                         FILE *out, omr_error *error);

/* What the kernels integrate an instance (from 0 on) from, for a program that runs
 * omr_kernels_wasm: a JSON object of "laws" (the module), "step" and "end" (what advance takes:
 * with fixed steps the step in s, and their number), "vehicle_samples" and "wheel_samples" (what
 * sample gives: of the vehicle, then of each wheel), "wheels", "settings" (integers), "places" (of
 * "max_rollers" in them, of "clock" and its "fraction", "status", "work" and "dissipated" in the
 * state), and "tables", "params", "state", "spins": doubles, 16 hexadecimal digits each. `settings`
 * are `count` texts "PATH=NUMBER" of parameters that take another value, in SI units, such as
 * "wheel.friction=0.4", or "PATH" of those whose values, one a wheel, "values" shall have.
 * OMR_ERR_STUDY with the reason: the values make no vehicle. The caller destroys *json. */
OMR_API omr_status omr_study_columns_json(const omr_study *study, size_t instance,
                                          const char *const *settings, size_t count, char **json,
                                          omr_error *error);
/* The kernels of a class of laws as a WebAssembly module, packed by gzip; NULL: this build has
 * none. host/lanes/wasm.c has its functions. Static. */
OMR_API const void *omr_kernels_wasm(const char *laws, size_t *size);

/* Floating-point operations per instance-step, counted on the first steps of some instances by
 * running the equations in numbers that count: a JSON object of "useful" (additions,
 * multiplications, divisions and roots are one each, fused multiply-adds two), of each kind, and of
 * "steps", the instance-steps that were counted. The same on every machine. OMR_ERR_DEVICE in
 * builds that cannot count. The caller destroys *json. */
OMR_API omr_status omr_study_operations_json(const omr_study *study, char **json, omr_error *error);
/* The varied parameters of every instance as CSV, without running any: one line per instance after
 * a header of paths and units. The numbers read back to the same bits. */
OMR_API omr_status omr_study_sample_print(const omr_study *study, FILE *out, omr_error *error);

/* Members that an override can give, "PATH=" a line: the members of the study in this file (NULL:
 * of none), and the members that its model has. */
OMR_API omr_status omr_study_paths(const char *study, FILE *out, omr_error *error);

/* Names of the models, from 0 on; NULL past the last. Static texts. */
OMR_API const char *omr_model_name(size_t index);
/* The tables of a model, as the program prints them. */
OMR_API omr_status omr_describe(const char *model, FILE *out, omr_error *error);
/* The same as a JSON object: "model", "meaning", and a list of objects for each table, such as
 * "parameters" (of "name", "unit", "default", "low", "high", "low_open", "meaning"; null: no
 * default, no bound) and "observables". The caller destroys *json. */
OMR_API omr_status omr_describe_json(const char *model, char **json, omr_error *error);
/* omr_describe in the names, signs and meanings of a frame: "y_up", which NULL is, or "ros".
 * OMR_ERR_USAGE: there is no such model or frame. */
OMR_API omr_status omr_describe_in(const char *model, const char *frame, FILE *out,
                                   omr_error *error);
/* omr_describe_json in a frame, which "frame" names. The caller destroys *json. */
OMR_API omr_status omr_describe_json_in(const char *model, const char *frame, char **json,
                                        omr_error *error);
/* A part of a description: its groups, the rows of some names, or the rows in which a text is. */
typedef struct omr_describe_options {
  size_t size;
  const char *model;        /* NULL: all models, where `search` is given */
  const char *frame;        /* NULL: y_up */
  const char *const *names; /* tables, sections, keys, parameters, observables, laws, or words of
                               their names; none: the groups with their numbers of rows */
  size_t name_count;
  const char *search; /* words begin with it in names, meanings or other cells; NULL: none */
  bool json; /* the object of omr_describe_json with these rows alone; of a search, its rows with
                the models that have them */
} omr_describe_options;
#define OMR_DESCRIBE_OPTIONS_INIT                                                                  \
  { .size = sizeof(omr_describe_options) }

/* Prints that part to `out`. OMR_ERR_USAGE: no such model or frame, or nothing has the name. */
OMR_API omr_status omr_describe_part(const omr_describe_options *options, FILE *out,
                                     omr_error *error);
/* The schema of study files (JSON Schema, draft 2020-12) for editors and other programs: every
 * member with its meaning, words, units, bounds. Every file that is read as a study fits it; a file
 * that does not fit is refused. The caller destroys *json. */
OMR_API omr_status omr_study_schema_json(char **json, omr_error *error);

/* Starter studies: a kind is a question, a model is its subject. All texts are static; the
 * functions return NULL past the last.
 *
 * The name of a kind. */
OMR_API const char *omr_starter_kind_name(size_t kind);
/* Its question, a line. */
OMR_API const char *omr_starter_kind_question(size_t kind);
/* The only model that this kind is about; NULL: any. */
OMR_API const char *omr_starter_kind_model(size_t kind);
/* The name of a model that starter studies can be about. */
OMR_API const char *omr_starter_model_name(size_t model);
/* Its description, as it begins a study's title: "Three omni wheels in a ring". */
OMR_API const char *omr_starter_model_title(size_t model);
/* Its name as omr_model_name has it: "mecanum" is an omni_vehicle. */
OMR_API const char *omr_starter_model_base(size_t model);

/* A command to go on with, and its effect; both texts are the caller's. */
typedef struct omr_starter_step {
  const char *command, *meaning;
} omr_starter_step;

/* The commented study of a kind about a model (NULL: the kind's own, or the first). steps[count]
 * (NULL: none) are named on its top. The caller destroys *text. Errors name the nearest kind or
 * model, or all there are. */
OMR_API omr_status omr_starter_text(const char *kind, const char *model,
                                    const omr_starter_step *steps, size_t count, char **text,
                                    omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
