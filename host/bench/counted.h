/* The operations counted in an instance-step. */
#ifndef OMR_COUNTED_H
#define OMR_COUNTED_H

/* Per accepted instance-step; rejected passes do not count (a pass that crosses an edge between
 * rollers unforeseen is cut there and repeated). Where an error estimate chooses the steps: per
 * pass, rejected ones too, as speeds are. */
typedef struct omr_operations {
  double add, multiply, fma, divide, sqrt; /* add: subtractions too */
  double compare, minmax, select;
  double round; /* to whole numbers, other than by adding and subtracting a large one */
  double
      sign; /* absolute values and values put together from bits; plain negation does not count */
  double steps; /* instance-steps that were counted */
} omr_operations;

/* X(member) for each count but steps. */
#define OMR_OPERATIONS(X)                                                                          \
  X(add) X(multiply) X(fma) X(divide) X(sqrt) X(compare) X(minmax) X(select) X(round) X(sign)

static inline void omr_operations_add(omr_operations *to, const omr_operations *from) {
#define X(member) to->member += from->member;
  OMR_OPERATIONS(X)
#undef X
}

#endif
