/* Commands that are paths: their tables, integrated as the observers integrate them, lead along the
 * path that the study gives, and keep its speed and acceleration. */
#include "../../host/study/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_status read_command(const char *command, omr_study **study, omr_error *error) {
  char text[1024];
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', 'integrator': {'step': '0.5 ms', 'duration': '60 s'}, "
           "'parameters': {'wheel': {'drive': {'type': 'body'}}, 'command': {%s}}}",
           command);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  *error = (omr_error){0};
  return omr_study_parse(text, "s.json", NULL, 0, study, error);
}

static omr_study *study_of(const char *command) {
  omr_study *study;
  omr_error error;
  cr_assert_eq(read_command(command, &study, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(study->command.kind, OMR_COMMAND_TABLE);
  return study;
}

/* Where the table leads: x forward, left, yaw, the length of the way, and the largest speed and
 * acceleration on it, the latter along and across. */
typedef struct led {
  double x, left, yaw, way, most_x, least_x, most_left, least_left, speed, along, across;
} led;

static led follow(const omr_table *table) {
  enum { PARTS = 64 };
  led at = {0};
  for (size_t r = 0; r + 1 < table->rows; r++) {
    const double *from = table->value + 3 * r, *to = from + 3,
                 h = (table->time[r + 1] - table->time[r]) / PARTS;
    cr_assert_gt(h, 0);
    for (int k = 0; k < PARTS; k++) {
      const double u = (k + 0.5) / PARTS, vx = from[0] + u * (to[0] - from[0]),
                   left = -(from[1] + u * (to[1] - from[1])),
                   rate = from[2] + u * (to[2] - from[2]), yaw = at.yaw + 0.5 * h * rate;
      at.x += h * (vx * cos(yaw) - left * sin(yaw));
      at.left += h * (vx * sin(yaw) + left * cos(yaw));
      at.yaw += h * rate;
      at.way += h * hypot(vx, left);
      at.most_x = fmax(at.most_x, at.x), at.least_x = fmin(at.least_x, at.x);
      at.most_left = fmax(at.most_left, at.left), at.least_left = fmin(at.least_left, at.left);
      at.speed = fmax(at.speed, hypot(vx, left));
      at.across = fmax(at.across, fabs(vx * rate));
    }
    const double slope = (hypot(to[0], to[1]) - hypot(from[0], from[1])) / (PARTS * h);
    at.along = fmax(at.along, fabs(slope));
  }
  return at;
}

#define NEAR(value, expected, by) cr_expect_float_eq(value, expected, by, "%.9g", value)

/* 2 m at 0.5 m/s with ramps of 0.5 s: 4 s and one ramp. */
Test(driven_path, a_line_is_a_trapezoid) {
  omr_study *study = study_of("'type': 'line', 'size': '2 m'");
  const omr_table *table = &study->command.table;
  const led at = follow(table);
  cr_expect_eq(table->rows, 4u);
  NEAR(table->time[3], 4.5, 1e-12);
  NEAR(at.x, 2, 1e-12);
  NEAR(at.left, 0, 1e-12);
  NEAR(at.speed, 0.5, 1e-12);
  NEAR(at.along, 1, 1e-9);
  omr_study_destroy(study);
}

/* A short one never comes to its speed: 10 cm take twice sqrt(0.1 m/(1 m/s2)). */
Test(driven_path, a_short_line_is_a_triangle) {
  omr_study *study = study_of("'type': 'line', 'size': '10 cm'");
  const omr_table *table = &study->command.table;
  cr_expect_eq(table->rows, 3u);
  NEAR(table->time[2], 2 * sqrt(0.1), 1e-12);
  NEAR(follow(table).x, 0.1, 1e-12);
  omr_study_destroy(study);
}

/* Four sides of 2.5 s (1 m at 0.5 m/s and a ramp) and four turns: 90 deg at up to 90 deg/s and
 * 180 deg/s2 take 1 s and a ramp of 0.5 s. */
Test(driven_path, a_square_ends_as_it_began) {
  omr_study *study = study_of("'type': 'square', 'size': '1 m'");
  const omr_table *table = &study->command.table;
  led at = follow(table);
  NEAR(table->time[table->rows - 1], 4 * 2.5 + 4 * 1.5, 1e-9);
  NEAR(at.x, 0, 1e-9);
  NEAR(at.left, 0, 1e-9);
  NEAR(at.yaw, 2 * PI, 1e-9);
  NEAR(at.way, 4, 1e-9);
  NEAR(at.most_x, 1, 1e-9);
  NEAR(at.most_left, 1, 1e-9);
  omr_study_destroy(study);

  study = study_of("'type': 'square', 'size': '1 m', 'heading': 'fixed', 'turn': 'right'");
  at = follow(&study->command.table);
  NEAR(study->command.table.time[study->command.table.rows - 1], 4 * 2.5, 1e-9);
  NEAR(at.x, 0, 1e-9);
  NEAR(at.yaw, 0, 1e-12);
  NEAR(at.least_left, -1, 1e-9);
  omr_study_destroy(study);
}

/* With rounded corners it does not stop, and stays inside of the square: half of it before and
 * behind its start. */
Test(driven_path, a_square_with_rounded_corners_closes) {
  static const char *const headings[] = {"along", "fixed"};
  for (int i = 0; i < 2; i++) {
    char command[160];
    snprintf(command, sizeof command,
             "'type': 'square', 'size': '2 m', 'corner_radius': '30 cm', 'heading': '%s'",
             headings[i]);
    omr_study *study = study_of(command);
    const led at = follow(&study->command.table);
    NEAR(at.x, 0, 1e-3);
    NEAR(at.left, 0, 1e-3);
    NEAR(at.yaw, i ? 0 : 2 * PI, 1e-4);
    NEAR(at.most_x, 1, 1e-3);
    NEAR(at.least_x, -1, 1e-3);
    NEAR(at.most_left, 2, 1e-3);
    NEAR(at.speed, 0.5, 1e-9);
    if (i == 0) NEAR(at.across, 0.5 * 0.5 / 0.3, 1e-3);
    omr_study_destroy(study);
  }
}

Test(driven_path, a_circle_closes) {
  static const char *const commands[] = {"'type': 'circle', 'size': '1 m'",
                                         "'type': 'circle', 'size': '1 m', 'heading': 'fixed'",
                                         "'type': 'circle', 'size': '1 m', 'turn': 'right'"};
  for (int i = 0; i < 3; i++) {
    omr_study *study = study_of(commands[i]);
    const omr_table *table = &study->command.table;
    const led at = follow(table);
    NEAR(at.x, 0, 2e-4);
    NEAR(at.left, 0, 2e-4);
    NEAR(at.yaw, i == 1 ? 0 : i == 2 ? -2 * PI : 2 * PI, 1e-9);
    NEAR(table->time[table->rows - 1], PI / 0.5 + 0.5, 1e-9);
    NEAR(i == 2 ? at.least_left : at.most_left, i == 2 ? -1 : 1, 2e-4);
    NEAR(at.most_x, 0.5, 2e-4);
    omr_study_destroy(study);
  }
}

/* The lemniscate of Gerono x = A sin u, y = A sin u cos u with A = 1 m, turned by 45 degrees. Its
 * length is 6.0972 m, the integral of sqrt(cos2 u + cos2 2u). It ends with the yaw that it began
 * with: a loop to the left and one to the right. */
Test(driven_path, a_figure_eight_closes) {
  omr_study *study = study_of("'type': 'figure_eight', 'size': '2 m', 'speed': '0.4 m/s'");
  led at = follow(&study->command.table);
  double length = 0;
  for (int k = 0; k < 4096; k++) {
    const double u = (k + 0.5) * 2 * PI / 4096;
    length += 2 * PI / 4096 * hypot(cos(u), cos(2 * u));
  }
  NEAR(length, 6.0972, 1e-4);
  NEAR(at.way, length, 1e-3);
  NEAR(at.x, 0, 2e-3);
  NEAR(at.left, 0, 2e-3);
  NEAR(at.yaw, 0, 1e-6);
  cr_expect_gt(at.most_left, 0.9); /* the loop's far end lies at 45 degrees to the left */
  omr_study_destroy(study);
}

/* Points are in the axes of the start, z to the right, and yaws are reached on the way. */
Test(driven_path, way_points_are_passed_with_their_yaws) {
  omr_study *study =
      study_of("'type': 'way_points', 'turn_rate': '120 deg/s', 'points': [['1 m', 0], "
               "['1 m', '1 m', '90 deg'], [0, '1 m', 0]]");
  led at = follow(&study->command.table);
  NEAR(at.x, 0, 1e-3);
  NEAR(at.left, -1, 1e-3);
  NEAR(at.yaw, 0, 1e-6);
  NEAR(at.most_x, 1, 1e-3);
  omr_study_destroy(study);

  study =
      study_of("'type': 'way_points', 'points': [['1 m', 0], ['1 m', '-1 m'], ['2 m', '-1 m']], "
               "'corner_radius': '25 cm'");
  at = follow(&study->command.table);
  NEAR(at.x, 2, 1e-3);
  NEAR(at.left, 1, 1e-3);
  NEAR(at.yaw, 0, 1e-4);
  omr_study_destroy(study);
}

Test(driven_path, what_cannot_be_driven_says_what_can) {
  static const struct {
    const char *command, *why;
  } cases[] = {
      {"'type': 'circle', 'size': '20 cm'",
       "give a size of 0.5 m or more, or a speed of 0.316 m/s"},
      {"'type': 'square', 'size': '1 m', 'corner_radius': '40 cm'", "give a corner_radius of 0.26"},
      {"'type': 'line', 'size': '100 m'", "give integrator.duration \"200.5 s\" or more"},
      {"'type': 'line', 'corner_radius': '1 m'", "it uses \"size\", \"speed\", \"acceleration\""},
      {"'type': 'circle', 'points': [[1, 0]]", "does not use \"points\""},
      {"'type': 'way_points'", "points"},
      {"'type': 'way_points', 'points': [[1]]", "expected a way point"},
      {"'type': 'way_points', 'points': [[1, 0], [1, 0]]", "way point 1 is where the one before"},
      {"'type': 'way_points', 'heading': 'fixed', 'points': [[1, 0, 1]]", "leave one of them out"},
      {"'type': 'way_points', 'points': [['1 m', 0, '300 deg']]", "give a turn_rate of 225 deg/s"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_study *study;
    omr_error error;
    cr_expect_eq(read_command(cases[i].command, &study, &error), OMR_ERR_STUDY);
    cr_expect(strstr(error.message, cases[i].why), "%s: %s", cases[i].command, error.message);
  }
}
