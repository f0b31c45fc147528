/* SPDX-License-Identifier: MIT */
/* Writes mmCIF for format_cif.c: names, models, cell, all bonds as struct_conn, and, which the dictionary has no items
 * for, partial charges and radii as _atom_site.debye_partial_charge (e) and _atom_site.debye_radius (Å). */
#pragma once

#include "data/formats/format.h"

gpointer debye_cif_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                              GError **error);
gboolean debye_cif_writer_write(gpointer writer, const DebyeFrame *frame, GError **error);
gboolean debye_cif_writer_finish(gpointer writer, GError **error);
