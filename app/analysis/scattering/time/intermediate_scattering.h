/* SPDX-License-Identifier: MIT */
/* Intermediate scattering functions F(q, τ), in passes over the trajectory; scattering_dynamic.c calls it for
 * each block of rows. Coherent: the amplitudes of a block of vectors at all times, then their correlations.
 * Incoherent: the positions of a block of atoms at all times, then the sum over atoms, by vectors or averaged
 * exactly. Each pass reads the trajectory once and never keeps it whole. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "kernels/scattering/scattering_groups.h"
#include "scattering_displacements.h"
#include "app/analysis/scattering/system/scattering_frames.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "scattering_signals.h"

typedef struct {
  const DebyeRunInput *input;
  const DebyeScatteringPlan *plan;
  DebyeScatteringGroups groups; /* the species */
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  DebyeLaneTotals *lanes;
  DebyeScatteringFrames *frames;
  const DebyeRunCallbacks *callbacks; /* may be NULL */
  DebyeSignal signal;
  const double *q; /* Å⁻¹, of the rows */
  gsize n_rows;
  double step;           /* ps between frames; 0: not known */
  gsize n_lags;          /* of the result; longer displacements are not counted */
  gboolean by_transform; /* coherent amplitudes by transforms of the lattice, frames shared by processes */
  gsize n_passes, n_passes_done; /* for progress, in all */
} DebyeIntermediateScattering;

/* Called for frame number `time` of a pass. FALSE with an error. */
typedef gboolean (*DebyeScatteringPassFunc)(gpointer data, DebyeFrame *frame, gsize time, GError **error);

/* All frames of the plan, prepared, for a pass that is after single atoms or not; `work` keeps up to n_kept
 * of them at a time, and looks at is_packed where they may be. FALSE with an error, G_IO_ERROR_CANCELLED where it
 * was stopped. A frame whose atoms have no finite positions, that has lost its cell, or that doesn't follow at the
 * same step of time, is an error: a function of time has no gaps. */
gboolean debye_intermediate_scattering_run_pass(DebyeIntermediateScattering *scattering,
                                                gboolean follows_atoms, gboolean may_be_packed, guint n_kept,
                                                DebyeScatteringPassFunc work, gpointer data, GError **error);

/* How many passes each takes, for progress. */
gsize debye_intermediate_scattering_count_coherent_passes(const DebyeIntermediateScattering *scattering);

/* The part of n vectors or atoms that is this process'. */
void debye_intermediate_scattering_share(const DebyeIntermediateScattering *scattering, gsize n, gsize *first,
                                         gsize *end);
/* May be NULL. */
const volatile bool *debye_intermediate_scattering_get_cancel(const DebyeIntermediateScattering *scattering);

/* Coherent signals by the plan's vectors, weighted. As the others it gives all processes the whole sums. */
gboolean debye_intermediate_scattering_compute_coherent(DebyeIntermediateScattering *scattering,
                                                        DebyeScatteringSignals *signals, GError **error);
/* Incoherent ones by the plan's vectors, weighted with b_inc². */
gboolean debye_intermediate_scattering_compute_self(DebyeIntermediateScattering *scattering,
                                                    DebyeScatteringSignals *signals, GError **error);

/* How far the counting of displacements is, in atoms, and how it is kept in a file meanwhile. */
typedef struct {
  gsize n_all, n_done, n_next;                 /* atoms: of all species, the first ones counted, next ones */
  const DebyeScatteringDisplacements *earlier; /* of those done before this run; NULL: none */
  gboolean is_kept;
  /* About how many come before they are kept again; the same in all processes. */
  gsize (*next)(gpointer data);
  /* Those of the first n_done atoms, of all processes; called in all of them. FALSE with an error. */
  gboolean (*keep)(gpointer data, const DebyeScatteringDisplacements *so_far, GError **error);
  gpointer data;
} DebyeScatteringCount;

/* The width in Å of the bins that displacements are counted in, from the tolerance and the largest q. */
double debye_intermediate_scattering_bin_width(const DebyeIntermediateScattering *scattering);
/* Likewise before anything is read: in Å, of a tolerance and the largest q (1/Å). */
double debye_scattering_displacement_bin_width(double tolerance, double q_max);

/* Incoherent F_s(q, τ), exactly averaged; *displacements (all zero before) keeps the histograms that it came
 * from, of all lags. */
gboolean debye_intermediate_scattering_compute_displacements(DebyeIntermediateScattering *scattering,
                                                             DebyeScatteringCount *count,
                                                             DebyeScatteringSignals *signals,
                                                             DebyeScatteringDisplacements *displacements,
                                                             GError **error);
