/* SPDX-License-Identifier: MIT */
/* Artificial motions of one or two atoms, whose scattering is known. */
#include <complex.h>
#include <math.h>

#include "data/settings/request.h"
#include "app/analysis/scattering/system/scattering_motion.h"
#include "app/analysis/scattering/system/scattering_settings.h"
#include "data/files/error.h"

#define STEP 0.5 /* ps between frames */
/* Of means over so many that a deviation beyond four standard errors has a chance of 1 in 16,000. */
#define FEW_ERRORS 4.0

/* A pair of atoms, 2·ARM apart along x, and a third one that nothing is done to. */
#define ARM 1.5

static DebyeTopology *
make_topology(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 3; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = "C";
    atom.atomic_number = 6;
    debye_topology_builder_set_residue(builder, "PAI", -1, 1, 0, "", -1, "", -1);
    debye_topology_builder_add_atom(builder, &atom);
  }
  return debye_topology_builder_finish(builder);
}

static DebyeFrame *
make_frame(gsize number)
{
  DebyeFrame *frame = debye_frame_new(3);
  const float x[] = {(float)-ARM, (float)ARM, 7.0f};
  for (guint i = 0; i < 3; i++) {
    frame->x[i] = x[i];
    frame->y[i] = frame->z[i] = 0.0f;
  }
  frame->index = number;
  frame->time = 100.0 + STEP * (double)number;
  return frame;
}

static gboolean
try_motion(const char *text, DebyeScatteringMotions **motions, GError **error)
{
  g_autoptr(DebyeTopology) topology = make_topology();
  g_autoptr(DebyeFrame) frame = make_frame(0);
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_scattering_settings);
  g_assert_true(debye_request_set(request, "motion", text, NULL));
  DebyeScatteringSettings settings;
  debye_request_fill(request, &settings);
  return debye_scattering_motions_new(&settings, topology, frame, motions, error);
}

/* The first atom's places after 0, 1 … n − 1 frames. */
static DebyeVec3 *
follow(DebyeScatteringMotions *motions, gsize n)
{
  DebyeVec3 *places = g_new(DebyeVec3, n);
  debye_scattering_motions_begin(motions);
  for (gsize i = 0; i < n; i++) {
    g_autoptr(DebyeFrame) frame = make_frame(i);
    debye_scattering_motions_apply(motions, frame);
    g_assert_cmpfloat(frame->x[2], ==, 7.0);
    places[i] = debye_vec3(frame->x[0], frame->y[0], frame->z[0]);
  }
  return places;
}

static DebyeVec3 *
move(const char *text, gsize n)
{
  g_autoptr(GError) error = NULL;
  DebyeScatteringMotions *motions;
  try_motion(text, &motions, &error);
  g_assert_no_error(error);
  DebyeVec3 *places = follow(motions, n);
  g_autofree DebyeVec3 *again = follow(motions, n);
  g_assert_cmpmem(places, n * sizeof *places, again, n * sizeof *again);
  debye_scattering_motions_free(motions);
  return places;
}

static void
test_linear(void)
{
  const DebyeVec3 q = {0.3, -0.7, 0.2}, v = {1.0, 2.0, -0.5};
  g_autofree DebyeVec3 *places = move("index 0 1=linear:1,2,-0.5", 50);
  for (gsize n = 0; n < 50; n++) {
    DebyeVec3 d = debye_vec3_subtract(places[n], places[0]);
    double complex f = cexp(I * debye_vec3_dot(q, d));
    /* Places are floats of up to 50 Å. */
    g_assert_cmpfloat(cabs(f - cexp(I * debye_vec3_dot(q, v) * STEP * (double)n)), <, 1e-5);
  }
}

static void
test_oscillation(void)
{
  g_autofree DebyeVec3 *places = move("index 0=oscillation:0,0,2:4", 33);
  for (gsize n = 0; n < 33; n++)
    g_assert_cmpfloat_with_epsilon(places[n].z, 2.0 * sin(2.0 * G_PI * STEP * (double)n / 4.0), 1e-6);
  g_assert_cmpfloat(places[20].x, ==, -ARM);
}

/* ⟨cos qx⟩ of displacements over n frames that don't overlap, along x, and how well it is known. */
static double
get_self(const DebyeVec3 *places, gsize n_places, gsize n, double q, double *error)
{
  double sum = 0.0, squares = 0.0;
  gsize count = 0;
  for (gsize i = 0; i + n < n_places; i += n, count++) {
    double value = cos(q * (places[i + n].x - places[i].x));
    sum += value;
    squares += value * value;
  }
  double mean = sum / (double)count;
  *error = sqrt((squares / (double)count - mean * mean) / (double)count);
  return mean;
}

