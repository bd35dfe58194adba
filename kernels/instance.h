/* Data of a pack of instances while it is integrated: its parameters, and state that does not
 * change within a pass. */

/* For functions that need a copy (edge.h), and for the columns of a floor (floor.h). */
#if defined(__OPENCL_C_VERSION__) || OMR_COMPLIANT
#define OMR_KEEPS_PLACE 1
#else
#define OMR_KEEPS_PLACE 0
#endif

typedef struct parameters {
  real v[P_COUNT];
  real w[WHEELS_MAX][W_COUNT];
  GLOBAL const sreal *tables; /* of commands and drives; all instances of a run have the same */
#if OMR_KEEPS_PLACE
  GLOBAL const sreal *from; /* where they lie, and how far apart */
  int stride;
#endif
} parameters;

FN void load_parameters(GLOBAL const sreal *params, GLOBAL const sreal *tables, GLOBAL const int *c,
                        int stride, parameters *p) {
  UNROLL_DEVICE for (int j = 0; j < P_COUNT; j++) p->v[j] = load_real(params + j * stride);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    UNROLL_DEVICE for (int j = 0; j < W_COUNT; j++) p->w[i][j] =
        load_real(params + OMR_PARAM_COLUMN(i, j) * stride);
  }
  p->tables = tables;
#if OMR_KEEPS_PLACE
  p->from = params;
  p->stride = stride;
#endif
}

/* State that does not change within a pass. */
typedef struct held_state {
  real row[WHEELS_MAX];
  real torque[WHEELS_MAX];
  real steer[STEERED_MAX]; /* filled where wheels are steered */
  real within;             /* replayed tables: an instant inside of the pass, s */
  replay_rows *kept;       /* and the rows in which it lies */
} held_state;
