/* SPDX-License-Identifier: MIT */
/* Molden files: https://www.theochem.ru.nl/molden/molden_format.html, and what programs make of that. */
#pragma once

#include "data/files/text_fields.h"
#include "wave_function.h"

/* 0 no, 100 certain. */
int debye_molden_probe(const guint8 *head, gsize n);
/* All but debye_wave_function_finish(). */
DebyeWaveFunction *debye_molden_read(DebyeInput *input, GError **error);
/* "[5D7F]" as "5d7f"; NULL: the line begins no section. Words behind it go to `rest`. Free with g_free. */
char *debye_molden_get_section(const DebyeLineReader *lines, DebyeTextField *rest);
/* Atoms and title alone; atoms of [FR-COORD] in a file without [Atoms]. */
gboolean debye_molden_read_atoms(DebyeInput *input, DebyeWaveFunction *wave, GError **error);
