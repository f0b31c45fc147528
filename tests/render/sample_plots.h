/* SPDX-License-Identifier: MIT */
/* Plots of the kinds that Debye makes, from formulas: the same on every machine. */
#pragma once

#include "render/plot/plot.h"

/* g(r) of three pairs, the first with an error band, a reference at 1 and a marked peak. */
DebyePlot *sample_plot_pair_distribution(void);
/* I(q) of a sphere, doubly logarithmic, with measured points and their errors. */
DebyePlot *sample_plot_scattering(void);
/* F(q, τ) of diffusion over a logarithmic τ. */
DebyePlot *sample_plot_heat_map(void);
/* A random walk of `n` points. */
DebyeCurve *sample_curve_long(gsize n);
