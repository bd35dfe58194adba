/* What a folder of an unfinished run can come to hold, and who may work on it. */
#include "tests/campaign/campaign.h"

#include "campaign/chunk_journal.h"

#include <sys/resource.h>

TestSuite(folder, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

/* A study of many chunks of about a quarter of a second each. */
#define SLOW                                                                                       \
  "short.json", "--backend", "scalar", "--set", "engine.chunk=1", "--set",                         \
      "integrator.duration=\"100 s\"", "--set",                                                    \
      "vary=[{\"path\":\"platform.mass\",\"uniform\":[9,11]}]", "--set",                           \
      "design={\"type\":\"monte_carlo\",\"instances\":400}"

Test(folder, damaged_chunks_are_found_before_they_are_opened_and_computed_again) {
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r.h5", "assemble_start");
  damage("r.h5.parts/chunk-000000.h5", 3000);
  damage("r.h5.parts/chunk-000001.h5", -1);
  shell("truncate -s -100 r.h5.parts/chunk-000002.h5");
  shell("rm r.h5.parts/chunk-000003.h5");
  shell("cp r.h5.parts/chunk-000005.h5 r.h5.parts/chunk-000004.h5"); /* whole, but another's */
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "chunk 0 in r.h5.parts is computed again: the checksum of its file differs");
  expect_text(o->err, "chunk 1 in r.h5.parts is computed again: the checksum of its file differs");
  expect_text(o->err, "chunk 2 in r.h5.parts is computed again: its file has ");
  expect_text(o->err, "chunk 3 in r.h5.parts is computed again: its file is missing");
  expect_text(o->err, "chunk 4 in r.h5.parts is computed again: its file has ");
  cr_expect_null(strstr(o->err, "chunk 5"), "%s", o->err);
  expect_text(o->err, "goes on after 1 of 6 chunks");
  expect_same("five damaged chunks", "whole.h5", "r.h5");
}

/* The journal vouches for a file of another study, and for one of other rows. */
Test(folder, chunks_of_another_study_are_not_joined) {
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r.h5", "chunk:4");
  set_failpoint("chunk:4");
  expect(RUN("s.h5", "--set", "design.seed=7"), -1);
  set_failpoint(NULL);
  static const char *const from[] = {"s.h5.parts/chunk-000000.h5", "r.h5.parts/chunk-000002.h5"};
  omr_journal journal = {.descriptor = -1};
  omr_parts parts = OMR_PARTS_NONE;
  bool there = false;
  cr_assert_eq(omr_parts_begin(&parts, "r.h5.parts", false, NULL), OMR_OK);
  cr_assert_eq(omr_parts_open(&parts, &there, NULL), OMR_OK);
  cr_assert_eq(omr_journal_open(&parts, 1, 1, &journal, NULL), OMR_OK);
  for (size_t i = 0; i < 2; i++) {
    omr_chunk chunk = {.there = true, .first = 16 * i, .last = 16 * (i + 1)};
    shell("cp %s r.h5.parts/chunk-%06zu.h5", from[i], i);
    const int file = open(from[i], O_RDONLY);
    cr_assert(omr_hash_descriptor(file, &chunk.bytes, chunk.hash));
    close(file);
    cr_assert_eq(omr_journal_add(&journal, i, &chunk, NULL), OMR_OK);
  }
  omr_journal_free(&journal);
  omr_parts_free(&parts);
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "chunk 0 in r.h5.parts is computed again: it is of another study");
  expect_text(o->err, "chunk 1 in r.h5.parts is computed again: it has other instances");
  expect_same("foreign chunks", "whole.h5", "r.h5");
}

Test(folder, a_torn_or_edited_line_of_the_journal_is_no_line) {
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r.h5", "chunk:4");
  shell("sed -i 's/^chunk 1 rows 16 32/chunk 1 rows 16 33/' r.h5.parts/chunks-1-of-1.txt");
  shell("printf 'chunk 3 rows 48 64 bytes 12' >> r.h5.parts/chunks-1-of-1.txt");
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "goes on after 2 of 6 chunks");
  expect_same("torn journal", "whole.h5", "r.h5");
}

