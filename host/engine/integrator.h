/* An integrator computes the instances of a study: the engine does it on the lanes of a device
 * (run.h), the reference in maximal coordinates (reference/whole_study.h). A campaign knows no more
 * of either.
 *
 * An integrator is opened for a part of a study and runs parts of it, one after the other, from one
 * thread. The result of a row depends on its instance only, not on the part that it runs in. */
#ifndef OMR_INTEGRATOR_H
#define OMR_INTEGRATOR_H

#include "../result/shorter_steps.h"

typedef struct omr_integrator omr_integrator;

typedef struct omr_integrator_ops {
  /* Checks the part's study and allocates its runs' memory. study and options (NULL allowed) stay
   * the caller's and must outlive the integrator; the part itself is copied. Progress counts
   * omr_study_work of instances, from here to the end of the part. */
  omr_status (*open)(const omr_part *part, const omr_run_options *options,
                     omr_integrator **integrator, omr_error *error);
  void (*close)(omr_integrator *integrator);
  /* One result with a row per instance of the part, owned by the caller; its record counts the work
   * of this part. part->study is the study that the integrator was opened for, or one that ends
   * sooner. */
  omr_status (*run)(omr_integrator *integrator, const omr_part *part, omr_result **result,
                    omr_error *error);
  /* The next run also carries the instances of `refined` with shorter steps and reports them by
   * omr_refined_done; `refined` must live as long. The second function runs them without any part
   * and adds their work to the record. */
  void (*carry)(omr_integrator *integrator, omr_refined *refined);
  omr_status (*run_carried)(omr_integrator *integrator, omr_run_record *record, omr_error *error);
  /* Number of instances that it works on at a time, and their memory in bytes. */
  size_t (*capacity)(const omr_integrator *integrator);
  double (*bytes)(const omr_integrator *integrator);
  /* Backend, device and the time to build. Belongs to the integrator. */
  const omr_run_record *(*record)(const omr_integrator *integrator);
  /* Checks that its device still gives the numbers of the processor, as opening does already;
   * NULL: it has no device. `checks` counts the checks passed; 0: its results need none. */
  omr_status (*check)(omr_integrator *integrator, omr_error *error);
  size_t (*checks)(const omr_integrator *integrator);
  /* After an OMR_ERR_SELFTEST: whether it computes rightly from now on while its earlier results
   * are wrong (omr_engine_doubted); NULL: never. */
  bool (*doubted)(const omr_integrator *integrator);
  /* After an OMR_ERR_DEVICE or OMR_ERR_SELFTEST of one of several devices: gives up those that
   * failed. True: others are left and go on; work since the last good check is to be done again.
   * NULL: never. */
  bool (*spares)(omr_integrator *integrator);
} omr_integrator_ops;

/* The first member of every integrator. */
struct omr_integrator {
  const omr_integrator_ops *ops;
};

static inline void omr_integrator_close(omr_integrator *integrator) { /* NULL-safe */
  if (integrator) integrator->ops->close(integrator);
}
static inline omr_status omr_integrator_run(omr_integrator *integrator, const omr_part *part,
                                            omr_result **result, omr_error *error) {
  return integrator->ops->run(integrator, part, result, error);
}
static inline void omr_integrator_carry(omr_integrator *integrator, omr_refined *refined) {
  integrator->ops->carry(integrator, refined);
}
static inline omr_status omr_integrator_run_carried(omr_integrator *integrator,
                                                    omr_run_record *record, omr_error *error) {
  return integrator->ops->run_carried(integrator, record, error);
}
static inline size_t omr_integrator_capacity(const omr_integrator *integrator) {
  return integrator->ops->capacity(integrator);
}
static inline double omr_integrator_bytes(const omr_integrator *integrator) {
  return integrator->ops->bytes(integrator);
}
static inline const omr_run_record *omr_integrator_record(const omr_integrator *integrator) {
  return integrator->ops->record(integrator);
}
static inline omr_status omr_integrator_check(omr_integrator *integrator, omr_error *error) {
  return integrator->ops->check ? integrator->ops->check(integrator, error) : OMR_OK;
}
static inline size_t omr_integrator_checks(const omr_integrator *integrator) {
  return integrator->ops->checks ? integrator->ops->checks(integrator) : 0;
}
static inline bool omr_integrator_doubted(const omr_integrator *integrator) {
  return integrator && integrator->ops->doubted && integrator->ops->doubted(integrator);
}
/* A device failed, or gives wrong numbers. */
static inline bool omr_is_of_device(omr_status status) {
  return status == OMR_ERR_DEVICE || status == OMR_ERR_SELFTEST;
}
static inline bool omr_integrator_spares(omr_integrator *integrator) {
  return integrator && integrator->ops->spares && integrator->ops->spares(integrator);
}

#endif
