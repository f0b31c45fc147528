/* SPDX-License-Identifier: MIT */
/* Curves that look like those of water and of a protein in solution. */
#include "sample_plots.h"

#include <math.h>

#define N_R 300
#define N_Q 400
#define N_MEASURED 60
#define N_TAU 49
#define N_ROWS 40

/* Shells as Gaussians on a step that rises at the first contact. */
typedef struct {
  double contact, peaks[3][3]; /* place, height, width */
} Shells;

static double
pair_distribution(const Shells *shells, double r)
{
  double g = 1.0 / (1.0 + exp(-(r - shells->contact) / 0.08));
  for (int i = 0; i < 3; i++) {
    double z = (r - shells->peaks[i][0]) / shells->peaks[i][2];
    g += shells->peaks[i][1] * exp(-0.5 * z * z);
  }
  return fmax(g, 0.0);
}

static DebyeCurve *
make_pair(const char *name, const Shells *shells, gboolean with_errors)
{
  double r[N_R], g[N_R], errors[N_R];
  for (int i = 0; i < N_R; i++) {
    r[i] = 0.025 + 0.04 * i;
    g[i] = pair_distribution(shells, r[i]);
    errors[i] = 0.012 + 0.055 * g[i] * (1.0 + 0.4 * sin(3.0 * r[i]));
  }
  return debye_curve_new(name, &(DebyeQuantity){"r", NULL, "Å"}, &(DebyeQuantity){"g", "g(r)", NULL},
                         DEBYE_CURVE_LINE, N_R, r, g, with_errors ? errors : NULL);
}

DebyePlot *
sample_plot_pair_distribution(void)
{
  static const Shells oo = {2.62, {{2.78, 1.95, 0.14}, {4.5, 0.17, 0.45}, {3.45, -0.22, 0.3}}};
  static const Shells oh = {3.0, {{1.85, 1.1, 0.13}, {3.28, 0.58, 0.25}, {2.4, 0.0, 1.0}}};
  static const Shells hh = {2.1, {{2.42, 0.42, 0.2}, {3.85, 0.16, 0.4}, {3.1, -0.17, 0.25}}};
  DebyePlot *plot = debye_plot_new();
  g_autoptr(DebyeCurve) first = make_pair("O–O", &oo, TRUE), second = make_pair("O–H", &oh, FALSE),
                        third = make_pair("H–H", &hh, FALSE);
  debye_plot_add_curve(plot, first, DEBYE_PLOT_Y);
  debye_plot_add_curve(plot, second, DEBYE_PLOT_Y);
  debye_plot_add_curve(plot, third, DEBYE_PLOT_Y);
  debye_plot_set_label(plot, DEBYE_PLOT_X, "<i>r</i> (Å)");
  debye_plot_set_label(plot, DEBYE_PLOT_Y, "<i>g</i>(<i>r</i>)");
  debye_plot_add_reference(plot, DEBYE_PLOT_Y, 1.0, NULL);
  debye_plot_add_peak(plot, 2.785, pair_distribution(&oo, 2.785), "2.78 Å");
  debye_plot_set_caption(
      plot, "Pair distributions of TIP3P water at 300 K, r up to 12 Å, 501 frames, errors from 8 blocks");
  return plot;
}

static double
sphere(double q, double radius)
{
  double x = q * radius, form = 3.0 * (sin(x) - x * cos(x)) / (x * x * x);
  return form * form;
}

/* Spheres of several radii: minima that are not quite zero. */
static double
scattering(double q)
{
  double sum = 0.0;
  for (int i = -6; i <= 6; i++)
    sum += exp(-0.5 * (i / 2.5) * (i / 2.5)) * sphere(q, 22.0 * (1.0 + 0.02 * i));
  return 12.5 * sum / 6.2 + 4e-3;
}

