#include "room.h"

#include <stdlib.h>

bool omr_room(size_t bytes) {
  void *volatile room = malloc(bytes); /* volatile: compilers leave out what nobody reads */
  const bool there = room;
  free(room);
  return there;
}
