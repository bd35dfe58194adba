/* Memory for libraries that do not bear to get none. */
#ifndef OMR_ROOM_H
#define OMR_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this process gets `bytes` more, which are asked for and given back: UDUNITS and its
 * parser, and HDF5, crash or end the process where an allocation of theirs fails. Between this and
 * their calls another thread may take what was there. */
bool omr_room(size_t bytes);

#endif
