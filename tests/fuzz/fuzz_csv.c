/* Tables in CSV. */
#include "fuzz.h"
#include "study/tables/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size};
  char *text = take_text(&in, 0);
  omr_columns columns = {0};
  static omr_error error;
  if (omr_columns_read_csv(&columns, "table.csv", text, strlen(text), &error) == OMR_OK) {
    double sum = 0;
    MUST(columns.rows > 0);
    for (size_t c = 0; c < columns.count; c++) {
      MUST(columns.column[c].name);
      for (size_t row = 0; row < columns.rows; row++) sum += columns.column[c].values[row];
    }
    (void)sum;
  } else {
    MUST(error.message[0]);
  }
  omr_columns_free(&columns);
  free(text);
  return 0;
}
