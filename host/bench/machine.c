/* The machine's description. Host names are left out: results are kept and compared. */
#define _GNU_SOURCE
#include "cases.h"

#include <ctype.h>
#include <omp.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The value of the first line of /proc/cpuinfo with this key; "" where there is none. */
static void cpuinfo(const char *key, char *value, size_t size) {
  char line[512];
  FILE *file = fopen("/proc/cpuinfo", "r");
  *value = 0;
  while (file && !*value && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) || !colon) continue;
    colon += strspn(colon, ": \t");
    colon[strcspn(colon, "\n")] = 0;
    snprintf(value, size, "%s", colon);
  }
  if (file) fclose(file);
}

void bench_describe_machine(omr_bench *bench) {
  struct utsname system;
  char cores[32], implementer[16], part[16];

  /* Linux describes the processor in /proc/cpuinfo. */
  cpuinfo("model name", bench->processor, sizeof bench->processor);
  cpuinfo("cpu cores", cores, sizeof cores);
  cpuinfo("CPU implementer", implementer, sizeof implementer);
  cpuinfo("CPU part", part, sizeof part);

  if (uname(&system) == 0) {
    snprintf(bench->os, sizeof bench->os, "%.60s %.60s", system.sysname, system.release);
    /* On Arm the system knows numbers only, "aarch64 0x41:0xd0c". */
    if (!*bench->processor)
      snprintf(bench->processor, sizeof bench->processor, "%.40s%s%.8s%s%.8s", system.machine,
               *implementer ? " " : "", implementer, *part ? ":" : "", part);
  }

  /* Where the cores are unknown, every thread counts as a core. */
  bench->threads = omp_get_num_procs();
  if (sscanf(cores, "%d", &bench->cores) != 1 || bench->cores < 1) bench->cores = bench->threads;
  omr_utc(bench->date);

  /* The compiler is the first part of the build's description. */
  const char *info = omr_build_info();
  snprintf(bench->compiler, sizeof bench->compiler, "%.*s", (int)strcspn(info, ",;\n("), info);
}
