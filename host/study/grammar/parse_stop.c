/* "stop" of the section "statistics", and the criterion of a subset simulation: both name criteria
 * of the section. */
#include "../../lists/observables.h"
#include "../designs/drawn.h"
#include "../designs/row_groups.h"
#include "../expression/criterion_names.h"
#include "parse.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_LOOK = 16 }; /* vehicles of a candidate */

size_t omr_find_criterion(const omr_statistics_settings *settings, const char *name) {
  size_t i = 0;
  while (i < settings->criterion_count && strcmp(settings->criteria[i].name, name) != 0) i++;
  return i;
}

static omr_status fail_criterion(omr_reader *reader, const cJSON *item, const char *name) {
  const omr_statistics_settings *settings = &reader->study->statistics;
  omr_text names = {0};
  for (size_t i = 0; i < settings->criterion_count; i++)
    omr_text_print(&names, "%s\"%s\"", i ? ", " : "", settings->criteria[i].name);
  const omr_status status =
      settings->criterion_count
          ? OMR_REFUSE(reader, item, "there is no criterion \"%s\" in statistics.fail, but %s",
                       name, names.data ? names.data : "others")
          : OMR_REFUSE(reader, item,
                       "there is no criterion; define it by \"statistics\": {\"fail\": \"max_slip "
                       "> 0.1 m/s\"}");
  omr_text_free(&names);
  return status;
}

static omr_status resolve_subset(omr_reader *reader) {
  omr_study *study = reader->study;
  const omr_statistics_settings *settings = &study->statistics;
  const cJSON *item = omr_json_get(reader->design, "fail");
  if (study->design.type != OMR_DESIGN_SUBSET) return OMR_OK;
  if (settings->criterion_count == 0)
    return fail_criterion(reader, item ? item : reader->design, "");
  if (!item && settings->criterion_count > 1)
    return OMR_REFUSE(reader, reader->design,
                      "statistics.fail has %zu criteria; name the one whose probability is wanted: "
                      "\"fail\": \"%s\"",
                      settings->criterion_count,
                      settings->criteria[settings->criterion_count - 1].name);
  study->sample.failure = item ? omr_find_criterion(settings, study->sample.criterion) : 0;
  return study->sample.failure < settings->criterion_count
             ? OMR_OK
             : fail_criterion(reader, item, study->sample.criterion);
}

