/* A table has the bytes that its study was written for. */
#include "../grammar/parse.h"

#include <string.h>

omr_status omr_check_table_hash(omr_reader *reader, const cJSON *object, const char *path,
                                const char *bytes, size_t length) {
  const cJSON *given = omr_json_get(object, "hash");
  char hash[33];
  omr_hash_hex(bytes, length, hash);
  if (!given)
    return cJSON_AddStringToObject((cJSON *)(uintptr_t)object, "hash", hash)
               ? OMR_OK
               : omr_fail_memory(reader);
  const char *text = cJSON_GetStringValue(given);
  if (text && strcmp(text, hash) == 0) return OMR_OK;
  return OMR_REFUSE(reader, given,
                    "the table %s is not the one that this study was written for: its hash is %s; "
                    "leave \"hash\" out to take the table as it is",
                    path, hash);
}
