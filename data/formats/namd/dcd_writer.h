/* SPDX-License-Identifier: MIT */
/* Writes DCD as CHARMM 24 and NAMD do: this machine's byte order, 32-bit markers, cells as lengths and
 * cosines. The functions are those of DebyeFormat. */
#pragma once

#include "data/formats/format.h"

gpointer debye_dcd_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                              GError **error);
gboolean debye_dcd_writer_write(gpointer writer, const DebyeFrame *frame, GError **error);
gboolean debye_dcd_writer_finish(gpointer writer, GError **error);
