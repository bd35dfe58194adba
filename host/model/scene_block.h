/* The sliding block: a block on a plane, on a spring to a wall and on a belt where the study has
 * them. It has no size, so that its picture is a scheme, seen from the side. */
#ifndef OMR_SCENE_BLOCK_H
#define OMR_SCENE_BLOCK_H

#include "scene.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* "block" into the object: mass, place and velocity at the start, friction, and what there is of
 * slope, spring, belt and pull. SI; the plane rises towards +x. */
void omr_scene_put_block(cJSON *root, const omr_scene *scene);

/* The same as a scheme in characters, and as words. */
void omr_scene_print_block(const omr_scene *scene, bool utf8, FILE *out);

#endif
