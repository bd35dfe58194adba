#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WHOLE 1e5

enum { MOST = 5, USUAL = 4 };

static int exponent_of(double value) {
  return (int)floor(log10(fabs(value)));
}

void omr_number_print(char *text, size_t size, double value, double uncertainty) {
  int digits = USUAL;
  if (isnan(value)) {
    snprintf(text, size, "no value");
    return;
  }

  /* the second digit of the uncertainty is the last of the value */
  if (uncertainty > 0 && isfinite(uncertainty) && value != 0) {
    const int last = exponent_of(uncertainty) - 1;
    digits = exponent_of(value) - last + 1;
    if (digits < 1 && fabs(value) < 0.5 * pow(10, last)) value = 0;
  }
  if (digits < 1) digits = 1;
  if (digits > MOST) digits = MOST;

  /* keep zeros that count */
  if (value == 0 || (value == trunc(value) && fabs(value) < WHOLE))
    snprintf(text, size, "%.0f", fabs(value) > 0 ? value : 0.0);
  else
    snprintf(text, size, "%#.*g", digits, value);

  /* drop a point without digits behind it */
  char *point = strchr(text, '.');
  if (point && (!point[1] || point[1] == 'e')) memmove(point, point + 1, strlen(point));
}

void omr_interval_print(char *text, size_t size, omr_bounds b) {
  char low[32], high[32];
  text[0] = '\0';
  if (isnan(b.low) || isnan(b.high)) return;
  omr_number_print(low, sizeof low, b.low, omr_half_of(b));
  omr_number_print(high, sizeof high, b.high, omr_half_of(b));
  snprintf(text, size, "%s to %s", low, high);
}

double omr_half_of(omr_bounds b) {
  return 0.5 * (b.high - b.low);
}

void omr_print_number(FILE *out, double value) {
  if (isfinite(value))
    fprintf(out, "%.17g", value);
  else
    fprintf(out, "null");
}

void omr_print_member(FILE *out, const char *lead, const char *key, double value) {
  fprintf(out, "%s\"%s\": ", lead, key);
  omr_print_number(out, value);
}
