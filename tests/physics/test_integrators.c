/* Methods of integration: their order. */
#include "shared/methods.h"

/* Slip stays below v_s = 3 m/s throughout: the right-hand side is smooth between exchanges. The
 * error is that against RK4 with a step eight times shorter than the shortest. */
Test(integrators, of_every_method_is_that_of_the_literature_across_exchanges) {
  const char *const steps[] = {"integrator.step=1 ms", "integrator.step=0.5 ms",
                               "integrator.step=0.25 ms"};
  const char *friction = "parameters.wheel.friction=0.3", *zone = "parameters.wheel.slip_speed=3",
             *time = "integrator.duration=2";
  double exact[STATES];
  final_state(vehicle_text, OVERRIDES("integrator.step=0.03125 ms", friction, zone, time), exact,
              NULL);
  for (int m = 0; m < METHODS; m++) {
    double error[3], exchanges;
    for (int s = 0; s < 3; s++) {
      double state[STATES];
      final_state(vehicle_text, OVERRIDES(methods[m].method, steps[s], friction, zone, time), state,
                  &exchanges);
      error[s] = difference(state, exact, STATES);
    }
    double order = log2(error[1] / error[2]);
    cr_log_info("%s: errors %.2e %.2e %.2e, order %.2f, %g exchanges\n", methods[m].method,
                error[0], error[1], error[2], order, exchanges);
    cr_expect_geq(exchanges, 10);
    cr_expect_gt(order, methods[m].order - 0.25, "%s has order %.2f", methods[m].method, order);
    cr_expect_lt(order, methods[m].order + 0.5, "%s has order %.2f", methods[m].method, order);
  }
}

/* The laws that are constraints, of which "rosenbrock" knows nothing: methods 0 to 3, exchanges
 * with impacts among them. Under ideal rolling the errors of order 2 fall by 4 with each halving
 * from 1 ms to 0.5 ms and from 0.25 ms on, but with another factor in the second range, so the
 * order is measured there. RK4's errors reach rounding. Passive forces have kinks that no step is
 * split at: with them errors only have to fall with the step. */
Test(integrators, of_the_explicit_methods_is_the_same_under_constraints) {
  const char *const steps[] = {"integrator.step=0.25 ms", "integrator.step=0.0625 ms"};
  const char *passive = "parameters.contact={\"law\": \"udwadia_kalaba\", \"passive\": true, "
                        "\"weights\": \"fixed\"}";
  const char *const laws[] = {"parameters.contact.law=ideal_rolling",
                              "parameters.contact.law=massless_rollers",
                              "parameters.contact.law=udwadia_kalaba", passive};
  const char *friction = "parameters.wheel.friction=0.3", *time = "integrator.duration=2",
             *soft = "parameters.wheel.contact={\"reference_speed\": 1, \"baumgarte\": 5}";
  for (int law = 0; law < 4; law++) {
    double exact[STATES];
    final_state(vehicle_text,
                OVERRIDES("integrator.step=0.015625 ms", laws[law], friction, soft, time), exact,
                NULL);
    for (int m = 0; m < 4; m++) {
      double error[2], exchanges;
      for (int s = 0; s < 2; s++) {
        double state[STATES];
        final_state(vehicle_text,
                    OVERRIDES(methods[m].method, steps[s], laws[law], friction, soft, time), state,
                    &exchanges);
        error[s] = difference(state, exact, STATES);
      }
      double order = log2(error[0] / error[1]) / 2,
             expected = fmin(methods[m].order, law == 3 ? 0.25 : 4);
      cr_log_info("%s, %s: errors %.2e %.2e, order %.2f, %g exchanges\n", laws[law],
                  methods[m].method, error[0], error[1], order, exchanges);
      cr_expect_geq(exchanges, 10);
      if (error[1] > 1e-12)
        cr_expect_gt(order, expected - 0.25, "%s has order %.2f under %s", methods[m].method, order,
                     laws[law]);
    }
  }
}
