/* The cost of `omniroll calibrate` or `omniroll excite`, for a study with a section for it. */
#ifndef OMR_FORECAST_FITS_H
#define OMR_FORECAST_FITS_H

#include "../study/study.h"

typedef struct omr_fits_forecast {
  const char *command; /* NULL: the study has neither section */
  double fewest, most; /* runs, each as long as the study's */
} omr_fits_forecast;

omr_fits_forecast omr_forecast_fits(const omr_study *study);

#endif
