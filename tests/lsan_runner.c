/* Leaks are looked for in the processes of the tests alone. Each test has a process of its own,
 * which Criterion's runner starts; the runner runs no code of ours and now and then keeps memory of
 * its own, which no suppression can tell from that of a test: the test is called by the same
 * library. */
#include <criterion/criterion.h>
#include <sanitizer/lsan_interface.h>

int __lsan_is_turned_off(void) {
  return criterion_current_test == NULL;
}
