/* A folder R.h5.parts that somebody else prepared: nothing of another file is lost, nothing hangs,
 * and the message says what is in the way. */
#include "tests/campaign/campaign.h"

#include "campaign/chunk_journal.h"

#include <sys/stat.h>

TestSuite(hostile_folder, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

static const char precious[] = "what the user would miss\n";
static char text[TEXT];

#define SMALL "short.json", "--backend", "scalar"
#define RUN_SMALL(...)                                                                             \
  OMNIROLL("run", SMALL, "-o", "r.h5", "-q", "--set", "integrator.duration=\"5 ms\"", ##__VA_ARGS__)

static void refused(const outcome *o, const char *what) {
  expect(o, OMR_ERR_IO);
  expect_text(o->err, what);
}

static void expect_precious(const char *path) {
  read_file(path, text);
  cr_expect_str_eq(text, precious, "%s", path);
}

static const char *const opened[] = {"lock", "chunks-1-of-1.txt", "assemble.lock", "manifest.json"};
enum { OPENED = sizeof opened / sizeof *opened };

Test(hostile_folder, no_link_in_it_is_followed) {
  write_file("important.txt", precious);
  for (size_t i = 0; i < OPENED; i++) {
    shell("rm -rf r.h5* && mkdir r.h5.parts && ln -s ../important.txt r.h5.parts/%s", opened[i]);
    refused(RUN_SMALL(), "is a symbolic link in the place of a file of omniroll");
    expect_text(last.err, opened[i]);
    expect_precious("important.txt");
    expect(RUN_SMALL("--restart"), OMR_ERR_IO);
    expect_precious("important.txt");
  }
}

Test(hostile_folder, a_file_with_a_second_name_is_not_written) {
  write_file("important.txt", precious);
  for (size_t i = 0; i < OPENED; i++) {
    shell("rm -rf r.h5* && mkdir r.h5.parts && ln important.txt r.h5.parts/%s", opened[i]);
    refused(RUN_SMALL(), "has 2 names (hard links)");
    expect_precious("important.txt");
  }
}

/* What was opened before it was looked at waited for ever, and no signal ended it. */
Test(hostile_folder, a_fifo_is_refused_and_not_waited_for) {
  for (size_t i = 0; i < OPENED; i++) {
    shell("rm -rf r.h5* && mkdir r.h5.parts && mkfifo r.h5.parts/%s", opened[i]);
    refused(RUN_SMALL(), "is a FIFO");
    shell("test -p r.h5.parts/%s", opened[i]);
  }
}

Test(hostile_folder, a_chunk_that_is_a_link_is_computed_again) {
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r.h5", "assemble_start");
  shell("mv r.h5.parts/chunk-000001.h5 kept.h5 && cp kept.h5 copy.h5");
  shell("ln -s ../kept.h5 r.h5.parts/chunk-000001.h5 && rm r.h5.parts/chunk-000002.h5");
  shell("mkfifo r.h5.parts/chunk-000002.h5");
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "chunk 1 in r.h5.parts is computed again: r.h5.parts/chunk-000001.h5 is a "
                      "symbolic link");
  expect_text(o->err, "chunk 2 in r.h5.parts is computed again: r.h5.parts/chunk-000002.h5 is a "
                      "FIFO");
  shell("cmp kept.h5 copy.h5");
  expect_same("a link and a FIFO", "whole.h5", "r.h5");
}

static const char *const foreign[] = {"lockdown.txt",      "chunk-of-cheese.txt",
                                      "manifest.json.bak", "lock-1",
                                      "chunk-000001.h5",   "chunk-000001.h5.tmp-12",
                                      "chunks-1-of-3.txt", "chunk-1.h5",
                                      "lock-3-of-2x",      "notes"};
enum { FOREIGN = sizeof foreign / sizeof *foreign };

static void put_foreign(void) {
  char path[128];
  for (size_t i = 0; i < FOREIGN; i++) {
    snprintf(path, sizeof path, "r.h5.parts/%s", foreign[i]);
    write_file(path, precious);
  }
}

static void expect_foreign(const char *where) {
  char path[128];
  for (size_t i = 0; i < FOREIGN; i++) {
    snprintf(path, sizeof path, "%s/%s", where, foreign[i]);
    expect_precious(path);
  }
  shell("test $(ls %s | wc -l) = %d", where, FOREIGN);
}

/* Some of them have names of omniroll's files, but do not begin like these. */
Test(hostile_folder, what_omniroll_did_not_make_is_never_removed) {
  shell("mkdir r.h5.parts");
  put_foreign();
  const outcome *o = RUN_SMALL();
  expect(o, OMR_OK);
  expect_foreign("r.h5.parts.done");
  shell("rm -r r.h5*");
  shell("mkdir scratch && ln -s scratch r.h5.parts");
  put_foreign();
  expect(RUN_SMALL(), OMR_OK);
  expect_foreign("scratch");
}

Test(hostile_folder, a_link_to_a_folder_of_ones_own_works_and_stays) {
  struct stat there;
  expect(RUN("whole.h5"), OMR_OK);
  shell("mkdir scratch && ln -s scratch r.h5.parts");
  for (int i = 0; i < 2; i++) {
    run_and_die("r.h5", i ? "result_there" : "chunk:3");
    cr_expect(exists("scratch/manifest.json"));
    const outcome *o = OMNIROLL("resume", i ? "r.h5.parts" : "r.h5");
    expect(o, OMR_OK);
    expect_text(o->err, i ? "goes on after 6 of 6 chunks" : "goes on after 2 of 6 chunks");
    expect_same("through a link", "whole.h5", "r.h5");
    cr_assert_eq(lstat("r.h5.parts", &there), 0);
    cr_expect(S_ISLNK(there.st_mode));
    shell("test -z \"$(ls -A scratch)\"");
    expect_text(OMNIROLL("resume", "r.h5")->out, "r.h5 is complete");
    expect(RUN("r.h5", "--shard", "1/2"), OMR_OK); /* finds the result */
    cr_assert_eq(unlink("r.h5"), 0);
  }
  expect(RUN("r.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("r.h5", "--shard", "2/2"), OMR_OK);
  expect_same("shards through a link", "whole.h5", "r.h5");
  shell("test -z \"$(ls -A scratch)\" && test -L r.h5.parts");
}

Test(hostile_folder, a_link_has_to_be_of_a_folder) {
  shell("ln -s nowhere r.h5.parts");
  refused(RUN_SMALL(), "is a symbolic link to what is not there");
  shell("rm r.h5.parts && ln -s short.json r.h5.parts");
  refused(RUN_SMALL(), "is a symbolic link to what is no folder");
  shell("rm r.h5.parts && mkdir scratch && ln -s scratch other && ln -s other r.h5.parts");
  refused(RUN_SMALL(), "or another link");
  shell("rm r.h5.parts && mkfifo r.h5.parts");
  refused(RUN_SMALL(), "r.h5.parts is a FIFO, where the folder for the parts");
}

/* Only the superuser can give a file away. */
Test(hostile_folder, a_folder_of_another_user_has_to_be_allowed) {
  if (geteuid() != 0) cr_skip_test("only the superuser can give a folder away");
  shell("mkdir r.h5.parts && chown 4321 r.h5.parts");
  refused(RUN_SMALL(), "the folder r.h5.parts belongs to user 4321, and this process is user 0's");
  expect_text(last.err, "--foreign-folder");
  refused(OMNIROLL("resume", "r.h5"), "--foreign-folder");
  refused(OMNIROLL("merge", "-o", "m.h5", "r.h5.parts"), "--foreign-folder");
  expect(RUN_SMALL("--foreign-folder"), OMR_OK);
  shell("rm -rf r.h5* && mkdir scratch && chown 4321 scratch && ln -s scratch r.h5.parts");
  refused(RUN_SMALL(), "the folder r.h5.parts belongs to user 4321");
  expect(RUN_SMALL("--foreign-folder"), OMR_OK);
  shell("rm -f r.h5 && chown 0 scratch && chown -h 4321 r.h5.parts");
  refused(RUN_SMALL("--foreign-folder"), "is a symbolic link of another user");
}

/* A folder of the user's that others can write. */
Test(hostile_folder, a_file_of_another_user_has_to_be_allowed) {
  if (geteuid() != 0) cr_skip_test("only the superuser can give a file away");
  for (size_t i = 0; i < OPENED; i++) {
    shell("rm -rf r.h5* && mkdir r.h5.parts && touch r.h5.parts/%s && chown 4321 r.h5.parts/%s",
          opened[i], opened[i]);
    refused(RUN_SMALL(), "belongs to user 4321, and this process is user 0's");
    expect_text(last.err, opened[i]);
    expect_text(last.err, "--foreign-folder");
    /* An empty manifest is damaged, whoever owns it. */
    if (strcmp(opened[i], "manifest.json") != 0) expect(RUN_SMALL("--foreign-folder"), OMR_OK);
  }
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r2.h5", "assemble_start");
  shell("chown 4321 r2.h5.parts/chunk-000001.h5");
  const outcome *o = OMNIROLL("resume", "r2.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "chunk 1 in r2.h5.parts is computed again: r2.h5.parts/chunk-000001.h5 "
                      "belongs to user 4321");
  expect_same("a chunk of another user", "whole.h5", "r2.h5");
}

/* Lines as the program writes them, in the given journal. */
static void add_line(const char *name, const char *line) {
  char path[128], hash[33];
  snprintf(path, sizeof path, "r.h5.parts/%s", name);
  omr_hash_hex(line, strlen(line), hash);
  FILE *file = fopen(path, "a");
  cr_assert_not_null(file);
  fprintf(file, "%s %s\n", line, hash);
  cr_assert_eq(fclose(file), 0);
}

#define LINE(number, bytes, when)                                                                  \
  "chunk " #number " rows 0 16 bytes " #bytes " xxh3 0123456789abcdef0123456789abcdef at " #when

Test(hostile_folder, the_later_line_of_a_journal_counts_and_times_decide_between_journals) {
  omr_journal journal = {.descriptor = -1};
  omr_parts parts = OMR_PARTS_NONE;
  bool there = false;
  shell("mkdir r.h5.parts");
  add_line("chunks-1-of-2.txt", LINE(0, 1, 900));
  add_line("chunks-1-of-2.txt", LINE(0, 2, 500)); /* the clock was set back */
  add_line("chunks-2-of-2.txt", LINE(0, 3, 700)); /* later than the line that counts there */
  add_line("chunks-1-of-2.txt", LINE(1, 4, 900));
  add_line("chunks-1-of-2.txt", LINE(1, 5, 500));
  add_line("chunks-2-of-2.txt", LINE(1, 6, 300));
  add_line("chunks-1-of-2.txt", LINE(5, 7, 1));
  add_line("chunks-1-of-2.txt", LINE(200000000, 7, 1));
  cr_assert_eq(omr_parts_begin(&parts, "r.h5.parts", false, NULL), OMR_OK);
  cr_assert_eq(omr_parts_open(&parts, &there, NULL), OMR_OK);
  cr_assert_eq(omr_journal_read(&parts, 5, &journal, NULL), OMR_OK);
  cr_expect_eq(journal.chunks[0].bytes, 3);
  cr_expect_eq(journal.chunks[1].bytes, 5);
  cr_expect_not(omr_journal_has(&journal, 5), "beyond what the manifest has");
  cr_expect_eq(journal.count, 2, "no room for numbers that the manifest does not have");
  omr_journal_free(&journal);
  omr_parts_free(&parts);
}
