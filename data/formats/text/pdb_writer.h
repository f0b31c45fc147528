/* SPDX-License-Identifier: MIT */
/* Writing PDB files: the three functions of DebyeFormat. */
#pragma once

#include "data/formats/format.h"

gpointer debye_pdb_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                              GError **error);
gboolean debye_pdb_writer_write(gpointer writer, const DebyeFrame *frame, GError **error);
gboolean debye_pdb_writer_finish(gpointer writer, GError **error);
