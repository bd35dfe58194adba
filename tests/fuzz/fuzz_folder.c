/* The folder of an unfinished run: manifest and journal as files that anybody may have written. The
 * first bytes, up to a zero, are the manifest. Each further line is one of the journal: after "+"
 * it gets the hash that makes it a whole line, which no fuzzer would guess. */
#include "campaign/chunk_journal.h"
#include "campaign/manifest.h"
#include "fuzz.h"

#include <sys/stat.h>

static char manifest_path[128], journal_path[128];

static void clean(void) {
  unlink(manifest_path);
  unlink(journal_path);
  rmdir(scratch_folder());
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  snprintf(manifest_path, sizeof manifest_path, "%s/manifest.json", scratch_folder());
  snprintf(journal_path, sizeof journal_path, "%s/chunks-1-of-1.txt", scratch_folder());
  atexit(clean);
  return 0;
}

static void write_journal(input *in) {
  omr_text text = {0};
  while (in->left) {
    char *line = take_text(in, '\n'), hash[33];
    const size_t length = strlen(line);
    if (line[0] == '+') {
      omr_hash_hex(line + 1, length - 1, hash);
      omr_text_print(&text, "%s %s\n", line + 1, hash);
    } else {
      omr_text_print(&text, "%s\n", line);
    }
    free(line);
  }
  write_file(journal_path, text.data, text.length);
  omr_text_free(&text);
}

static void read_journal(const omr_parts *parts, size_t chunks) {
  omr_journal journal = {.descriptor = -1};
  omr_error error = {0};
  if (omr_journal_read(parts, chunks, &journal, &error) == OMR_OK) {
    MUST(omr_journal_finished(&journal) <= journal.count);
    for (size_t i = 0; i < journal.count; i++)
      if (omr_journal_has(&journal, i)) MUST(strlen(journal.chunks[i].hash) <= 32);
  } else {
    MUST(error.message[0]);
  }
  omr_journal_free(&journal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size};
  char *text = take_text(&in, 0), what[512];
  omr_manifest manifest = {0};
  omr_study *study = NULL;
  static omr_error error;
  bool there = false;
  size_t chunks = 1000;
  omr_parts parts = OMR_PARTS_NONE;
  MUST(omr_parts_begin(&parts, scratch_folder(), false, &error) == OMR_OK);
  MUST(omr_parts_open(&parts, &there, &error) == OMR_OK && there);
  write_file(manifest_path, text, strlen(text));
  free(text);
  if (omr_manifest_read(&parts, &manifest, &there, &error) == OMR_OK) {
    MUST(there && !omr_manifest_differs(&manifest, &manifest, what, sizeof what));
    omr_manifest_study(&manifest, NULL, 0, &study, &error);
    omr_study_destroy(study);
    if (manifest.chunks < chunks) chunks = manifest.chunks;
  } else {
    MUST(error.message[0]);
  }
  omr_manifest_free(&manifest);
  write_journal(&in);
  read_journal(&parts, chunks);
  omr_parts_free(&parts);
  return 0;
}
