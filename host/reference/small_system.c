/* Small models as systems that come with the program: host/reference/systems/MODEL.json, in the
 * language of a study's own system and with the rows of lists/graph_built_in.def. The names in it
 * are the model's parameters, with _ for the dots of their paths. Its samples and measures with
 * names of the model's own samples and observables are these; a measure with the name of a status
 * ends the run where its condition holds, and one that is called refused_... refuses the instance
 * for its meaning, in which {NAME} is the value of the sample. An object with "choose": WORD, a
 * word among the parameters, stands for its member whose key has the study's choice, or
 * for "otherwise". */
#include "study/grammar/parse.h"
#include "system/graph_system.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A system with the words of a study. Kept until the program ends. */
struct omr_small_system {
  omr_model model;
  int options[sizeof((omr_study *)0)->options / sizeof(int)];
  omr_graph *graph;
  int parameter[OMR_GRAPH_PARAMETERS]; /* OMR_VP_ */
  omr_slot *sample;                    /* [samples of the model]; -1: it has none */
  int observable[OMR_GRAPH_MEASURES];  /* OMR_OBS_; -1: none */
  int status[OMR_GRAPH_MEASURES];      /* omr_instance_status; 0: none */
  bool refusal[OMR_GRAPH_MEASURES];
  bool plate; /* "ground": "plate": the base moves */
  omr_small_system *next;
};

#define SYSTEM(id, word) extern const char omr_system_##word[];
#include "lists/reference_systems.def"
#undef SYSTEM

/* Behind the line that the embedding adds. */
static const char *text_of(omr_model model) {
#define SYSTEM(id, word)                                                                           \
  if (model == OMR_MODEL_##id) return strchr(omr_system_##word, '\n');
#include "lists/reference_systems.def"
#undef SYSTEM
  return "";
}

/* READING */

static const char *choice_of(const omr_study *study, const char *path) {
  const omr_small_list *list = omr_small_list_of(study->model);
  for (int w = 0; w < list->words; w++)
    if (strcmp(list->word_list[w].path, path) == 0)
      return list->word_list[w].choices[study->options[w]].name;
  return "";
}

/* Takes the member out whose key, one or more choices with blanks between them, has the name. */
static cJSON *take_chosen(cJSON *choice, const char *name) {
  const size_t length = strlen(name);
  for (cJSON *member = choice->child; member; member = member->next)
    for (const char *at = member->string; *at; at += strspn(at, " ")) {
      const size_t word = strcspn(at, " ");
      if (word == length && strncmp(at, name, length) == 0)
        return cJSON_DetachItemViaPointer(choice, member);
      at += word;
    }
  return cJSON_DetachItemFromObjectCaseSensitive(choice, "otherwise");
}

/* Puts what is chosen in the place of all choices below the item, and takes away what is null. */
static void choose(const omr_study *study, cJSON *parent) {
  for (cJSON *item = parent->child, *next; item; item = next) {
    next = item->next;
    const cJSON *word = omr_json_get(item, "choose");
    if (word) {
      cJSON *chosen = take_chosen(item, choice_of(study, word->valuestring));
      if (!chosen || cJSON_IsNull(chosen)) {
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, item));
        cJSON_Delete(chosen);
        continue;
      }
      cJSON_free(chosen->string);
      chosen->string = item->string;
      item->string = NULL;
      if (!cJSON_ReplaceItemViaPointer(parent, item, chosen)) return;
      next = chosen;
      continue;
    }
    choose(study, item);
  }
}

/* The tree's parameters are those of the model. */
static void add_parameters(omr_small_system *small, cJSON *root) {
  cJSON *parameters = omr_tree_object(root, "parameters");
  int count = 0;
  for (int v = 0; v < OMR_VP_COUNT && count < OMR_GRAPH_PARAMETERS; v++) {
    char name[64];
    if (!omr_parameter_belongs(&omr_vehicle_parameters[v], small->model)) continue;
    snprintf(name, sizeof name, "%s", omr_vehicle_parameters[v].path);
    for (char *at = name; *at; at++)
      if (*at == '.') *at = '_';
    omr_tree_number(parameters, name, 0);
    small->parameter[count++] = v;
  }
}

/* "front.left_wheel" is printed as "front left wheel". */
static void print_plainly(char *path) {
  for (char *at = path; *at; at++)
    if (*at == '.' || *at == '_') *at = ' ';
}

