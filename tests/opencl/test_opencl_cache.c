/* The files of the kernel cache; no device needed. Expected payloads are what was stored. */
#include "engine/opencl.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[64], folder[96];

static void clear(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return;
  for (struct dirent *e; (e = readdir(directory));) {
    char file[512];
    snprintf(file, sizeof file, "%s/%s", path, e->d_name);
    unlink(file);
  }
  closedir(directory);
  rmdir(path);
}

static void setup(void) {
  strcpy(home, "/tmp/omniroll-test-XXXXXX");
  cr_assert_not_null(mkdtemp(home));
  snprintf(folder, sizeof folder, "%s/omniroll", home);
  setenv("XDG_CACHE_HOME", home, 1);
  unsetenv("OMNIROLL_CACHE");
}

static void teardown(void) {
  clear(folder);
  clear(home);
}

TestSuite(opencl_cache, .init = setup, .fini = teardown);

static size_t entries(void) {
  size_t count = 0;
  DIR *directory = opendir(folder);
  if (!directory) return 0;
  for (struct dirent *e; (e = readdir(directory));) count += e->d_name[0] != '.';
  closedir(directory);
  return count;
}

static bool stores(const char *key, const void *payload, size_t length) {
  char why[256];
  return omr_cache_store(key, payload, length, why);
}

static char why_not[256];

static bool holds(const char *key, const void *payload, size_t length) {
  size_t found;
  unsigned char *loaded = omr_cache_load(key, &found, why_not);
  bool same = loaded && found == length && memcmp(loaded, payload, length) == 0;
  free(loaded);
  return same;
}

static bool holds_nothing(const char *key) {
  size_t length;
  unsigned char *loaded = omr_cache_load(key, &length, why_not);
  free(loaded);
  return !loaded;
}

static void entry_file(const char *key, char path[256]) {
  char hash[33];
  omr_hash_hex(key, strlen(key), hash);
  snprintf(path, 256, "%s/%s.clbin", folder, hash);
}

Test(opencl_cache, gives_back_what_was_stored_under_its_key_alone) {
  cr_assert(holds_nothing("key"));
  cr_assert(stores("key", "bin\0ary", 7));
  cr_assert(holds("key", "bin\0ary", 7));
  cr_assert(holds_nothing("other key"));
  cr_assert(stores("key", "newer", 5));
  cr_assert(holds("key", "newer", 5));
  cr_assert(entries() == 1, "no temporary file stays behind");
}

Test(opencl_cache, takes_no_file_with_any_bit_flipped_or_any_byte_missing) {
  char path[256], *whole;
  size_t length;
  cr_assert(stores("the key", "payload of the entry", 20));
  entry_file("the key", path);
  cr_assert(omr_read_file(path, &whole, &length, NULL) == OMR_OK);
  for (size_t at = 0; at < length; at++) {
    FILE *file = fopen(path, "wb");
    whole[at] ^= (char)(1 << at % 8);
    fwrite(whole, 1, length, file);
    whole[at] ^= (char)(1 << at % 8);
    fclose(file);
    cr_assert(holds_nothing("the key"), "flipped at %zu", at);
    cr_assert(truncate(path, 0) == 0);
    file = fopen(path, "wb");
    fwrite(whole, 1, at, file);
    fclose(file);
    cr_assert(holds_nothing("the key"), "cut to %zu", at);
  }
  free(whole);
  cr_assert(stores("the key", "again", 5));
  cr_assert(holds("the key", "again", 5));
}

Test(opencl_cache, takes_no_entry_of_another_key_under_the_name_of_this_one) {
  char from[256], to[256];
  cr_assert(stores("key a", "payload", 7));
  entry_file("key a", from);
  entry_file("key b", to);
  cr_assert(rename(from, to) == 0);
  cr_assert(holds_nothing("key b"));
}

Test(opencl_cache, says_why_where_the_folder_cannot_be_written) {
  char why[256] = "", file[128];
  snprintf(file, sizeof file, "%s/file", home);
  fclose(fopen(file, "w"));
  setenv("XDG_CACHE_HOME", file, 1);
  cr_assert(!omr_cache_store("key", (const unsigned char *)"x", 1, why));
  cr_assert(strstr(why, file) && strstr(why, "Not a directory"), "%s", why);
  cr_assert(holds_nothing("key"));
}

Test(opencl_cache, is_off_with_OMNIROLL_CACHE_0) {
  cr_assert(stores("key", "payload", 7));
  setenv("OMNIROLL_CACHE", "0", 1);
  cr_assert(holds_nothing("key"));
  cr_assert(stores("other", "payload", 7), "being off is no failure");
  cr_assert(entries() == 1);
}

Test(opencl_cache, lies_in_the_home_folder_where_XDG_CACHE_HOME_is_unset_or_relative) {
  setenv("HOME", home, 1);
  setenv("XDG_CACHE_HOME", "relative", 1);
  cr_assert(stores("key", "payload", 7));
  snprintf(folder, sizeof folder, "%s/.cache/omniroll", home);
  cr_assert(entries() == 1);
  unsetenv("XDG_CACHE_HOME");
  cr_assert(holds("key", "payload", 7));
  clear(folder);
  snprintf(folder, sizeof folder, "%s/.cache", home);
}

