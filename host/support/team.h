/* The number of threads that a parallel section can have. OpenMP's runtimes end the process if they
 * cannot make a thread, so this tries first and takes fewer. */
#ifndef OMR_TEAM_H
#define OMR_TEAM_H

/* The number of threads up to `wanted` that this process can get, including the calling one; at
 * least 1. Makes and ends them if the calling thread has not had as many yet. Another part of the
 * process can take the rest before the section starts; the runtime then still ends the process. */
int omr_team(int wanted);

/* The same for a run with the study's number of threads, 0: the usual number. A warning of fewer
 * threads goes into warning[OMR_TEAM_WARNING], "" otherwise. */
enum { OMR_TEAM_WARNING = 256 };
#define OMR_TEAM_FEWER "the system gives this process no more" /* in each such warning */
int omr_team_of_run(int wanted, char *warning);

/* The same with OpenMP's own number (OMP_NUM_THREADS, the processor's cores). */
int omr_team_usual(void);

#endif
