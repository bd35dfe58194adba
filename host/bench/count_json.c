/* The operations per step of a study, as JSON. */
#include "../study/json/json.h"
#include "../support/support.h"
#include "count.h"

omr_status omr_study_operations_json(const omr_study *study, char **json, omr_error *error) {
  omr_operations o;
  *json = NULL;
  const omr_status status = omr_count_operations(study, &o, error);
  if (status != OMR_OK) return status;

  /* Members of the object, the useful operations first. */
  const struct {
    const char *name;
    double value;
  } members[] = {{"useful", omr_useful_operations(&o)},
                 {"add", o.add},
                 {"multiply", o.multiply},
                 {"fma", o.fma},
                 {"divide", o.divide},
                 {"sqrt", o.sqrt},
                 {"compare", o.compare},
                 {"minmax", o.minmax},
                 {"select", o.select},
                 {"round", o.round},
                 {"sign", o.sign},
                 {"steps", o.steps}};

  /* A member that cannot be added means that memory ran out. */
  cJSON *root = cJSON_CreateObject();
  bool made = root != NULL;
  for (size_t i = 0; made && i < sizeof members / sizeof *members; i++)
    made = cJSON_AddNumberToObject(root, members[i].name, members[i].value) != NULL;
  if (made) *json = omr_json_print(root);

  cJSON_Delete(root);
  return *json ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}
