/* Eight threads read studies, run them, and write, read, export and check results of their own, at
 * the same time (race_runs.sh). */
#include <omniroll/omniroll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8 };

/* The scalar objects are the ones built. A team of one: libgomp, which the sanitizer does not see
 * into, makes no thread. */
static const char *const studies[] = {
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"friction\": \"30 %\"}},"
    " \"vary\": [{\"path\": \"platform.mass\", \"linspace\": [\"2 kg\", \"4000 g\", 8]}],"
    " \"statistics\": {\"fail\": \"path_length > 5 cm\"},"
    " \"output\": {\"trajectories\": {\"instances\": [0, 3], \"interval\": \"10 ms\"}},"
    " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"20 ms\"}, \"engine\": {\"backend\": "
    "\"scalar\", \"threads\": 1}}",
    "{\"model\": \"uk_wheel\", \"vary\": [{\"path\": \"drive.torque\", \"uniform\": [-30, 20]}],"
    " \"design\": {\"type\": \"monte_carlo\", \"instances\": 50},"
    " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.1 s\"}, \"engine\": {\"backend\": "
    "\"scalar\", \"threads\": 1}}",
};

typedef struct worker {
  int number, wrong;
  char hash[33];
} worker;

static pthread_barrier_t start;
static int rounds;

static bool good(int status, omr_error *error) {
  if (status == OMR_OK) return true;
  fprintf(stderr, "%s\n", omr_error_message(error));
  return false;
}

/* Whether the file is read with the hash that was run, and is whole. */
static bool read_back(const worker *w, const char *path, FILE *nothing, omr_error *error) {
  omr_result *read = NULL;
  char hash[33] = "";
  const bool same = good(omr_result_open(path, &read, error), error) &&
                    good(omr_result_hash(read, hash, error), error) && strcmp(hash, w->hash) == 0;
  omr_result_destroy(read);
  return same && good(omr_export_instances(path, NULL, nothing, error), error) &&
         good(omr_verify(path, nothing, error), error);
}

static bool once(worker *w, FILE *nothing) {
  const omr_run_options options = OMR_RUN_OPTIONS_INIT;
  omr_error *e = omr_error_create();
  omr_study *study = NULL;
  omr_result *result = NULL;
  char path[64];
  snprintf(path, sizeof path, "%d.h5", w->number);
  const bool same =
      good(omr_study_parse(studies[w->number % 2], "race.json", NULL, 0, &study, e), e) &&
      good(omr_run(study, &options, &result, e), e) &&
      good(omr_result_hash(result, w->hash, e), e) && good(omr_result_write(result, path, e), e) &&
      read_back(w, path, nothing, e);
  omr_result_destroy(result);
  omr_study_destroy(study);
  omr_error_destroy(e);
  return same;
}

static void *work(void *user) {
  worker *w = user;
  FILE *nothing = fopen("/dev/null", "w");
  w->wrong = !nothing;
  pthread_barrier_wait(&start);
  for (int i = 0; nothing && i < rounds; i++) w->wrong += !once(w, nothing);
  if (nothing) fclose(nothing);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  worker workers[THREADS] = {0};
  int wrong = 0;
  rounds = argc > 1 ? atoi(argv[1]) : 2;
  if (pthread_barrier_init(&start, NULL, THREADS) != 0) return 1;
  for (int i = 0; i < THREADS; i++) {
    workers[i].number = i;
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    wrong += workers[i].wrong + (strcmp(workers[i].hash, workers[i % 2].hash) != 0);
  }
  printf("%d threads, %d runs each: %d wrong\n", THREADS, rounds, wrong);
  return wrong != 0;
}
