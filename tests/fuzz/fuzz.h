/* What fuzz targets share: an input taken piece by piece, and a scratch file in memory. */
#ifndef OMR_TESTS_FUZZ_H
#define OMR_TESTS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

typedef struct input {
  const uint8_t *at;
  size_t left;
} input;

static inline uint8_t take_byte(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->at++;
}

static inline uint32_t take_number(input *in) {
  uint32_t number = 0;
  for (int i = 0; i < 4; i++) number = number << 8 | take_byte(in);
  return number;
}

/* Bytes up to a separator, or all, as a text of exactly its size: what reads behind its end is
 * found. Zeros end a text, so that a text of length n holds n bytes. The caller frees it. */
static inline char *take_text(input *in, uint8_t separator) {
  const uint8_t *end = in->left ? memchr(in->at, separator, in->left) : NULL;
  const size_t whole = end ? (size_t)(end - in->at) : in->left;
  const size_t length = whole ? strnlen((const char *)in->at, whole) : 0;
  char *text = malloc(length + 1);
  if (!text) abort();
  if (length) memcpy(text, in->at, length);
  text[length] = '\0';
  in->at += whole + (end != NULL);
  in->left -= whole + (end != NULL);
  return text;
}

/* What a target may expect of itself in every build. */
#define MUST(condition)                                                                            \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* A folder of this process, in memory where the machine has /dev/shm; removed by remove_scratch. */
static inline const char *scratch_folder(void) {
  static char folder[64];
  if (!folder[0]) {
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/omniroll-fuzz-XXXXXX", base);
    MUST(mkdtemp(folder));
  }
  return folder;
}

static inline void write_file(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wbe");
  MUST(file);
  MUST(length == 0 || fwrite(bytes, 1, length, file) == length);
  MUST(fclose(file) == 0);
}

#endif
