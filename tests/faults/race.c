/* Eight threads read studies with units and errors in numbers from a cold start (race.sh). */
#include <omniroll/omniroll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8 };

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"friction\": \"30 %\"}},"
    " \"vary\": [{\"path\": \"platform.mass\", \"linspace\": [\"2 kg\", \"4000 g\", 8]}],"
    " \"statistics\": {\"fail\": \"path_length > 5 cm\"},"
    " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"50 ms\"}}";

static pthread_barrier_t start;
static int rounds;

static void *work(void *wrong) {
  const char *unknown = "integrator.step=\"1 kg\"";
  pthread_barrier_wait(&start);
  for (int i = 0; i < rounds; i++) {
    omr_study *study = NULL;
    *(int *)wrong += omr_study_parse(text, "race.json", NULL, 0, &study, NULL) != OMR_OK;
    omr_study_destroy(study);
    study = NULL;
    *(int *)wrong += omr_study_parse(text, "race.json", &unknown, 1, &study, NULL) != OMR_ERR_STUDY;
    omr_study_destroy(study);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int wrong[THREADS] = {0}, sum = 0;
  rounds = argc > 1 ? atoi(argv[1]) : 2;
  if (pthread_barrier_init(&start, NULL, THREADS) != 0) return 1;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, &wrong[i]) != 0) return 1;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    sum += wrong[i];
  }
  printf("%d threads, %d studies each: %d read wrongly\n", THREADS, 2 * rounds, sum);
  return sum != 0;
}
