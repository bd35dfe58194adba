#include "cases.h"

#include "../engine/backend.h"
#include <omp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const omr_bench_section_info omr_bench_sections[OMR_BENCH_SECTION_COUNT] = {
#define X(id, ...) {__VA_ARGS__},
    OMR_BENCH_SECTIONS(X)
#undef X
};

const char *const omr_bench_backends[4] = {"auto", "openmp", "scalar", "opencl"};
const char *const omr_bench_precisions[2] = {
    [OMR_DOUBLE] = "double", [OMR_SINGLE_PRECISION] = "single"};

/* ---- devices of this machine */

static bool is_isa(const char *name) {
  for (size_t i = 0; omr_openmp_isa(i); i++)
    if (!strcmp(omr_openmp_isa(i), name)) return true;
  return false;
}

static omr_status check_options(const omr_bench_request *o, omr_error *error) {
  if (!o->device) return OMR_OK;
  const bool isa = is_isa(o->device);

  /* Instruction sets belong to openmp and scalar, devices to OpenCL. */
  if (isa && o->backend == OMR_BACKEND_OPENCL)
    return omr_fail(error, OMR_ERR_USAGE,
                    "\"%s\" is an instruction set, which the backends openmp and scalar know; "
                    "OpenCL: `omniroll devices` lists its devices",
                    o->device);
  if (!isa && (o->backend == OMR_BACKEND_OPENMP || o->backend == OMR_BACKEND_SCALAR))
    return omr_fail(
        error, OMR_ERR_USAGE,
        "the openmp and scalar backends know no device \"%s\", but avx512, avx2 and baseline",
        o->device);

  /* The build and the processor must have the instruction set. */
  if (isa && !omr_openmp_runs(o->device))
    return omr_fail(error, OMR_ERR_DEVICE,
                    "this processor or this build has no instruction set %s (`omniroll devices` "
                    "lists what runs here)",
                    o->device);
  return OMR_OK;
}

/* The devices that the options allow, all of them where they name none. */
static omr_status find_devices(const omr_bench_request *o, bench_machine *m, omr_error *error) {
  omr_opencl_info info;
  for (size_t i = 0; m->opencl && omr_opencl_describe(i, &info); i++) {
    const bool wanted =
        !o->device || !strcmp(o->device, info.number) || strstr(info.name, o->device);
    if (wanted && m->device_count < (int)(sizeof m->devices / sizeof *m->devices))
      m->devices[m->device_count++] = info;
  }
  if (m->device_count || !m->opencl) return OMR_OK;
  m->opencl = false;
  if (!o->device && o->backend != OMR_BACKEND_OPENCL) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "OpenCL device \"%s\" is not here; `omniroll devices` lists what is",
                  o->device ? o->device : "any");
}

/* A GPU comes before the processor's cores, as with backend auto. */
static void choose_main(const omr_bench_request *o, bench_machine *m) {
  int device = -1;
  m->main = o->backend != OMR_BACKEND_AUTO ? o->backend
            : m->openmp                    ? OMR_BACKEND_OPENMP
                                           : OMR_BACKEND_OPENCL;
  for (int i = m->device_count; i-- > 0;)
    if (!m->devices[i].cpu) device = i;
  if (device < 0 && m->main == OMR_BACKEND_OPENCL) device = 0;
  if (device >= 0) m->main = OMR_BACKEND_OPENCL;
  snprintf(m->main_device, sizeof m->main_device, "%s",
           device >= 0 ? m->devices[device].number : m->isas[0]);
}

