/* Memory for libraries that cannot handle its lack. */
#ifndef OMR_ROOM_H
#define OMR_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this process can get `bytes` more: allocates and frees them. UDUNITS and its parser, and
 * HDF5, crash or end the process if one of their allocations fails. Between this call and theirs
 * another thread may take the memory. */
bool omr_room(size_t bytes);

#endif
