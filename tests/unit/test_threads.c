/* What base.h says of threads: several of them read studies, run them, and write and read results
 * at the same time, share a study, and stop each other's tasks. */
#include <omniroll/omniroll.h>

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 2, READS = 50 };

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"friction\": \"30 %\"}},"
    " \"vary\": [{\"path\": \"platform.mass\", \"linspace\": [\"2 kg\", \"4000 g\", 8]}],"
    " \"statistics\": {\"fail\": \"path_length > 5 cm\"},"
    " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"50 ms\"}, \"engine\": {\"backend\": "
    "\"openmp\", \"threads\": 1}}";

typedef struct worker {
  const omr_study *shared;
  char folder[64], hash[33];
  int number;
  const char *wrong; /* NULL: nothing */
} worker;

static const char *keep_and_read(const worker *w, const omr_result *result) {
  char path[96], hash[33];
  omr_result *read;
  if (omr_result_files(NULL) != OMR_OK) return NULL; /* a build without HDF5 */
  snprintf(path, sizeof path, "%s/%d.h5", w->folder, w->number);
  if (omr_result_write(result, path, NULL) != OMR_OK) return "not written";
  if (omr_result_open(path, &read, NULL) != OMR_OK) return "not read";
  const omr_status status = omr_result_hash(read, hash, NULL);
  omr_result_destroy(read);
  unlink(path);
  return status == OMR_OK && strcmp(hash, w->hash) == 0 ? NULL : "read with other bits";
}

static const char *work_once(worker *w) {
  omr_study *own = NULL;
  omr_result *result = NULL;
  const omr_run_options options = OMR_RUN_OPTIONS_INIT;
  if (omr_study_parse(text, "threads.json", NULL, 0, &own, NULL) != OMR_OK) return "not parsed";
  const omr_study *study = w->number % 2 ? own : w->shared;
  const char *wrong = NULL;
  if (omr_run(study, &options, &result, NULL) != OMR_OK)
    wrong = "not run";
  else if (omr_result_hash(result, w->hash, NULL) != OMR_OK)
    wrong = "no hash";
  else
    wrong = keep_and_read(w, result);
  omr_result_destroy(result);
  omr_study_destroy(own);
  return wrong;
}

/* Units and errors in numbers, since a reader that the threads share shows by chance alone. */
static const char *read_studies(void) {
  for (int i = 0; i < READS; i++) {
    omr_study *study = NULL;
    omr_error error;
    if (omr_study_parse(text, "threads.json", NULL, 0, &study, NULL) != OMR_OK) return "not parsed";
    omr_study_destroy(study);
    const char *wrong = "integrator.step=\"1 kg\"";
    if (omr_study_parse(text, "threads.json", &wrong, 1, &study, &error) != OMR_ERR_STUDY)
      return "not refused";
    if (!strstr(error.message, "1 kg")) return "refused for something else";
  }
  return NULL;
}

static void *work(void *user) {
  worker *w = user;
  w->wrong = read_studies();
  for (int i = 0; i < ROUNDS && !w->wrong; i++) w->wrong = work_once(w);
  return NULL;
}

Test(threads, run_side_by_side_with_the_same_bits) {
  worker workers[THREADS];
  pthread_t threads[THREADS];
  char folder[] = "/tmp/omniroll_threads_XXXXXX";
  omr_study *study = NULL;
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(omr_study_parse(text, "threads.json", NULL, 0, &study, NULL), OMR_OK);
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.shared = study, .number = i};
    snprintf(workers[i].folder, sizeof workers[i].folder, "%s", folder);
    cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    cr_expect_null(workers[i].wrong, "thread %d: %s", i, workers[i].wrong);
    cr_expect_str_eq(workers[i].hash, workers[0].hash);
  }
  omr_study_destroy(study);
  rmdir(folder);
}

static void *stop(void *user) {
  omr_task_stop(user);
  return NULL;
}

/* The other thread stops the task while it runs; no time is waited for, since the run waits for it.
 */
static bool let_stop(void *user, double done, double total) {
  pthread_t thread;
  (void)done, (void)total;
  if (pthread_create(&thread, NULL, stop, user) == 0) pthread_join(thread, NULL);
  return true;
}

Test(threads, a_task_is_stopped_from_another_thread) {
  char folder[] = "/tmp/omniroll_threads_XXXXXX", path[96], parts[112];
  omr_study *study = NULL;
  omr_error error = {0};
  if (omr_result_files(NULL) != OMR_OK) cr_skip_test("this build has no HDF5");
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  cr_assert_eq(omr_study_parse(text, "threads.json", NULL, 0, &study, NULL), OMR_OK);
  omr_task *task = omr_task_create();
  cr_assert_not_null(task);
  omr_file_options options = OMR_FILE_OPTIONS_INIT;
  options.run.progress = let_stop;
  options.run.progress_user = task;
  cr_assert_eq(omr_task_options(task, &options, &error), OMR_OK);
  cr_expect_eq(omr_task_run(task, study, path, &error), OMR_ERR_INTERRUPTED, "%s", error.message);
  cr_expect_not(omr_task_complete(task));
  omr_task_destroy(task);
  task = omr_task_create();
  cr_expect_eq(omr_task_run(task, study, path, &error), OMR_OK, "%s", error.message);
  cr_expect(omr_task_complete(task));
  cr_expect(strstr(omr_task_summary(task), "path_length"), "%s", omr_task_summary(task));
  omr_task_destroy(task);
  omr_study_destroy(study);
  unlink(path);
  snprintf(parts, sizeof parts, "%s.parts", path);
  rmdir(parts);
  rmdir(folder);
}
