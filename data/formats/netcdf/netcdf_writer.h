/* SPDX-License-Identifier: MIT */
/* Writes NetCDF trajectories after AMBER's convention 1.0: CDF-2 (64-bit offsets), coordinates and times as
 * floats, cells as doubles, velocities where the first frame has them. The functions are those of
 * DebyeFormat. */
#pragma once

#include "data/formats/format.h"

gpointer debye_netcdf_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms,
                                 gsize n_frames, GError **error);
gboolean debye_netcdf_writer_write(gpointer writer, const DebyeFrame *frame, GError **error);
gboolean debye_netcdf_writer_finish(gpointer writer, GError **error);
