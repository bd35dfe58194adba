/* Parts of the schema of study files (JSON Schema, draft 2020-12), which schema.c puts together
 * from the lists. The schema refuses a study only for its keys, words, units and bounds: every
 * study that is read fits it, and one that does not fit is refused. A part is made without a check
 * after every call (support/tree.h). */
#ifndef OMR_RESULT_SCHEMA_H
#define OMR_RESULT_SCHEMA_H

#include "../lists/frames.h"
#include "../lists/kinds.h"
#include "../lists/models.h"
#include "../study/grammar/keys.h"
#include "../support/support.h"
#include "../support/tree.h"

#include <float.h>

enum { OMR_SCHEMA_PATH = 64, OMR_SCHEMA_TEXT = 1024 };

/* A part given as JSON text, in which ' stands for "; NULL where memory ran out. */
cJSON *omr_schema_make(const char *format, ...) OMR_PRINTF(1, 2);
/* A list of a part, new where the part has none of the name. */
cJSON *omr_schema_list(cJSON *part, const char *name);
/* Adds to the words that a part takes, with its meaning (NULL: none are said). */
void omr_schema_word(cJSON *part, const char *word, const char *meaning);
/* The part "$defs" has under a name. */
cJSON *omr_schema_refer(const char *name);
/* The member of an object part; NULL: it has none of the name. */
cJSON *omr_schema_get(cJSON *object, const char *key);
/* The enumeration of a kind's words, from `first` on, with their meanings. */
cJSON *omr_schema_kinds(const omr_kind *kinds, int first, int count);
/* A number in SI or a text with a unit, defined once below "$defs" for each unit. */
cJSON *omr_schema_quantity(cJSON *defs, const char *unit);
/* A value of a parameter, within its bounds where it is a bare number. */
cJSON *omr_schema_parameter(cJSON *defs, const omr_parameter *parameter);
/* The values that a key takes, as its row says. */
cJSON *omr_schema_key(cJSON *defs, const omr_key *key);
/* A part for a key whose row does not say it; NULL: the row does. */
typedef cJSON *omr_schema_part(cJSON *defs, const omr_key *key);
/* Adds all keys of a section to the object part, and which of them are required. own: NULL, or
 * the parts that rows do not say. */
void omr_schema_keys(cJSON *object, cJSON *defs, omr_section section, omr_schema_part *own);
/* An object part with the keys of a section and no others. */
cJSON *omr_schema_section(cJSON *defs, omr_section section, omr_schema_part *own);
/* A part that fits one or the other. */
cJSON *omr_schema_either(cJSON *one, cJSON *other);
/* The object part has to have the member. */
void omr_schema_require(cJSON *object, const char *key);
/* Fills `name` with a name of "$defs": the words joined by _, all else than letters and digits too.
 */
void omr_schema_name(char *name, size_t size, const char *first, const char *second);
/* Gives the part a description, with the unit and the default where there are any ("": none). */
void omr_schema_describe(cJSON *part, const char *meaning, const char *unit, const char *standard);
/* A member `key` of the object part `object`, which takes `part`. */
void omr_schema_member(cJSON *object, const char *key, cJSON *part);
/* Adds at a path of several names, "platform.center_of_mass.x", with the objects on the way. */
void omr_schema_place(cJSON *object, const char *path, cJSON *part);
/* A new object part without members, which knows no others. */
cJSON *omr_schema_object(void);

/* "If the member at `path` is `word` (NULL: is there), or with `standard` is not there": adds to
 * allOf of `part` and returns the part after "then", to which omr_schema_refuse adds the members
 * that must not be there in that case. */
cJSON *omr_schema_when(cJSON *part, const char *path, const char *word, bool standard);
void omr_schema_refuse(cJSON *then, const char *path);
/* The same of a parameter of wheels, of "wheel" and of each of "wheels"; and the members that must
 * be there, down to the path's last one. */
void omr_schema_refuse_of_wheels(cJSON *then, const char *path);
void omr_schema_require_at(cJSON *then, const char *path);

/* schema_rules.c: rules between parameters (lists/parameter_rules.def), in the part of all
 * parameters, in a wheel, and in the part of all parameters about its "wheel". */
void omr_schema_rules(cJSON *part, omr_model model);
void omr_schema_wheel_rules(cJSON *wheel, omr_model model);
void omr_schema_needs(cJSON *part, omr_model model);

/* The name in a frame of a parameter of the model; NULL where the model has it not, or where the
 * first frame has the name, for this parameter or another. The schema knows the names of all frames
 * at once. */
const char *omr_schema_name_in(omr_frame_kind frame, omr_model model, bool per_wheel, int index);

/* parameters, of a model; wheel, of an omni model. */
cJSON *omr_schema_parameters(cJSON *defs, omr_model model);
/* The paths that a study of the model can vary. */
cJSON *omr_schema_paths(omr_model model);
/* An unknown of a clock or a sensor: a distribution of numbers of a unit, NULL: of any. */
cJSON *omr_schema_unknown(cJSON *defs, const char *unit);
/* An entry of vary. */
cJSON *omr_schema_entry(cJSON *defs, omr_model model);
/* schema_own.c: of a model that takes its names from the study (omr_model_is_own): a name of it,
 * its traced instances, its parameters; and for every model the sections that they have or have
 * not, in the part after "then". */
cJSON *omr_schema_own_name(void);
cJSON *omr_schema_own_traced(void);
cJSON *omr_schema_own_parameters(void);
void omr_schema_own_rules(cJSON *defs, cJSON *then, omr_model model);
/* schema_system.c: the section "system", with its parts below "$defs". */
cJSON *omr_schema_system(cJSON *defs);
/* Sections that are the same for all models; omr_schema_design is of design, and so on. */
cJSON *omr_schema_design(cJSON *defs);
cJSON *omr_schema_integrator(cJSON *defs);
cJSON *omr_schema_output(cJSON *defs);
cJSON *omr_schema_ask(cJSON *defs);
cJSON *omr_schema_objectives(cJSON *defs);
cJSON *omr_schema_statistics(cJSON *defs);
cJSON *omr_schema_made_of(void);
/* schema_data.c: measured runs, how parameters are fitted to them, and how a run is planned. */
cJSON *omr_schema_data(cJSON *defs);
cJSON *omr_schema_excite(cJSON *defs);
/* A column of a table that is read: its name, or name, unit and factor. */
cJSON *omr_schema_column(cJSON *defs);

#endif
