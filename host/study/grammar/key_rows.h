/* The rows of one section, of which LIST is the name: its values are LIST_values, its rows those of
 * lists/keys/LIST.def. For keys.c, once for each section. */
#define JOINED(name, end) name##end
#define JOIN(name, end) JOINED(name, end)
#define TEXT_OF(...) #__VA_ARGS__
/* clang-format off */
#define FILE_OF(name) TEXT_OF(../../lists/keys/name.def)
/* clang-format on */
#define OF JOIN(LIST, _values)

static const omr_key JOIN(LIST, _keys)[] = {
#include FILE_OF(LIST)
};

#undef OF
#undef LIST
