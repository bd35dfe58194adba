#include "shard.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHARDS = 1000000, LARGEST = 1000000000 };

static bool read_number(const char *text, long *number) {
  char *end;
  *number = strtol(text, &end, 10);
  return end != text && *end == '\0';
}

/* "3", or a sum for an index that does not count from 1: "2+1". */
static bool read_sum(const char *text, char **end, long *sum) {
  *sum = strtol(text, end, 10);
  if (*end == text) return false;
  while ((**end == '+' || **end == '-') && labs(*sum) < LARGEST) {
    const char *sign = *end;
    const long more = strtol(sign, end, 10);
    if (*end == sign || labs(more) > LARGEST) return false;
    *sum += more;
  }
  return true;
}

/* `name`: the option or the variable that has the text. */
static omr_status parse(const char *name, const char *text, omr_shard *shard, omr_error *error) {
  char *end;
  long number = 0, count = 0;
  *shard = (omr_shard){0};
  if (strcmp(text, "none") == 0) return OMR_OK;
  if (!read_sum(text, &end, &number) || *end != '/' || !read_number(end + 1, &count) || count < 1 ||
      count > MOST_SHARDS)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s%s: expected I/N, such as 2/3 for the second of three, or none", name, text);
  if (number == 0)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s%s: shards are counted from 1, to %ld/%ld; of an index that counts from 0 "
                    "write the sum: 0+1/%ld",
                    name, text, count, count, count);
  if (number < 1 || number > count)
    return omr_fail(error, OMR_ERR_USAGE, "%s%s: shards are counted from 1: 1/%ld to %ld/%ld", name,
                    text, count, count, count);
  *shard = (omr_shard){(int)number, (int)count, ""};
  return OMR_OK;
}

omr_status omr_shard_parse(const char *text, omr_shard *shard, omr_error *error) {
  return parse("--shard ", text, shard, error);
}

/* A whole number from the environment; false where there is none. *wrong: the variable, where it
 * has another text, but the one by which SGE says that a job is no array. */
static bool from_environment(const char *name, long *number, const char **wrong) {
  const char *text = name ? getenv(name) : NULL;
  if (!text || !*text || strcmp(text, "undefined") == 0) return false;
  if (read_number(text, number) && labs(*number) <= LARGEST) return true;
  *wrong = name;
  return false;
}

static omr_status refuse_text(const char *launcher, const char *name, omr_error *error) {
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s: %s=%s is no whole number, so that no place follows; say --shard I/N or set "
                  "OMNIROLL_SHARD=I/N, or --shard none to run everything",
                  launcher, name, getenv(name));
}

/* The rank from 0, and the number of ranks; 0 and 1 where no launcher tells them. */
static omr_status find_rank(const char **launcher, long *rank, long *size, omr_error *error) {
  static const char *const rows[][3] = {
#define RANK(name, rank, size) {name, rank, size},
#include "../lists/launchers.def"
  };
  const char *wrong = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *const *row = rows[i];
    const bool ranked = from_environment(row[1], rank, &wrong);
    const bool sized = (ranked || wrong) && from_environment(row[2], size, &wrong);
    if (wrong) return refuse_text(row[0], wrong, error);
    if (ranked && !sized && *rank != 0) /* a batch script of Slurm is rank 0 of no step */
      return omr_fail(error, OMR_ERR_USAGE,
                      "%s: %s is %ld, and %s, the number of ranks, is not set. With N ranks say "
                      "--shard $%s+1/N; --shard none runs everything",
                      row[0], row[1], *rank, row[2], row[1]);
    if (!ranked || !sized) continue;
    if (*rank < 0 || *rank >= *size)
      return omr_fail(
          error, OMR_ERR_USAGE,
          "%s: %s=%ld is no rank of %s=%ld; say --shard I/N, or --shard none to run everything",
          row[0], row[1], *rank, row[2], *size);
    *launcher = row[0];
    return OMR_OK;
  }
  *rank = 0;
  *size = 1;
  return OMR_OK;
}

typedef struct array_row {
  const char *name, *index;
  long base;
  const char *first, *last, *step, *count;
} array_row;

static const array_row arrays[] = {
#define ARRAY(...) {__VA_ARGS__},
#include "../lists/launchers.def"
};

/* Place in an array job. */
typedef struct array_task {
  const array_row *row; /* NULL: there is none */
  long index;           /* as the row's variable says it */
  long task, tasks;     /* from 0, and their number; 0: unknown */
  const char *wrong;    /* a variable that is no number; then the others mean nothing */
  bool between;         /* the index lies between those of tasks */
} array_task;

