/* A script that starts a job of tasks: what it needs, and who writes it. */
#include "job.h"

#include "../../study/chunk_rows.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define LONG_END 60 /* s: putting together that all tasks of Slurm would ask time for */

/* What an engine has to be told, as bits. */
enum { OMR_JOB_IMAGE = 1, OMR_JOB_STORAGE = 2, OMR_JOB_QUEUE = 4 };

typedef struct engine_row {
  const char *word;
  int needs, most;
  void (*write)(const omr_job_writing *w, FILE *out);
} engine_row;

static const engine_row engines[] = {
#define X(word, needs, most) {#word, needs, most, omr_job_##word},
#include "../../lists/job_engines.def"
#undef X
};

/* ---- what a script needs */

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* "My study.json" is "my-study". */
static void make_name(const char *file, char name[48]) {
  const char *base = base_of(file), *dot = strrchr(base, '.');
  size_t length = 0;
  for (const char *c = base; *c && c != dot && length < 40; c++) {
    const bool plain = isascii((unsigned char)*c) && isalnum((unsigned char)*c);
    if (plain)
      name[length++] = (char)tolower((unsigned char)*c);
    else if (length && name[length - 1] != '-')
      name[length++] = '-';
  }
  while (length && name[length - 1] == '-') length--;
  name[length] = '\0';
  if (!length || isdigit((unsigned char)name[0])) {
    char rest[48];
    memcpy(rest, name, sizeof rest);
    snprintf(name, 48, "omniroll%s%.36s", length ? "-" : "", rest);
  }
}

static omr_status check_tasks(const omr_forecast *f, const engine_row *engine, omr_error *error) {
  const size_t chunks = f->needs.chunks, tasks = (size_t)f->tasks;
  if (f->in_order)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: the chunks of this study depend on what came out before, so that tasks "
                    "cannot share it: it runs in one process, by omniroll run",
                    f->study->name);

  /* a job has several tasks, as many as the engine takes */
  if (f->tasks < 2)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--emit needs --tasks N with at least 2 tasks; one is omniroll run");
  if (engine->most && f->tasks > engine->most)
    return omr_fail(error, OMR_ERR_USAGE, "--tasks %d: a job of %s has at most %d", f->tasks,
                    engine->word, engine->most);

  /* every task has a chunk */
  const size_t chunk = omr_chunk_for(f->study, tasks);
  if (chunks < tasks && chunk)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--tasks %zu: the run has %zu chunk%s, and tasks beyond them have none: ask "
                    "for %zu tasks or fewer, or for smaller chunks by --set engine.chunk=%zu",
                    tasks, chunks, chunks == 1 ? "" : "s", chunks, chunk);
  if (chunks < tasks)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--tasks %zu: the study has %zu instances%s: ask for fewer tasks", tasks,
                    f->needs.rows,
                    f->study->rows.summed ? ", and a chunk without rows has 1024 or more" : "");
  return OMR_OK;
}

static omr_status check_names(const omr_job_script *s, const engine_row *engine, omr_error *error) {
  const char *lacks = engine->needs & OMR_JOB_IMAGE && !s->image
                          ? "--image NAME, the container image that has omniroll"
                      : engine->needs & OMR_JOB_STORAGE && !s->storage
                          ? "--storage NAME, what all tasks write to: a volume claim of "
                            "Kubernetes, a file system of EFS"
                      : engine->needs & OMR_JOB_QUEUE && !s->queue ? "--queue NAME, the job queue"
                                                                   : NULL;
  if (lacks) return omr_fail(error, OMR_ERR_USAGE, "--emit %s needs %s", engine->word, lacks);
  return OMR_OK;
}

/* A line break would end the line of a script that has the text, and begin one of its own. */
static omr_status check_text(const char *what, const char *text, omr_error *error) {
  for (const char *c = text; c && *c; c++) {
    if ((unsigned char)*c >= ' ' && *c != 127) continue;
    return omr_fail(error, OMR_ERR_USAGE,
                    "--emit: %s has the control character \\x%02x, which a script cannot hold: "
                    "write it without",
                    what, (unsigned)(unsigned char)*c);
  }
  return OMR_OK;
}

