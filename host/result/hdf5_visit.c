#include "hdf5_visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, PATH = 1024 };

static herr_t take_name(hid_t group, const char *name, const H5L_info_t *info, void *user) {
  omr_members *members = user;
  (void)group;
  (void)info;
  char **grown = realloc(members->name, (members->count + 1) * sizeof *grown);
  if (!grown) return -1;
  members->name = grown;
  grown[members->count] = strdup(name);
  if (!grown[members->count]) return -1;
  members->count++;
  return 0;
}

bool omr_members_of(hid_t group, omr_members *members) {
  H5_index_t order = H5_INDEX_NAME;
  unsigned flags = 0;
  *members = (omr_members){0};
  const hid_t list = H5Gget_create_plist(group);
  if (list >= 0 && H5Pget_link_creation_order(list, &flags) >= 0 && flags & H5P_CRT_ORDER_TRACKED)
    order = H5_INDEX_CRT_ORDER;
  if (list >= 0) H5Pclose(list);
  if (H5Literate(group, order, H5_ITER_INC, NULL, take_name, members) >= 0) return true;
  omr_members_free(members);
  return false;
}

void omr_members_free(omr_members *members) {
  for (size_t i = 0; i < members->count; i++) free(members->name[i]);
  free(members->name);
  *members = (omr_members){0};
}

typedef struct walk {
  bool (*take)(hid_t object, const char *path, void *user);
  void *user;
  char path[PATH];
} walk;

/* Visits the groups below, no deeper than in files of this program: links may run in circles. */
static bool visit(walk *w, hid_t object, int depth) {
  omr_members members = {0};
  const size_t length = strlen(w->path);
  if (!w->take(object, length ? w->path : "/", w->user)) return false;
  if (H5Iget_type(object) != H5I_GROUP) return true;
  if (depth == DEPTH || !omr_members_of(object, &members)) return w->take(-1, w->path, w->user);
  bool good = true;
  for (size_t i = 0; good && i < members.count; i++) {
    snprintf(w->path + length, PATH - length, "/%s", members.name[i]);
    const hid_t member = H5Oopen(object, members.name[i], H5P_DEFAULT);
    good = member >= 0 ? visit(w, member, depth + 1) : w->take(-1, w->path, w->user);
    if (member >= 0) H5Oclose(member);
    w->path[length] = 0;
  }
  omr_members_free(&members);
  return good;
}

bool omr_hdf5_visit(hid_t file, bool (*take)(hid_t object, const char *path, void *user),
                    void *user) {
  walk w = {.take = take, .user = user};
  const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  const bool good = root >= 0 ? visit(&w, root, 0) : take(-1, "/", user);
  if (root >= 0) H5Gclose(root);
  return good;
}
