/* How many threads a parallel section may have. The runtimes of OpenMP end the process where they
 * cannot make a thread; so it is tried before, and fewer are taken. */
#ifndef OMR_TEAM_H
#define OMR_TEAM_H

/* As many of `wanted` threads as this process gets, the calling one among them; at least 1. Makes
 * and ends them where the calling thread has not had as many yet. Between this and the section
 * another part of the process can take what was left: then the runtime ends it all the same. */
int omr_team(int wanted);

/* The same for a run: as many as the study wants, 0: as many as usual. A warning of fewer goes into
 * warning[OMR_TEAM_WARNING], "" where there are as many. */
enum { OMR_TEAM_WARNING = 256 };
#define OMR_TEAM_FEWER "the system gives this process no more" /* is in each of these warnings */
int omr_team_of_run(int wanted, char *warning);

/* The same of as many as OpenMP takes by itself (OMP_NUM_THREADS, the processor's cores). */
int omr_team_usual(void);

#endif
