/* The tables of starter studies: rows of starters.def, with their embedded files. */
#include "starter.h"

#define KIND(id, machine, question) extern const char omr_starter_kinds_##id[];
#define MACHINE(id, model, title) extern const char omr_starter_machines_##id[];
#include "../starters.def"
#undef KIND
#undef MACHINE

#define KIND(id, machine, question) {#id, machine, question, omr_starter_kinds_##id},
#define MACHINE(id, model, title)
const omr_starter_kind omr_starter_kinds[] = {
#include "../starters.def"
};
const size_t omr_starter_kind_count = sizeof omr_starter_kinds / sizeof *omr_starter_kinds;
#undef KIND
#undef MACHINE

#define KIND(id, machine, question)
#define MACHINE(id, model, title) {#id, model, title, omr_starter_machines_##id},
const omr_starter_machine omr_starter_machines[] = {
#include "../starters.def"
};
const size_t omr_starter_machine_count = sizeof omr_starter_machines / sizeof *omr_starter_machines;
#undef KIND
#undef MACHINE
