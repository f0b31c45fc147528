/* SPDX-License-Identifier: MIT */
/* Sites that titrate: the curves of one and of two against their formulas, Monte Carlo against all ways counted, what is read
 * off. */
#include <math.h>

#include "data/titration/titration_curves.h"

/* Two states each, protonated first. */
static DebyeTitrationModel *
make_acids(const double *pkas, gsize n)
{
  const guint n_states[] = {2, 2, 2, 2};
  DebyeTitrationModel *model = debye_titration_model_new(n_states, n);
  for (gsize i = 0; i < n; i++) {
    model->protons[2 * i] = 1.0;
    model->energy[2 * i] = -G_LN10 * pkas[i];
  }
  return model;
}

static void
couple(DebyeTitrationModel *model, guint a, guint b, double energy)
{
  model->interaction[a * model->n_states + b] = energy;
  model->interaction[b * model->n_states + a] = energy;
}

static DebyeTitrationCurves *
make_curves(const DebyeTitrationModel *model, double charge)
{
  const DebyeTitrationCurvesSettings settings = {.range = {.first = 0.0, .step = 0.25, .n = 57},
                                                 .sampling = {.sweeps = 500, .blocks = 10, .seed = 7},
                                                 .charge = charge};
  return debye_titration_curves_new(model, &settings);
}

static void
test_one(void)
{
  const double pka = 4.1;
  g_autoptr(DebyeTitrationModel) model = make_acids(&pka, 1);
  g_autoptr(DebyeTitrationCurves) curves = make_curves(model, -1.0);
  g_assert_true(curves->is_exact);
  for (gsize k = 0; k < curves->n_ph; k++) {
    const double share = 1.0 / (1.0 + pow(10.0, curves->ph[k] - pka));
    g_assert_cmpfloat_with_epsilon(curves->protonated[k], share, 1e-12);
    g_assert_cmpfloat_with_epsilon(curves->charge[k], share - 1.0, 1e-12);
  }
  g_assert_cmpfloat_with_epsilon(debye_titration_model_get_intrinsic(model, 0), pka, 1e-12);
  g_assert_cmpfloat_with_epsilon(curves->midpoints[0].half, pka, 1e-9);
  g_assert_cmpfloat_with_epsilon(curves->midpoints[0].hill, 1.0, 1e-9);
  g_assert_true(isnan(curves->isoelectric));
}

/* Two like acids whose charges repel each other by W lose their protons at pK and pK + W/ln 10, each alike. */
static void
test_two(void)
{
  const double pkas[] = {4.0, 4.0}, w = 3.0;
  g_autoptr(DebyeTitrationModel) model = make_acids(pkas, 2);
  double occupancy[4];
  couple(model, 1, 3, w);
  for (double ph = 2.0; ph < 8.0; ph += 0.5) {
    const double x = pow(10.0, ph - 4.0), both = x * x * exp(-w);
    debye_titration_model_enumerate(model, ph, occupancy);
    g_assert_cmpfloat_with_epsilon(occupancy[0], (1.0 + x) / (1.0 + 2.0 * x + both), 1e-12);
    g_assert_cmpfloat_with_epsilon(occupancy[0], occupancy[2], 1e-12);
  }
  g_autoptr(DebyeTitrationCurves) curves = make_curves(model, -2.0);
  g_assert_cmpfloat_with_epsilon(curves->midpoints[0].half, 4.0 + 0.5 * w / G_LN10, 0.01);
  g_assert_cmpfloat(curves->midpoints[0].hill, <, 0.8);
}

/* Glycine's way: an acid of 2.4 and a base of 9.8. */
static void
test_isoelectric(void)
{
  const double pkas[] = {2.4, 9.8};
  g_autoptr(DebyeTitrationModel) model = make_acids(pkas, 2);
  g_autoptr(DebyeTitrationCurves) curves = make_curves(model, -1.0);
  g_assert_cmpfloat_with_epsilon(curves->isoelectric, 6.1, 0.01);
}

static void
compare(const DebyeTitrationModel *model, double ph, double slack)
{
  const DebyeTitrationSampling sampling = {.sweeps = 2000, .blocks = 20, .seed = 11};
  g_autofree double *exact = g_new(double, model->n_states), *found = g_new(double, model->n_states);
  g_autofree double *again = g_new(double, model->n_states), *error = g_new(double, model->n_states);
  debye_titration_model_enumerate(model, ph, exact);
  debye_titration_sample(model, ph, &sampling, found, error);
  debye_titration_sample(model, ph, &sampling, again, error);
  for (gsize s = 0; s < model->n_states; s++) {
    g_assert_cmpfloat(found[s], ==, again[s]);
    g_assert_cmpfloat(fabs(found[s] - exact[s]), <=, 4.0 * error[s] + slack);
  }
}

/* Seven sites of two and three states that feel each other by up to 4 kT. */
static void
test_sampling(void)
{
  const guint n_states[] = {2, 3, 2, 3, 2, 2, 3};
  g_autoptr(DebyeTitrationModel) model = debye_titration_model_new(n_states, G_N_ELEMENTS(n_states));
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (guint i = 0; i < model->n_sites; i++)
    for (guint s = model->first[i]; s < model->first[i + 1]; s++) {
      model->protons[s] = s == model->first[i] ? 0.0 : 1.0;
      model->energy[s] = s == model->first[i] ? 0.0 : -G_LN10 * g_rand_double_range(random, 3.0, 7.0);
      for (guint t = 0; t < model->first[i] && s > model->first[i]; t++)
        couple(model, s, t, g_rand_double_range(random, -4.0, 4.0));
    }
  for (double ph = 2.0; ph < 9.0; ph += 1.0)
    compare(model, ph, 2e-3);
}

/* A proton between two sites that can't lose it and can't have two: only both together move. */
static void
test_pair_moves(void)
{
  const double pkas[] = {7.2, 7.0};
  g_autoptr(DebyeTitrationModel) model = make_acids(pkas, 2);
  couple(model, 1, 3, 40.0);
  couple(model, 0, 2, 40.0);
  compare(model, 7.0, 2e-3);
}

static void
test_stop(void)
{
  const double pka = 4.0;
  const bool cancel = true;
  g_autoptr(DebyeTitrationModel) model = make_acids(&pka, 1);
  const DebyeTitrationCurvesSettings settings = {.range = {.first = 0.0, .step = 1.0, .n = 3},
                                                 .sampling = {.sweeps = 1, .blocks = 2},
                                                 .cancel = &cancel};
  g_assert_null(debye_titration_curves_new(model, &settings));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/titration/one", test_one);
  g_test_add_func("/titration/two", test_two);
  g_test_add_func("/titration/isoelectric", test_isoelectric);
  g_test_add_func("/titration/sampling", test_sampling);
  g_test_add_func("/titration/pair_moves", test_pair_moves);
  g_test_add_func("/titration/stop", test_stop);
  return g_test_run();
}
