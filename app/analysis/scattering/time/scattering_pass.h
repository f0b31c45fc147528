/* SPDX-License-Identifier: MIT */
/* How much one pass over the frames keeps in memory. The passes of intermediate_scattering_*.c and the
 * estimate of scattering_cost.c use the same numbers. */
#pragma once

#include "kernels/scattering/correlation.h"
#include "app/analysis/scattering/system/scattering_plan.h"

#define DEBYE_SCATTERING_PASS_FRAMES 32 /* that go to the devices together, at most */

/* Series of a vector: one, or with partials one a species. */
gsize debye_scattering_pass_series(const DebyeScatteringPlan *plan, DebyeSignal signal);
/* Frames that go to the devices together: one where the vectors move with its cell. */
gsize debye_scattering_pass_frames(const DebyeScatteringPlan *plan);
/* Bytes of a vector: its series, and for each species its weight and the amplitudes of frames together. */
guint64 debye_scattering_pass_vector_bytes(const DebyeScatteringPlan *plan, DebyeSignal signal);
/* Bytes that a pass may keep: of the memory limit a half, or the usual gigabyte. */
guint64 debye_scattering_pass_room(const DebyeScatteringPlan *plan);
/* Vectors of a pass; the plan has some. */
gsize debye_scattering_pass_vectors(const DebyeScatteringPlan *plan, DebyeSignal signal);

/* The incoherent part is averaged exactly where the coherent one has the lattice's vectors or there are none:
 * a lattice of one cell says nothing of single atoms. Then one pass serves all rows. */
gboolean debye_scattering_averages_exactly(const DebyeScatteringPlan *plan, DebyeSignal signal);

/* Whether the cells are looked at before all else, in a pass of their own: rows that an earlier run made are
 * normalised by the mean of them. */
gboolean debye_scattering_reads_cells(const DebyeScatteringPlan *plan);
