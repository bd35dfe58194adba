/* Parts of a description: the groups of a model, the rows that have a name, and the rows of all
 * models in which a text is. */
#define _GNU_SOURCE /* strcasestr */
#include "../study/json/json.h"
#include "describe_page.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FOUND = 40, MOST_NAMES = 4096, NEAR = 200 };

static omr_status out_of_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static const char *text_of(const cJSON *row, const char *member) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(row, member));
  return text ? text : "";
}

static omr_status put_json(cJSON *tree, FILE *out, omr_error *error) {
  char *text = omr_json_print(tree);
  if (!text) return out_of_memory(error);
  fputs(text, out);
  free(text);
  return OMR_OK;
}

/* GROUPS OF A MODEL */

/* Whether the name of a row begins with this word and a dot. */
static bool begins(const cJSON *row, const char *word, size_t length) {
  const char *name = text_of(row, "name");
  return strncmp(name, word, length) == 0 && name[length] == '.';
}

/* The first words of the parameters' names with their numbers, ": platform 10, layout 4". */
static void add_sections(const cJSON *rows, omr_text *to) {
  const cJSON *row, *other;
  int listed = 0;
  cJSON_ArrayForEach(row, rows) {
    const char *name = text_of(row, "name");
    const size_t length = strcspn(name, ".");
    int count = 0;
    bool first = name[length] == '.';
    cJSON_ArrayForEach(other, rows) {
      if (begins(other, name, length) && count++ == 0) first = first && other == row;
    }
    if (first) omr_text_print(to, "%s%.*s %d", listed++ ? ", " : ": ", (int)length, name, count);
  }
}

/* Prints a row for each group that has rows; that of parameters names their sections. */
static void list_groups(const cJSON *tree, omr_model model, omr_listing *t) {
  static const char *const heads[] = {"group", "rows"};
  const cJSON *table;
  omr_listing_heads(t, heads);
  cJSON_ArrayForEach(table, tree) {
    const char *heading = omr_page_heading(table->string, model);
    const int count = cJSON_GetArraySize(table);
    char rows[16];
    omr_text text = {0};
    if (!cJSON_IsArray(table) || !heading || count == 0) continue;
    omr_text_print(&text, "%s", heading);
    if (strstr(table->string, "parameters")) add_sections(table, &text);
    const char *cells[] = {table->string, rows};
    snprintf(rows, sizeof rows, "%d", count);
    omr_listing_row(t, cells, text.failed ? heading : text.data);
    omr_text_free(&text);
  }
}

static void print_groups(const cJSON *tree, omr_model model, FILE *out) {
  const char *name = omr_model_names[model];
  omr_listing t = {.columns = 2};
  fprintf(out, "%s:\n", name);
  omr_listing_text(out, omr_model_meanings[model], 2);
  fputc('\n', out);
  for (int pass = 0; pass < 2; pass++) {
    t.out = pass ? out : NULL;
    list_groups(tree, model, &t);
  }
  fprintf(out,
          "\nomniroll describe %s NAME...   the rows of groups, sections, keys,\n"
          "    parameters, observables or laws, such as: observables\n"
          "omniroll describe --search TEXT   all models, names and meanings\n"
          "omniroll describe %s --all   everything\n",
          name, name);
}

static omr_status describe_groups(omr_model model, const omr_describe_options *o,
                                  omr_frame_kind frame, FILE *out, omr_error *error) {
  cJSON *tree = omr_page_tree(model, frame, NULL);
  if (!tree) return out_of_memory(error);
  omr_status status = OMR_OK;
  if (o->json)
    status = put_json(tree, out, error);
  else
    print_groups(tree, model, out);
  cJSON_Delete(tree);
  return status;
}

/* ROWS WITH A NAME */

/* Refuses a name that no row has, with the nearest one. A word of the list of synonyms is near,
 * too. */
static omr_status refuse_name(const char *name, omr_model model, omr_frame_kind frame,
                              omr_error *error) {
  const char *model_name = omr_model_names[model], *nearest = NULL;
  cJSON *tree = omr_page_tree(model, frame, NULL);
  const char **names = calloc(MOST_NAMES, sizeof *names);
  size_t count = 0;
  const cJSON *table, *row;
  if (names) {
    cJSON_ArrayForEach(table, tree) if (cJSON_IsArray(table)) {
      if (count < MOST_NAMES) names[count++] = table->string;
      cJSON_ArrayForEach(row, table) if (count < MOST_NAMES) names[count++] = text_of(row, "name");
    }
    const char *word;
    for (size_t i = 0; (word = omr_synonym(i)) != NULL && count < MOST_NAMES; i++)
      names[count++] = word;
    nearest = omr_nearest(name, names, count);
  }
  if (nearest)
    omr_fail(error, OMR_ERR_USAGE,
             "nothing of %s is named \"%.*s\"; did you mean \"%s\"? omniroll describe --search "
             "TEXT looks in all models, names and meanings",
             model_name, NEAR, name, nearest);
  else
    omr_fail(error, OMR_ERR_USAGE,
             "nothing of %s is named \"%.*s\"; omniroll describe --search TEXT looks in all "
             "models, names and meanings, and omniroll describe %s lists the groups of names",
             model_name, NEAR, name, model_name);
  free(names);
  cJSON_Delete(tree);
  return OMR_ERR_USAGE;
}

