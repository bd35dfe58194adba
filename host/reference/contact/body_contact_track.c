/* Nearest points of the two surfaces of a contact, and the pairs of shapes that have them. */
#include "body_contact_inside.h"

static const omr_vec x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};

/* Ways to find the nearest points of a pair; the partner with the simple shape is B unless
 * `swapped`. */
typedef enum tracking {
  TRACK_NOTHING,
  TRACK_LOWEST, /* A is a plane */
  TRACK_FOOT,   /* B is a ball, A has a foot of its centre in closed form */
  TRACK_RIM,    /* B is a disc or torus in a bowl A */
  TRACK_GENERAL /* Newton's method on equations (5) of source 1 */
} tracking;

static bool has_foot(const omr_shape *s) {
  return s->kind != OMR_SHAPE_PLANE && s->kind != OMR_SHAPE_ROLLER;
}

static bool is_rim(const omr_shape *s) {
  return (s->kind == OMR_SHAPE_DISC || s->kind == OMR_SHAPE_TORUS) && !s->hollow;
}

static bool is_ball(const omr_shape *s) {
  return s->kind == OMR_SHAPE_SPHERE && !s->hollow;
}

/* The way for the pair in this order. */
static tracking ordered(const omr_shape *a, const omr_shape *b) {
  if (a->kind == OMR_SHAPE_PLANE && b->kind != OMR_SHAPE_PLANE && !b->hollow) return TRACK_LOWEST;
  if (is_ball(b) && has_foot(a)) return TRACK_FOOT;
  if (a->kind == OMR_SHAPE_SPHERE && a->hollow && is_rim(b)) return TRACK_RIM;
  return TRACK_NOTHING;
}

static tracking tracking_of(const omr_shape *a, const omr_shape *b, bool *swapped) {
  tracking t = ordered(a, b);
  *swapped = false;
  if (t != TRACK_NOTHING) return t;
  *swapped = true;
  t = ordered(b, a);
  if (t != TRACK_NOTHING) return t;
  *swapped = b->hollow;
  bool known = omr_shape_surface(a).look && omr_shape_surface(b).look && !(a->hollow && b->hollow);
  return known ? TRACK_GENERAL : TRACK_NOTHING;
}

static int sizes_of(omr_shape_kind kind) {
  static const int sizes[OMR_SHAPE_KINDS] = {
      [OMR_SHAPE_PLANE] = 0, [OMR_SHAPE_SPHERE] = 1, [OMR_SHAPE_ELLIPSOID] = 3,
      [OMR_SHAPE_DISC] = 1,  [OMR_SHAPE_TORUS] = 2,  [OMR_SHAPE_CYLINDER] = 2,
      [OMR_SHAPE_ROLLER] = 2};
  return sizes[kind];
}

static const char *refuse_shape(const omr_shape *s) {
  if ((unsigned)s->kind >= OMR_SHAPE_KINDS) return "the kind of a shape is unknown";
  for (int i = 0; i < sizes_of(s->kind); i++) {
    if (!(s->size[i] > 0) || !(s->size[i] < HUGE_VAL))
      return "a shape has a size that is not a positive number";
  }
  if (s->kind == OMR_SHAPE_TORUS && !(s->size[1] < s->size[0]))
    return "the tube of a torus is as thick as its circle is wide, or thicker";
  if (s->kind != OMR_SHAPE_ROLLER) return NULL;
  if (!(fabs(s->size[2]) < 1.5) || !(s->size[3] > 0 && s->size[3] < 1.5))
    return "a roller has an inclination or an end angle that is not below 1.5 rad";
  if (!(s->size[1] < s->size[0] * cos(s->size[3])))
    return "the ends of a roller have no thickness: R1 must be below R cos(end angle)";
  return NULL;
}

const char *omr_shape_pair_refuse(const omr_shape *a, const omr_shape *b) {
  bool swapped;
  const char *why = refuse_shape(a);
  if (!why) why = refuse_shape(b);
  if (why) return why;
  if ((a->hollow &&
       (a->kind == OMR_SHAPE_PLANE || a->kind == OMR_SHAPE_DISC || a->kind == OMR_SHAPE_ROLLER)) ||
      (b->hollow &&
       (b->kind == OMR_SHAPE_PLANE || b->kind == OMR_SHAPE_DISC || b->kind == OMR_SHAPE_ROLLER)))
    return "a plane, a disc or a roller cannot be hollow";
  if (tracking_of(a, b, &swapped) != TRACK_NOTHING) return NULL;
  if (a->kind == OMR_SHAPE_PLANE && b->kind == OMR_SHAPE_PLANE)
    return "two planes have no point of contact";
  if (a->hollow && b->hollow) return "of two hollow shapes neither can be inside of the other";
  if (a->kind == OMR_SHAPE_PLANE || b->kind == OMR_SHAPE_PLANE)
    return "a hollow shape cannot touch a plane";
  return "the edge of a disc touches planes, balls and the inside of balls only; a torus is a disc "
         "with a round edge";
}