/* Each writer stores payloads of one repeated byte: a mixture would show. */
static int write_and_read(int writer) {
  static char payload[65536];
  for (int round = 0; round < 50; round++) {
    memset(payload, 'a' + writer, sizeof payload);
    if (!stores("shared", payload, sizeof payload)) return 1;
    size_t length;
    unsigned char *loaded = omr_cache_load("shared", &length, why_not);
    if (!loaded || length != sizeof payload) return 2;
    for (size_t i = 1; i < length; i++) {
      if (loaded[i] != loaded[0]) return 3;
    }
    free(loaded);
  }
  return 0;
}

Test(opencl_cache, shows_whole_entries_only_while_four_processes_write_the_same_one) {
  pid_t children[4];
  for (int i = 0; i < 4; i++) {
    children[i] = fork();
    if (!children[i]) _exit(write_and_read(i));
  }
  for (int i = 0; i < 4; i++) {
    int status = -1;
    waitpid(children[i], &status, 0);
    cr_assert(status == 0, "writer %d", i);
  }
  cr_assert(entries() == 1);
}

Test(opencl_cache, keeps_64_entries_and_drops_the_one_used_longest_ago) {
  char key[32], path[256];
  struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  for (int i = 0; i < 64; i++) {
    snprintf(key, sizeof key, "key %d", i);
    cr_assert(stores(key, "payload", 7));
    entry_file(key, path);
    old[0].tv_sec = old[1].tv_sec = 1000 + i;
    cr_assert(utimensat(AT_FDCWD, path, old, 0) == 0);
  }
  cr_assert(holds("key 0", "payload", 7), "and is the youngest then");
  cr_assert(stores("one more", "payload", 7));
  cr_assert(entries() == 64);
  cr_assert(holds_nothing("key 1"));
  cr_assert(holds("key 0", "payload", 7));
  cr_assert(holds("key 2", "payload", 7));
}

Test(opencl_cache, clears_what_killed_writers_left_a_day_ago) {
  char path[256];
  struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  cr_assert(stores("key", "payload", 7));
  snprintf(path, sizeof path, "%s/0123.part-abcdef", folder);
  fclose(fopen(path, "w"));
  cr_assert(utimensat(AT_FDCWD, path, old, 0) == 0);
  snprintf(path, sizeof path, "%s/0123.part-young", folder);
  fclose(fopen(path, "w"));
  cr_assert(stores("key", "payload", 7));
  cr_assert(entries() == 2);
}

/* Whoever can write there could have another's code run. */
Test(opencl_cache, uses_no_file_or_folder_that_others_can_write_or_own) {
  char path[256], moved[300];
  cr_assert(stores("key", "payload", 7));
  entry_file("key", path);
  cr_assert(holds("key", "payload", 7));
  cr_expect_str_empty(why_not);
  static const mode_t modes[] = {0620, 0602};
  for (size_t i = 0; i < 2; i++) {
    cr_assert_eq(chmod(path, modes[i]), 0);
    cr_expect(holds_nothing("key"), "mode %o", (unsigned)modes[i]);
    cr_expect(strstr(why_not, path) && strstr(why_not, "chmod go-w"), "%s", why_not);
  }
  cr_assert_eq(chmod(path, 0600), 0);
  cr_assert_eq(chmod(folder, 0770), 0);
  cr_expect(holds_nothing("key"));
  cr_expect(strstr(why_not, folder) && strstr(why_not, "chmod go-w"), "%s", why_not);
  cr_expect(stores("other", "payload", 7), "not used, which is no failure");
  cr_expect_eq(entries(), 1);
  cr_assert_eq(chmod(folder, 0700), 0);
  cr_expect(holds("key", "payload", 7));
  if (geteuid() == 0) {
    cr_assert_eq(chown(path, 12345, 12345), 0);
    cr_expect(holds_nothing("key"), "of another user");
    cr_assert_eq(chown(path, 0, 0), 0);
    cr_assert_eq(chown(folder, 12345, 12345), 0);
    cr_expect(holds_nothing("key"), "in a folder of another user");
    cr_assert_eq(chown(folder, 0, 0), 0);
  }
  snprintf(moved, sizeof moved, "%s/elsewhere", home);
  cr_assert_eq(rename(path, moved), 0);
  cr_assert_eq(symlink(moved, path), 0);
  cr_expect(holds_nothing("key"), "a link");
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(link(moved, path), 0);
  cr_expect(holds_nothing("key"), "a file with two names");
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(mkfifo(path, 0600), 0);
  cr_expect(holds_nothing("key"), "a pipe, which is not waited for");
}

Test(opencl_cache, uses_no_folder_that_is_a_link) {
  char real[128];
  cr_assert(stores("key", "payload", 7));
  snprintf(real, sizeof real, "%s/real", home);
  cr_assert_eq(rename(folder, real), 0);
  cr_assert_eq(symlink(real, folder), 0);
  cr_expect(holds_nothing("key"));
  cr_expect(strstr(why_not, folder), "%s", why_not);
  cr_assert_eq(unlink(folder), 0);
  cr_assert_eq(rename(real, folder), 0);
  cr_expect(holds("key", "payload", 7));
}
