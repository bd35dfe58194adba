/* Files that a study names. */
#include "../support/support.h"
#include "grammar/reader.h"

#include <string.h>
#include <unistd.h>

char *omr_beside_study(const char *study, const char *file) {
  const char *slash = strrchr(study, '/');
  omr_text path = {0};
  if (*file != '/' && slash) omr_text_add(&path, study, (size_t)(slash + 1 - study));
  omr_text_add(&path, file, strlen(file));
  if (path.failed) omr_text_free(&path);
  return path.data;
}

omr_status omr_fail_no_table(omr_reader *reader, const cJSON *item, const char *path) {
  char meant[1024], folder[1024];
  const char *dot = strrchr(item->valuestring, '.'), *slash = strrchr(path, '/');
  if (!slash && !getcwd(folder, sizeof folder))
    snprintf(folder, sizeof folder, "the current folder");
  if (slash) snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
  omr_find_meant(path, dot ? dot : ".csv", meant, sizeof meant);
  const bool study = strchr(reader->json.name, '/') && item->valuestring[0] != '/';
  return OMR_REFUSE(reader, item,
                    "there is no table \"%.200s\" in %s, where it was looked for: a name counts "
                    "from the %s; %s%s%s",
                    item->valuestring, folder,
                    study ? "folder of the study" : "folder of the study, here the current one",
                    *meant ? "did you mean " : "put it there, or give its whole path", meant,
                    *meant ? "?" : "");
}