omr_status bench_machine_find(const omr_bench_request *o, bench_machine *m, omr_error *error) {
  const bool isa = o->device && is_isa(o->device);
  *m = (bench_machine){.threads = o->threads > 0 ? o->threads : omp_get_max_threads()};
  omr_status status = check_options(o, error);
  if (status != OMR_OK) return status;
  const bool any = o->backend == OMR_BACKEND_AUTO;
  m->openmp = (any || o->backend == OMR_BACKEND_OPENMP) && (!o->device || isa);
  m->scalar = (any || o->backend == OMR_BACKEND_SCALAR) && (!o->device || isa);
  m->opencl = (any || o->backend == OMR_BACKEND_OPENCL) && !isa;
  for (size_t i = 0; omr_openmp_isa(i) && m->isa_count < 4; i++) {
    const char *name = omr_openmp_isa(i);
    if ((m->openmp ? omr_openmp_runs(name) : omr_scalar_runs(name)) &&
        (!isa || !strcmp(name, o->device)))
      m->isas[m->isa_count++] = name;
  }
  status = find_devices(o, m, error);
  if (status == OMR_OK) choose_main(o, m);
  return status;
}

/* ---- building */

typedef struct maker {
  const omr_bench_request *options;
  const bench_machine *machine;
  bench_cases *cases;
} maker;

static void set(bench_case *c, const char *format, ...) OMR_PRINTF(2, 3);
static void set(bench_case *c, const char *format, ...) {
  va_list list;
  if (c->override_count == BENCH_OVERRIDES) return;
  va_start(list, format);
  vsnprintf(c->overrides[c->override_count++], BENCH_OVERRIDE, format, list);
  va_end(list);
}

static bench_case *add(maker *m, omr_bench_section section, omr_backend_kind backend,
                       const char *device, omr_precision precision) {
  static bench_case none;
  bench_cases *cases = m->cases;

  /* Without memory the caller fills a case that nobody reads. */
  if (!omr_grow(&cases->list, cases->count + 1, sizeof *cases->list)) {
    cases->failed = true;
    return &none;
  }

  /* The case stands by itself until the caller gives it a base. */
  bench_case *c = &cases->list[cases->count++];
  *c = (bench_case){.section = section,
                    .backend = backend,
                    .precision = precision,
                    .threads = m->machine->threads,
                    .base = -1};
  snprintf(c->device, sizeof c->device, "%s", device);

  /* The overrides choose backend, device and precision. */
  set(c, "engine.backend=%s", omr_bench_backends[backend]);
  set(c, "engine.device=\"%s\"", device);
  set(c, "engine.precision=%s", omr_bench_precisions[precision]);
  return c;
}

static const omr_opencl_info *find_device(const bench_machine *m, const char *number) {
  for (int i = 0; i < m->device_count; i++)
    if (!strcmp(m->devices[i].number, number)) return &m->devices[i];
  return NULL;
}

/* Enough instances to keep every thread, or every unit of a device, busy for some rounds of
 * work-sharing. */
static size_t default_instances(const maker *m, const bench_case *c) {
  const omr_opencl_info *device = find_device(m->machine, c->device);
  size_t wanted = 512 * (size_t)m->machine->threads, count = 4096;
  if (m->options->instances) return m->options->instances;
  if (device && !device->cpu) wanted = 1024 * (size_t)device->units;
  while (count < wanted) count *= 2;
  return count;
}

static void set_sizes(maker *m, bench_case *c) {
  set(c, "design.instances=%zu", default_instances(m, c));
  if (c->backend != OMR_BACKEND_OPENCL) set(c, "engine.threads=%d", c->threads);
}

/* Adds a case of a section on the machine's main backend. */
static bench_case *add_main(maker *m, omr_bench_section section, const char *name) {
  const omr_precision precision = m->options->one_precision ? m->options->precision : OMR_DOUBLE;
  bench_case *c = add(m, section, m->machine->main, m->machine->main_device, precision);
  snprintf(c->name, sizeof c->name, "%s", name);
  set_sizes(m, c);
  return c;
}

static bool leaves_out(const omr_bench_request *o, omr_precision precision) {
  return o->one_precision && o->precision != precision;
}

static int number_of(const maker *m, const bench_case *c) {
  return m->cases->failed ? -1 : (int)(c - m->cases->list);
}

/* The first case of a kind is the base of its ratios; base is -1 before it. */
static void compare_with_first(const maker *m, bench_case *c, int *base) {
  if (*base < 0) *base = number_of(m, c);
  c->base = *base;
}

/* ---- sections */

