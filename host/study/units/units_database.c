#define _GNU_SOURCE /* dladdr */
#include "units_parse.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where a relocatable installation keeps the database, seen from bin/ and from lib/. */
static const char beside[] = "/../share/omniroll/udunits/udunits2.xml";

/* Replaces the file name in `path` by the place of the database; whether it is there. */
static bool database_beside(char *path, size_t size) {
  char *slash = strrchr(path, '/');
  if (!slash || (size_t)(slash - path) + sizeof beside > size) return false;
  memcpy(slash, beside, sizeof beside);
  return access(path, R_OK) == 0;
}

const char *omr_unit_database(char *path, size_t size) {
  if (getenv("UDUNITS2_XML_PATH")) return NULL; /* ut_read_xml takes it */
  /* dladdr finds the library in another program; of a program itself it knows the name of the call,
   * which need not be a path. */
  Dl_info self;
  if (dladdr(beside, &self) && self.dli_fname && strchr(self.dli_fname, '/') &&
      strlen(self.dli_fname) < size) {
    strcpy(path, self.dli_fname);
    if (database_beside(path, size)) return path;
  }
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  return database_beside(path, size) ? path : NULL;
}
