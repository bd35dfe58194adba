#include "../designs/drawn.h"
#include "../designs/sequences.h"

omr_status omr_check_dimensions(omr_reader *reader) {
  const size_t dimensions = reader->study->sample.dimensions;
  if (dimensions <= OMR_SOBOL_DIMENSIONS) return OMR_OK;
  return OMR_REFUSE(reader, reader->design,
                    "%zu parameters are drawn; the sequence has %d dimensions, monte_carlo and "
                    "latin_hypercube any number",
                    dimensions, OMR_SOBOL_DIMENSIONS);
}
