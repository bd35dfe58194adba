/* What LAPACK's routines take from Fortran's runtime library, so that a wheel needs neither that
 * library nor libquadmath (wheel.sh). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xerbla_(const char *routine, const int *argument, size_t length);
void _gfortran_concat_string(size_t size, char *to, size_t length, const char *first,
                             size_t other_length, const char *other);

/* Called for an argument that no caller may give; LAPACKE has looked at most of them before. */
void xerbla_(const char *routine, const int *argument, size_t length) {
  fprintf(stderr, "omniroll: LAPACK's %.*s refuses argument %d\n", (int)length, routine, *argument);
  abort();
}

/* first // other in `size` characters, filled with blanks. */
void _gfortran_concat_string(size_t size, char *to, size_t length, const char *first,
                             size_t other_length, const char *other) {
  memset(to, ' ', size);
  if (length > size) length = size;
  memcpy(to, first, length);
  if (other_length > size - length) other_length = size - length;
  memcpy(to + length, other, other_length);
}
