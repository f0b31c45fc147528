/* SPDX-License-Identifier: MIT */
/* Implementation of wave_structure.h; called by format_molden.c and format_fchk.c. */
#include "wave_structure.h"

#include <math.h>

#include "data/files/error.h"
#include "data/formats/text_frames.h"

static DebyeWaveFunction *
read_structure(DebyeInput *input, DebyeWaveAtomsFunc read_atoms, GError **error)
{
  g_autoptr(DebyeWaveFunction) wave = debye_wave_function_new();
  if (!read_atoms(input, wave, error))
    return NULL;
  if (wave->atoms->len > 0)
    return g_steal_pointer(&wave);
  return debye_null(debye_input_set_error(input, error, DEBYE_ERROR_MISSING, "expected atoms, found none"));
}

gboolean
debye_wave_structure_read_topology(DebyeInput *input, DebyeWaveAtomsFunc read_atoms,
                                   DebyeTopologyBuilder *builder, GError **error)
{
  g_autoptr(DebyeWaveFunction) wave = read_structure(input, read_atoms, error);
  if (wave == NULL)
    return FALSE;
  if (wave->title != NULL)
    debye_topology_builder_set_title(builder, wave->title, -1);
  for (guint i = 0; i < wave->atoms->len; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.atomic_number = g_array_index(wave->atoms, DebyeWaveAtom, i).element;
    debye_topology_builder_add_atom(builder, &atom);
  }
  return TRUE;
}

gboolean
debye_wave_structure_index(DebyeInput *input, DebyeWaveAtomsFunc read_atoms, DebyeFrameIndex *index,
                           GError **error)
{
  DebyeTextFrames frames = {0};
  g_autoptr(DebyeWaveFunction) wave = read_structure(input, read_atoms, error);
  if (wave == NULL)
    return FALSE;
  debye_text_add_frame(&frames, index, 0, wave->atoms->len, NAN);
  return debye_text_end_frames(&frames, index, input, NULL, error);
}

gboolean
debye_wave_structure_read_frame(DebyeInput *input, DebyeWaveAtomsFunc read_atoms, DebyeFrame *frame,
                                GError **error)
{
  g_autoptr(DebyeWaveFunction) wave = read_structure(input, read_atoms, error);
  if (wave == NULL)
    return FALSE;
  if (wave->atoms->len != frame->n_atoms)
    return debye_input_set_changed(input, error);
  for (guint i = 0; i < wave->atoms->len; i++) {
    const double *position = g_array_index(wave->atoms, DebyeWaveAtom, i).position;
    frame->x[i] = (float)(position[0] * DEBYE_BOHR);
    frame->y[i] = (float)(position[1] * DEBYE_BOHR);
    frame->z[i] = (float)(position[2] * DEBYE_BOHR);
  }
  debye_frame_forget(frame);
  frame->index = 0;
  debye_frame_check(frame);
  return TRUE;
}
