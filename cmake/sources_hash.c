/* The hash of what decides numbers, so that folders and results know which build made them: C
 * sources without their comments and without white space that means nothing, each with its path, in
 * the order of the paths.
 *
 *   sources_hash LIST OUTPUT
 *
 * LIST has a path a line, from the current folder; OUTPUT, a header with OMR_SOURCES, is written
 * where it would change. */
#include <xxhash.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bare {
  char *text; /* as long as the source, which it is a part of, at most twice */
  size_t length;
  bool directive, space; /* since the last character that counts */
} bare;

/* The caller's, with a zero behind it; NULL: it cannot be read. */
static char *read_whole(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  *length = 0;
  for (size_t room = 1 << 16; file && !feof(file) && !ferror(file); room *= 2) {
    char *grown = realloc(text, room);
    if (!grown) break;
    text = grown;
    *length += fread(text + *length, 1, room - 1 - *length, file);
    text[*length] = '\0';
  }
  const bool whole = file && feof(file) && !ferror(file);
  if (file) fclose(file);
  if (whole) return text;
  free(text);
  return NULL;
}

/* Lines that go on in the next one become one. */
static void join_lines(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++) {
    if (*from == '\r' && from[1] == '\n') continue;
    if (from[0] == '\\' && from[1] == '\n')
      from++;
    else
      *to++ = *from;
  }
  *to = '\0';
}

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c && strchr("_.\"'", c));
}

static bool is_operator(char c) {
  return c && strchr("+-*/%<>=!&|^~#:?", c);
}

/* Whether two characters that white space stands between would be another thing without it. In
 * directives it tells `F(x)` from `F (x)`. */
static bool are_parted(const bare *b, char next) {
  const char last = b->length ? b->text[b->length - 1] : '\n';
  if (!b->space || last == '\n') return false;
  return b->directive || (is_word(last) && is_word(next)) ||
         (is_operator(last) && is_operator(next));
}

static void put(bare *b, const char *from, size_t count) {
  if (are_parted(b, *from)) b->text[b->length++] = ' ';
  memcpy(b->text + b->length, from, count);
  b->length += count;
  b->space = false;
}

static void end_line(bare *b) {
  if (b->length && b->text[b->length - 1] != '\n') b->text[b->length++] = '\n';
  b->space = false;
}

/* How many characters a comment or a quoted text has; 0: it is neither. */
static size_t comment_at(const char *text) {
  if (text[0] != '/' || (text[1] != '/' && text[1] != '*')) return 0;
  if (text[1] == '/') return strcspn(text, "\n");
  const char *end = strstr(text + 2, "*/");
  return end ? (size_t)(end - text) + 2 : strlen(text);
}

static size_t quoted_at(const char *text) {
  size_t i = 1;
  if (*text != '"' && *text != '\'') return 0;
  while (text[i] && text[i] != '\n' && text[i] != *text)
    i += text[i] == '\\' && text[i + 1] ? 2 : 1;
  return text[i] == *text ? i + 1 : i;
}

static void strip(const char *text, bare *b) {
  bool line_begins = true;
  for (size_t i = 0, count; text[i]; i += count) {
    const size_t comment = comment_at(text + i), quoted = quoted_at(text + i);
    count = comment ? comment : quoted ? quoted : 1;
    if (text[i] == '\n') {
      if (b->directive) end_line(b);
      b->directive = false;
      b->space = line_begins = true;
    } else if (comment || strchr(" \t\v\f\r", text[i])) {
      b->space = true;
    } else {
      if (line_begins && text[i] == '#') {
        end_line(b);
        b->directive = true;
      }
      put(b, text + i, count);
      line_begins = false;
    }
  }
}

static bool add(XXH3_state_t *hash, const char *path) {
  size_t length;
  char *text = read_whole(path, &length);
  bare b = {.text = malloc(2 * length + 2)};
  const bool good = text && b.text;
  if (good) {
    join_lines(text);
    strip(text, &b);
    XXH3_128bits_update(hash, path, strlen(path) + 1);
    XXH3_128bits_update(hash, b.text, b.length);
    XXH3_128bits_update(hash, "", 1);
  } else {
    perror(path);
  }
  free(b.text);
  free(text);
  return good;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of a list, in their order; the caller's, as parts of the text. */
static char **split(char *list, size_t *count) {
  char **paths = malloc((strlen(list) + 1) * sizeof *paths);
  *count = 0;
  for (char *path = paths ? strtok(list, "\n") : NULL; path; path = strtok(NULL, "\n"))
    paths[(*count)++] = path;
  if (paths) qsort(paths, *count, sizeof *paths, compare_paths);
  return paths;
}

static bool write_changed(const char *path, const char *text) {
  size_t length;
  char *there = read_whole(path, &length);
  const bool same = there && strcmp(there, text) == 0;
  free(there);
  if (same) return true;
  FILE *file = fopen(path, "w");
  const bool written = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && written;
}

int main(int argc, char **argv) {
  char text[128];
  size_t length, count = 0;
  if (argc != 3) return fputs("usage: sources_hash LIST OUTPUT\n", stderr), 2;
  char *list = read_whole(argv[1], &length), **paths = list ? split(list, &count) : NULL;
  XXH3_state_t *hash = XXH3_createState();
  bool good = paths && hash && XXH3_128bits_reset(hash) == XXH_OK;
  for (size_t i = 0; good && i < count; i++) good = add(hash, paths[i]);
  if (good) {
    const XXH128_hash_t sum = XXH3_128bits_digest(hash);
    snprintf(text, sizeof text, "#define OMR_SOURCES \"%016llx%016llx\"\n",
             (unsigned long long)sum.high64, (unsigned long long)sum.low64);
    good = write_changed(argv[2], text);
  }
  if (!good) fprintf(stderr, "sources_hash: cannot read %s or write %s\n", argv[1], argv[2]);
  XXH3_freeState(hash);
  free(paths);
  free(list);
  return !good;
}