static void observe_all(bench_case *c) {
  set(c, "parameters.command={\"type\": \"constant\", \"yaw_rate\": 2}");
  set(c, "output={}");
}

static void add_scalar_and_lanes(maker *m, const char *isa, omr_precision precision,
                                 int *widest_scalar) {
  int base = -1;

  /* The scalar case is the base of the ratios. */
  if (m->machine->scalar && omr_scalar_runs(isa)) {
    bench_case *c = add(m, OMR_BENCH_BACKENDS, OMR_BACKEND_SCALAR, isa, precision);
    snprintf(c->name, sizeof c->name, "scalar %s %s", isa, omr_bench_precisions[precision]);
    set_sizes(m, c);
    c->base = base = number_of(m, c);
    if (*widest_scalar < 0) *widest_scalar = base;
  }

  /* The widest set has a second case with all observables. */
  for (int all = 0; m->machine->openmp && all < 2; all++) {
    if (all && strcmp(isa, m->machine->isas[0])) break;
    bench_case *c = add(m, OMR_BENCH_BACKENDS, OMR_BACKEND_OPENMP, isa, precision);
    snprintf(c->name, sizeof c->name, "openmp %s %s%s", isa, omr_bench_precisions[precision],
             all ? ", all observables" : "");
    set_sizes(m, c);
    if (all) observe_all(c);
    c->base = base;
  }
}

static void add_device(maker *m, const omr_opencl_info *device, omr_precision precision, int base) {
  static const int cpu_widths[] = {0, 1, 4, 8, 16};
  const int widths = device->cpu && !m->options->quick ? 5 : 1;
  for (int i = 0; i < widths; i++) {
    for (int all = 0; all < (i == 0 && !m->options->quick ? 2 : 1); all++) {
      if (cpu_widths[i] == device->lanes[precision]) continue; /* the first */
      bench_case *c = add(m, OMR_BENCH_BACKENDS, OMR_BACKEND_OPENCL, device->number, precision);
      char width[16] = "";
      if (cpu_widths[i]) snprintf(width, sizeof width, " x%d", cpu_widths[i]);
      snprintf(c->name, sizeof c->name, "opencl %s %s%s%s", device->number,
               omr_bench_precisions[precision], width, all ? ", all observables" : "");
      set_sizes(m, c);
      if (cpu_widths[i]) set(c, "engine.lanes=%d", cpu_widths[i]);
      if (all) observe_all(c);
      c->base = base;
    }
  }
}

static void add_backends(maker *m) {
  for (omr_precision p = OMR_DOUBLE; p <= OMR_SINGLE_PRECISION; p++) {
    int scalar = -1;
    if (leaves_out(m->options, p)) continue;
    for (int i = 0; i < m->machine->isa_count; i++) {
      if (m->options->quick && i > 0 && !strcmp(m->machine->isas[i], "baseline")) continue;
      add_scalar_and_lanes(m, m->machine->isas[i], p, &scalar);
    }
    for (int i = 0; i < m->machine->device_count; i++)
      if (p == OMR_SINGLE_PRECISION || m->machine->devices[i].has_double)
        add_device(m, &m->machine->devices[i], p, scalar);
  }
}

static int next_threads(int threads, int most) {
  const int next = threads < 8 ? threads + 1 : 2 * threads;
  return next < most || threads == most ? next : most;
}

static void add_thread_counts(maker *m, omr_precision precision) {
  const omr_backend_kind kind = m->machine->openmp ? OMR_BACKEND_OPENMP : OMR_BACKEND_SCALAR;
  const int most = m->machine->threads;
  int base = -1;
  for (int threads = 1; threads <= most; threads = next_threads(threads, most)) {
    bench_case *c = add(m, OMR_BENCH_THREADS, kind, m->machine->isas[0], precision);
    snprintf(c->name, sizeof c->name, "%d %s", threads, omr_bench_precisions[precision]);
    c->threads = threads;
    set_sizes(m, c);
    compare_with_first(m, c, &base);
  }
}

