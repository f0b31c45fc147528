/* SPDX-License-Identifier: MIT */
/* The section Atoms of a LAMMPS data file, whose columns are those of a style that the file may not say. */
#pragma once

#include "lammps_data.h"
#include "lammps_style.h"
#include "lammps_types.h"

/* The reader stands at the heading. What the file says counts if its first row agrees; `guessed` names the
 * style that was taken from the rows otherwise. */
gboolean debye_lammps_data_find_style(const DebyeLineReader *lines, const DebyeLammpsDataHeader *header,
                                      gboolean has_labels, DebyeLammpsStyle *style, const char **guessed,
                                      GError **error);

/* A row as the style divides it. */
typedef struct {
  gint64 id, molecule;
  gsize type;    /* 1 … n_types */
  double charge; /* NAN: the style has none */
  double position[3];
} DebyeLammpsDataAtom;

gboolean debye_lammps_data_read_atom(DebyeLineReader *lines, const DebyeLammpsStyle *style,
                                     const DebyeLammpsTypes *types, DebyeLammpsDataAtom *atom,
                                     GError **error);
