/* Settings of the plain case, which most studies are: one law of contact on rollers, RK4,
 * rosenbrock or a pair, steps split at exchanges. The host has lane objects in which these are
 * constants (OMR_PLAIN; the law is OMR_PLAIN_LAW), so that the compiler sees straight-line text;
 * they are taken where a run's settings are those of OMR_PLAIN_SETTINGS, and their results have the
 * same bits. */
#ifndef OMR_PLAIN_H
#define OMR_PLAIN_H

/* clang-format off */
/* X(setting, its value): the settings that are constants for each law. */
#define OMR_PLAIN_SETTINGS(X)                                                                                                    \
  X(MODEL, 0) X(TRACKING, 0) X(CONTACT, 0) X(GROUND, 0) X(PENALTY, 0) X(ROLLING_FRICTION, 0) X(DRY, 0) X(BEARING, 0)          \
  X(BUDGET, 0) X(LINE, 0) X(MOTOR, 0) X(INDUCTANCE, 0) X(OBSERVED, 0) X(EXTERNAL, 0) X(COMPLIANT, 0)
/* clang-format on */

#ifdef OMR_PLAIN
/* The method of fixed steps, RK4 or rosenbrock; an object for controlled ones
 * has every pair of its law. */
#ifndef OMR_PLAIN_METHOD
#define OMR_PLAIN_METHOD METHOD_RK4
#endif
#define PLAIN_MODEL(c) ((void)(c), 0)
#define PLAIN_SPLIT(c) ((void)(c), law_has_exchanges(OMR_PLAIN_LAW))
#define PLAIN_BEARING(c) ((void)(c), 0)
#define PLAIN_BUDGET(c) ((void)(c), 0)
#define PLAIN_CONTROLLED(c) ((void)(c), OMR_CONTROLLED)
#define PLAIN_LINE(c) ((void)(c), 0)
#define PLAIN_MOTOR(c) ((void)(c), 0)
#define PLAIN_INDUCTANCE(c) ((void)(c), 0)
#define PLAIN_OBSERVED(c) ((void)(c), 0)
#define PLAIN_EXTERNAL(c) ((void)(c), 0)
#define PLAIN_LAW(c) ((void)(c), OMR_PLAIN_LAW)
#define PLAIN_TRACKING(c) ((void)(c), 0)
#define PLAIN_CONTACT(c) ((void)(c), 0)
#define PLAIN_PENALTY(c) ((void)(c), 0)
#define PLAIN_ROLLING_FRICTION(c) ((void)(c), 0)
#define PLAIN_DRY(c) ((void)(c), 0)
#define PLAIN_GROUND(c) ((void)(c), 0)
#define PLAIN_COMPLIANT(c) ((void)(c), 0)
/* Not constants. */
#if OMR_CONTROLLED
#define PLAIN_METHOD(c) ((c)[K_METHOD])
#else
#define PLAIN_METHOD(c) ((void)(c), OMR_PLAIN_METHOD)
#endif
#define PLAIN_COMPONENTS(c) ((c)[K_COMPONENTS])
#define PLAIN_IMPACT(c) ((c)[K_IMPACT])
#define PLAIN_PASSIVE(c) ((c)[K_PASSIVE])
#define PLAIN_CONTACT_WISE(c) ((c)[K_CONTACT_WISE])
#define PLAIN_WEIGHT_COUPLING(c) ((c)[K_WEIGHT_COUPLING])
#define PLAIN_WEIGHTS(c) ((c)[K_WEIGHTS])
#define PLAIN_CONSTRAINED(c) ((void)(c), OMR_CONSTRAINED)
#define PLAIN_LINEAR_ZONE(c) ((c)[K_LINEAR_ZONE])
#define PLAIN_OPTION_0(c) ((c)[K_OPTION_0])
#define PLAIN_OPTION_1(c) ((c)[K_OPTION_1])
#define PLAIN_OPTION_2(c) ((c)[K_OPTION_2])
#define PLAIN_OPTION_3(c) ((c)[K_OPTION_3])
#define PLAIN_OPTION_4(c) ((c)[K_OPTION_4])
#define PLAIN_MAX_ROLLERS(c) ((c)[K_MAX_ROLLERS])
#define PLAIN_OBSERVERS(c) ((c)[K_OBSERVERS])
#define PLAIN_COMMAND(c) ((c)[K_COMMAND])
#define PLAIN_COMMAND_ROWS(c) ((c)[K_COMMAND_ROWS])
#define PLAIN_REPLAYS(c) ((c)[K_REPLAYS])
#define PLAIN_CONTROL(c) ((c)[K_CONTROL])
#define PLAIN_EXTERNAL_WORLD(c) ((c)[K_EXTERNAL_WORLD])
#define PLAIN_EXTERNAL_START(c) ((c)[K_EXTERNAL_START])
#define PLAIN_EXTERNAL_ROWS(c) ((c)[K_EXTERNAL_ROWS])
#define PLAIN_SAG(c) ((c)[K_SAG])
#define PLAIN_CURRENT_LIMIT(c) ((c)[K_CURRENT_LIMIT])
#define PLAIN_RECOVERS(c) ((c)[K_RECOVERS])
#define PLAIN_CLOCK(c) ((c)[K_CLOCK])
#define PLAIN_CORNERS(c) ((c)[K_CORNERS])
#define PLAIN_CONTROL_STEPS(c) ((c)[K_CONTROL_STEPS])
#define PLAIN_HERTZ(c) ((c)[K_HERTZ])
#define PLAIN_KELVIN_VOIGT(c) ((c)[K_KELVIN_VOIGT])
#define PLAIN_SUSPENSION(c) ((c)[K_SUSPENSION])
#define PLAIN_PATCH_0(c) ((c)[K_PATCH_0])
#define PLAIN_PATCH_1(c) ((c)[K_PATCH_1])
#define PLAIN_PATCH_2(c) ((c)[K_PATCH_2])
#define PLAIN_PATCH_3(c) ((c)[K_PATCH_3])
#endif
#endif
