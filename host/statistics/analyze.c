/* Statistics of a result file, computed anew. */
#define _GNU_SOURCE /* open_memstream */
#include "../result/hdf5_sums.h"
#include "../result/hdf5_virtual.h"
#include "../result/reader.h"
#include "../study/grammar/parse.h"
#include "../study/json/json.h"
#include "../support/replace.h"
#include "../support/team.h"
#include "brief.h"
#include "step_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct analysis {
  const char *path;            /* the result */
  const char *const *settings; /* "statistics.fail=...": members of that section only */
  size_t setting_count;
  const char *output; /* a copy of the file with the new statistics; NULL: none */
  bool json, brief;
} analysis;

/* Refuses settings outside of the section "statistics": a finished run cannot be changed. */
static omr_status check_settings(const analysis *a, omr_error *error) {
  for (size_t i = 0; i < a->setting_count; i++) {
    const char *text = a->settings[i];
    if (strncmp(text, "statistics.", 11) == 0 || strncmp(text, "statistics=", 11) == 0) continue;
    if (strncmp(text, "integrator.accept", 17) == 0) continue;
    return omr_fail(error, OMR_ERR_USAGE,
                    "--set %s: the run is over; analyze changes members of \"statistics\", such as "
                    "statistics.fail=\"path_length > 5 m\", and integrator.accept alone",
                    text);
  }
  return OMR_OK;
}

/* A subset simulation drew its levels towards one failure criterion, which must stay the same. */
static omr_status check_levels(const analysis *a, const omr_study *study, omr_error *error) {
  if (study->design.type != OMR_DESIGN_SUBSET) return OMR_OK;
  for (size_t i = 0; i < a->setting_count; i++) {
    const char *text = a->settings[i];
    if (strncmp(text, "statistics.fail", 15) != 0 && strncmp(text, "statistics=", 11) != 0)
      continue;
    if (strncmp(text, "statistics.failed_limit", 23) == 0) continue;
    return omr_fail(error, OMR_ERR_USAGE,
                    "--set %s: the instances of a subset simulation were drawn towards the failure "
                    "that its study asks for; run the study with the new criterion",
                    text);
  }
  return OMR_OK;
}

/* Computes the step error anew from the refined instances that the file keeps. */
static omr_status add_step_error(const analysis *a, const omr_study *study, omr_source *source,
                                 omr_statistics *statistics, omr_error *error) {
  omr_refined refined = {0};
  bool there = false;
  omr_status status = omr_step_error_read(a->path, study, &refined, &there, error);
  if (status == OMR_OK && there)
    status = omr_step_error_compute(study, source, &refined, statistics, error);
  omr_refined_free(&refined);
  return status;
}

/* Rows that are not kept cannot be looked at again. */
static omr_status check_criteria(const analysis *a, omr_error *error) {
  static const char *const fixed[] = {"statistics.fail=", "statistics.fail.", "statistics="};
  for (size_t i = 0; i < a->setting_count; i++)
    for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++)
      if (strncmp(a->settings[i], fixed[f], strlen(fixed[f])) == 0)
        return omr_fail(error, OMR_ERR_USAGE,
                        "--set %s: %s does not keep the rows (output.rows), so that its criteria "
                        "stay; run the study again with the new ones",
                        a->settings[i], a->path);
  return OMR_OK;
}

static omr_status compute(const analysis *a, const omr_result *head, omr_source *source,
                          omr_study **study, omr_statistics **statistics, omr_error *error) {
  omr_status status = OMR_OK;
  if (!head->study_text[0])
    status = omr_fail(error, OMR_ERR_IO,
                      "%s: does not say of which study it is; run the study anew.", a->path);
  if (status == OMR_OK && head->design_only)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "%s: is a table of values that was not run; give a result of omniroll run.",
                      a->path);
  if (status == OMR_OK)
    status = omr_study_parse_kept(head->study_text, head->study_name, a->settings, a->setting_count,
                                  a->path, study, error);
  if (status == OMR_OK) status = check_levels(a, *study, error);
  if (status == OMR_OK && head->partial) status = check_criteria(a, error);
  if (status == OMR_OK) status = omr_statistics_of(*study, head, source, statistics, error);
  if (status == OMR_OK) status = add_step_error(a, *study, source, *statistics, error);
  return status;
}

