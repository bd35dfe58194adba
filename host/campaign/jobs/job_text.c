/* Texts that the scripts of all engines have. */
#include "job.h"

#include <string.h>

void omr_job_word(FILE *out, const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-./=:,%@+";
  if (*text && strspn(text, plain) == strlen(text)) {
    fputs(text, out);
    return;
  }
  fputc('\'', out);
  for (const char *c = text; *c; c++) {
    if (*c == '\'')
      fputs("'\\''", out);
    else
      fputc(*c, out);
  }
  fputc('\'', out);
}

void omr_job_changes(const omr_job_writing *w, FILE *out) {
  for (size_t i = 0; i < w->script->override_count; i++) {
    fputs(" --set ", out);
    omr_job_word(out, w->script->overrides[i]);
  }
}

void omr_job_comment(const omr_job_writing *w, FILE *out) {
  const omr_forecast *f = w->forecast;
  const omr_job *job = &w->job;
  char text[4][32];
  fprintf(out,
          "# A run in %d tasks, by omniroll plan. All numbers are estimates.\n"
          "# time: about %s for the %zu chunk%s of a task, measured where plan ran, on %s, %s;\n"
          "#   %g times that is asked for: more is needed on slower nodes. Sent again, a task goes "
          "on where it was.\n",
          job->tasks, omr_duration_text(job->seconds, text[0]), job->chunks,
          job->chunks == 1 ? "" : "s", f->engine.backend, f->engine.device, OMR_JOB_TIME_FACTOR);

  /* what comes after the tasks */
  fprintf(out,
          "# putting the result together: about %s, and %s read and written, in one process,\n"
          "#   %s.\n",
          omr_duration_text(job->assembling, text[0]), omr_bytes_text(job->disk, text[1]),
          w->apart ? "the job that merges the folders of all tasks, which may go afterwards"
                   : "the task that ends last; the time asked for has it");

  /* memory and disk */
  fprintf(out,
          "# memory: at most about %s; %g times that is asked for, and %s for the program.\n"
          "# disk: at most about %s for the chunks and %s for the result; %zu files.\n",
          omr_bytes_text(job->memory, text[0]), OMR_JOB_MEMORY_FACTOR,
          omr_bytes_text(OMR_JOB_SPARE_BYTES, text[1]),
          omr_bytes_text(f->needs.parts_bytes, text[2]),
          omr_bytes_text(f->needs.result_bytes, text[3]), job->files);
}
