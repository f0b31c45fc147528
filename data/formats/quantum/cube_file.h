/* SPDX-License-Identifier: MIT */
/* The molecule of a Gaussian cube file, which stands before the values: https://gaussian.com/cubegen. The map itself is
 * read by data/results/field_cube.c. */
#pragma once

#include "wave_function.h"

/* 0 no, 100 certain; 0 also of a map without atoms. */
int debye_cube_probe(const guint8 *head, gsize n);
/* Atoms and title alone. */
gboolean debye_cube_read_atoms(DebyeInput *input, DebyeWaveFunction *wave, GError **error);