static omr_status check_texts(const omr_job_script *s, const engine_row *engine, omr_error *error) {
  const char *const texts[][2] = {{"the study's name", s->study},
                                  {"the result's name", s->output},
                                  {"--queue", s->queue},
                                  {"--image", s->image},
                                  {"--storage", s->storage}};
  omr_status status = OMR_OK;
  for (size_t i = 0; i < sizeof texts / sizeof *texts && status == OMR_OK; i++)
    status = check_text(texts[i][0], texts[i][1], error);
  for (size_t i = 0; i < s->override_count && status == OMR_OK; i++)
    status = check_text("a value of --set", s->overrides[i], error);

  /* Snakemake knows no braces in the name of a file. */
  for (int i = 0; i < 2 && status == OMR_OK && engine->write == omr_job_snakemake; i++)
    if (strpbrk(texts[i][1], "{}"))
      status = omr_fail(error, OMR_ERR_USAGE,
                        "--emit snakemake: %s, %s, has braces, which Snakemake takes for "
                        "wildcards: choose a name without",
                        texts[i][0], texts[i][1]);
  return status;
}

/* A name that a command would take for an option. */
static const char *no_option(const char *name, omr_text *text) {
  if (name[0] != '-') return name;
  omr_text_print(text, "./%s", name);
  return text->data ? text->data : name;
}

static omr_status find_engine(const char *word, const engine_row **engine, omr_error *error) {
  omr_text known = {0};
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
    *engine = &engines[i];
    if (word && strcmp(engines[i].word, word) == 0) {
      omr_text_free(&known);
      return OMR_OK;
    }
    omr_text_print(&known, "%s%s", i ? ", " : "", engines[i].word);
  }
  omr_fail(error, OMR_ERR_USAGE, "--emit %s: expected one of %s", word ? word : "",
           known.data ? known.data : "");
  omr_text_free(&known);
  return OMR_ERR_USAGE;
}

/* Minutes, which all engines take. */
static double ask(double seconds) {
  return 60 * ceil(fmax(OMR_JOB_TIME_FACTOR * seconds, 60) / 60);
}

omr_status omr_forecast_write_job(const omr_forecast *f, const omr_job_script *script, FILE *out,
                                  omr_error *error) {
  const engine_row *engine;
  omr_status status = omr_check_size(script->size, sizeof *script, "omr_job_script", error);
  if (status == OMR_OK) status = find_engine(script->engine, &engine, error);
  if (status == OMR_OK) status = check_tasks(f, engine, error);
  if (status == OMR_OK) status = check_names(script, engine, error);
  if (status == OMR_OK) status = check_texts(script, engine, error);
  if (status != OMR_OK) return status;

  omr_job_script written = *script;
  omr_text study = {0}, output = {0};
  written.study = no_option(script->study, &study);
  written.output = no_option(script->output, &output);

  /* what the script asks for */
  omr_job_writing w = {.forecast = f, .script = &written, .job = omr_job_of(f)};
  make_name(script->study, w.name);
  w.study = base_of(script->study);
  w.result = base_of(script->output);
  const bool long_end = w.job.assembling > fmax(w.job.seconds, LONG_END);
  w.apart = engine->write == omr_job_snakemake || (engine->write == omr_job_slurm && long_end);
  w.seconds = ask(w.job.seconds + (w.apart ? 0 : w.job.assembling));
  w.merging = ask(w.job.assembling);
  w.megabytes = ceil((OMR_JOB_MEMORY_FACTOR * w.job.memory + OMR_JOB_SPARE_BYTES) / 1048576);

  engine->write(&w, out);
  omr_text_free(&study);
  omr_text_free(&output);
  return ferror(out) ? omr_fail(error, OMR_ERR_IO, "the script cannot be written") : OMR_OK;
}
