/* What is counted of an instance-step. */
#ifndef OMR_COUNTED_H
#define OMR_COUNTED_H

/* Per accepted instance-step; of rejected passes (one that crosses an edge between rollers
 * unforeseen is cut there and repeated) nothing is in it. Where an error estimate chooses the
 * steps, per pass, rejected ones too, as speeds are. */
typedef struct omr_operations {
  double add, multiply, fma, divide, sqrt; /* add: subtractions too */
  double compare, minmax, select;
  double round; /* to whole numbers, other than by adding and subtracting a large one */
  double
      sign; /* absolute values and what is put together from bits; plain negation is not counted */
  double steps; /* instance-steps that were counted */
} omr_operations;

#endif