static int index_of(const char *name, const char *const *names, size_t stride, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(*(const char *const *)((const char *)names + (size_t)i * stride), name) == 0)
      return i;
  return -1;
}

static void connect(omr_small_system *small) {
  static const char *const statuses[] = {
#define X(id, code, word, ...) [code] = word,
#include "lists/statuses.def"
#undef X
  };
  const omr_graph *graph = small->graph;
  const omr_small_list *list = omr_small_list_of(small->model);
  for (int j = 0; j < list->samples && graph->samples > 0; j++) {
    const int at = index_of(list->sample_list[j].name, (const char *const *)&graph->sample->name,
                            sizeof *graph->sample, graph->samples);
    small->sample[j] = at < 0 ? -1 : graph->sample_slot[at];
  }
  for (int m = 0; m < graph->measures; m++) {
    const char *name = graph->measure[m].name;
    const int status =
        index_of(name, statuses, sizeof *statuses, sizeof statuses / sizeof *statuses);
    small->observable[m] =
        index_of(name, &omr_observables->name, sizeof *omr_observables, OMR_OBS_COUNT);
    small->status[m] = status > 0 ? status : 0;
    small->refusal[m] = strncmp(name, "refused_", 8) == 0;
  }
  for (int b = 0; b < graph->bodies; b++) print_plainly(graph->body[b].path);
  for (int e = 0; e < graph->elements; e++) print_plainly(graph->element[e].path);
}

static omr_status read_text(const omr_study *study, omr_small_system *small, const char *text,
                            omr_error *error) {
  omr_study *own = calloc(1, sizeof *own);
  omr_reader *reader = calloc(1, sizeof *reader);
  omr_status status = own && reader ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) {
    reader->study = own;
    reader->error = error;
    status =
        omr_json_parse(&reader->json, text, strlen(text), omr_model_names[study->model], error);
    if (status == OMR_OK) status = omr_read_built_in_graph(reader, reader->json.root);
    omr_json_free(&reader->json);
    if (status == OMR_OK) {
      small->graph = own->graph;
      connect(small);
    } else {
      omr_graph_destroy(own->graph);
    }
  }
  free(reader);
  free(own);
  return status;
}

static omr_status read_system(const omr_study *study, omr_small_system **made, omr_error *error) {
  omr_small_system *small = calloc(1, sizeof *small);
  cJSON *root = cJSON_Parse(text_of(study->model));
  char *text = NULL;
  *made = small;
  if (small && root) {
    const size_t samples = (size_t)omr_small_list_of(study->model)->samples;
    small->model = study->model;
    memcpy(small->options, study->options, sizeof small->options);
    small->sample = malloc(samples * sizeof *small->sample);
    add_parameters(small, root);
    choose(study, root);
    small->plate = omr_json_get(root, "ground") != NULL;
    text = omr_json_print(root);
  }
  omr_status status = text && small->sample ? read_text(study, small, text, error)
                                            : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  cJSON_Delete(root);
  free(text);
  if (status == OMR_OK) return OMR_OK;
  if (small) free(small->sample);
  free(small);
  return status;
}

static omr_status system_of(const omr_study *study, const omr_small_system **found,
                            omr_error *error) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  static omr_small_system *first;
  omr_status status = OMR_OK;
  pthread_mutex_lock(&turn);
  omr_small_system *at = first;
  while (at && (at->model != study->model ||
                memcmp(at->options, study->options, sizeof at->options) != 0))
    at = at->next;
  if (!at) {
    status = read_system(study, &at, error);
    if (status == OMR_OK) {
      at->next = first;
      first = at;
    }
  }
  pthread_mutex_unlock(&turn);
  *found = at;
  return status;
}

/* ASSEMBLY */

/* The meaning of a refusal, with numbers in the place of {NAME}. */
static void tell(omr_graph_system *s, const char *text, omr_reason *why) {
  omr_text told = {0};
  for (const char *at = text; *at;) {
    const size_t plain = strcspn(at, "{"), named = strcspn(at + plain, "}");
    char name[64];
    omr_text_add(&told, at, plain);
    at += plain;
    if (!*at) break;
    snprintf(name, sizeof name, "%.*s", (int)named - 1, at + 1);
    const int sample = index_of(name, (const char *const *)&s->graph->sample->name,
                                sizeof *s->graph->sample, s->graph->samples);
    omr_text_print(&told, "%.6g", omr_graph_number(s, s->graph->sample_slot[sample]));
    at += named + 1;
  }
  omr_refuse(why, "%s", told.data ? told.data : "out of memory");
  omr_text_free(&told);
}

