/* SPDX-License-Identifier: MIT */
/* The unit of length of files that don't say it, such as pos.d. */
#pragma once

#include "data/molecule/frame.h"

#define DEBYE_LENGTH_UNIT_DEFAULT "angstrom"

/* "angstrom", "nm", "pm", "bohr", or how many Å one unit is: the diameter of an atom where lengths are reduced.
 * DEBYE_ERROR_SETTING for anything else. */
gboolean debye_length_unit_parse(const char *text, double *angstrom, GError **error);
/* Positions and cell, read as Å, are in units of `angstrom`. */
void debye_length_unit_apply(double angstrom, DebyeFrame *frame);