static void
test_brownian(void)
{
  const gsize n_places = 40000;
  g_autofree DebyeVec3 *places = move("index 0 1=brownian:0.3", n_places);
  for (gsize n = 1; n <= 64; n *= 4)
    for (double q = 0.5; q < 4.0; q *= 2.0) {
      double error, found = get_self(places, n_places, n, q, &error);
      /* Dτ = step²·n/6 */
      double expected = exp(-q * q * 0.3 * 0.3 * (double)n / 6.0);
      g_assert_cmpfloat(fabs(found - expected), <, FEW_ERRORS * error);
    }
}

/* A step is a vector of that length: ⟨exp(iq·d)⟩ = (sin(qs)/(qs))^n. */
static void
test_random_walk(void)
{
  const gsize n_places = 40000;
  g_autofree DebyeVec3 *places = move("index 0=random-walk:0.8", n_places);
  for (gsize i = 1; i < 100; i++)
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(debye_vec3_subtract(places[i], places[i - 1])), 0.8,
                                   1e-5);
  for (gsize n = 1; n <= 4; n++) {
    double error, q = 1.3, found = get_self(places, n_places, n, q, &error);
    g_assert_cmpfloat(fabs(found - pow(sin(q * 0.8) / (q * 0.8), (double)n)), <, FEW_ERRORS * error);
  }
}

/* All places in the ball alike: what stays of F_s is (3j₁(qR)/qR)², and that is the mean over pairs of times
 * far apart. Steps are as long as the ball, so that a hundred frames forget. */
static void
test_localised(void)
{
  const gsize n_places = 400000, apart = 100;
  const double q = 1.2, radius = 1.5, x = q * radius;
  g_autofree DebyeVec3 *places = move("index 0=localised:1.5:1.5", n_places);
  double error, found = get_self(places, n_places, apart, q, &error);
  double form = 3.0 * (sin(x) - x * cos(x)) / (x * x * x);
  for (gsize i = 0; i < n_places; i++)
    g_assert_cmpfloat(debye_vec3_length(debye_vec3_subtract(places[i], places[0])), <=, radius + 1e-5);
  g_assert_cmpfloat(fabs(found - form * form), <, FEW_ERRORS * error);
}

/* An atom on a sphere about the pair's centre: what stays of F_s is (sin(qR)/qR)². */
static void
test_rotational(void)
{
  const gsize n_places = 100000, apart = 50;
  const double q = 0.9, x = q * ARM;
  g_autofree DebyeVec3 *places = move("index 0 1=rotational:60", n_places);
  double error, found = get_self(places, n_places, apart, q, &error);
  for (gsize i = 0; i < n_places; i++)
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(places[i]), ARM, 1e-5);
  g_assert_cmpfloat(fabs(found - pow(sin(x) / x, 2.0)), <, FEW_ERRORS * error);
}

/* What was moved and then fixed is where it was. */
static void
test_fixed(void)
{
  g_autofree DebyeVec3 *places = move("index 0 1=linear:1,0,0\nindex 0=fixed", 10);
  for (gsize i = 0; i < 10; i++)
    g_assert_cmpfloat(places[i].x, ==, -ARM);
}

static void
test_bad(void)
{
  static const char *const texts[][2] = {
      {"index 0=spin:3", "expected linear, oscillation"},
      {"index 0=linear:1,2", "expected linear:vx,vy,vz"},
      {"index 0=linear:1,2,3,4", "expected linear:vx,vy,vz"},
      {"index 0=linear", "expected linear:vx,vy,vz"},
      {"index 0=oscillation:1,0,0:0", "expected oscillation:ax,ay,az:period"},
      {"index 0=brownian:nan", "expected brownian:step"},
      {"index 0=localised:1", "expected localised:step:radius"},
      {"index 0=rotational:-1", "expected rotational:degrees"},
      {"index 99=fixed", "selects no atoms"},
      {"brownian:1", "expected SELECTION=MOTION"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError) error = NULL;
    DebyeScatteringMotions *motions;
    g_assert_false(try_motion(texts[i][0], &motions, &error));
    g_assert_null(motions);
    g_assert_nonnull(strstr(error->message, texts[i][1]));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/motion/linear", test_linear);
  g_test_add_func("/motion/oscillation", test_oscillation);
  g_test_add_func("/motion/brownian", test_brownian);
  g_test_add_func("/motion/random-walk", test_random_walk);
  g_test_add_func("/motion/localised", test_localised);
  g_test_add_func("/motion/rotational", test_rotational);
  g_test_add_func("/motion/fixed", test_fixed);
  g_test_add_func("/motion/bad", test_bad);
  return g_test_run();
}
