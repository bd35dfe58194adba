/* Uniform settings: constants (K_VALUE_WHEELS ...) on a device and in the host's objects that are
 * compiled for one run (OMR_COMPILED; host/lanes/compiled.h), an argument in the general ones. */

#if defined(__OPENCL_C_VERSION__) || defined(OMR_COMPILED)
#define OMR_CONSTANTS 1
#define OMR_WHEELS K_VALUE_WHEELS
#else
#define OMR_CONSTANTS 0
#endif
/* In the host's objects for one run those that only say where something lies, or how much of it
 * there is, are an argument too (host/lanes/compiled_text.c), so that other tables or rollers take
 * the same object. */
#if defined(__OPENCL_C_VERSION__)
#define SETTING(c, id) ((void)(c), K_VALUE_##id)
#elif OMR_CONSTANTS
#define SETTING(c, id) AT_##id(c)
#else
#define SETTING(c, id) ((c)[K_##id])
#endif
/* Whether the law of contact is a constraint is a constant in every object, in the general ones as
 * OMR_CONSTRAINED (cmake/lanes.cmake). */
#if OMR_CONSTANTS
#define OMR_CONSTRAINED K_VALUE_CONSTRAINED
#elif !defined(OMR_CONSTRAINED)
#define OMR_CONSTRAINED 0
#endif
/* So is whether the contacts of the wheels are compliant (kernels/compliant/compliant.h). */
#if OMR_CONSTANTS
#define OMR_COMPLIANT K_VALUE_COMPLIANT
#elif !defined(OMR_COMPLIANT)
#define OMR_COMPLIANT 0
#endif
/* So is whether an error estimate chooses the steps: each of the two time loops has objects of its
 * own. */
#if OMR_CONSTANTS
#define OMR_CONTROLLED K_VALUE_CONTROLLED
#elif !defined(OMR_CONTROLLED)
#define OMR_CONTROLLED 0
#endif
/* And whether the currents of motors are states (kernels/motor.h): never in the general objects
 * where an error estimate chooses the steps. */
#if OMR_CONSTANTS
#define OMR_CURRENTS K_VALUE_INDUCTANCE
#elif OMR_CONTROLLED
#define OMR_CURRENTS 0
#else
#define OMR_CURRENTS 1
#endif
#define HAS_CURRENTS(c) (OMR_CURRENTS && SETTING(c, INDUCTANCE))
/* And whether there are kinds of wheels without rollers (kernels/kinds.h): OMR_MIXED answers it
 * for the general objects on rigid contacts, the others read the setting. Only where wheels are
 * steered do the angles that they hold take room in the copies of every pass. */
#if OMR_CONSTANTS
#define KINDS_OF(c) SETTING(c, KINDS)
#define STEERED_MAX (K_VALUE_KINDS & KINDS_STEERED ? WHEELS_MAX : 1)
#elif defined(OMR_MIXED) && !OMR_MIXED
#define KINDS_OF(c) 0
#define STEERED_MAX 1
#else
#define KINDS_OF(c) SETTING(c, KINDS)
#define STEERED_MAX WHEELS_MAX
#endif
/* Which models an object holds: the general one for friction all of them, the other general ones
 * the omni models, one for a run its own. */
#if OMR_CONSTANTS
#define HAS_SMALL (K_VALUE_MODEL > 0)
#define HAS_OMNI (K_VALUE_MODEL == 0)
#elif OMR_CONSTRAINED || OMR_COMPLIANT || (defined(OMR_MIXED) && OMR_MIXED)
#define HAS_SMALL 0
#define HAS_OMNI 1
#else
#define HAS_SMALL 1
#define HAS_OMNI 1
#endif
/* Long functions that several places call and few studies need: in a general object there once. */
#ifdef OMR_WHEELS
#define FN_SHARED FN
#else
#define FN_SHARED FN_COLD
#endif
/* Loops over wheels unroll where their number is compiled in; in general objects those over all
 * that is integrated take four turns at a time. */
#ifdef OMR_WHEELS
#define UNROLL_MOTION UNROLL_ALL
#else
#undef UNROLL
#undef UNROLL_ALL
#define UNROLL
#define UNROLL_ALL
#define UNROLL_MOTION UNROLL_BY_FOUR
#endif
#ifdef OMR_WHEELS
#define WHEELS(c) ((void)(c), OMR_WHEELS)
#if HAS_OMNI
#define WHEELS_MAX OMR_WHEELS
#else
#define WHEELS_MAX 1 /* the text of the omni models is there, but not used */
#endif
#else
#define WHEELS(c) ((c)[K_WHEELS])
#define WHEELS_MAX 8
#endif
/* Per-wheel settings are three runs of eight in the array; where loops over wheels unroll,
 * constants too. */
#if OMR_CONSTANTS
#define OF_WHEEL_(i, k)                                                                            \
  ((i) == 0   ? k##_0                                                                              \
   : (i) == 1 ? k##_1                                                                              \
   : (i) == 2 ? k##_2                                                                              \
   : (i) == 3 ? k##_3                                                                              \
   : (i) == 4 ? k##_4                                                                              \
   : (i) == 5 ? k##_5                                                                              \
   : (i) == 6 ? k##_6                                                                              \
              : k##_7)
#define OF_WHEEL(c, i, id) ((void)(c), OF_WHEEL_(i, K_VALUE_##id))
#else
#define OF_WHEEL(c, i, id) ((c)[K_##id##_0 + (i)])
#endif
#define DRIVE_KIND(c, i) OF_WHEEL(c, i, DRIVE)
#define WHEEL_KIND(c, i) OF_WHEEL(c, i, KIND)
#if defined(OMR_COMPILED)
#define TABLE_START(c, i) ((c)[K_TABLE_0 + (i)])
#define TABLE_ROWS(c, i) ((c)[K_ROWS_0 + (i)])
#else
#define TABLE_START(c, i) OF_WHEEL(c, i, TABLE)
#define TABLE_ROWS(c, i) OF_WHEEL(c, i, ROWS)
#endif

/* Whether steps are split at exchanges of rollers. Compliant contacts hand the load over by and by:
 * an exchange is a change of names. */
#if OMR_COMPLIANT
#define SPLITS(c) ((void)(c), 0)
#else
#define SPLITS(c) SETTING(c, SPLIT)
#endif

/* Parts that touch the floor: explicit rollers, or discs without rollers (kernels/disc.h). */
enum { CONTACT_ROLLERS, CONTACT_DISC };
