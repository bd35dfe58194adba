#include "json_scan.h"

#include <ctype.h>
#include <string.h>

/* A line of the text, without blanks at both ends. */
typedef struct line {
  const char *at;
  size_t length;
} line;

static line line_at(const char *text, const char *end) {
  const char *stop = memchr(text, '\n', (size_t)(end - text));
  if (!stop) stop = end;
  while (text < stop && isspace((unsigned char)*text)) text++;
  while (stop > text && isspace((unsigned char)stop[-1])) stop--;
  return (line){text, (size_t)(stop - text)};
}

static bool begins(const line *l, const char *start) {
  return l->length >= strlen(start) && memcmp(l->at, start, strlen(start)) == 0;
}

/* Length of the name at the start of a line: letters, digits, "_", "-" and "."; with quotes. */
static size_t name_length(const line *l) {
  size_t length = 0;
  while (length < l->length &&
         (isalnum((unsigned char)l->at[length]) || strchr("_-.", l->at[length])))
    length++;
  return length;
}

static bool is_comment(const line *l) {
  return l->length > 0 && (l->at[0] == '#' || l->at[0] == '%');
}

/* "name: value", "name:" */
static bool is_yaml(const line *l) {
  const size_t name = name_length(l);
  return begins(l, "---") || begins(l, "%YAML") ||
         (name > 0 && name < l->length && l->at[name] == ':' &&
          (name + 1 == l->length || l->at[name + 1] == ' '));
}

/* "name = value", "[section]" */
static bool is_toml(const line *l) {
  const size_t name = name_length(l);
  if (name > 0) {
    size_t at = name;
    while (at < l->length && l->at[at] == ' ') at++;
    return at < l->length && l->at[at] == '=' && l->at[l->length - 1] != '{';
  }
  return l->length > 2 && l->at[0] == '[' && isalpha((unsigned char)l->at[1]) &&
         l->at[l->length - 1] == ']';
}

static bool is_python(const line *l) {
  const size_t name = name_length(l);
  return begins(l, "import ") || begins(l, "from ") || begins(l, "def ") || begins(l, "#!") ||
         begins(l, "\"\"\"") ||
         (name > 0 && l->at[l->length - 1] == '{' && memchr(l->at, '=', l->length));
}

static bool is_matlab(const line *l) {
  return begins(l, "%") || begins(l, "function ") || begins(l, "clear") ||
         (name_length(l) > 0 && l->at[l->length - 1] == ';' && memchr(l->at, '=', l->length));
}

static bool is_csv(const line *l) {
  return l->length > 0 && isalpha((unsigned char)l->at[0]) && memchr(l->at, ',', l->length) &&
         !strchr("{[", l->at[l->length - 1]);
}

#define STUDY "a study is JSON: {\"model\": ...}"

/* A message for the first line that is no comment; comments of MATLAB have a sign of their own. */
static const char *of_line(const line *l) {
  /* Markup shows by its first character. */
  if (begins(l, "<"))
    return "this is XML (such as URDF or SDF); " STUDY
           ". Of a robot in URDF or MJCF, omniroll import FILE makes one; from other XML, masses "
           "and measures have to be put in by hand";

  /* Programs come next. */
  if (is_python(l))
    return "this is a Python program; " STUDY
           ". From Python, omniroll.run(study) takes the dictionary itself, and json.dump(study, "
           "file) writes it";
  if (is_matlab(l))
    return "this is a MATLAB program; " STUDY
           ". From MATLAB, jsonencode(study) makes the text of a struct";

  /* Data formats come last, with a way to convert them. */
  if (is_yaml(l))
    return "this is YAML; " STUDY ". To rewrite it: python3 -c 'import json, sys, yaml; "
           "print(json.dumps(yaml.safe_load(open(sys.argv[1])), indent=2))' FILE.yaml > FILE.json";
  if (is_toml(l))
    return "this is TOML or INI; " STUDY ". To rewrite TOML: python3 -c 'import json, sys, "
           "tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "
           "\"rb\")), indent=2))' FILE.toml > FILE.json";
  if (is_csv(l))
    return "this is a table (CSV); " STUDY ". A study takes its instances from one by \"design\": "
           "{\"type\": \"table\", \"file\": \"FILE.csv\"}";
  return NULL;
}

static const char *of_bytes(const char *text, size_t length) {
  static const struct {
    const char *start;
    size_t length;
    const char *format;
  } known[] = {{"PK\3\4", 4, "this is a ZIP archive, or a document of an office program; " STUDY},
               {"\x1f\x8b", 2, "this is compressed by gzip: gunzip it first; " STUDY},
               {"%PDF", 4, "this is a PDF document; " STUDY},
               {"MATLAB 5.0", 10,
                "this is a MAT file; " STUDY
                ". From MATLAB, jsonencode(study) makes the text of a struct"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (length >= known[i].length && memcmp(text, known[i].start, known[i].length) == 0)
      return known[i].format;
  return NULL;
}

omr_status omr_refuse_other_format(const char *text, size_t length, const char *name,
                                   omr_error *error) {
  const char *format = of_bytes(text, length), *at = text, *end = text + length;
  bool comment = false, matlab = false;

  /* The first line that is no comment decides; a comment of MATLAB may be the only sign. */
  while (!format && at < end) {
    const line l = line_at(at, end);
    /* JSON begins in one of these ways, with or without comments before */
    if (l.length > 0 && (strchr("{\"'/", l.at[0]) || (l.at[0] == '[' && !is_toml(&l)))) break;
    if (l.length > 0 && (!is_comment(&l) || begins(&l, "%YAML") || begins(&l, "#!"))) {
      format = of_line(&l);
      break;
    }
    comment = comment || l.length > 0;
    matlab = matlab || begins(&l, "%");
    at = l.at + l.length;
    const char *next = memchr(at, '\n', (size_t)(end - at));
    at = next ? next + 1 : end;
  }

  /* A file of comments only is a MATLAB program if one of them is MATLAB's. */
  if (!format && comment && matlab) format = of_line(&(line){"%", 1});
  if (!format) return OMR_OK;
  return omr_json_fail_at(OMR_MISTAKE_SYNTAX, name, text, (size_t)(at - text), "", error, format);
}
