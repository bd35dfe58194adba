/* The floor below compliant contacts, where it is no level plane (appendix/springs.md#floors). */
#ifndef OMR_FLOOR_H
#define OMR_FLOOR_H

#include "fold.h"

/* Most parameter columns that the floor of an instance can have. */
enum { OMR_FLOOR_MOST = F_COUNT + WAVE_COLUMNS * OMR_FLOOR_WAVES };

/* The map of a floor: numbers of nodes along its x and z, place of the first node, nodes per metre,
 * heights with a frame of one node around. It lies in the study or in the tables of a run. */
typedef struct omr_floor_map {
  bool smooth;
  int nodes[2];
  double first[2], per[2];
  const double *height; /* NULL: there is none */
} omr_floor_map;

/* A floor: bits of the setting FLOOR, number of plane waves, columns in the order of
 * OMR_FLOOR_COLUMNS and then of the waves. */
typedef struct omr_floor {
  int bits, waves;
  double columns[OMR_FLOOR_MOST];
  omr_floor_map map;
} omr_floor;

/* Height of its profile over the mean plane [m], with its slopes and their rates. */
typedef struct omr_floor_spot {
  double height, x, z, xx, xz, zz;
} omr_floor_spot;

/* Features that some instance of the study has: bits of the setting FLOOR
 * (kernels/settings_layout.h), and the number of waves. */
int omr_floor_bits(const omr_study *study);
int omr_floor_waves(const omr_study *study);

/* Number of parameter columns of the study's floor; 0 on a level plane. */
int omr_floor_columns(const omr_study *study);

/* The floor of one instance, folded from its values, or read from the columns of a batch. */
void omr_floor_make(const omr_study *study, const omr_values *values, omr_floor *floor);
void omr_floor_take(const omr_run_settings *settings, const omr_batch *batch, size_t slot,
                    omr_floor *floor);

/* The profile at the place (x, z) of the world. */
omr_floor_spot omr_floor_at(const omr_floor *floor, double x, double z);

/* floor_map.c. Number of values that the map takes in the tables of a run, 0 without a map; packing
 * returns the place behind them. */
size_t omr_floor_map_size(const omr_study *study);
double *omr_floor_map_pack(const omr_study *study, double *to);
/* The map of the study, and the map at `table`. */
omr_floor_map omr_floor_map_of_study(const omr_study *study);
omr_floor_map omr_floor_map_of_tables(const double *table);
/* Adds the map's part of the profile. */
void omr_floor_map_add(const omr_floor *floor, double x, double z, omr_floor_spot *spot);
/* Upper bound of the map's height, m; its largest curvature, which is the change of slope at a node
 * over the spacing for a bilinear map, 1/m; that change itself, 0 for a smooth map. columns: as in
 * omr_floor. */
double omr_floor_map_top(const omr_study *study, const double *columns);
double omr_floor_map_bend(const omr_study *study, const double *columns);
double omr_floor_map_edge(const omr_study *study, const double *columns);

/* The direction against gravity in world axes; (0, 1, 0) except on a slope. */
void omr_floor_up(const omr_values *values, double up[3]);

#endif
