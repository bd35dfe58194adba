/* How a study is cut into chunks, and the library's own calls. */
#include "campaign/jobs/job.h"
#include "campaign/plan.h"
#include "study/chunk_rows.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static omr_study *read_study(const char *instances, const char *duration, const char *output,
                             const char *chunk) {
  char text[1024];
  omr_study *study;
  omr_error error;
  snprintf(
      text, sizeof text,
      "{\"model\": \"omni_vehicle\", \"vary\": [{\"path\": \"platform.mass\", \"uniform\": [9, "
      "11]}], \"design\": {\"type\": "
      "\"monte_carlo\", \"instances\": %s}, \"integrator\": {\"method\": \"rk4\", \"step\": \"1 "
      "ms\", \"duration\": \"%s\"}, "
      "\"output\": {\"observables\": [\"max_slip\"]%s}, \"engine\": {\"backend\": \"openmp\"%s}}",
      instances, duration, output, chunk);
  cr_assert_eq(omr_study_parse(text, "study.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static size_t chunk_rows(const char *instances, const char *duration, const char *output,
                         const char *chunk) {
  omr_study *study = read_study(instances, duration, output, chunk);
  const size_t rows = omr_chunk_rows(study);
  omr_study_destroy(study);
  return rows;
}

/* About 5e8 instance-steps, at least 1024 and at most 65536 instances; at most 64 MiB of
 * trajectories, of 11 + 3 x 15 doubles per sample (result.h), where that leaves 64 instances. */
Test(plan, durations_read_as_people_write_them) {
  static const struct {
    double seconds;
    const char *text;
  } rows[] = {{0.0123, "0.012 s"}, {9.5, "9.5 s"}, {110, "110 s"}, {150, "2 min"}, {9000, "2.5 h"}};
  char text[32];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    cr_expect_str_eq(omr_duration_text(rows[i].seconds, text), rows[i].text, "%s", text);
}

Test(plan, chunk_rows_follow_from_the_study) {
  cr_expect_eq(chunk_rows("1000000", "1 s", "", ""), 65536);
  cr_expect_eq(chunk_rows("1000000", "10 s", "", ""), 65536);
  cr_expect_eq(chunk_rows("1000000", "20 s", "", ""), 32768);
  cr_expect_eq(chunk_rows("1000000", "100 s", "", ""), 8192);
  cr_expect_eq(chunk_rows("10", "100 s", "", ""), 8192);
  cr_expect_eq(chunk_rows("1000000", "10000 s", "", ""), 1024);
  cr_expect_eq(chunk_rows("1000000", "10 s", "", ", \"chunk\": 5"), 5);
  const char *all = ", \"trajectories\": {\"instances\": \"all\", \"interval\": \"100 ms\"}";
  cr_expect_eq(chunk_rows("100000", "10 s", all, ""),
               1024); /* 101 samples x 56 x 8 bytes: 1483 of them are 64 MiB */
  cr_expect_eq(chunk_rows("100000", "1000 s", all, ""), 64);
  const char *few =
      ", \"trajectories\": {\"instances\": [0, 1000, 99999], \"interval\": \"100 ms\"}";
  cr_expect_eq(chunk_rows("100000", "10 s", few, ""), 65536);
}

Test(plan, static_chunks_cover_every_row_once) {
  omr_study *study = read_study("83", "1 s", "", ", \"chunk\": 16");
  omr_plan *plan;
  size_t next = 0, count = 0;
  bool end = false;
  cr_assert_eq(omr_plan_make(study, &plan, NULL), OMR_OK);
  cr_expect_null(plan->ops->take);
  for (; !end; count++) {
    size_t first, last;
    cr_assert_eq(plan->ops->part(plan, count, &first, &last, &end, NULL), OMR_OK);
    if (end) break;
    cr_expect_eq(first, next);
    cr_expect(last > first && last - first <= plan->chunk_rows);
    next = last;
  }
  cr_expect_eq(next, 83);
  cr_expect_eq(count, 6);
  cr_expect_eq(plan->chunks, 6);
  omr_plan_close(plan);
  omr_study_destroy(study);
}

typedef struct watch {
  size_t calls, stop_after;
  double first, last, total;
} watch;

static bool look(void *user, double done, double total) {
  watch *w = user;
  if (w->calls++ == 0) w->first = done;
  w->last = done;
  w->total = total;
  return w->calls <= w->stop_after;
}

/* 40 instances x 100 steps in ten chunks: progress counts what an earlier call has done, and never
 * falls back. */
Test(plan, a_stopped_run_goes_on_through_the_library) {
  char folder[] = "/tmp/omniroll-plan-XXXXXX", path[64], command[96];
  omr_study *study = read_study("40", "100 ms", "", ", \"chunk\": 4");
  omr_error error = {.message = ""};
  omr_file_outcome outcome;
  watch w = {.stop_after = 6};
  omr_file_options options = {
      .size = sizeof options,
      .run = {.size = sizeof options.run, .progress = look, .progress_user = &w}};
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  cr_expect_eq(omr_run_file(study, path, &options, &outcome, &error), OMR_ERR_INTERRUPTED);
  cr_expect(!outcome.complete && outcome.finished >= 1 && outcome.finished < 10, "%zu",
            outcome.finished);
  const double before = 400.0 * (double)outcome.finished;
  static const char *const step[] = {"integrator.step=0.01"}, *const engine[] = {
                                                                  "engine.backend=scalar"};
  options.overrides = step;
  options.override_count = 1;
  cr_expect_eq(omr_resume(path, &options, &outcome, &error), OMR_ERR_USAGE);
  options.overrides = engine;
  w = (watch){.stop_after = 1000000};
  cr_assert_eq(omr_resume(path, &options, &outcome, &error), OMR_OK, "%s", error.message);
  cr_expect(outcome.complete && !outcome.was_there && outcome.finished == 10 &&
            outcome.chunks == 10);
  cr_expect_eq(w.first, before, "%g instead of %g", w.first, before);
  cr_expect_eq(w.total, 4000);
  cr_expect_eq(w.last, 4000, "%g", w.last);
  cr_assert_eq(omr_resume(path, NULL, &outcome, &error), OMR_OK);
  cr_expect(outcome.complete && outcome.was_there);
  omr_study_destroy(study);
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_expect_eq(system(command), 0);
}
