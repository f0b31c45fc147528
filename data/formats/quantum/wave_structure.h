/* SPDX-License-Identifier: MIT */
/* Shared by the formats of wave functions, as structures (format_fchk.c, format_molden.c, format_cube.c): one frame,
 * atoms without names. */
#pragma once

#include "data/formats/format.h"
#include "wave_function.h"

typedef gboolean (*DebyeWaveAtomsFunc)(DebyeInput *input, DebyeWaveFunction *wave, GError **error);

gboolean debye_wave_structure_read_topology(DebyeInput *input, DebyeWaveAtomsFunc read_atoms,
                                            DebyeTopologyBuilder *builder, GError **error);
gboolean debye_wave_structure_index(DebyeInput *input, DebyeWaveAtomsFunc read_atoms, DebyeFrameIndex *index,
                                    GError **error);
gboolean debye_wave_structure_read_frame(DebyeInput *input, DebyeWaveAtomsFunc read_atoms, DebyeFrame *frame,
                                         GError **error);

/* The functions of a format: read_topology, index_frames and read_frame. */
#define DEBYE_WAVE_STRUCTURE(read_atoms)                                                              \
  static gboolean read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)     \
  {                                                                                                   \
    return debye_wave_structure_read_topology(input, read_atoms, builder, error);                     \
  }                                                                                                   \
  static gboolean index_frames(DebyeInput *input, DebyeFrameIndex *index,                             \
                               DebyeProgressFunc progress G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED, \
                               GError **error)                                                        \
  {                                                                                                   \
    return debye_wave_structure_index(input, read_atoms, index, error);                               \
  }                                                                                                   \
  static gboolean read_frame(gpointer reader G_GNUC_UNUSED, DebyeInput *input,                        \
                             const DebyeFrameIndex *index G_GNUC_UNUSED, gsize number G_GNUC_UNUSED,  \
                             DebyeFrame *frame, GError **error)                                       \
  {                                                                                                   \
    return debye_wave_structure_read_frame(input, read_atoms, frame, error);                          \
  }