/* Whether nothing refuses the instance; of the motion: by what its accelerations say. */
static bool accepted(omr_graph_system *s, bool motion, omr_reason *why) {
  for (int m = 0; m < s->graph->measures; m++) {
    const omr_slot slot = omr_graph_measured_slot(s->graph, m);
    if (!s->small->refusal[m] || motion != (s->graph->slot[slot].level == OMR_GRAPH_DYNAMIC) ||
        !omr_graph_holds(s, slot))
      continue;
    tell(s, s->graph->measure[m].meaning, why);
    return false;
  }
  return true;
}

static bool has_refusal_of_motion(const omr_graph_system *s) {
  for (int m = 0; m < s->graph->measures; m++)
    if (s->small->refusal[m] &&
        s->graph->slot[omr_graph_measured_slot(s->graph, m)].level == OMR_GRAPH_DYNAMIC)
      return true;
  return false;
}

/* Bodies without inertia and the like are refused here, or where the run begins. */
static bool build(omr_graph_system *s, omr_reference *r, omr_reason *why) {
  omr_error error = {.message = ""};
  if (!accepted(s, false, why) || !omr_graph_put_together(s, r, why)) return false;
  omr_graph_add_disc_switches(s, r);
  if (omr_mb_complete(r->mb, &error) != OMR_OK || omr_mb_evaluate(r->mb, NULL, &error) != OMR_OK) {
    omr_refuse(why, "%s", error.message);
    return !has_refusal_of_motion(s);
  }
  s->start_energy = omr_graph_energy(s);
  omr_graph_begin_measures(s);
  return accepted(s, true, why);
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     omr_reason *why) {
  const omr_small_system *small;
  double parameters[OMR_GRAPH_PARAMETERS];
  omr_error error = {.message = ""};
  if (system_of(study, &small, &error) != OMR_OK) return omr_refuse(why, "%s", error.message);
  for (int p = 0; p < small->graph->parameters; p++)
    parameters[p] = values->vehicle[small->parameter[p]];
  omr_graph_system *s = omr_graph_make(r, small->graph, parameters);
  if (s && small->plate && (s->plate = omr_pool_take(&r->memory, 1, sizeof *s->plate)))
    *s->plate = *values;
  if (!s || (small->plate && !s->plate)) return omr_refuse(why, "out of memory");
  s->small = small;
  return build(s, r, why);
}

/* SAMPLES AND OBSERVABLES */

static int status_of(omr_graph_system *s) {
  for (int m = 0; m < s->graph->measures; m++)
    if (s->small->status[m] && omr_graph_holds(s, omr_graph_measured_slot(s->graph, m)))
      return s->small->status[m];
  return OMR_INSTANCE_OK;
}

static void sample(const omr_reference *r, double *out) {
  omr_graph_system *s = r->self;
  const omr_small_list *list = omr_small_list_of(s->small->model);
  for (int j = 0; j < list->samples; j++)
    out[j] = s->small->sample[j] < 0 ? (double)NAN : omr_graph_number(s, s->small->sample[j]);
  s->owner->failed = status_of(s);
}

static void observe(omr_reference *r) {
  omr_graph_system *s = r->self;
  r->failed = status_of(s);
  if (r->failed) return;
  omr_graph_look(s, false);
  s->looked = true;
}

static bool needs_looks(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_MEASURE_LARGEST || kind == OMR_GRAPH_KIND_MEASURE_SMALLEST ||
         kind == OMR_GRAPH_KIND_MEASURE_FIRST || kind == OMR_GRAPH_KIND_MEASURE_COUNT;
}

static void reduce(const omr_reference *r, double *observables) {
  omr_graph_system *s = r->self;
  const omr_graph *graph = s->graph;
  for (int m = 0; m < graph->measures; m++)
    if (s->small->observable[m] >= 0 &&
        (s->looked || !needs_looks(graph->element[graph->measure_element[m]].kind)))
      observables[s->small->observable[m]] = omr_graph_measure(s, m);
}

const omr_reference_model omr_reference_small = {
    .assemble = assemble, .sample = sample, .observe = observe, .reduce = reduce};