static omr_contact_track track_lowest(const omr_body_contact *c, int body, const omr_frame *a,
                                      const omr_frame *b) {
  omr_contact_track t = {.n = omr_rated_direction(a, y_axis)};
  t.b = omr_shape_lowest(&c->shape[body], c->zone[body], b, t.n);
  omr_rated above = omr_rated_sub(t.b, (omr_rated){a->r, a->v});
  t.a = omr_rated_sub(t.b, omr_rated_mul(omr_rated_dot(above, t.n), t.n));
  return t;
}

static omr_contact_track track_foot(const omr_shape *sa, const omr_shape *ball, const omr_frame *a,
                                    const omr_frame *b) {
  omr_contact_track t;
  omr_rated center = {b->r, b->v};
  omr_shape_foot(sa, a, center, &t.n, &t.a);
  if (sa->hollow) t.n = omr_rated_neg(t.n);
  t.b = omr_rated_axpy(center, -ball->size[0], t.n);
  return t;
}

/* The point of the circle farthest from the bowl's centre lies in the direction of the circle's own
 * centre. */
static omr_contact_track track_rim(const omr_shape *bowl, const omr_shape *rim, const omr_frame *a,
                                   const omr_frame *b) {
  omr_contact_track t;
  omr_rated middle = {a->r, a->v}, center = {b->r, b->v};
  omr_rated out = omr_rated_across(omr_rated_sub(center, middle), omr_rated_direction(b, z_axis));
  omr_rated circle = omr_rated_axpy(center, rim->size[0], omr_rated_unit(out));
  t.n = omr_rated_unit(omr_rated_sub(middle, circle));
  t.b = omr_rated_axpy(circle, rim->kind == OMR_SHAPE_TORUS ? -rim->size[1] : 0, t.n);
  t.a = omr_rated_axpy(middle, -bowl->size[0], t.n);
  return t;
}

/* Point at which a ray from the shape's centre in an inertial direction leaves the surface. */
static omr_vec pierce(const omr_surface *s, const omr_frame *f, omr_vec direction) {
  omr_vec along = omr_transposed_times(&f->t, direction), gradient;
  omr_mat hesse;
  double value, low = 1e-9, high = 1e-9;

  /* double the distance until the point is outside */
  for (int i = 0; i < 120; i++) {
    s->look(s, omr_scale(high, along), &value, &gradient, &hesse);
    if (value > 0) break;
    low = high;
    high *= 2;
  }

  /* halve the interval */
  for (int i = 0; i < 30; i++) {
    double middle = (low + high) / 2;
    s->look(s, omr_scale(middle, along), &value, &gradient, &hesse);
    if (value > 0)
      high = middle;
    else
      low = middle;
  }
  return omr_axpy(f->r, low, direction);
}

static omr_vec gradient_at(const omr_surface *s, const omr_frame *f, omr_vec p) {
  omr_vec gradient;
  omr_mat hesse;
  double value;
  s->look(s, omr_transposed_times(&f->t, omr_sub(p, f->r)), &value, &gradient, &hesse);
  return omr_times(&f->t, gradient);
}

/* Points spread over a surface: along a spiral of directions from its centre, on a torus around its
 * circle. */
enum { SAMPLES = 200 };

static void sample(const omr_shape *shape, const omr_surface *s, const omr_frame *f,
                   omr_vec points[SAMPLES]) {
  for (int i = 0; i < SAMPLES; i++) {
    double turn = 2.399963229728653 * i, z = (2 * i + 1.0) / SAMPLES - 1, r = sqrt(1 - z * z);
    omr_vec d = omr_times(&f->t, omr_vec_of(r * cos(turn), r * sin(turn), z));
    if (shape->kind != OMR_SHAPE_TORUS) {
      points[i] = pierce(s, f, d);
      continue;
    }
    double around = 2 * acos(-1.0) * i / SAMPLES, tube = shape->size[1] * cos(turn),
           reach = shape->size[0] + tube;
    omr_vec p = {reach * cos(around), reach * sin(around), shape->size[1] * sin(turn)};
    points[i] = omr_add(f->r, omr_times(&f->t, p));
  }
}

/* p moved by `step`, and back onto the surface along its gradient. */
static omr_vec moved_on(const omr_surface *s, const omr_frame *f, omr_vec p, omr_vec step) {
  omr_vec r = omr_transposed_times(&f->t, omr_sub(omr_add(p, step), f->r)), gradient;
  omr_mat hesse;
  double value;
  for (int i = 0; i < 4; i++) {
    s->look(s, r, &value, &gradient, &hesse);
    r = omr_axpy(r, -value / omr_dot(gradient, gradient), gradient);
  }
  return omr_add(f->r, omr_times(&f->t, r));
}