/* Threads of the processor; OpenCL devices choose theirs themselves. */
static void add_threads(maker *m) {
  if (!m->machine->openmp && !m->machine->scalar) return;
  for (omr_precision p = OMR_DOUBLE; p <= OMR_SINGLE_PRECISION; p++)
    if (!leaves_out(m->options, p)) add_thread_counts(m, p);
}

static void add_instances(maker *m) {
  const size_t most = m->options->instances ? m->options->instances
                      : m->options->quick   ? 10000
                                            : 1000000;
  for (size_t count = 1; count <= most; count *= 10) {
    char name[32];
    snprintf(name, sizeof name, "%zu", count);
    bench_case *c = add_main(m, OMR_BENCH_INSTANCES, name);
    set(c, "design.instances=%zu", count);
  }
}

/* Wheels turn at 10 rad/s, with plain rollers whose mass and inertia do not follow from their
 * number. With bearing friction the spins decay with a time of 1.5 s, in closed form while rollers
 * are off the floor. */
static void add_rollers(maker *m) {
  static const struct {
    const char *name, *exchange, *bearing;
  } kinds[] = {{"exchanges split", "split", "0"},
               {"exchanges straddle", "straddle", "0"},
               {"bearing friction", "split", "2e-5"}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    /* The wheel with the fewest rollers is the base of its kind. */
    int base = -1;
    for (int rollers = 4; rollers <= 64; rollers *= 2) {
      char name[64];
      snprintf(name, sizeof name, "%d, %s", rollers, kinds[k].name);
      bench_case *c = add_main(m, OMR_BENCH_ROLLERS, name);

      /* Three wheels turn on the spot. */
      set(c,
          "parameters={\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.7}, \"overlap\": \"allow\", "
          "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.3}, \"wheel\": "
          "{\"radius\": 0.1, \"tip_radius\": 0.005, \"friction\": 0.3, \"slip_speed\": 0.5, "
          "\"rollers\": %d, \"initial\": {\"rate\": -10}, \"roller\": {\"mass\": 0.11, "
          "\"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}, \"initial\": {\"yaw_rate\": "
          "3.3333333333333335}}",
          rollers);

      /* Kinds differ in bearing and exchange; every wheel draws its angle. */
      set(c, "parameters.wheel.roller.bearing=%s", kinds[k].bearing);
      set(c, "vary=[{\"path\": \"wheel.initial.angle\", \"uniform\": [-3, 3], \"each\": true}]");
      set(c, "integrator.exchange=%s", kinds[k].exchange);

      compare_with_first(m, c, &base);
    }
  }
}

static void add_wheels(maker *m) {
  static const int counts[] = {3, 1, 4, 6, 8};
  int base = -1;

  /* Three wheels come first: they are the base of the ratios. */
  for (int i = 0; i < 5; i++) {
    char name[32];
    snprintf(name, sizeof name, "%d", counts[i]);
    bench_case *c = add_main(m, OMR_BENCH_WHEELS, name);
    if (counts[i] > 1) set(c, "parameters.layout.wheels=%d", counts[i]);

    /* A single wheel is a model of its own. */
    if (counts[i] == 1) {
      set(c, "model=omni_wheel");
      set(c, "parameters={\"overlap\": \"allow\", \"wheel\": {\"radius\": 0.1, \"rollers\": 6, "
             "\"row_distance\": 0.04, \"slip_speed\": 0.05, \"disc\": {\"mass\": 4, "
             "\"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4}, \"roller\": {\"density\": "
             "4000}, \"drive\": {\"type\": \"constant\", \"torque\": -0.01}, \"initial\": "
             "{\"rate\": -5}}, \"initial\": {\"vx\": 0.5}}");
    }

    compare_with_first(m, c, &base);
  }
}