static omr_status describe_names(omr_model model, const omr_describe_options *o,
                                 omr_frame_kind frame, FILE *out, omr_error *error) {
  bool *found = calloc(o->name_count + 1, sizeof *found);
  const omr_row_choice choice = {.names = o->names, .count = o->name_count, .found = found};
  cJSON *tree = found ? omr_page_tree(model, frame, &choice) : NULL;
  omr_status status = tree ? OMR_OK : out_of_memory(error);

  /* every name must have a row */
  for (size_t i = 0; i < o->name_count && status == OMR_OK; i++)
    if (!found[i]) status = refuse_name(o->names[i], model, frame, error);

  /* print the rows, and which names a word stands for */
  if (status == OMR_OK && o->json) {
    status = put_json(tree, out, error);
  } else if (status == OMR_OK) {
    omr_page page = {.out = out, .frame = frame, .choice = &choice};
    omr_page_print(&page, model);
    for (size_t i = 0; i < o->name_count; i++)
      if (omr_synonyms_of(o->names[i]))
        fprintf(out, "\n%s: see also %s\n", o->names[i], omr_synonyms_of(o->names[i]));
  }

  cJSON_Delete(tree);
  free(found);
  return status;
}

/* ROWS WITH A TEXT */

static bool is_same(const cJSON *row, const cJSON *other) {
  return strcmp(text_of(row, "name"), text_of(other, "name")) == 0 &&
         strcmp(text_of(row, "meaning"), text_of(other, "meaning")) == 0;
}

/* Adds the models of a row to the row that is there already, or the row itself. */
static void add_found(cJSON *found, const char *table, const cJSON *row, const char *model) {
  cJSON *same = found->child;
  while (same && (strcmp(text_of(same, "table"), table) != 0 || !is_same(same, row)))
    same = same->next;
  if (!same) {
    same = omr_tree_row(found);
    omr_tree_text(same, "name", text_of(row, "name"));
    omr_tree_text(same, "table", table);
    omr_tree_text(same, "unit", text_of(row, "unit"));
    omr_tree_text(same, "meaning", text_of(row, "meaning"));
    omr_tree_list(same, "models");
  }
  omr_tree_append(cJSON_GetObjectItem(same, "models"), cJSON_CreateString(model));
}

static void search_model(cJSON *found, omr_model model, omr_frame_kind frame,
                         const omr_row_choice *choice) {
  cJSON *tree = omr_page_tree(model, frame, choice);
  const cJSON *table, *row;
  if (!tree) omr_tree_append(found, NULL);
  cJSON_ArrayForEach(table, tree) {
    for (row = cJSON_IsArray(table) ? table->child : NULL; row; row = row->next)
      add_found(found, table->string, row, omr_model_names[model]);
  }
  cJSON_Delete(tree);
}

/* "all models", "omni_vehicle", "omni_vehicle and 2 more". */
static void print_models(const cJSON *models, char *text, size_t size) {
  const int count = cJSON_GetArraySize(models);
  const char *first = cJSON_GetStringValue(cJSON_GetArrayItem(models, 0));
  if (count == OMR_MODELS)
    snprintf(text, size, "all models");
  else if (count > 1)
    snprintf(text, size, "%s and %d more", first ? first : "", count - 1);
  else
    snprintf(text, size, "%s", first ? first : "");
}

/* How near a row is to a searched text: its name has it, the name stands for it, or its meaning
 * alone has it. The rows of one wheel follow those of the vehicle. */
enum { NAMED, SYNONYM, OF_WHEEL, MEANT, RANKS };

static int rank_of(const cJSON *row, const char *text, const char *synonyms) {
  const char *name = text_of(row, "name"), *at = synonyms ? strstr(synonyms, name) : NULL;
  const size_t length = strlen(name);
  const bool whole = at && (at == synonyms || at[-1] == ' ') && strchr(",", at[length]);
  if (strncmp(name, "wheel", 5) == 0 && name[5] >= '0' && name[5] <= '9') return OF_WHEEL;
  return strcasestr(name, text) ? NAMED : whole ? SYNONYM : MEANT;
}