/* Pattern search from *p for the point nearest to `other`; true if a nearer one was found. */
static bool come_nearer(const omr_surface *s, const omr_frame *f, omr_vec other, double step,
                        omr_vec *p) {
  static const double way[8][2] = {{1, 0},     {0, 1},      {-1, 0},      {0, -1},
                                   {0.7, 0.7}, {-0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}};
  omr_vec e1, e2, start = *p;
  omr_perpendicular(omr_unit(gradient_at(s, f, start)), &e1, &e2);
  double least = omr_norm(omr_sub(start, other));
  for (int i = 0; i < 8; i++) {
    omr_vec tried = omr_axpy(omr_scale(step * way[i][0], e1), step * way[i][1], e2);
    tried = moved_on(s, f, start, tried);
    double distance = omr_norm(omr_sub(tried, other));
    if (!(distance < least)) continue;
    least = distance;
    *p = tried;
  }
  return least < omr_norm(omr_sub(start, other));
}

static void refine(omr_surface_pair s, const omr_frame *a, const omr_frame *b,
                   omr_contact_points *x) {
  double step[2] = {omr_norm(omr_sub(x->a, a->r)) / 4, omr_norm(omr_sub(x->b, b->r)) / 4};
  for (int i = 0; i < 400 && step[1] > 1e-4 * omr_norm(omr_sub(x->b, b->r)); i++) {
    bool nearer = come_nearer(s.a, a, x->b, step[0], &x->a);
    nearer = come_nearer(s.b, b, x->a, step[1], &x->b) || nearer;
    for (int k = 0; !nearer && k < 2; k++) step[k] /= 2;
  }
}

/* The two nearest of the points spread over both surfaces, refined, and the factors of (5)
 * there. */
static omr_contact_points first_guess(omr_surface_pair s, const omr_shape *sa, const omr_shape *sb,
                                      const omr_frame *a, const omr_frame *b) {
  omr_vec on_a[SAMPLES], on_b[SAMPLES];
  omr_contact_points x = {{0, 0, 0}, {0, 0, 0}, 0, 0};

  sample(sa, s.a, a, on_a);
  sample(sb, s.b, b, on_b);
  double least = HUGE_VAL;

  /* the nearest pair of all samples */
  for (int i = 0; i < SAMPLES; i++) {
    for (int j = 0; j < SAMPLES; j++) {
      omr_vec d = omr_sub(on_a[i], on_b[j]);
      if (!(omr_dot(d, d) < least)) continue;
      least = omr_dot(d, d);
      x.a = on_a[i];
      x.b = on_b[j];
    }
  }

  /* refine it, and take the factors of (5) from the gradients there */
  refine(s, a, b, &x);
  omr_vec ga = gradient_at(s.a, a, x.a), gb = gradient_at(s.b, b, x.b);
  x.lambda = (sa->hollow ? 1 : -1) * omr_norm(ga) / omr_norm(gb);
  x.mu = omr_dot(omr_sub(x.a, x.b), gb) / omr_dot(gb, gb);

  return x;
}

/* Normal of A at its point; its rate includes the turning of the body and the motion of the point
 * over it. */
static omr_rated normal_at(const omr_surface *s, const omr_frame *f, omr_rated p) {
  omr_rated at = omr_rated_to_body(f, omr_rated_sub(p, (omr_rated){f->r, f->v}));
  omr_rated g;
  omr_mat hesse;
  double value;
  s->look(s, at.v, &value, &g.v, &hesse);
  g.d = omr_times(&hesse, at.d);
  return omr_rated_from_body(f, omr_rated_unit(g));
}

/* True if the point is on the profile of a roller and not beyond its ends, and for other shapes. */
static bool on_profile(const omr_shape *s, const omr_frame *f, omr_vec p) {
  if (s->kind != OMR_SHAPE_ROLLER) return true;
  double q = s->size[3], cos_psi = cos(s->size[2]), h = s->size[0] - s->size[1] / cos(q);
  double reach = s->size[1] * tan(q) / cos_psi + h * sin(q) * cos_psi;
  return fabs(omr_dot(omr_times(&f->t, x_axis), omr_sub(p, f->r))) <= reach;
}

