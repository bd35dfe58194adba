#define _GNU_SOURCE /* dladdr, secure_getenv */
#include "shipped.h"

#include "kernel_cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Relative to bin/ and lib/, and to lib/ARCHITECTURE/. */
static const char *const places[] = {"/../lib/omniroll/kernels", "/../omniroll/kernels"};

/* The file that contains this code. For a program itself dladdr gives the name by which it was
 * called, which may be no path. */
static bool find_self(char path[1024]) {
  Dl_info self;
  if (dladdr(places, &self) && self.dli_fname && strchr(self.dli_fname, '/') &&
      snprintf(path, 1024, "%s", self.dli_fname) < 1024)
    return true;
  const ssize_t length = readlink("/proc/self/exe", path, 1023);
  path[length > 0 ? length : 0] = '\0';
  return length > 0;
}

static int open_named(const char *path) {
  return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int omr_shipped_folder(uid_t owners[2], char why[320]) {
  const char *named = secure_getenv("OMNIROLL_KERNELS");
  char self[1024], path[1100];
  struct stat info;
  int folder = -1;

  why[0] = '\0';
  /* The owner of this library may have shipped objects. */
  owners[0] = owners[1] = 0;
  if (find_self(self) && stat(self, &info) == 0) owners[1] = info.st_uid;

  /* The variable names the folder, or turns the search off; otherwise it lies next to the library.
   */
  if (named) {
    if (!*named) return -1; /* the user wants none */
    folder = open_named(named);
    if (folder < 0) snprintf(why, 320, "OMNIROLL_KERNELS: %.200s: %s", named, strerror(errno));
  } else if (*self) {
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; folder < 0 && i < sizeof places / sizeof *places; i++) {
      snprintf(path, sizeof path, "%s%s", self, places[i]);
      folder = open_named(path);
    }
  }

  /* Only root, the library's owner and this user may be able to write there. */
  if (folder < 0 || omr_cache_is_shipped(folder, S_IFDIR, owners)) return folder;

  close(folder);
  snprintf(why, 320, "%.200s is another user's, or others can write there: chmod go-w",
           named ? named : path);
  return -1;
}
