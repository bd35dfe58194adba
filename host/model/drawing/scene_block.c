#include "scene_block.h"

#include "../../lists/models.h"
#include "../../study/grammar/reader.h"
#include "../../study/json/json.h"
#include "../doubts.h"
#include <string.h>

#define DEGREES (180 / PI)

enum { LAW, PULL }; /* places of the words in words/sliding_block.def */

/* The word that the study chose. */
static const char *choice_of(const omr_study *study, int word) {
  const omr_small_list *list = omr_small_list_of(study->model);
  return list->word_list[word].choices[study->options[word]].name;
}

/* The study's numbers that the picture shows. */
typedef struct block_parts {
  double slope, stiffness, belt, force;
  const char *law, *pull;
  bool ramp, sine;
} block_parts;

static block_parts parts_of(const omr_scene *s) {
  const double *p = s->values.vehicle;
  const char *pull = choice_of(s->study, PULL);
  return (block_parts){.slope = p[OMR_VP_PLANE_SLOPE],
                       .stiffness = p[OMR_VP_BLOCK_STIFFNESS],
                       .belt = p[OMR_VP_BLOCK_BELT],
                       .force = p[OMR_VP_BLOCK_FORCE],
                       .law = choice_of(s->study, LAW),
                       .pull = pull,
                       .ramp = strcmp(pull, "ramp") == 0,
                       .sine = strcmp(pull, "sine") == 0};
}

static bool is_pulled(const omr_scene *s, const block_parts *b) {
  return b->force != 0 || (b->ramp && s->values.vehicle[OMR_VP_BLOCK_PULL_RATE] != 0);
}

void omr_scene_put_block(cJSON *root, const omr_scene *s) {
  const double *p = s->values.vehicle;
  const block_parts b = parts_of(s);
  cJSON *block = omr_tree_object(root, "block");
  omr_tree_number(block, "mass", p[OMR_VP_UK_MASS]);
  omr_tree_number(block, "x", p[OMR_VP_INITIAL_X]);
  omr_tree_number(block, "velocity", p[OMR_VP_UK_SPEED]);
  omr_tree_text(block, "law", b.law);
  omr_tree_number(block, "friction", p[OMR_VP_BLOCK_FRICTION]);
  omr_tree_number(block, "slope", b.slope);
  omr_tree_number(block, "stiffness", b.stiffness);
  omr_tree_number(block, "belt", b.belt);
  if (!is_pulled(s, &b)) return;
  cJSON *pull = omr_tree_object(block, "pull");
  omr_tree_text(pull, "type", b.pull);
  omr_tree_number(pull, "force", b.force);
  if (b.ramp) omr_tree_number(pull, "rate", p[OMR_VP_BLOCK_PULL_RATE]);
  if (b.sine) omr_tree_number(pull, "frequency", p[OMR_VP_BLOCK_FREQUENCY]);
}

/* Prints wall and spring on the left, the pull on the right, the ground or belt below. */
static void print_scheme(const omr_scene *s, const block_parts *b, bool utf8, FILE *out) {
  const bool spring = b->stiffness > 0, pulled = is_pulled(s, b);
  const bool left = b->force < 0 && !b->ramp;
  fprintf(out, "  %s          +-------+\n", spring ? "|" : " ");
  fprintf(out, "  %s%s|       |%s\n", spring ? "|" : " ", spring ? "/\\/\\/\\/\\/\\" : "          ",
          pulled ? left ? "<--- pull" : "---> pull" : "");
  fprintf(out, "  %s          |       |\n", spring ? "|" : " ");
  fprintf(out, "  ");
  for (int i = 0; i < 31; i++)
    fputs(b->belt > 0 && i % 3 == 2   ? ">"
          : b->belt < 0 && i % 3 == 2 ? "<"
          : utf8                      ? "\xe2\x94\x80"
                                      : "-",
          out);
  fprintf(out, "> x%s\n", b->slope > 0 ? ", up the slope" : "");
}

static void print_pull(const omr_scene *s, const block_parts *b, FILE *out) {
  const double *p = s->values.vehicle;
  if (b->ramp)
    fprintf(out, "pull         %.4g N, growing by %.4g N/s\n", b->force, p[OMR_VP_BLOCK_PULL_RATE]);
  else if (b->sine)
    fprintf(out, "pull         %.4g N times sin(%.4g rad/s t)\n", b->force,
            p[OMR_VP_BLOCK_FREQUENCY]);
  else
    fprintf(out, "pull         %.4g N\n", b->force);
}

void omr_scene_print_block(const omr_scene *s, bool utf8, FILE *out) {
  const double *p = s->values.vehicle;
  const block_parts b = parts_of(s);
  char x[OMR_LENGTH_TEXT];
  print_scheme(s, &b, utf8, out);
  fprintf(out, "\nFrom the side, as a scheme: a block has no size.\n\n");
  fprintf(out, "block        %.4g kg, starts at x %s with %.4g m/s\n", p[OMR_VP_UK_MASS],
          omr_length_text(p[OMR_VP_INITIAL_X], x), p[OMR_VP_UK_SPEED]);
  fprintf(out, "friction     %s, %.4g\n", b.law, p[OMR_VP_BLOCK_FRICTION]);
  if (b.slope != 0) fprintf(out, "slope        %.4g deg\n", b.slope * DEGREES);
  if (b.stiffness > 0)
    fprintf(out, "spring       %.4g N/m to a wall, at rest at x = 0\n", b.stiffness);
  if (b.belt != 0) fprintf(out, "belt         the ground moves at %.4g m/s along x\n", b.belt);
  if (is_pulled(s, &b)) print_pull(s, &b, out);
}
