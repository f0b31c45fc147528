/* SPDX-License-Identifier: MIT */
/* Files of quantum chemistry, by what they hold: wave functions and normal modes, each by the reader of its format. */
#pragma once

#include "vibrations.h"
#include "wave_function.h"
#include "data/files/input.h"

/* Whether a file is one that debye_wave_function_read() reads, by what it holds. */
gboolean debye_wave_function_probe(DebyeInput *input);
DebyeWaveFunction *debye_wave_function_read(DebyeInput *input, GError **error);
DebyeWaveFunction *debye_wave_function_load(const char *path, GError **error);

/* NULL without an error: the file has no modes, or is neither format. DEBYE_ERROR_MISSING: frequencies without displacements or
 * the reverse. DEBYE_ERROR_MISMATCH: a mode of another number of atoms, or other numbers of modes than of frequencies. */
DebyeVibrations *debye_vibrations_read(DebyeInput *input, GError **error);
DebyeVibrations *debye_vibrations_load(const char *path, GError **error);
/* Of the first of these files (NULL-terminated) that has modes of n_atoms
 * atoms, which some move; NULL without an error: none. */
DebyeVibrations *debye_vibrations_find(const char *const *paths, gsize n_atoms, GError **error);
