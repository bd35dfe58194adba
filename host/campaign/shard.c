#include "shard.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHARDS = 1000000 };

static bool read_number(const char *text, long *number) {
  char *end;
  *number = strtol(text, &end, 10);
  return end != text && *end == '\0';
}

omr_status omr_shard_parse(const char *text, omr_shard *shard, omr_error *error) {
  char *end;
  *shard = (omr_shard){0};
  if (strcmp(text, "none") == 0) return OMR_OK;
  const long number = strtol(text, &end, 10);
  long count = 0;
  if (end == text || *end != '/' || !read_number(end + 1, &count) || count < 1 ||
      count > MOST_SHARDS)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--shard %s: expected I/N, such as 2/3 for the second of three, or none", text);
  if (number < 1 || number > count)
    return omr_fail(error, OMR_ERR_USAGE, "--shard %s: shards are counted from 1: 1/%ld to %ld/%ld",
                    text, count, count, count);
  *shard = (omr_shard){(int)number, (int)count, ""};
  return OMR_OK;
}

/* A whole number from the environment; false where there is none. */
static bool from_environment(const char *name, long *number) {
  const char *text = getenv(name);
  return text && *text && read_number(text, number);
}

/* The rank from 0, and the number of ranks. srun's are the step's: in a batch script SLURM_NTASKS
 * counts tasks that do not run. */
static bool find_rank(const char **launcher, long *rank, long *size) {
  static const char *const names[][3] = {{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"mpirun", "PMI_RANK", "PMI_SIZE"},
                                         {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!from_environment(names[i][1], rank) || !from_environment(names[i][2], size)) continue;
    *launcher = names[i][0];
    return *size > 1 && *rank >= 0 && *rank < *size;
  }
  return false;
}

/* Place in an array job, from 0, and its length. */
static bool find_task(long *task, long *tasks) {
  long id, least = 0, step = 1;
  if (!from_environment("SLURM_ARRAY_TASK_ID", &id) ||
      !from_environment("SLURM_ARRAY_TASK_COUNT", tasks))
    return false;
  if (!from_environment("SLURM_ARRAY_TASK_MIN", &least)) least = 0;
  if (!from_environment("SLURM_ARRAY_TASK_STEP", &step) || step < 1) step = 1;
  *task = (id - least) / step;
  return *tasks > 1;
}

omr_status omr_shard_from_environment(omr_shard *shard, omr_error *error) {
  const char *launcher = "";
  long rank = 0, size = 1, task = 0, tasks = 1;
  *shard = (omr_shard){0};

  /* A launcher gives a rank, an array job a task. */
  if (!find_rank(&launcher, &rank, &size)) rank = 0, size = 1;
  if (!find_task(&task, &tasks)) task = 0, tasks = 1;

  /* An array with gaps has no whole set of places. */
  if (task < 0 || task >= tasks || tasks > MOST_SHARDS / size)
    return omr_fail(error, OMR_ERR_USAGE,
                    "SLURM_ARRAY_TASK_ID: task %ld of %ld is no place in an array without gaps; "
                    "say --shard I/N, or --shard none "
                    "to run everything",
                    task + 1, tasks);

  /* Number the shards from 1 and say where the number comes from. */
  if (size * tasks == 1) return OMR_OK;
  shard->shard = (int)(task * size + rank + 1);
  shard->shards = (int)(size * tasks);

  if (tasks > 1 && size > 1)
    snprintf(shard->origin, sizeof shard->origin, "Slurm array: task %s, %s: rank %ld",
             getenv("SLURM_ARRAY_TASK_ID"), launcher, rank);
  else if (tasks > 1)
    snprintf(shard->origin, sizeof shard->origin, "Slurm array: task %s",
             getenv("SLURM_ARRAY_TASK_ID"));
  else
    snprintf(shard->origin, sizeof shard->origin, "%s: rank %ld", launcher, rank);
  return OMR_OK;
}