static array_task task_of(const array_row *row) {
  array_task t = {0};
  long first = row->base, last = 0, step = 1;
  if (!from_environment(row->index, &t.index, &t.wrong)) return t;
  const bool begins = from_environment(row->first, &first, &t.wrong);
  if (!begins) first = row->base;
  if (!from_environment(row->step, &step, &t.wrong) || step < 1) step = 1;
  if (t.index < row->base) return t;
  t.row = row;
  t.task = (t.index - first) / step;
  t.between = begins && (t.index - first) % step != 0;
  if (from_environment(row->last, &last, &t.wrong))
    t.tasks = (last - first) / step + 1;
  else if (!from_environment(row->count, &t.tasks, &t.wrong))
    t.tasks = 0;
  if (t.tasks < 0) t.tasks = 0;
  return t;
}

static omr_status refuse_size(const array_task *t, omr_error *error) {
  const char *index = t->row->index;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s: %s is %ld, and no variable tells the number of tasks. With N tasks say "
                  "--shard $%s/N, or $%s+1/N where they count from 0 (or set OMNIROLL_SHARD to "
                  "it); --shard none runs everything",
                  t->row->name, index, t->index, index, index);
}

/* Whether two rows tell the same place. Without a size a first index other than the row's is
 * possible. */
static bool agree(const array_task *a, const array_task *b) {
  if (a->tasks && b->tasks) return a->task == b->task && a->tasks == b->tasks;
  return a->task == b->task || a->index == b->index;
}

/* The first row whose variables are there, and tell the number of tasks. Others must agree. */
static omr_status find_task(array_task *found, omr_error *error) {
  *found = (array_task){0};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    const array_task t = task_of(&arrays[i]);
    if (t.wrong) return refuse_text(arrays[i].name, t.wrong, error);
    if (!t.row) continue;
    if (t.between)
      return omr_fail(error, OMR_ERR_USAGE,
                      "%s: %s=%ld is no index that the array has by %s=%s and %s=%s; say --shard "
                      "I/N, or --shard none to run everything",
                      t.row->name, t.row->index, t.index, t.row->first, getenv(t.row->first),
                      t.row->step, getenv(t.row->step));
    if (found->row && !agree(found, &t))
      return omr_fail(
          error, OMR_ERR_USAGE,
          "%s=%ld of %s and %s=%ld of %s are different places of one process: say which by --shard "
          "I/N or OMNIROLL_SHARD=I/N, or --shard none to run everything",
          found->row->index, found->index, found->row->name, t.row->index, t.index, t.row->name);
    if (!found->row || (!found->tasks && t.tasks)) *found = t;
  }
  return found->row && !found->tasks ? refuse_size(found, error) : OMR_OK;
}

/* OMNIROLL_SHARD counts before all launchers; one that tells another place is named. */
static omr_status from_user(const char *text, omr_shard *shard, omr_error *error) {
  const omr_status status = parse("OMNIROLL_SHARD=", text, shard, error);
  if (status != OMR_OK || shard->shards == 0) return status;
  snprintf(shard->origin, sizeof shard->origin, "OMNIROLL_SHARD");
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    const array_task t = task_of(&arrays[i]);
    const bool differs = t.task != shard->shard - 1 || (t.tasks && t.tasks != shard->shards);
    if (t.row && differs)
      omr_print_more(shard->origin, sizeof shard->origin, ", not %s: task %ld,", t.row->name,
                     t.index);
  }
  return OMR_OK;
}

omr_status omr_shard_from_environment(omr_shard *shard, omr_error *error) {
  const char *launcher = "", *said = getenv("OMNIROLL_SHARD");
  long rank, size;
  array_task t;
  *shard = (omr_shard){0};
  if (said && *said) return from_user(said, shard, error);

  /* A launcher gives a rank, an array job a task. */
  omr_status status = find_rank(&launcher, &rank, &size, error);
  if (status == OMR_OK) status = find_task(&t, error);
  if (status != OMR_OK) return status;
  if (!t.row || t.tasks == 1) t = (array_task){.tasks = 1};

  /* An array with gaps has no whole set of places. */
  if (t.task < 0 || t.task >= t.tasks || t.tasks > MOST_SHARDS / size)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: task %ld of %ld is no place in an array without gaps; say --shard I/N, or "
                    "--shard none to run everything",
                    t.row->index, t.task + 1, t.tasks);

  /* Number the shards from 1 and say where the number comes from. */
  if (size * t.tasks == 1) return OMR_OK;
  shard->shard = (int)(t.task * size + rank + 1);
  shard->shards = (int)(size * t.tasks);

  if (t.row && size > 1)
    snprintf(shard->origin, sizeof shard->origin, "%s: task %ld, %s: rank %ld", t.row->name,
             t.index, launcher, rank);
  else if (t.row)
    snprintf(shard->origin, sizeof shard->origin, "%s: task %ld", t.row->name, t.index);
  else
    snprintf(shard->origin, sizeof shard->origin, "%s: rank %ld", launcher, rank);
  return OMR_OK;
}
