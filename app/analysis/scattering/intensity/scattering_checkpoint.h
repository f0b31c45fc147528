/* SPDX-License-Identifier: MIT */
/* Keeps the sums over the frames so far in the file of a running job, for scattering_run.c: if one pass over
 * the frames serves every q, there are no rows to keep one by one. A killed run continues after these frames.
 *
 * Tables of such a file, beside what else a result has:
 *   restart_frames  one row: frames that are behind, of them used and left out, the mean volume (Å³)
 *   restart_sums    part (0: all frames, then a block of them each), pair of species, q, Σ A_a A_b* (re, im)
 *   restart_blocks  frames that each of these blocks has
 *   restart_volume  S(hkl) as a volume: its weighted sums, in the order of
 * kernels/scattering/scattering_lattice.h */
#pragma once

#include "app/analysis/driver/frame_run.h"
#include "scattering_result.h"

G_BEGIN_DECLS

/* The file of a job that runs: the rows that are done (NULL: none), else what the frames so far give, with
 * the sums of these frames. `n_gone` frames of the plan are behind. */
DebyeResult *debye_scattering_checkpoint_new(DebyeResult *done, const DebyeRunInput *input,
                                             const DebyeScatteringFound *found, gsize n_gone,
                                             const DebyeFrameRun *reading);

/* How many of the plan's frames are behind, with those left out in *reading, which is open. */
gsize debye_scattering_checkpoint_get_frames(DebyeResult *result, DebyeFrameRun *reading);

/* The sums back into found's, which are of the same plan. FALSE with an error where they are of other rows of
 * q. */
gboolean debye_scattering_checkpoint_restore(DebyeResult *result, DebyeScatteringFound *found,
                                             GError **error);

G_END_DECLS