omr_status omr_statistics_of_file(const char *path, const omr_result *head, omr_source *source,
                                  omr_study **study, omr_statistics **statistics,
                                  omr_error *error) {
  const analysis a = {.path = path};
  return compute(&a, head, source, study, statistics, error);
}

static omr_status copy_bytes(const char *path, const omr_replace *to, omr_error *error) {
  char bytes[1 << 16];
  omr_status status = OMR_OK;
  const int from = open(path, O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return omr_fail(error, OMR_ERR_IO, "%s: cannot be read: %s.", path, strerror(errno));

  /* copy until the end of the file; an interrupted call is repeated */
  for (;;) {
    const ssize_t count = read(from, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      status = omr_fail(error, OMR_ERR_IO, "%s: cannot be read: %s.", path, strerror(errno));
    if (count <= 0) break;
    for (ssize_t done = 0, put; done < count && status == OMR_OK; done += put) {
      errno = 0;
      put = write(to->descriptor, bytes + done, (size_t)(count - done));
      if (put < 0 && errno == EINTR) put = 0;
      if (put < 0) status = omr_replace_fail(to, errno, error);
    }
    if (status != OMR_OK) break;
  }

  /* the caller closes the copy */
  close(from);

  return status;
}

/* Replaces the group /statistics and records the settings where they differ from the study's. */
static void replace_statistics(omr_hdf5 *h5, const analysis *a, const omr_statistics *statistics) {
  omr_text settings = {0};
  if (H5Lexists(h5->file, "statistics", H5P_DEFAULT) > 0)
    H5Ldelete(h5->file, "statistics", H5P_DEFAULT);
  omr_statistics_write(statistics, h5);
  for (size_t i = 0; i < a->setting_count; i++)
    omr_text_print(&settings, "%s%s", i ? "\n" : "", a->settings[i]);
  const hid_t group = H5Gopen2(h5->file, "statistics", H5P_DEFAULT);
  if (settings.failed)
    omr_hdf5_refuse(h5, "write attribute settings", "out of memory");
  else if (settings.data && group >= 0)
    omr_hdf5_text(h5, group, "settings", settings.data);
  if (group >= 0) H5Gclose(group);
  omr_text_free(&settings);
}

static void replace_warnings(omr_hdf5 *h5, const char *warnings) {
  if (H5Aexists(h5->file, "warnings") > 0) H5Adelete(h5->file, "warnings");
  if (warnings[0]) omr_hdf5_text(h5, h5->file, "warnings", warnings);
}

/* The copy of a virtual result has to find its rows, too. */
static omr_status check_files(const omr_hdf5 *h5, const char *path, omr_error *error) {
  omr_virtual *files;
  const omr_status status = omr_virtual_open(h5->file, path, &files, error);
  omr_virtual_free(files);
  return status;
}

static omr_status write_copy(const analysis *a, const omr_statistics *statistics,
                             const char *warnings, omr_error *error) {
  omr_replace place;
  omr_hdf5 h5;
  omr_status status = omr_replace_open(&place, a->output, error);
  if (status != OMR_OK) return status;

  /* start from the bytes of the result, so that everything but the statistics is kept */
  status = copy_bytes(a->path, &place, error);
  if (status == OMR_OK) {
    /* replace statistics and warnings, then renew the checksums */
    const omr_hdf5_report report = omr_hdf5_quiet();
    omr_hdf5_open(&h5, place.descriptor);
    if (!h5.failed) replace_statistics(&h5, a, statistics);
    if (!h5.failed) replace_warnings(&h5, warnings);
    omr_sums_seal(&h5);
    if (!h5.failed) status = check_files(&h5, a->output, error);
    if (!omr_hdf5_close(&h5)) status = omr_hdf5_fail(&h5, &place, error);
    omr_hdf5_restore(report);
  }

  /* the copy takes its name only if it is complete */
  if (status == OMR_OK) return omr_replace_finish(&place, error);
  omr_replace_discard(&place);
  return status;
}

/* Keeps the run's warnings, but renews the lines on the step error from these statistics. */
static void renew_warnings(const omr_statistics *statistics, const char *old, char *warnings) {
  char line[OMR_WARNINGS], errors[OMR_WARNINGS] = "";
  warnings[0] = '\0';
  for (const char *start = old; *start; start += strspn(start, "\n")) {
    const size_t length = strcspn(start, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, start);
    if (!statistics->step_error || strncmp(line, OMR_STEP_WARNING, strlen(OMR_STEP_WARNING)) != 0)
      omr_add_warnings(warnings, line);
    start += length;
  }
  omr_step_error_warn(statistics, errors, sizeof errors);
  omr_add_warnings(warnings, errors);
}

/* A warning about the threads of this analysis; the copy does not get it. */
static void warn_of_threads(char *warnings) {
  char warning[OMR_TEAM_WARNING];
  omr_team_of_run(0, warning);
  if (!strstr(warnings, warning)) omr_add_warnings(warnings, warning);
}

/* Prints statistics and warnings. */
static omr_status print_json(const omr_statistics *statistics, const omr_result *head, FILE *out,
                             omr_error *error) {
  cJSON *list = omr_json_lines(head->warnings);
  char *warnings = omr_tree_whole(list) ? cJSON_PrintUnformatted(list) : NULL;
  fprintf(out, "{\n");
  const bool printed = warnings && omr_statistics_print_members(statistics, out);
  if (printed) fprintf(out, ",\n  \"warnings\": %s\n}\n", warnings);
  free(warnings);
  cJSON_Delete(list);
  return printed ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static omr_status analyze(const analysis *a, omr_result *head, omr_source *source, FILE *out,
                          omr_error *error) {
  omr_study *study = NULL;
  omr_statistics *statistics = NULL;

  /* compute the statistics and the warnings that follow from them */
  omr_status status = compute(a, head, source, &study, &statistics, error);
  char warnings[OMR_WARNINGS];
  if (status == OMR_OK) renew_warnings(statistics, head->warnings, warnings);
  if (status == OMR_OK) memcpy(head->warnings, warnings, sizeof warnings);

  /* write the copy before the warnings of this machine are added */
  if (status == OMR_OK && a->output) status = write_copy(a, statistics, head->warnings, error);
  if (status == OMR_OK) warn_of_threads(head->warnings);

  /* print for programs or for people */
  if (status == OMR_OK && a->json) {
    status = print_json(statistics, head, out, error);
  } else if (status == OMR_OK && a->brief) {
    const omr_run_record *run = &head->record;
    const omr_brief brief = {.head = head,
                             .statistics = statistics,
                             .path = a->output ? a->output : a->path,
                             .there = !a->output,
                             .seconds = run->wall_seconds,
                             .integrating = run->kernel_seconds};
    omr_brief_print(&brief, out);
  } else if (status == OMR_OK) {
    omr_summary_print(head, statistics, out);
    omr_statistics_print_quantiles(statistics, out);
    if (a->output) fprintf(out, "result with these statistics written to %s\n", a->output);
  }

  omr_statistics_destroy(statistics);
  omr_study_destroy(study);
  return status;
}

static omr_status analyze_file(const analysis *a, FILE *out, omr_error *error) {
  omr_result_file *file = NULL;
  omr_source *source = NULL;
  omr_status status = check_settings(a, error);
  if (status == OMR_OK) status = omr_result_file_open(a->path, &file, error);
  if (status == OMR_OK) status = omr_source_open(a->path, &source, error);
  if (status == OMR_OK) {
    omr_result head = *omr_result_file_head(file); /* its warnings are renewed */
    status = analyze(a, &head, source, out, error);
  }
  omr_source_close(source);
  omr_result_file_close(file);
  return status;
}

omr_status omr_analyze_json(const char *path, const char *const *settings, size_t count,
                            const char *output, char **json, omr_error *error) {
  const analysis a = {path, settings, count, output, true, false};
  size_t size;
  *json = NULL;
  FILE *out = open_memstream(json, &size);
  if (!out) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = analyze_file(&a, out, error);
  if (fclose(out) != 0 && status == OMR_OK)
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) return status;
  free(*json);
  *json = NULL;
  return status;
}

omr_status omr_analyze(const char *path, const omr_analyze_options *options, FILE *out,
                       omr_error *error) {
  static const omr_analyze_options none = OMR_ANALYZE_OPTIONS_INIT;
  const omr_analyze_options *o = options ? options : &none;
  const analysis a = {path, o->settings, o->setting_count, o->output, o->json, o->brief};
  const omr_status status = omr_check_size(o->size, sizeof *o, "omr_analyze_options", error);
  return status == OMR_OK ? analyze_file(&a, out, error) : status;
}
