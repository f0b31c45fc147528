/* SPDX-License-Identifier: MIT */
/* Histograms of displacements after each lag, by species, and what follows from them;
 * intermediate_scattering_displacements.c fills them. */
#pragma once

#include "kernels/scattering/displacement_histogram_lanes.h"
#include "app/analysis/driver/ranks.h"
#include "app/analysis/scattering/system/scatterers.h"
#include "scattering_offsets.h"

typedef struct {
  gsize n_frames;                   /* that the displacements are between */
  gsize n_species, n_times, n_bins; /* times: the first lags, at most as many as frames */
  double width;                     /* Å, of a bin */
  DebyeDisplacementSums sums;       /* by species and lag */
  double *offsets;                  /* Å, as scattering_offsets.h has them; NULL: not known */
} DebyeScatteringDisplacements;

/* None counted yet. FALSE with an error without the memory. */
gboolean debye_scattering_displacements_init(DebyeScatteringDisplacements *displacements, gsize n_species,
                                             gsize n_frames, gsize n_times, gsize n_bins, double width,
                                             GError **error);
/* Those of all processes together: what this one counted (NULL: nothing), and what was counted before (NULL:
 * nothing), of as many species, times and bins as wide. FALSE with an error without the memory. */
gboolean debye_scattering_displacements_collect(DebyeScatteringDisplacements *displacements,
                                                const DebyeSharing *counts,
                                                const DebyeScatteringDisplacements *earlier, gsize n_species,
                                                gsize n_frames, gsize n_times, double width,
                                                const DebyeRanks *ranks, GError **error);
/* The same of offsets, of those that were collected: what this process has of them, and what there was before
 * (NULL: nothing was counted, else its offsets are known). FALSE with an error without the memory. */
gboolean debye_scattering_displacements_collect_offsets(DebyeScatteringDisplacements *displacements,
                                                        const DebyeScatteringOffsets *own,
                                                        const DebyeScatteringDisplacements *earlier,
                                                        const DebyeRanks *ranks, GError **error);
void debye_scattering_displacements_clear(DebyeScatteringDisplacements *displacements);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringDisplacements, debye_scattering_displacements_clear)

/* The counts know a displacement within its bin only, but Σd² is exact: by how much of themselves the bins
 * are stretched to have it, too, for each lag. Free with g_free. */
double *debye_scattering_displacements_stretch(const DebyeScatteringDisplacements *displacements,
                                               guint species);
/* F_s of one atom of a species at q, for each lag into f[n_times]: ⟨sin(qd)/(qd)⟩, with the offsets in the
 * bins, or else the bins stretched, so that the error is of second order in q·width even where all
 * displacements are alike. */
void debye_scattering_displacements_average(const DebyeScatteringDisplacements *displacements, guint species,
                                            const double *stretch, double q, double *f);

/* ⟨d²⟩ and α₂ of a lag, of the atoms of a species, or of all together (species = n_species). */
void debye_scattering_displacements_moments(const DebyeScatteringDisplacements *displacements,
                                            const DebyeScatterers *scatterers, guint species, gsize time,
                                            double *mean_square, double *non_gaussian);

/* 4πr²·G_s(r, τ) in 1/Å, the distribution of displacements of all atoms after a lag, as values of `n` wide
 * bins that each join `joined` of the histogram's. */
void debye_scattering_displacements_van_hove(const DebyeScatteringDisplacements *displacements, gsize time,
                                             gsize joined, gsize n, double *values);
