/* The law of contact: parameters.contact. */
#include "parse.h"
#include "rules.h"

/* The law of wheels without rollers, which has to be friction without states of its own. */
static omr_status read_tyre_law(omr_reader *reader, const cJSON *contact) {
  const cJSON *item = omr_json_get(contact, "tyre_law");
  double law = (double)reader->study->contact.law;
  if (item)
    OMR_TRY(
        omr_read_value(reader, item, omr_find_key(OMR_SECTION_WORDS, "contact.tyre_law"), &law));
  reader->study->contact.tyre_law = (omr_law)law;
  if (!item) return OMR_OK;
  bool used = false;
  for (int i = 0; i < reader->study->wheels; i++)
    used = used || omr_wheel_is_bare(reader->study->kind[i]);
  if (!used)
    return OMR_REFUSE(reader, item,
                      "all wheels have rollers, so that \"tyre_law\" has no use; leave it out, or "
                      "give a wheel the kind plain");
  if (omr_law_is_friction((omr_law)law) && !omr_law_is_bristle((omr_law)law)) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "the law %s is none of friction by slip; use \"saturated_coulomb\", "
                    "\"regularized_coulomb\", \"brush\" or \"magic_formula\"",
                    omr_law_kinds[(int)law].name);
}

omr_status omr_read_contact(omr_reader *reader) {
  const cJSON *contact;
  OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  OMR_TRY(omr_read_words(reader, contact, "contact."));
  OMR_TRY(read_tyre_law(reader, contact));
  return omr_check_stage(reader, OMR_RULES_CONTACT);
}
