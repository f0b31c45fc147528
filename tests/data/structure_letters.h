/* SPDX-License-Identifier: MIT */
/* Secondary structure as the letters of DSSP, for comparing it with text. */
#pragma once

#include "data/molecule/secondary_structure.h"

/* "H", "E", "G", "I", "B", "T", "S", " ". */
static inline char
get_structure_letter(guint8 structure)
{
  static const char letters[] = " STIGBEH";
  return letters[structure];
}