DebyePlot *
sample_plot_scattering(void)
{
  double q[N_Q], intensity[N_Q], measured_q[N_MEASURED], measured[N_MEASURED], errors[N_MEASURED];
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  for (int i = 0; i < N_Q; i++) {
    q[i] = 0.005 * pow(100.0, (double)i / (N_Q - 1));
    intensity[i] = scattering(q[i]);
  }
  for (int i = 0; i < N_MEASURED; i++) {
    double noise = 0.0;
    for (int k = 0; k < 12; k++)
      noise += g_rand_double(random) - 0.5;
    measured_q[i] = 0.08 * pow(56.0, (double)i / (N_MEASURED - 1)); /* nm⁻¹ */
    double exact = scattering(0.1 * measured_q[i]);
    errors[i] = 0.03 * exact + 1.4e-3;
    measured[i] = exact + errors[i] * noise;
  }
  const DebyeQuantity y = {"intensity", "I(q)", "cm⁻¹"};
  g_autoptr(DebyeCurve) model = debye_curve_new("computed", &(DebyeQuantity){"q", NULL, "Å⁻¹"}, &y,
                                                DEBYE_CURVE_LINE, N_Q, q, intensity, NULL);
  g_autoptr(DebyeCurve) data = debye_curve_new("measured", &(DebyeQuantity){"q", NULL, "nm⁻¹"}, &y,
                                               DEBYE_CURVE_MARKERS, N_MEASURED, measured_q, measured, errors);
  DebyePlot *plot = debye_plot_new();
  debye_plot_add_curve(plot, model, DEBYE_PLOT_Y);
  debye_plot_add_curve(plot, data, DEBYE_PLOT_Y);
  debye_plot_set_label(plot, DEBYE_PLOT_X, "<i>q</i> (Å<sup>−1</sup>)");
  debye_plot_set_label(plot, DEBYE_PLOT_Y, "<i>I</i>(<i>q</i>) (cm<sup>−1</sup>)");
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  return plot;
}

DebyePlot *
sample_plot_heat_map(void)
{
  double q[N_ROWS], tau[N_TAU], values[N_ROWS * N_TAU];
  for (int i = 0; i < N_ROWS; i++)
    q[i] = 0.05 * (i + 1);
  for (int j = 0; j < N_TAU; j++)
    tau[j] = 0.1 * pow(10.0, (double)j / 12.0);
  for (int i = 0; i < N_ROWS; i++)
    for (int j = 0; j < N_TAU; j++)
      values[i * N_TAU + j] =
          0.08 * exp(-q[i] * q[i]) + (1.0 - 0.08 * exp(-q[i] * q[i])) * exp(-0.23 * q[i] * q[i] * tau[j]);
  g_autoptr(DebyeMatrix) matrix = debye_matrix_new("F(q, τ)", &(DebyeQuantity){"q", NULL, "Å⁻¹"}, N_ROWS, q,
                                                   &(DebyeQuantity){"tau", "τ", "ps"}, N_TAU, tau,
                                                   &(DebyeQuantity){"F", "F(q, τ)", NULL}, values, NULL);
  DebyePlot *plot = debye_plot_new();
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_matrix(plot, matrix);
  debye_plot_set_label(plot, DEBYE_PLOT_X, "<i>τ</i> (ps)");
  debye_plot_set_label(plot, DEBYE_PLOT_Y, "<i>q</i> (Å<sup>−1</sup>)");
  debye_plot_set_label(plot, DEBYE_PLOT_COLOR, "<i>F</i>(<i>q</i>, <i>τ</i>)");
  return plot;
}

DebyeCurve *
sample_curve_long(gsize n)
{
  double *x = g_new(double, n), *y = g_new(double, n), value = 0.0;
  guint64 state = 88172645463325252u;
  for (gsize i = 0; i < n; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    value += (double)(state >> 11) / 9007199254740992.0 - 0.5;
    x[i] = (double)i * 0.002;
    y[i] = value;
  }
  g_autoptr(GBytes) x_bytes = g_bytes_new_take(x, n * sizeof(double));
  g_autoptr(GBytes) y_bytes = g_bytes_new_take(y, n * sizeof(double));
  return debye_curve_new_for_bytes("walk", &(DebyeQuantity){"t", NULL, "ps"},
                                   &(DebyeQuantity){"energy", "E", "kJ/mol"}, DEBYE_CURVE_LINE, x_bytes,
                                   y_bytes, NULL);
}