/* A line of a chunk whose file has so many bytes, in the journal of one of two shards. */
static void add_line(const omr_parts *parts, int shard, size_t number, uint64_t bytes) {
  omr_journal journal = {.descriptor = -1};
  const omr_chunk chunk = {.there = true, .last = 16, .bytes = bytes, .hash = "0123456789abcdef"};
  cr_assert_eq(omr_journal_open(parts, shard, 2, &journal, NULL), OMR_OK);
  cr_assert_eq(omr_journal_add(&journal, number, &chunk, NULL), OMR_OK);
  omr_journal_free(&journal);
}

/* Both ways round: whichever journal the folder lists first, one of the chunks asks for it. */
Test(folder, the_later_of_two_lines_of_a_chunk_counts) {
  omr_parts parts = OMR_PARTS_NONE;
  bool there = false;
  shell("mkdir -m 700 r.h5.parts");
  cr_assert_eq(omr_parts_begin(&parts, "r.h5.parts", false, NULL), OMR_OK);
  cr_assert_eq(omr_parts_open(&parts, &there, NULL), OMR_OK);
  add_line(&parts, 1, 0, 100);
  add_line(&parts, 2, 1, 100);
  add_line(&parts, 2, 0, 200);
  add_line(&parts, 1, 1, 200);

  omr_journal journal = {.descriptor = -1};
  cr_assert_eq(omr_journal_read(&parts, 2, &journal, NULL), OMR_OK);
  for (size_t i = 0; i < 2; i++) {
    cr_assert(omr_journal_has(&journal, i));
    cr_expect_eq(journal.chunks[i].bytes, 200, "chunk %zu: the older line counts", i);
  }
  omr_journal_free(&journal);
  omr_parts_free(&parts);
}

static void refused(const outcome *o, const char *what) {
  expect(o, OMR_ERR_IO);
  expect_text(o->err, what);
}

Test(folder, another_study_precision_or_version_is_refused_by_name) {
  run_and_die("r.h5", "chunk:3");
  refused(RUN("r.h5", "--set", "integrator.step=0.001"),
          "integrator.step was \"0.5 ms\" and now is 0.001");
  refused(RUN("r.h5", "--set", "vary[2].uniform=[0.1,0.6]"),
          "vary[2].uniform[1] was 0.5 and now is 0.6");
  refused(RUN("r.h5", "--set", "parameters.gravity=9"),
          "parameters.gravity was not given and now is 9");
  refused(RUN("r.h5", "--set", "description=new"), "description was not given and now is \"new\"");
  refused(RUN("r.h5", "--precision", "single"), "engine.precision was double and now is single");
  refused(RUN("r.h5", "--set", "engine.numerics=fast"),
          "engine.numerics was exact and now is fast");
  refused(RUN("r.h5", "--set", "engine.chunk=8"), "(engine.chunk) was 16 and now is 8");
  expect_text(last.err, "omniroll resume r.h5");
  expect_text(last.err, "--restart");
  shell("sed -i 's/\"omniroll_version\": \"[^\"]*\"/\"omniroll_version\": \"0.0.1\"/' "
        "r.h5.parts/manifest.json");
  refused(OMNIROLL("resume", "r.h5"), "begun by omniroll 0.0.1");
  refused(RUN("r.h5"), "made by another omniroll: the version of omniroll was 0.0.1 and now is ");
  shell("sed -i 's/\"omniroll_version\": \"[^\"]*\"/\"omniroll_version\": \"%s\"/' "
        "r.h5.parts/manifest.json",
        omr_version());
  shell("sed -i 's/0.5 ms/0.4 ms/' r.h5.parts/manifest.json");
  refused(OMNIROLL("resume", "r.h5"), "is damaged");
  expect(RUN("whole.h5"), OMR_OK);
  expect(RUN("r.h5", "--restart"), OMR_OK);
  expect_same("begun anew", "whole.h5", "r.h5");
}

/* As a folder that an omniroll with one more constant in its host has begun, whatever its version
 * and its kernels; one of before has no hash. */
