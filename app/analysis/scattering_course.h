/* SPDX-License-Identifier: MIT */
/* Scattering in time: passes over the trajectory, and what is made of what they bring. Coherent: amplitudes
 * of a block of vectors at all times, then their correlations. Incoherent: the places of a block of atoms at
 * all times, then the sum over atoms, by vectors or averaged exactly. The trajectory is read once a pass and
 * never kept whole. */
#pragma once

#include "device_choice.h"
#include "kernels/displacement_counts.h"
#include "kernels/scattering_groups.h"
#include "scattering_frames.h"
#include "scattering_plan.h"
#include "scattering_signals.h"

G_BEGIN_DECLS

typedef struct {
  const DebyeRunInput *input;
  const DebyeScatteringPlan *plan;
  DebyeScatteringGroups groups; /* the species */
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  DebyeLaneTotals *lanes;
  DebyeScatteringFrames *frames;
  DebyeSignal signal;
  const double *q; /* Å⁻¹, of the rows */
  gsize n_rows;
  double step;                   /* ps between frames; 0: not known */
  gsize n_passes, n_passes_done; /* for progress, in all */
} DebyeScatteringCourse;

/* Called for frame number `time` of a pass. FALSE with an error. */
typedef gboolean (*DebyeScatteringPassFunc)(gpointer data, DebyeFrame *frame, gsize time, GError **error);

/* All frames of the plan, prepared; `work` keeps up to n_kept of them at a time. FALSE with an error,
 * G_IO_ERROR_CANCELLED where it was stopped. A frame whose atoms have no finite places, that has lost its
 * cell, or that doesn't follow at the same step of time, is an error: a course in time has no gaps. */
gboolean debye_scattering_course_pass(DebyeScatteringCourse *course, guint n_kept,
                                      DebyeScatteringPassFunc work, gpointer data, GError **error);

/* How many passes each takes, for progress. */
gsize debye_scattering_course_count_coherent(const DebyeScatteringCourse *course);

/* Coherent signals by the plan's vectors, weighted. */
gboolean debye_scattering_course_coherent(DebyeScatteringCourse *course, DebyeScatteringSignals *signals,
                                          GError **error);
/* Incoherent ones by the plan's vectors, weighted with b_inc². */
gboolean debye_scattering_course_self(DebyeScatteringCourse *course, DebyeScatteringSignals *signals,
                                      GError **error);
/* Incoherent F_s(q, τ), exactly averaged; *counts keeps the histograms of displacements it came from, of all
 * lags, with bins of *width. To be destroyed. */
gboolean debye_scattering_course_displacements(DebyeScatteringCourse *course, DebyeScatteringSignals *signals,
                                               DebyeDisplacementCounts **counts, double *width,
                                               GError **error);

G_END_DECLS
