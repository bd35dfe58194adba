/* Four wheels on a rectangle, which tests of loads start from. */
#ifndef OMR_TESTS_RECTANGLE_H
#define OMR_TESTS_RECTANGLE_H

#include "bodies.h"

/* Everything is at rest on the middle of the rollers. */
static inline machine resting_rectangle(void) {
  machine m = {.wheels = 4,
               .rollers = 8,
               .radius = 0.1,
               .center = 0.09,
               .platform_mass = 12,
               .platform_inertia = 0.5};
  m.com_x = 0.04;
  m.com_height = 0.15;
  m.com_z = -0.03;
  m.disc_mass = 0.5;
  m.disc_axial = m.disc_diametral = 1e-3;
  m.roller_mass = 0.05;
  m.roller_axial = m.roller_diametral = 1e-5;
  m.gravity = 9.81;
  m.friction = 0.4;
  m.slip_speed = 0.02;
  for (int i = 0; i < 4; i++) {
    m.wheel[i].a = i < 2 ? 0.3 : -0.3;
    m.wheel[i].b = i % 2 ? 0.2 : -0.2;
  }
  return m;
}

#endif
