/* What a manifest is when memory runs out while it is written. */
#include "tests/campaign/campaign.h"

#include "campaign/manifest.h"

#include <cjson/cJSON.h>

TestSuite(manifest, .init = set_up_campaign, .fini = tear_down, .timeout = 60);

static long left; /* allocations of cJSON that are still served; negative: all */

static void *allocate(size_t size) {
  if (left == 0) return NULL;
  if (left > 0) left--;
  return malloc(size);
}

/* It lacked the members for which there was no memory, and was refused as damaged later. */
Test(manifest, it_is_whole_or_not_written) {
  cJSON_Hooks hooks = {allocate, free};
  omr_error error = {0};
  omr_study *study;
  omr_manifest manifest, again;
  omr_parts parts = OMR_PARTS_NONE;
  bool there = false;
  size_t refused = 0;
  cr_assert_eq(omr_study_load("short.json", NULL, 0, &study, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_manifest_make(study, 1, 1, &manifest, &error), OMR_OK);
  shell("mkdir r.h5.parts");
  cr_assert_eq(omr_parts_begin(&parts, "r.h5.parts", false, &error), OMR_OK);
  cr_assert_eq(omr_parts_open(&parts, &there, &error), OMR_OK);
  there = false;
  cJSON_InitHooks(&hooks);
  for (long n = 0; !there; n++) {
    left = n;
    const omr_status written = omr_manifest_write(&manifest, &parts, &error);
    left = -1;
    const omr_status read = omr_manifest_read(&parts, &again, &there, &error);
    cr_assert_eq(read, OMR_OK, "after %ld allocations: %s", n, error.message);
    cr_assert_eq(there, written == OMR_OK, "after %ld allocations", n);
    if (!there) cr_assert_eq(written, OMR_ERR_MEMORY);
    refused += !there;
    omr_manifest_free(&again);
  }
  cJSON_InitHooks(NULL);
  cr_expect_gt(refused, 40, "%zu", refused);
  omr_manifest_free(&manifest);
  omr_parts_free(&parts);
  omr_study_destroy(study);
}
