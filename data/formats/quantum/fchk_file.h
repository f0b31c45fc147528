/* SPDX-License-Identifier: MIT */
/* Reads formatted checkpoints, of Gaussian (https://gaussian.com/interfacing/) and other programs; called by
 * format_fchk.c and quantum_files.c. */
#pragma once

#include "vibrations.h"
#include "wave_function.h"

/* 0 no, 100 certain. */
int debye_fchk_probe(const guint8 *head, gsize n);
/* All but debye_wave_function_finish(). */
DebyeWaveFunction *debye_fchk_read(DebyeInput *input, GError **error);
/* Atoms and title alone. */
gboolean debye_fchk_read_atoms(DebyeInput *input, DebyeWaveFunction *wave, GError **error);
/* As debye_vibrations_read() (quantum_files.h). */
DebyeVibrations *debye_fchk_read_vibrations(DebyeInput *input, GError **error);
