/* Errors, text, files, memory and hashes. */
#define _GNU_SOURCE
#include "support/support.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

Test(support, fail_fills_the_error_and_returns_its_status) {
  omr_error error;
  cr_assert_eq(omr_fail(&error, OMR_ERR_IO, "cannot open \"%s\"", "a.h5"), OMR_ERR_IO);
  cr_assert_eq(error.status, OMR_ERR_IO);
  cr_assert_str_eq(error.message, "cannot open \"a.h5\"");
  cr_assert_eq(omr_fail(NULL, OMR_ERR_MEMORY, "nobody reads this"), OMR_ERR_MEMORY);
}

Test(support, fail_may_quote_the_message_it_replaces) {
  omr_error error;
  omr_fail(&error, OMR_ERR_IO, "disk full");
  omr_fail(&error, OMR_ERR_IO, "chunk 3: %s", error.message);
  cr_assert_str_eq(error.message, "chunk 3: disk full");
}

/* Seconds since 1970 need ten digits before the point alone. */
Test(support, digits_tell_two_numbers_apart) {
  cr_expect_eq(omr_digits_apart(10, 9.99999, 4), 6);
  cr_expect_eq(omr_digits_apart(10, 9, 4), 4);
  cr_expect_eq(omr_digits_apart(10, 10, 4), 4);
  cr_expect_eq(omr_digits_apart(1785000000.2, 1785000000.1, 9), 11);
  cr_expect_eq(omr_digits_apart(1, 0x1.0000000000001p0, 9), 17);
}

Test(support, long_messages_end_with_a_whole_character) {
  char text[6000] = "x";
  for (int i = 0; i < 2500; i++) strcat(text, "\u00b0");
  omr_error error;
  omr_fail(&error, OMR_ERR_STUDY, "%s", text);
  cr_assert_eq(strlen(error.message), sizeof error.message - 1,
               "an odd number of bytes fits exactly");
  omr_fail(&error, OMR_ERR_STUDY, "x%s", text);
  cr_assert_eq(strlen(error.message), sizeof error.message - 2);
}

static const char *member(const cJSON *mistake, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(mistake, name);
  cr_assert_not_null(item, "no member %s", name);
  return cJSON_IsNull(item) ? NULL : item->valuestring;
}

/* A study with two mistakes, one of an override, which has no line. */
Test(support, mistakes_are_json_with_their_places) {
  omr_error error;
  omr_study *study = NULL;
  char *json = NULL;
  static const char *const wrong[] = {"parameters.gravity=-1"};
  cr_assert_eq(omr_study_parse("{\"model\": \"wheelset\",\n \"vehicle\": 1}", "two.json", wrong, 1,
                               &study, &error),
               OMR_ERR_STUDY);
  cr_assert_eq(omr_error_json(&error, &json, NULL), OMR_OK);
  cJSON *list = cJSON_Parse(json);
  cr_assert_eq((size_t)cJSON_GetArraySize(list), omr_error_count(&error), "%s", json);
  cr_assert_gt(omr_error_count(&error), 0);
  for (int i = 0; i < cJSON_GetArraySize(list); i++) {
    const cJSON *one = cJSON_GetArrayItem(list, i), *line = cJSON_GetObjectItem(one, "line");
    const size_t k = (size_t)i;
    cr_assert_str_eq(member(one, "code"), omr_error_code(&error, k));
    cr_assert_str_eq(member(one, "message"), omr_error_text(&error, k));
    cr_assert_str_eq(member(one, "pointer"), omr_error_pointer(&error, k));
    if (omr_error_line(&error, k))
      cr_assert_eq(line->valueint, omr_error_line(&error, k));
    else
      cr_assert(cJSON_IsNull(line));
  }
  cJSON_Delete(list);
  omr_text_destroy(json);
}

/* One without place: what there is none of is null. */
Test(support, a_mistake_without_place_is_json) {
  omr_error error;
  char *json = NULL;
  omr_fail(&error, OMR_ERR_IO, "disk \"full\"");
  cr_assert_eq(omr_error_json(&error, &json, NULL), OMR_OK);
  cJSON *list = cJSON_Parse(json), *one = cJSON_GetArrayItem(list, 0);
  cr_assert_eq(cJSON_GetArraySize(list), 1);
  cr_assert_str_eq(member(one, "message"), "disk \"full\"");
  cr_assert_str_eq(member(one, "code"), "io");
  cr_assert_null(member(one, "path"));
  cr_assert_null(member(one, "line"));
  cr_assert_null(member(one, "pointer"));
  cJSON_Delete(list);
  omr_text_destroy(json);
}

