/* The classes of rows of lists, for describe. */
#ifndef OMR_DESCRIBE_CLASSES_H
#define OMR_DESCRIBE_CLASSES_H

#include "../support/support.h"
#include <cjson/cJSON.h>

/* Adds "classes" to a description: designs and laws with their class, methods with steps and form,
 * errors with their numbers. False when out of memory. */
bool omr_add_classes(cJSON *to);

#endif