/* Nearest points by equations (5) and (8) of source 1, section 3. */
static omr_contact_track track_general(omr_body_contact *c, int first, const omr_frame *a,
                                       const omr_frame *b) {
  const omr_shape *sa = &c->shape[first];
  omr_surface surface[2] = {omr_shape_surface(sa), omr_shape_surface(&c->shape[1 - first])};
  omr_surface_pair pair = {&surface[0], &surface[1]};
  omr_contact_points x = c->near, rate;

  /* start from the points found last, else from a search */
  bool found = c->tracked && omr_nearest_points(pair, a, b, &x, NULL);
  if (!found) {
    x = first_guess(pair, sa, &c->shape[1 - first], a, b);
    found = omr_nearest_points(pair, a, b, &x, NULL);
  }

  /* no contact beyond the ends of a profile */
  found = found && on_profile(sa, a, x.a) && on_profile(&c->shape[1 - first], b, x.b);
  if (!found || !omr_nearest_rates(pair, a, b, &x, &rate)) {
    omr_rated none = omr_rated_of(omr_vec_of((double)NAN, (double)NAN, (double)NAN));
    return (omr_contact_track){none, none, none};
  }

  /* keep the points for the next time */
  c->near = x;
  c->tracked = true;
  omr_contact_track t = {{x.a, rate.a}, {x.b, rate.b}, {{0, 0, 0}, {0, 0, 0}}};

  t.n = normal_at(pair.a, a, t.a);
  if (sa->hollow) t.n = omr_rated_neg(t.n);
  return t;
}

/* Nearest points and rates by the way of the pair
 * (appendix/reference.md#bodies). */
omr_contact_track omr_contact_follow(omr_body_contact *c, const omr_frame *a, const omr_frame *b) {
  bool swapped;
  tracking how = tracking_of(&c->shape[0], &c->shape[1], &swapped);
  int first = swapped ? 1 : 0;
  omr_frame frame[2] = {omr_shape_frame(&c->shape[0], a), omr_shape_frame(&c->shape[1], b)};
  const omr_frame *f = &frame[first], *g = &frame[1 - first];
  const omr_shape *s = &c->shape[first], *other = &c->shape[1 - first];
  omr_contact_track t;
  switch (how) {
  case TRACK_LOWEST: t = track_lowest(c, 1 - first, f, g); break;
  case TRACK_FOOT: t = track_foot(s, other, f, g); break;
  case TRACK_RIM: t = track_rim(s, other, f, g); break;
  default: t = track_general(c, first, f, g); break;
  }
  return swapped ? (omr_contact_track){t.b, t.a, omr_rated_neg(t.n)} : t;
}

omr_contact_place omr_contact_place_of(const omr_body_contact *c, const omr_frame *a,
                                       const omr_frame *b) {
  /* only `near` changes: Newton's method starts there next time */
  omr_contact_track t = omr_contact_follow((omr_body_contact *)c, a, b);
  omr_contact_place p = {.n = t.n.v,
                         .n_rate = t.n.d,
                         .point_a = t.a.v,
                         .trail_a = t.a.d,
                         .point = t.b.v,
                         .trail = t.b.d,
                         .arm = {omr_sub(t.b.v, a->r), omr_sub(t.b.v, b->r)}};
  p.slip = omr_sub(omr_point_velocity(b, p.arm[1]), omr_point_velocity(a, p.arm[0]));
  p.gap = omr_dot(p.n, omr_sub(p.point, p.point_a));
  p.gap_rate = omr_dot(p.n, p.slip);
  return p;
}

omr_contact_place omr_body_contact_place(const omr_mb *mb, const omr_body_contact *c) {
  return omr_contact_place_of(c, &mb->frame[c->base.a], &mb->frame[c->base.b]);
}

/* The shape that touches a plane, and the plane's normal; false: the contact has no zones. */
static bool zoned(const omr_body_contact *c, const omr_frame *body[2], int *which, omr_frame *f,
                  omr_vec *n) {
  bool swapped;
  if (tracking_of(&c->shape[0], &c->shape[1], &swapped) != TRACK_LOWEST) return false;
  int plane = swapped ? 1 : 0;
  omr_frame at = omr_shape_frame(&c->shape[plane], body[plane]);
  *which = 1 - plane;
  *n = omr_times(&at.t, y_axis);
  *f = omr_shape_frame(&c->shape[*which], body[*which]);
  return true;
}

double omr_contact_zone_margin(const omr_body_contact *c, const omr_frame *a, const omr_frame *b) {
  int which;
  omr_frame f;
  omr_vec n;
  if (!zoned(c, (const omr_frame *[2]){a, b}, &which, &f, &n)) return 1;
  return omr_shape_zone_margin(&c->shape[which], c->zone[which], &f, n);
}

bool omr_contact_settle_zones(omr_body_contact *c, const omr_frame *a, const omr_frame *b) {
  int which;
  omr_frame f;
  omr_vec n;
  if (!zoned(c, (const omr_frame *[2]){a, b}, &which, &f, &n)) return false;
  int zone = omr_shape_zone(&c->shape[which], &f, n);
  bool changed = zone != c->zone[which];
  c->zone[which] = zone;
  return changed;
}