/* Rollers are cut, since a pointed tip is no rolling constraint. */
static void add_laws(maker *m) {
  static const struct {
    const char *name, *contact;
  } laws[] = {
      {"saturated_coulomb", "{\"law\": \"saturated_coulomb\"}"},
      {"saturated_coulomb, implicit tracking",
       "{\"law\": \"saturated_coulomb\", \"tracking\": \"implicit\"}"},
      {"saturated_coulomb, both trackings", NULL}, /* every pack computes both */
      {"regularized_coulomb", "{\"law\": \"regularized_coulomb\"}"},
      {"ideal_rolling", "{\"law\": \"ideal_rolling\"}"},
      {"udwadia_kalaba", "{\"law\": \"udwadia_kalaba\"}"},
      {"udwadia_kalaba, tanh", "{\"law\": \"udwadia_kalaba\", \"weights\": \"tanh\"}"},
      {"udwadia_kalaba, contact_wise",
       "{\"law\": \"udwadia_kalaba\", \"relaxation\": \"contact_wise\"}"},
      {"massless_rollers", "{\"law\": \"massless_rollers\"}"},
      {"classical_rollers", "{\"law\": \"classical_rollers\"}"},
  };

  /* The first law is the base of the ratios. */
  int base = -1;
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    bench_case *c = add_main(m, OMR_BENCH_LAWS, laws[i].name);
    set(c, "parameters.wheel.tip_radius=0.008");

    /* A row without a contact runs both trackings in one pack. */
    if (laws[i].contact)
      set(c, "parameters.contact=%s", laws[i].contact);
    else
      set(c, "vary[1]={\"path\": \"contact.tracking\", \"values\": [\"explicit\", \"implicit\"]}");

    compare_with_first(m, c, &base);
  }
}

static void add_methods(maker *m) {
  static const char *const methods[] = {"rk4", "midpoint", "heun", "semi_implicit_euler",
                                        "rosenbrock"};
  int base = -1;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    bench_case *c = add_main(m, OMR_BENCH_METHODS, methods[i]);
    set(c, "integrator.method=%s", methods[i]);
    compare_with_first(m, c, &base);
  }
}

static void add_numerics(maker *m) {
  static const char *const numerics[] = {"exact", "fast"};
  int base = -1;
  for (int i = 0; i < 2; i++) {
    bench_case *c = add_main(m, OMR_BENCH_NUMERICS, numerics[i]);
    c->fast = i != 0;
    if (c->fast) set(c, "engine.numerics=%s", numerics[i]);
    compare_with_first(m, c, &base);
  }
}

/* Source 1's free motion on the testbench; every instance has its own friction. */
static void add_trackings(maker *m) {
  int base = -1;
  for (omr_tracking t = OMR_TRACKING_EXPLICIT; t <= OMR_TRACKING_IMPLICIT; t++) {
    char name[64];
    snprintf(name, sizeof name, "engine, %s", omr_tracking_names[t]);
    bench_case *c = add_main(m, OMR_BENCH_TRACKING, name);
    set(c, "model=omni_wheel");
    set(c, "parameters=%s", bench_testbench);
    set(c, "parameters.contact.tracking=%s", omr_tracking_names[t]);
    set(c, "vary=[{\"path\": \"wheel.friction\", \"uniform\": [0.2, 0.6]}]");
    compare_with_first(m, c, &base);
  }
}

void bench_cases_make(const omr_bench_request *options, const bench_machine *machine,
                      bench_cases *cases) {
  static void (*const makers[OMR_BENCH_SECTION_COUNT])(maker *) = {
      [OMR_BENCH_BACKENDS] = add_backends,   [OMR_BENCH_THREADS] = add_threads,
      [OMR_BENCH_INSTANCES] = add_instances, [OMR_BENCH_ROLLERS] = add_rollers,
      [OMR_BENCH_WHEELS] = add_wheels,       [OMR_BENCH_LAWS] = add_laws,
      [OMR_BENCH_METHODS] = add_methods,     [OMR_BENCH_NUMERICS] = add_numerics,
      [OMR_BENCH_TRACKING] = add_trackings,
  };
  maker m = {options, machine, cases};
  *cases = (bench_cases){0};
  for (int i = 0; i < OMR_BENCH_SECTION_COUNT; i++)
    if (makers[i] && (!options->sections || options->sections >> i & 1))
      makers[i](&m); /* accuracy has no cases */
}