/* A limit of this process, which Criterion has forked for the test. */
static void limit(__rlimit_resource_t what, rlim_t most) {
  const struct rlimit to = {most, most};
  cr_assert_eq(setrlimit(what, &to), 0);
}

static void make_folder(char *path, char *file, size_t size) {
  cr_assert_not_null(mkdtemp(path));
  snprintf(file, size, "%s/out.csv", path);
}

/* The disk is full in the middle: the file of before stays as it was, and nothing else is left. */
Test(support, an_output_that_fails_leaves_the_file_that_was_there) {
  char folder[] = "/tmp/omniroll_output_XXXXXX", path[64], *data;
  size_t length;
  omr_output *output;
  omr_error error;
  make_folder(folder, path, sizeof path);
  cr_assert_eq(omr_output_open(path, &output, NULL), OMR_OK);
  fputs("before", omr_output_stream(output));
  cr_assert_eq(omr_output_finish(output, NULL), OMR_OK);
  cr_assert_eq(omr_output_open(path, &output, NULL), OMR_OK);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit was;
  cr_assert_eq(getrlimit(RLIMIT_FSIZE, &was), 0);
  const struct rlimit small = {4096, was.rlim_max};
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (int i = 0; i < 10000; i++) fputs("0123456789", omr_output_stream(output));
  const omr_status status = omr_output_finish(output, &error);
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &was), 0);
  cr_assert_eq(status, OMR_ERR_IO);
  cr_assert_not_null(strstr(error.message, "File too large"), "%s", error.message);
  cr_assert_eq(omr_read_file(path, &data, &length, NULL), OMR_OK);
  cr_assert_str_eq(data, "before");
  free(data);
  unlink(path);
  cr_assert_eq(rmdir(folder), 0, "the temporary file was left");
}

/* One descriptor, for the file: the stream's has none. */
Test(support, an_output_without_a_descriptor_is_refused) {
  char folder[] = "/tmp/omniroll_output_XXXXXX", path[64];
  omr_output *output;
  omr_error error;
  make_folder(folder, path, sizeof path);
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  cr_assert_geq(next, 0);
  close(next);
  limit(RLIMIT_NOFILE, (rlim_t)next + 1);
  cr_assert_eq(omr_output_open(path, &output, &error), OMR_ERR_IO);
  cr_assert_null(output);
  cr_assert_not_null(strstr(error.message, "Too many open files"), "%s", error.message);
  cr_assert_eq(rmdir(folder), 0, "the temporary file was left");
}

Test(support, an_output_that_is_given_up_leaves_nothing) {
  char folder[] = "/tmp/omniroll_output_XXXXXX", path[64];
  omr_output *output;
  make_folder(folder, path, sizeof path);
  omr_output_discard(NULL);
  cr_assert_eq(omr_output_open(path, &output, NULL), OMR_OK);
  fputs("never", omr_output_stream(output));
  omr_output_discard(output);
  cr_assert_eq(rmdir(folder), 0);
  cr_assert_eq(omr_output_open(path, &output, NULL), OMR_ERR_IO);
}

Test(support, text_grows_and_stays_terminated) {
  omr_text text = {0};
  for (int i = 0; i < 1000; i++) omr_text_print(&text, "%d,", i);
  omr_text_add(&text, "end|never", 3);
  cr_assert_not(text.failed);
  cr_assert_eq(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 3);
  cr_assert_eq(strlen(text.data), text.length);
  cr_assert_str_eq(text.data + text.length - 7, "999,end");
  omr_text_free(&text);
  cr_assert_null(text.data);
}

Test(support, adding_nothing_gives_an_empty_text) {
  omr_text text = {0};
  omr_text_add(&text, "", 0);
  cr_assert_str_eq(text.data, "");
  omr_text_free(&text);
}

Test(support, files_are_read_whole_with_their_zero_bytes) {
  char path[] = "/tmp/omniroll_support_XXXXXX";
  int file = mkstemp(path);
  char bytes[200001];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i % 251);
  cr_assert_eq(write(file, bytes, sizeof bytes), (ssize_t)sizeof bytes);
  close(file);
  char *data;
  size_t length;
  omr_error error;
  cr_assert_eq(omr_read_file(path, &data, &length, &error), OMR_OK);
  cr_assert_eq(length, sizeof bytes);
  cr_assert_arr_eq(data, bytes, sizeof bytes);
  cr_assert_eq(data[length], '\0');
  free(data);
  unlink(path);
}

