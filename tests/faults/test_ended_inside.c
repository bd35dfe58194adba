/* A library that calls exit inside its turn: a line on standard error says which one. Each case is
 * the end of a child, whose standard error is a pipe. */
#include "support/turn.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[4096];

/* What a child wrote that ended as `ends` does. */
static const char *last_words(void (*ends)(void)) {
  int ways[2];
  cr_assert_eq(pipe(ways), 0);
  const pid_t child = fork();
  cr_assert_geq(child, 0);
  if (child == 0) {
    dup2(ways[1], STDERR_FILENO);
    close(ways[0]);
    close(ways[1]);
    ends();
    _exit(99);
  }
  close(ways[1]);
  size_t length = 0;
  ssize_t count;
  while (length < sizeof said - 1 &&
         (count = read(ways[0], said + length, sizeof said - 1 - length)) > 0)
    length += (size_t)count;
  said[length] = 0;
  close(ways[0]);
  cr_assert_eq(waitpid(child, NULL, 0), child);
  return said;
}

static bool tells(const char *text) {
  return strstr(text, "ended this process") != NULL;
}

static void end_in_files(void) {
  omr_turn_take(OMR_TURN_FILES);
  exit(255);
}

static void end_in_units(void) {
  omr_turn_take(OMR_TURN_UNITS);
  exit(255);
}

static void end_in_both(void) {
  omr_turn_take(OMR_TURN_UNITS);
  end_in_files();
}

static void end_after_a_turn(void) {
  omr_turn_take(OMR_TURN_FILES);
  omr_turn_take(OMR_TURN_FILES);
  omr_turn_give(OMR_TURN_FILES);
  omr_turn_give(OMR_TURN_FILES);
  exit(1);
}

static int inside[2];

/* Takes a turn, says so, and keeps it. */
static void *stay_inside(void *user) {
  omr_turn_take(OMR_TURN_FILES);
  if (write(inside[1], "", 1) != 1) _exit(99);
  for (;;) pause();
  return user;
}

static void *end_inside(void *user) {
  end_in_files();
  return user;
}

static void begin_thread(void *(*body)(void *)) {
  pthread_t thread;
  char byte;
  if (pipe(inside) != 0 || pthread_create(&thread, NULL, body, NULL) != 0) _exit(99);
  if (read(inside[0], &byte, 1) != 1) _exit(99);
}

static void end_beside_a_turn(void) {
  begin_thread(stay_inside);
  exit(1);
}

static void end_by_a_thread(void) {
  begin_thread(end_inside);
}

Test(ended_inside, names_the_library) {
  cr_expect(strstr(last_words(end_in_files), "omniroll: HDF5 ended this process"), "%s", said);
  cr_expect(strstr(last_words(end_in_units), "omniroll: UDUNITS ended this process"), "%s", said);
  cr_expect(strstr(last_words(end_by_a_thread), "omniroll: HDF5 ended this process"), "%s", said);
}

Test(ended_inside, names_the_inner_library_alone) {
  cr_expect(strstr(last_words(end_in_both), "omniroll: HDF5 ended this process"), "%s", said);
  cr_expect_not(strstr(said, "UDUNITS"), "%s", said);
}

Test(ended_inside, says_nothing_of_other_exits) {
  cr_expect_not(tells(last_words(end_after_a_turn)), "%s", said);
  cr_expect_not(tells(last_words(end_beside_a_turn)), "%s", said);
}
