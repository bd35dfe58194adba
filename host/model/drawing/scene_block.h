/* The sliding block: a block on a plane, with a spring to a wall and on a belt where the study has
 * them. It has no size, so its picture is a scheme from the side. */
#ifndef OMR_SCENE_BLOCK_H
#define OMR_SCENE_BLOCK_H

#include "scene.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Puts "block" into the object: mass, place and velocity at the start, friction, and slope, spring,
 * belt and pull if present. SI; the plane rises towards +x. */
void omr_scene_put_block(cJSON *root, const omr_scene *scene);

/* Prints the same as a scheme in characters, and in words. */
void omr_scene_print_block(const omr_scene *scene, bool utf8, FILE *out);

#endif