Test(folder, another_build_is_refused_by_name) {
  char other[33] = "0123456789abcdef0123456789abcdef", sources[64];
  snprintf(sources, sizeof sources, "(sources %s)", omr_sources());
  run_and_die("r.h5", "chunk:3");
  expect(OMNIROLL("verify", "r.h5.parts"), OMR_OK);
  cr_expect_null(strstr(last.out, "sources"), "%s", last.out);
  for (int before = 0; before < 2; before++) {
    if (before) strcpy(other, "not recorded");
    shell(before
              ? "sed -i '/\"sources\": /d' r.h5.parts/manifest.json"
              : "sed -i 's/\"sources\": \"[0-9a-f]*/\"sources\": \"%s/' r.h5.parts/manifest.json",
          other);
    refused(OMNIROLL("resume", "r.h5"), "r.h5.parts was begun by omniroll ");
    expect_text(last.err, other);
    expect_text(last.err, sources);
    expect_text(last.err, "go on with that one, or begin anew with");
    refused(OMNIROLL("merge", "r.h5.parts", "-o", "m.h5"), "r.h5.parts was begun by omniroll ");
    expect_text(last.err, "join it with that one");
    refused(RUN("r.h5"), "made by another omniroll: the hash of the sources of omniroll was ");
    refused(RUN("r.h5", "--shard", "2/2"),
            "made by another omniroll: the hash of the sources of omniroll ");
    expect(OMNIROLL("verify", "r.h5.parts"), before ? OMR_OK : OMR_ERR_IO);
    expect_text(last.out, other);
    if (!before) expect_text(last.out, "chunks-1-of-1.txt: chunks were added by another omniroll");
  }
  expect(RUN("r.h5", "--restart"), OMR_OK);
}

/* As if a journal of another build had been put beside the folder's own. */
Test(folder, chunks_of_another_build_are_told_and_computed_again) {
  char text[TEXT], changed[TEXT], hash[33];
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r.h5", "chunk:4");
  read_file("r.h5.parts/chunks-1-of-1.txt", text);
  char *by = strstr(text, " by "), *end = strchr(text, '\n');
  cr_assert(by && end && by < end);
  memset(by + 4, 'f', 32);
  omr_hash_hex(text, (size_t)(end - text) - 33, hash);
  snprintf(changed, sizeof changed, "%.*s %s%s", (int)(end - text) - 33, text, hash, end);
  write_file("r.h5.parts/chunks-1-of-1.txt", changed);
  expect(OMNIROLL("verify", "r.h5.parts"), OMR_ERR_IO);
  expect_text(last.out, "chunks-1-of-1.txt: chunks were added by another omniroll");
  expect_text(last.out, "0 chunks checked");
  expect(OMNIROLL("resume", "r.h5"), OMR_OK);
  cr_expect_null(strstr(last.err, "goes on after"), "%s", last.err);
  expect_same("chunks of another build", "whole.h5", "r.h5");
}

Test(folder, files_of_others_are_left) {
  run_and_die("r.h5", "chunk:3");
  write_file("r.h5.parts/notes.txt", "mine");
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "r.h5.parts.done is done with, but holds files that are not omniroll's");
  cr_expect(exists("r.h5.parts.done/notes.txt"));
  shell("test $(ls r.h5.parts.done | wc -l) = 1");
}

Test(folder, what_was_left_without_a_finished_chunk_is_in_nobodys_way) {
  run_and_die("r.h5", "chunk:1");
  const outcome *o = OMNIROLL("run", "short.json", "-o", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "left by another run without a finished chunk");
}

Test(folder, resume_says_what_there_is_to_do) {
  refused(OMNIROLL("resume", "r.h5"), "there is neither r.h5 nor the folder r.h5.parts");
  refused(OMNIROLL("resume", "short.json"), "short.json is no result");
  expect(OMNIROLL("run", "short.json", "-o", "r.h5", "-q"), OMR_OK);
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->out, "r.h5 is complete: there is nothing to do");
  expect(OMNIROLL("resume", "r.h5", "--set", "integrator.step=1"), OMR_ERR_USAGE);
  expect(OMNIROLL("resume", "r.h5", "--precision", "single"), OMR_ERR_USAGE);
}

