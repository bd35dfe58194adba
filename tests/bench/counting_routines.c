/* The routines that count, for test_count_text.c: a file of their own, which its compiler must not
 * see through. */
#include "host/bench/counting.c"
