/* The other mistakes of a study that was refused for one. */
#ifndef OMR_STUDY_MISTAKES_H
#define OMR_STUDY_MISTAKES_H

#include "parse.h"

/* Reads the study of the reader's JSON into a fresh omr_study; fails as readers do. */
typedef omr_status omr_read_again(omr_reader *reader);

/* The study was refused with a mistake (reader->error). Takes the value out of the tree, or puts
 * the example of a missing one in, reads again, and so on, and adds what is wrong in any case to
 * the error, which is then in the order of lines. What may follow from a mistake that is known
 * already is not reported: a member that lacks since its name is misspelt, a value whose unit
 * depends on a word that is wrong. The tree and the study of the reader are of no use afterwards.
 */
void omr_find_more_mistakes(omr_reader *reader, omr_read_again *read);

#endif