Test(folder, a_study_with_a_table_goes_on_from_any_folder) {
  shell("mkdir sub other");
  write_file("sub/t.csv", "platform.mass\n9\n10\n11\n12\n");
  write_file("sub/t.json",
             "{\"title\": \"table\", \"model\": \"omni_vehicle\", \"design\": {\"type\": "
             "\"table\", \"file\": \"t.csv\"},"
             " \"integrator\": {\"method\": \"rk4\", \"step\": \"1 ms\", \"duration\": \"50 ms\"},"
             " \"engine\": {\"chunk\": 1}}");
  set_failpoint("chunk:3");
  expect(OMNIROLL("run", "sub/t.json", "-o", "r.h5", "-q"), -1);
  set_failpoint(NULL);
  cr_assert_eq(chdir("other"), 0);
  expect(OMNIROLL("resume", "../r.h5", "-q"), OMR_OK);
  cr_assert_eq(chdir(".."), 0);
  cr_expect_eq(integer_attribute("r.h5", "chunks"), 4);
}

static pid_t start_slow(void) {
  const pid_t child =
      start("/dev/null", (const char *const[]){"run", SLOW, "-o", "r.h5", "-q", NULL});
  wait_for("r.h5.parts/chunks-1-of-1.txt", "\nchunk 1 ");
  return child;
}

Test(folder, a_second_process_is_told_who_works_there) {
  char who[64];
  const pid_t child = start_slow();
  snprintf(who, sizeof who, "process %ld on ", (long)child);
  refused(OMNIROLL("run", SLOW, "-o", "r.h5"), who);
  refused(OMNIROLL("resume", "r.h5.parts"), who);
  refused(OMNIROLL("resume", "r.h5", "--shard", "1/2"), who);
  refused(OMNIROLL("run", SLOW, "-o", "r.h5", "--restart"), who);
  refused(OMNIROLL("merge", "-o", "s.h5", "r.h5.parts"), who);
  cr_assert_eq(kill(child, SIGKILL), 0);
  cr_expect_eq(finish(child)->code, -1);
  refused(OMNIROLL("run", SLOW, "-o", "r.h5", "--set", "parameters.gravity=1"),
          "parameters.gravity was not given"); /* the lock went with the process */
}

Test(folder, a_shard_holds_off_its_like_and_the_whole) {
  char who[64];
  const pid_t child = start(
      "/dev/null", (const char *const[]){"run", SLOW, "-o", "r.h5", "--shard", "1/2", "-q", NULL});
  wait_for("r.h5.parts/chunks-1-of-2.txt", "\nchunk 0 ");
  snprintf(who, sizeof who, "process %ld on ", (long)child);
  refused(OMNIROLL("resume", "r.h5", "--shard", "1/2"), who);
  expect_text(last.err, "(shard 1/2)");
  refused(OMNIROLL("resume", "r.h5"), who);
  refused(OMNIROLL("resume", "r.h5", "--shard", "3/3"), who);
  cr_assert_eq(kill(child, SIGKILL), 0);
  finish(child);
}

Test(folder, ctrl_c_keeps_the_finished_chunks) {
  const pid_t child = start_slow();
  cr_assert_eq(kill(child, SIGINT), 0);
  const outcome *o = finish(child);
  expect(o, OMR_ERR_INTERRUPTED);
  expect_text(o->err, "interrupted");
  expect_text(o->err, " of 400 chunks are kept in r.h5.parts; `omniroll resume r.h5` goes on");
  cr_expect(exists("r.h5.parts/chunk-000001.h5"));
  cr_expect_not(exists("r.h5"));
}

/* A file size limit stands for the full disk. */
Test(folder, a_full_disk_leaves_what_can_be_resumed) {
  struct rlimit all, limit;
  expect(RUN("whole.h5"), OMR_OK);
  run_and_die("r.h5", "chunk:3");
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &all);
  limit = all;
  limit.rlim_cur = 20000;
  setrlimit(RLIMIT_FSIZE, &limit);
  const outcome *o = OMNIROLL("resume", "r.h5");
  setrlimit(RLIMIT_FSIZE, &all);
  refused(o, "make room");
  expect_text(o->err, "2 of 6 chunks are kept in r.h5.parts; `omniroll resume r.h5` goes on");
  expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
  expect_same("full disk", "whole.h5", "r.h5");
}
