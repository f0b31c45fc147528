/* SPDX-License-Identifier: MIT */
/* Writing H5MD: the functions of DebyeFormat. */
#pragma once

#include "data/formats/format.h"

gpointer debye_h5md_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                               GError **error);
gboolean debye_h5md_writer_write(gpointer writer, const DebyeFrame *frame, GError **error);
gboolean debye_h5md_writer_finish(gpointer writer, GError **error);
