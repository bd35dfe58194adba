/* Doubts about the vehicle of a scene: values that are legal and hardly intended. They change no
 * result. */
#ifndef OMR_DOUBTS_H
#define OMR_DOUBTS_H

#include "drawing/scene.h"

typedef enum omr_doubt_kind {
#define X(id, word, meaning) OMR_DOUBT_##id,
#include "../lists/doubts.def"
#undef X
  OMR_DOUBT_KINDS
} omr_doubt_kind;
/* The doubts' names: "overlap", ... */
extern const char *const omr_doubt_words[OMR_DOUBT_KINDS];

typedef struct omr_doubt {
  omr_doubt_kind kind;
  int wheel, other; /* the wheels concerned; -1: none */
  char text[400];   /* cause, numbers, remedy */
} omr_doubt;

enum { OMR_MOST_DOUBTS = 12 };
typedef struct omr_doubts {
  int count;
  omr_doubt list[OMR_MOST_DOUBTS];
} omr_doubts;

/* All doubts about a scene. Thread-safe. */
void omr_doubts_find(const omr_scene *scene, omr_doubts *doubts);

/* The doubts about a study's nominal vehicle as lines "overlap: ...", cut to the room; "" where
 * there is no doubt, or no such vehicle. Thread-safe. */
void omr_judge_vehicle(const omr_study *study, char *lines, size_t size);

/* doubts_list.c: adds a doubt about up to two wheels (-1: none), where there is room. */
void omr_doubt_add(omr_doubts *doubts, omr_doubt_kind kind, int wheel, int other,
                   const char *format, ...) OMR_PRINTF(5, 6);
/* doubts_drive.c: doubts about drives and command. */
void omr_doubt_drives(const omr_scene *scene, omr_doubts *doubts);
/* Whether a controller's command has a component along the direction of x, z and yaw times arm. */
bool omr_is_asked_for(const omr_scene *scene, const double direction[3], double arm);
/* doubts_start.c: wheels that turn while the vehicle stands, or that disagree at the start. */
void omr_doubt_start(const omr_scene *scene, omr_doubts *doubts);
/* doubts_rank.c: wheels that cannot drive the vehicle in some direction, or hardly. */
void omr_doubt_rank(const omr_scene *scene, omr_doubts *doubts);

/* odometry.c: doubts about what odometry reads, and about slips without a rate to compare with. */
void omr_doubt_odometry(const omr_scene *scene, omr_doubts *doubts);

/* doubts_springs.c: doubts about compliant contact. */
void omr_doubt_springs(const omr_scene *scene, omr_doubts *doubts);

/* Deceleration of a vehicle on compliant contacts that rolls straight ahead at a velocity in body
 * axes, m/s2: by the dampers of its contacts, and *axles by bearings and dry friction of its axles.
 */
double omr_damper_deceleration(const omr_scene *scene, double vx, double vz, double *axles);

/* "12 mm", "25 cm", "1.5 m"; returns text. */
enum { OMR_LENGTH_TEXT = 32 };
const char *omr_length_text(double metres, char text[OMR_LENGTH_TEXT]);
/* Two lengths with enough digits to tell them apart. */
void omr_length_texts(const double metres[2], char text[2][OMR_LENGTH_TEXT]);

#endif
