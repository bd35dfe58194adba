/* Rules between parameters and words of the omni models (lists/parameter_rules.def): one reader
 * checks them, and `describe` and the schema print them. */
#ifndef OMR_STUDY_RULES_H
#define OMR_STUDY_RULES_H

#include "targets.h"

/* When a rule counts a parameter as there. */
typedef enum omr_rule_when {
  OMR_WHEN_GIVEN,    /* in the file, or inherited from all wheels */
  OMR_WHEN_SET,      /* it has a value, which may be the default */
  OMR_WHEN_POSITIVE, /* above 0 */
  OMR_WHEN_OVER_ONE, /* above 1, and not varied */
  OMR_WHEN_VARIED,
  OMR_WHEN_NAMED, /* given or varied */
  OMR_WHEN_THERE  /* other than 0, or varied */
} omr_rule_when;

/* Stages, in the order in which a study passes through them. */
typedef enum omr_rule_stage {
  OMR_RULES_LAYOUT,     /* words of the layout, before its wheels are counted */
  OMR_RULES_CONTACT,    /* the law */
  OMR_RULES_DISC,       /* words that discs have not, or have as the only ones */
  OMR_RULES_NORMAL,     /* before the kind of normal contact is read */
  OMR_RULES_SPRINGS,    /* after it */
  OMR_RULES_USE,        /* a parameter that is read or varied */
  OMR_RULES_QUANTITY,   /* a parameter of a drive that is read or varied */
  OMR_RULES_WAYS,       /* all parameters are read: two ways to the same quantity */
  OMR_RULES_WHEELS,     /* one way is left */
  OMR_RULES_MOTORS,     /* wheels are complete */
  OMR_RULES_SUPPLY,     /* motors are complete */
  OMR_RULES_METHOD,     /* law and method are read */
  OMR_RULES_VARY,       /* a varied parameter */
  OMR_RULES_VARY_WHEEL, /* one of a wheel, by its base */
  OMR_RULES_BEARINGS,   /* the variations are read */
  OMR_RULES_DRY,
  OMR_RULES_COMPLIANT, /* the same, with compliant contact */
  OMR_RULES_CURRENTS   /* method and backend are read */
} omr_rule_stage;

/* Words with choices. */
typedef enum omr_rule_word {
  OMR_RULE_NO_WORD,
#define X(id, ...) OMR_RULE_##id,
#include "../../lists/rule_words.def"
#undef X
  OMR_RULE_WORDS
} omr_rule_word;

/* Choices that are no numbers of a list: of OMR_RULE_LAW, OMR_RULE_NORMAL, OMR_RULE_TYRE_LAW,
 * OMR_RULE_STEPPING. */
enum {
  OMR_LAWS_OF_ROLLERS = 1, /* friction on rollers or discs */
  OMR_LAWS_OF_TYRES = 2,
  OMR_LAWS_OF_BRISTLES = 4,
  OMR_LAWS_OF_MASSLESS = 8,
  OMR_LAWS_OF_ROLLING = 16,
  OMR_LAWS_OF_FRICTION = OMR_LAWS_OF_ROLLERS | OMR_LAWS_OF_TYRES | OMR_LAWS_OF_BRISTLES,
  OMR_LAWS_OF_CONSTRAINTS = OMR_LAWS_OF_MASSLESS | OMR_LAWS_OF_ROLLING,
  OMR_LAWS_WITH_MASS = OMR_LAWS_OF_FRICTION | OMR_LAWS_OF_ROLLING
};
enum { OMR_NORMAL_RIGID, OMR_NORMAL_PENALTY, OMR_NORMAL_COMPLIANT };
enum { OMR_TYRES_NONE, OMR_TYRES_BRUSH, OMR_TYRES_MAGIC };
enum { OMR_STEPPING_ROSENBROCK, OMR_STEPPING_TOLERANCE, OMR_STEPPING_OTHER };

/* One side of a rule: a word with its choices, or parameters. */
typedef struct omr_rule_side {
  omr_rule_word word;
  unsigned choices; /* bits, or OMR_GIVEN */
  omr_rule_when when;
  bool per_wheel;
  const int *keys; /* OMR_WP_ or OMR_VP_, ended by -1; NULL: the side is a word */
} omr_rule_side;

typedef enum omr_rule_kind { OMR_RULE_NEEDS, OMR_RULE_NOT_BOTH, OMR_RULE_EITHER } omr_rule_kind;

typedef struct omr_rule {
  omr_rule_kind kind;
  omr_rule_stage stage;
  omr_rule_side a, b;
  const char *why;
} omr_rule;

extern const omr_rule omr_rules[];
extern const int omr_rule_count;

/* Path of a word in the study: "parameters.contact.law". */
const char *omr_rule_word_path(omr_rule_word word);
/* The choice of a word for a wheel; -1: the study has no use for the word. Its name: of the
 * study's law where the word is one of laws. */
int omr_rule_choice(const omr_reader *reader, omr_rule_word word, int wheel);
const char *omr_rule_choice_name(const omr_study *study, omr_rule_word word, int choice);
/* Fills the names of the choices that are bits of `choices`, of a word of laws the laws that a
 * model has; returns their number. */
enum { OMR_RULE_NAMES = 16 };
int omr_rule_names(omr_rule_word word, unsigned choices, omr_model model,
                   const char *names[OMR_RULE_NAMES]);
/* Whether a model takes a law: discs have no rollers to constrain, and only they have tyres. */
bool omr_model_has_law(omr_model model, omr_law law);
/* Whether studies of a model have the word, so that rules about it concern them. */
bool omr_rule_concerns(omr_rule_word word, omr_model model);
/* The member of the file, NULL: there is none; and where an error about it belongs. */
const cJSON *omr_rule_item(const omr_reader *reader, omr_rule_word word, int wheel);
const cJSON *omr_rule_place(const omr_reader *reader, omr_rule_word word, int wheel);

/* Fails at the first rule of the stage that is broken: for every wheel, or for one. */
omr_status omr_check_stage(omr_reader *reader, omr_rule_stage stage);
omr_status omr_check_stage_of(omr_reader *reader, omr_rule_stage stage, int wheel);
/* Whether a wheel is of a kind that has the parameter of a target. */
bool omr_kind_has(const omr_reader *reader, omr_target target, int wheel);
/* The same of the rules for one parameter, given or varied at `item`. `all`: a rule holds for each
 * wheel of the target; otherwise one wheel is enough. */
omr_status omr_check_stage_at(omr_reader *reader, omr_rule_stage stage, const cJSON *item,
                              omr_target target, bool all);
/* A wheel takes the default of a parameter, in place of the value of all wheels. */
void omr_forget_parameter(omr_reader *reader, int wheel, int index);

#endif