/* "monte_carlo, sobol and halton": the designs whose first instances are a sample. */
static void list_growing(char *text, size_t size) {
  const char *words[OMR_DESIGNS];
  size_t count = 0;
  *text = '\0';
  for (omr_design d = 0; (int)d < OMR_DESIGNS; d++)
    if (omr_drawn_of(d) && !omr_drawn_of(d)->part) words[count++] = omr_design_kinds[d].name;
  for (size_t i = 0; i < count; i++)
    omr_print_more(text, size, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", words[i]);
}

/* Where instances are no sample that grows: the reason, and a way out. */
static omr_status require_growing(omr_reader *reader, const cJSON *stop) {
  const omr_design design = reader->study->design.type;
  const omr_drawn *drawn = omr_drawn_of(design);
  if ((drawn && !drawn->part) || design == OMR_DESIGN_CANDIDATES) return OMR_OK;
  const char *why = drawn                           ? drawn->part
                    : omr_has_groups(reader->study) ? "has groups of instances that differ in one "
                                                      "parameter, so that they are no sample"
                    : design == OMR_DESIGN_SUBSET   ? "ends by its own rule"
                    : omr_design_has_cells(design)  ? "goes through its cells one after the other"
                                                    : "lists its instances and draws none";
  char growing[256] = "";
  list_growing(growing, sizeof growing);
  return OMR_REFUSE(reader, stop, "a design of type %s %s; \"stop\" is for %s",
                    omr_design_kinds[design].name, why, growing);
}

omr_status omr_find_observed(omr_reader *reader, const cJSON *item, const omr_names *names,
                             const char *name, const char *also, const char *varied,
                             const omr_name **found) {
  const omr_study *study = reader->study;
  *found = omr_names_find(names, name);
  if (!*found) {
    const char *near = omr_names_nearest(names, name);
    return OMR_REFUSE(reader, item,
                      "there is no observable \"%.200s\"%s%s%s (`omniroll describe %s observables` "
                      "lists them)%s",
                      name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "",
                      omr_model_names[study->model], also);
  }
  if ((*found)->absent) return OMR_REFUSE(reader, item, "%s %s", name, (*found)->absent);
  if ((*found)->column >= study->variation_count) return OMR_OK;
  return OMR_REFUSE(reader, item, "\"%s\" is a varied parameter, %s; name an observable", name,
                    varied);
}

static omr_status read_mean(omr_reader *reader, const cJSON *item, const char *name,
                            const char **unit) {
  omr_study *study = reader->study;
  omr_names names;
  const omr_name *found;
  omr_names_of_study(study, &names);

  /* The rule watches the mean of an observable that this study computes. */
  const omr_status status = names.failed ? omr_fail_memory(reader)
                                         : omr_find_observed(reader, item, &names, name, "",
                                                             "whose mean the design knows", &found);
  if (status == OMR_OK) study->statistics.stop.index = found->column;
  omr_names_free(&names);
  if (status != OMR_OK) return status;

  /* The unit comes from the list of observables. */
  for (int j = 0; j < OMR_OBS_COUNT; j++)
    if (strcmp(omr_study_observable_name(study, j), name) == 0)
      *unit = omr_study_observable(study, j).unit;
  return OMR_OK;
}

/* A design of candidates grows by an objective or a constraint. */
static omr_status read_goal(omr_reader *reader, const cJSON *section, const cJSON *item,
                            const char *text) {
  const omr_goals *goals = &reader->study->goals;
  omr_stop_settings *stop = &reader->study->statistics.stop;
  omr_text names = {0};
  stop->of_goal = true;
  for (stop->index = 0; text && stop->index < goals->count; stop->index++)
    if (strcmp(goals->list[stop->index].name, text) == 0) break;
  if (text && stop->index < goals->count) {
    if (omr_json_get(section, "relative_width")) return OMR_OK;
    return OMR_REFUSE(reader, section,
                      "candidates grow until the interval of each is narrow beside its value: give "
                      "\"relative_width\", such as 0.1");
  }
  for (size_t i = 0; i < goals->count; i++)
    omr_text_print(&names, "%s\"%s\"", i ? ", " : "", goals->list[i].name);
  const omr_status status = OMR_REFUSE(
      reader, item, "expected the name of an objective or a constraint, of which there is: %s",
      names.data ? names.data : "none; add \"objectives\"");
  omr_text_free(&names);
  return status;
}

static omr_status read_quantity(omr_reader *reader, const cJSON *section, const char **unit) {
  omr_statistics_settings *settings = &reader->study->statistics;
  const cJSON *item = omr_json_get(section, "quantity");
  const char *text = cJSON_GetStringValue(item);
  *unit = "1";
  if (reader->study->design.type == OMR_DESIGN_CANDIDATES)
    return read_goal(reader, section, item, text);
  if (text && strncmp(text, "mean ", 5) == 0)
    return read_mean(reader, item, text + 5 + strspn(text + 5, " "), unit);
  const bool alone =
      text && strcmp(text, OMR_CRITERION_NAME) == 0; /* "fail": "..." defines one of that name */
  if (!text || (!alone && strncmp(text, "fail.", 5) != 0))
    return OMR_REFUSE(
        reader, item,
        "expected \"fail.NAME\" with a criterion of statistics.fail, or \"mean OBSERVABLE\"");
  settings->stop.of_criterion = true;
  settings->stop.index = omr_find_criterion(settings, alone ? text : text + 5);
  return settings->stop.index < settings->criterion_count
             ? OMR_OK
             : fail_criterion(reader, item, alone ? text : text + 5);
}

static omr_status read_width(omr_reader *reader, const cJSON *section, const char *unit) {
  omr_stop_settings *stop = &reader->study->statistics.stop;
  const cJSON *width = omr_json_get(section, "width"),
              *part = omr_json_get(section, "relative_width");
  if (!width == !part)
    return OMR_REFUSE(
        reader, section,
        "give either \"width\" or \"relative_width\" of the interval at which the run may end");
  stop->relative = part != NULL;
  const cJSON *item = part ? part : width;
  OMR_TRY(omr_read_quantity(reader, item, part ? "1" : unit, &stop->width));
  if (!(stop->width > 0))
    return OMR_REFUSE(reader, item, "is %.9g; it must be above 0", stop->width);
  if (!part && stop->of_criterion && stop->width >= 1)
    return OMR_REFUSE(reader, item, "is %.9g; the interval of a probability is never wider than 1",
                      stop->width);
  return OMR_OK;
}

static omr_status read_budget(omr_reader *reader, const cJSON *section) {
  const omr_study *study = reader->study;
  omr_stop_settings *stop = &reader->study->statistics.stop;
  const cJSON *item;
  double value;
  const size_t most = stop->of_goal ? study->sample.points : study->instances;
  stop->instances = most;
  if (stop->of_goal && (item = omr_json_get(section, "instances")))
    return OMR_REFUSE(reader, item,
                      "a candidate has at most design.per_cell vehicles; leave \"instances\" out");
  if ((item = omr_json_get(section, "instances"))) {
    OMR_TRY(omr_read_whole(reader, item, 1, (double)most, &value));
    stop->instances = (size_t)value;
  }
  if ((item = omr_json_get(section, "at_least"))) {
    OMR_TRY(omr_read_whole(reader, item, 2, (double)stop->instances, &value));
    stop->at_least = (size_t)value;
  }
  if (stop->of_goal && !stop->at_least) stop->at_least = most < FIRST_LOOK ? most : FIRST_LOOK;
  return OMR_OK;
}

omr_status omr_read_stop(omr_reader *reader, const cJSON *root) {
  const cJSON *section = omr_json_get(root, "statistics"), *stop;
  const char *unit;
  OMR_TRY(resolve_subset(reader));
  if (!section) return OMR_OK;
  OMR_TRY(omr_read_object(reader, section, "stop", &stop));
  if (!stop) return OMR_OK;
  OMR_TRY(omr_read_keys(reader, stop, OMR_SECTION_STOP, &reader->study->statistics.stop));
  OMR_TRY(require_growing(reader, stop));
  OMR_TRY(read_quantity(reader, stop, &unit));
  OMR_TRY(read_width(reader, stop, unit));
  OMR_TRY(read_budget(reader, stop));
  reader->study->statistics.stop.given = !reader->study->statistics.stop.of_goal;
  if (reader->study->statistics.stop.given && reader->study->rows.summed)
    return OMR_REFUSE(reader, stop,
                      "looks at rows, which output.rows does not keep; leave one of them out");
  return OMR_OK;
}
