#include "room.h"

#include <stdlib.h>

bool omr_room(size_t bytes) {
  void *volatile room = malloc(bytes); /* volatile: compilers drop unused allocations */
  const bool there = room;
  free(room);
  return there;
}