Test(support, unreadable_files_are_named_with_the_reason) {
  char *data;
  size_t length;
  omr_error error;
  cr_assert_eq(omr_read_file("/nowhere/study.json", &data, &length, &error), OMR_ERR_IO);
  cr_assert_str_eq(error.message, "cannot open \"/nowhere/study.json\": No such file or directory");
  cr_assert_null(data);
  cr_assert_eq(omr_read_file("/tmp", &data, &length, &error), OMR_ERR_IO);
  cr_assert_str_eq(error.message, "cannot read \"/tmp\": Is a directory");
}

Test(support, a_dash_reads_standard_input) {
  int pipe_ends[2];
  cr_assert_eq(pipe(pipe_ends), 0);
  cr_assert_eq(write(pipe_ends[1], "{}", 2), 2);
  close(pipe_ends[1]);
  dup2(pipe_ends[0], STDIN_FILENO);
  char *data;
  size_t length;
  cr_assert_eq(omr_read_file("-", &data, &length, NULL), OMR_OK);
  cr_assert_str_eq(data, "{}");
  free(data);
}

Test(support, misspellings_find_the_word_that_was_meant) {
  static const char *const keys[] = {"friction",    "radius",     "rollers",
                                     "inclination", "slip_speed", "kp",
                                     "ki",          "peak_power", "wheel.error.axis_angle"};
  static const struct {
    const char *word, *meant;
  } cases[] = {
      {"frcition", "friction"},
      {"Friction", "friction"},
      {"rollrs", "rollers"},
      {"roller", "rollers"},
      {"inclinatoin", "inclination"},
      {"slipspeed", "slip_speed"},
      {"kpp", "kp"},
      {"raduis", "radius"},
      {"power_peak", "peak_power"},
      {"speed.slip", "slip_speed"},
      {"wheel_error_axis_angle", "wheel.error.axis_angle"},
      {"axis_angle_wheel_error", "wheel.error.axis_angle"},
      {"power_power", NULL},
      {"peak_peak_power", NULL},
      {"mass", NULL},
      {"x", NULL},
      {"", NULL},
      {"gravity", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *nearest = omr_nearest(cases[i].word, keys, sizeof keys / sizeof *keys);
    if (cases[i].meant)
      cr_expect(nearest && strcmp(nearest, cases[i].meant) == 0, "%s gave %s", cases[i].word,
                nearest ? nearest : "nothing");
    else
      cr_expect_null(nearest, "%s gave %s", cases[i].word, nearest);
  }
}

Test(support, very_long_words_have_no_neighbour) {
  char word[1000];
  memset(word, 'a', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  const char *candidates[] = {word, "radius"};
  cr_assert_null(omr_nearest(word, candidates, 2));
}

Test(support, aligned_memory_is_zero_and_refuses_overflow) {
  for (size_t count = 0; count < 100; count += 33) {
    unsigned char *memory = omr_aligned_calloc(count, 3);
    cr_assert_not_null(memory);
    cr_assert_eq((uintptr_t)memory % 64, 0);
    for (size_t i = 0; i < 3 * count; i++) cr_assert_eq(memory[i], 0);
    free(memory);
  }
  cr_assert_null(omr_aligned_calloc(SIZE_MAX / 4, 8));
  cr_assert_null(omr_aligned_calloc(SIZE_MAX, 1));
}

/* XXH3, 128 bits, seed 0, of the empty input: the value in xxHash's own sanity test
 * (XSUM_sanity_check.c). */
Test(support, hash_of_nothing_is_the_published_one) {
  char hex[33];
  omr_hash_hex("", 0, hex);
  cr_assert_str_eq(hex, "99aa06d3014798d86001c324468d497f");
  omr_hash_hex(NULL, 0, hex);
  cr_assert_str_eq(hex, "99aa06d3014798d86001c324468d497f");
}

Test(support, hash_depends_on_every_byte) {
  char a[33], b[33];
  omr_hash_hex("{\"seed\": 1}", 11, a);
  omr_hash_hex("{\"seed\": 2}", 11, b);
  cr_assert_str_neq(a, b);
  cr_assert_eq(strspn(a, "0123456789abcdef"), 32);
}
