/* SPDX-License-Identifier: MIT */
/* LAMMPS' atom styles: which columns the Atoms section of a data file has. */
#pragma once

#include "data/files/text_fields.h"

#define DEBYE_LAMMPS_MAX_FIELDS 64 /* of a row; further ones are not looked at */

/* Columns, 0-based; -1: the style has none. */
typedef struct {
  int id, type, molecule, charge, position;
  gsize n_columns; /* without image flags */
} DebyeLammpsStyle;

/* From what stands behind "Atoms #": "full", "hybrid molecular charge". FALSE where that is no style, or only
 * "hybrid", which doesn't tell the columns. */
gboolean debye_lammps_style_from_hint(DebyeLammpsStyle *style, DebyeTextField hint);
/* Whether a row can be of that style, with image flags or without: its number of fields, integers where they
 * must be, a type of 1 … n_types (or, `has_labels`, a word). */
gboolean debye_lammps_style_fits(const DebyeLammpsStyle *style, const DebyeTextField *fields, gsize n,
                                 gsize n_types, gboolean has_labels);

/* What styles a file that doesn't say may have, likeliest first; NULL at the end. */
const char *const *debye_lammps_style_list_likely(void);
