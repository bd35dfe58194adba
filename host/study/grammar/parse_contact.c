/* The law of contact: parameters.contact. */
#include "parse.h"
#include "rules.h"

omr_status omr_read_contact(omr_reader *reader) {
  const cJSON *contact;
  OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  OMR_TRY(omr_read_words(reader, contact, "contact."));
  return omr_check_stage(reader, OMR_RULES_CONTACT);
}
