/* A study with names of its own: a stone that is thrown up, h = v t - g t^2/2. */
#ifndef OMR_TESTS_THROWN_H
#define OMR_TESTS_THROWN_H

#define THROWN_STONE                                                                               \
  "\"stone\": {\"mass\": \"m\", \"inertia\": [0.1, 0.1, 0.1], \"velocity\": [0, \"v\", 0]}"
#define THROWN_SYSTEM                                                                              \
  "\"system\": {\"bodies\": {" THROWN_STONE "},"                                                   \
  "\"measures\": {\"final_height\": {\"take\": \"final\", \"of\": \"stone.y\"}},"                  \
  "\"samples\": {\"height\": \"stone.y\"}}"
#define THROWN_PARAMETERS                                                                          \
  "\"parameters\": {\"v\": {\"value\": \"18 km/h\", \"meaning\": \"speed at the start\"},"         \
  "\"m\": \"500 g\", \"spin\": \"-30 rpm\", \"factor\": 2}"
#define THROWN_INTEGRATOR "\"integrator\": {\"step\": \"10 ms\", \"duration\": \"0.5 s\"}"

#endif
