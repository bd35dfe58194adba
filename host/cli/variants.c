/* Studies that hold variants: the command lines of all of them. */
#include "variants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* R.h5 -> R.omni3.h5 */
static void add_output(cli_text *to, const char *output, const char *name) {
  const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
  const bool ending = dot && dot > (slash ? slash + 1 : output);
  const size_t stem = ending ? (size_t)(dot - output) : strlen(output);
  cli_text_print(to, "%.*s.%s%s", (int)stem, output, name, output + stem);
}

/* The command line with one assignment more, and an output of its own. */
static omr_status make(const cli_arguments *all, const char *name, cli_variant *variant,
                       omr_error *error) {
  cli_arguments *one = &variant->arguments;
  *one = *all;
  one->variant = variant->name = name;
  one->overrides = calloc(all->override_count + 1, sizeof *one->overrides);
  cli_text_print(&variant->choice, "variant=\"%s\"", name);
  if (all->output) add_output(&variant->output, all->output, name);
  if (all->output) one->output = variant->output.data;
  if (!one->overrides || variant->choice.failed || variant->output.failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (all->override_count)
    memcpy(one->overrides, all->overrides, all->override_count * sizeof *one->overrides);
  one->overrides[one->override_count++] = variant->choice.data;
  return OMR_OK;
}

/* Standard input as a file without a name, which can be read several times. */
static bool keep_input(void) {
  char bytes[1 << 12];
  size_t count;
  FILE *file = tmpfile();
  bool kept = file != NULL;
  cli_rewind("-");
  while (kept && (count = fread(bytes, 1, sizeof bytes, stdin)) > 0)
    kept = fwrite(bytes, 1, count, file) == count;
  if (ferror(stdin)) { /* the command says so */
    if (file) fclose(file);
    return true;
  }
  kept = kept && fflush(file) == 0 && dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO;
  if (file) fclose(file);
  cli_rewind("-");
  return kept;
}

void cli_rewind(const char *operand) {
  if (strcmp(operand, "-") == 0) rewind(stdin);
}

omr_status cli_variants_begin(const cli_arguments *arguments, cli_variants *all, omr_error *error) {
  char *at = NULL;
  *all = (cli_variants){0};

  /* A study that cannot be read has no variants here; its command says why. */
  if (strcmp(arguments->operand, "-") == 0 && !keep_input())
    return omr_fail(error, OMR_ERR_IO, "standard input cannot be kept for variants: %s",
                    strerror(errno));
  if (omr_study_variants(arguments->operand, NULL, (const char *const *)arguments->overrides,
                         arguments->override_count, &all->names, NULL) != OMR_OK)
    return OMR_OK;
  all->variant = calloc(strlen(all->names) / 2 + 1, sizeof *all->variant);
  if (!all->variant) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  omr_status status = OMR_OK;
  for (char *name = strtok_r(all->names, "\n", &at); name && status == OMR_OK;
       name = strtok_r(NULL, "\n", &at))
    status = make(arguments, name, &all->variant[all->count++], error);
  if (status != OMR_OK) cli_variants_end(all);
  return status;
}

void cli_variants_end(cli_variants *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->variant[i].arguments.overrides);
    cli_text_free(&all->variant[i].choice);
    cli_text_free(&all->variant[i].output);
  }
  free(all->variant);
  omr_text_destroy(all->names);
  *all = (cli_variants){0};
}

bool cli_has_result(omr_status status) {
  return status == OMR_OK || status == OMR_ERR_FAILURES || status == OMR_ERR_INACCURATE;
}

omr_status cli_each_variant(const cli_arguments *arguments, cli_variant_function *function,
                            omr_error *error) {
  cli_variants all;
  omr_status status = cli_variants_begin(arguments, &all, error);
  if (status == OMR_OK && all.count == 0) status = function(arguments, error);

  /* A heading in front of each, or its name as a member of one object. */
  if (arguments->json && all.count) printf("{\"variants\": {\n");
  for (size_t i = 0; i < all.count && status == OMR_OK; i++) {
    const cli_variant *variant = &all.variant[i];
    if (arguments->json)
      printf("%s\"%s\": ", i ? ",\n" : "", variant->name);
    else
      cli_heading(stdout, variant->name);
    status = function(&variant->arguments, error);
    /* Mistakes are an object already. */
    if (arguments->json && !cli_has_result(status) && status != OMR_ERR_STUDY) printf("null");
    if (i + 1 < all.count && status == OMR_OK && !arguments->json) putchar('\n');
  }
  if (arguments->json && all.count) printf("}}\n");

  cli_variants_end(&all);
  return status;
}
