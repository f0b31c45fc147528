/* SPDX-License-Identifier: MIT */
/* Molden files: https://www.theochem.ru.nl/molden/molden_format.html, and what programs make of that. */
#pragma once

#include "wave_function.h"

G_BEGIN_DECLS

/* 0 no, 100 certain. */
int debye_molden_probe(const guint8 *head, gsize n);
/* All but debye_wave_function_finish(). */
DebyeWaveFunction *debye_molden_read(DebyeInput *input, GError **error);
/* Atoms and title alone. */
gboolean debye_molden_read_atoms(DebyeInput *input, DebyeWaveFunction *wave, GError **error);

G_END_DECLS
