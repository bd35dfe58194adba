/* Uniform settings: compile-time macros on a device (-DK_VALUE_WHEELS=3 ...), an argument on the
 * host, where the number of wheels alone is compiled in (OMR_WHEELS; undefined in the object for
 * any number). */

#if defined(__OPENCL_C_VERSION__)
#define OMR_WHEELS K_VALUE_WHEELS
#define SETTING(c, id) ((void)(c), K_VALUE_##id)
#elif defined(OMR_PLAIN)
#include "plain.h"
#define SETTING(c, id) PLAIN_##id(c)
#else
#define SETTING(c, id) ((c)[K_##id])
#endif
/* Whether the law of contact is a constraint is compiled in, on the host as OMR_CONSTRAINED
 * (cmake/lanes.cmake). */
#if defined(__OPENCL_C_VERSION__)
#define OMR_CONSTRAINED K_VALUE_CONSTRAINED
#elif !defined(OMR_CONSTRAINED)
#define OMR_CONSTRAINED 0
#endif
/* So is whether the contacts of the wheels are compliant (kernels/compliant.h). */
#if defined(__OPENCL_C_VERSION__)
#define OMR_COMPLIANT K_VALUE_COMPLIANT
#elif !defined(OMR_COMPLIANT)
#define OMR_COMPLIANT 0
#endif
/* So is whether an error estimate chooses the steps: each of the two time loops has objects of its
 * own. */
#if defined(__OPENCL_C_VERSION__)
#define OMR_CONTROLLED K_VALUE_CONTROLLED
#elif !defined(OMR_CONTROLLED)
#define OMR_CONTROLLED 0
#endif
/* And whether the currents of motors are states (kernels/motor.h): never in the host's objects for
 * the plain case, nor where an error estimate chooses the steps. */
#if defined(__OPENCL_C_VERSION__)
#define OMR_CURRENTS K_VALUE_INDUCTANCE
#elif defined(OMR_PLAIN) || OMR_CONTROLLED
#define OMR_CURRENTS 0
#else
#define OMR_CURRENTS 1
#endif
#define HAS_CURRENTS(c) (OMR_CURRENTS && SETTING(c, INDUCTANCE))
/* Which models an object holds: the host's object for friction and any number of wheels all of
 * them, its others the omni models, a device the one that runs. */
#if defined(__OPENCL_C_VERSION__)
#define HAS_SMALL (K_VALUE_MODEL > 0)
#define HAS_OMNI (K_VALUE_MODEL == 0)
#elif defined(OMR_WHEELS) || OMR_CONSTRAINED || OMR_COMPLIANT
#define HAS_SMALL 0
#define HAS_OMNI 1
#else
#define HAS_SMALL 1
#define HAS_OMNI 1
#endif
/* Loops over wheels unroll where their number is compiled in. */
#ifndef OMR_WHEELS
#undef UNROLL
#undef UNROLL_ALL
#define UNROLL
#define UNROLL_ALL
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
#if defined(__OPENCL_C_VERSION__)
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
#define TABLE_START(c, i) OF_WHEEL(c, i, TABLE)
#define TABLE_ROWS(c, i) OF_WHEEL(c, i, ROWS)

/* Whether steps are split at exchanges of rollers. Compliant contacts hand the load over by and by:
 * an exchange is a change of names. */
#if OMR_COMPLIANT
#define SPLITS(c) ((void)(c), 0)
#else
#define SPLITS(c) SETTING(c, SPLIT)
#endif

/* What touches the floor: explicit rollers, or discs without rollers (kernels/disc.h). */
enum { CONTACT_ROLLERS, CONTACT_DISC };