/* The rows by their ranks, in their order otherwise. */
static void sort_found(cJSON *found, const char *text) {
  const char *synonyms = omr_synonyms_of(text);
  const int count = cJSON_GetArraySize(found);
  for (int rank = 0; rank < RANKS; rank++) {
    cJSON *row = found->child;
    for (int i = 0; i < count; i++) {
      cJSON *next = row->next;
      if (rank_of(row, text, synonyms) == rank)
        cJSON_AddItemToArray(found, cJSON_DetachItemViaPointer(found, row));
      row = next ? next : found->child;
    }
  }
}

/* Prints the first rows as a table, in two passes. */
static void print_found(const cJSON *found, const char *text, FILE *out) {
  static const char *const heads[] = {"name", "group", "models"};
  const int count = cJSON_GetArraySize(found), shown = count < MOST_FOUND ? count : MOST_FOUND;
  const char *synonyms = omr_synonyms_of(text);
  omr_listing t = {.columns = 3};
  fprintf(out, "%s: %d row%s%s%s\n\n", text, count, count == 1 ? "" : "s",
          synonyms ? ", of this word and of: " : "", synonyms ? synonyms : "");
  for (int pass = 0; pass < 2; pass++) {
    t.out = pass ? out : NULL;
    omr_listing_heads(&t, heads);
    for (int i = 0; i < shown; i++) {
      const cJSON *row = cJSON_GetArrayItem(found, i);
      char models[96];
      print_models(cJSON_GetObjectItem(row, "models"), models, sizeof models);
      const char *cells[] = {text_of(row, "name"), text_of(row, "table"), models};
      omr_listing_row(&t, cells, text_of(row, "meaning"));
    }
  }
  if (shown < count)
    fprintf(out, "\nand %d more: a longer text finds fewer, --json prints all\n", count - shown);
}

static omr_status describe_search(const omr_describe_options *o, omr_error *error, FILE *out) {
  const omr_row_choice choice = {.text = o->search};
  omr_model first = OMR_MODEL_VEHICLE, last = OMR_MODELS - 1;
  omr_frame_kind frame = OMR_FRAME_Y_UP;
  omr_status status =
      omr_page_find(o->model ? o->model : omr_model_names[0], o->frame, &first, &frame, error);
  if (status != OMR_OK) return status;
  if (!o->search[0] || o->name_count)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--search takes a text, and no names beside it: omniroll describe --search "
                    "battery, or omniroll describe omni_vehicle motor");
  if (o->model) last = first;

  /* collect the rows of the models, each once */
  cJSON *root = cJSON_CreateObject(), *found = omr_tree_list(root, "rows");
  omr_tree_text(root, "search", o->search);
  for (int model = (int)first; found && model <= (int)last; model++)
    search_model(found, (omr_model)model, frame, &choice);

  /* print them, the nearest first */
  const bool whole = omr_tree_whole(root);
  if (whole) sort_found(found, o->search);
  if (!whole)
    status = out_of_memory(error);
  else if (o->json)
    status = put_json(root, out, error);
  else if (cJSON_GetArraySize(found) == 0)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "no name and no meaning has a word that begins with \"%.*s\"; a shorter text "
                      "may, and omniroll describe MODEL lists the groups of names",
                      NEAR, o->search);
  else
    print_found(found, o->search, out);
  cJSON_Delete(root);
  return status;
}

omr_status omr_describe_part(const omr_describe_options *options, FILE *out, omr_error *error) {
  static const omr_describe_options none = OMR_DESCRIBE_OPTIONS_INIT;
  const omr_describe_options *o = options ? options : &none;
  omr_model model = OMR_MODEL_VEHICLE;
  omr_frame_kind frame = OMR_FRAME_Y_UP;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_describe_options", error);
  if (status == OMR_OK && o->search) return describe_search(o, error, out);
  if (status == OMR_OK && !o->model)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "describe needs the name of a model, such as omni_vehicle, or --search TEXT; "
                      "omniroll help describe names the models");
  if (status == OMR_OK) status = omr_page_find(o->model, o->frame, &model, &frame, error);
  if (status != OMR_OK) return status;
  status = o->name_count ? describe_names(model, o, frame, out, error)
                         : describe_groups(model, o, frame, out, error);
  if (status == OMR_OK && ferror(out))
    status = omr_fail(error, OMR_ERR_IO, "cannot write the description of %s", o->model);
  return status;
}
