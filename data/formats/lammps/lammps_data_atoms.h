/* SPDX-License-Identifier: MIT */
/* Of a LAMMPS data file what the atom types are called and weigh, and the section Atoms, whose columns are those of a style
 * that the file may not say. */
#pragma once

#include "data/files/string_pool.h"
#include "lammps_data.h"
#include "lammps_style.h"

/* Arrays by a type's number, which begins at 1. Texts are codes of the pool; 0: none. */
typedef struct {
  gsize n_types;
  DebyeStringPool *pool;
  float *masses;        /* NAN: not given */
  guint32 *labels;      /* from Atom Type Labels */
  guint32 *remarks;     /* the word behind a mass' # */
  GHashTable *by_label; /* code of a label → number */
} DebyeLammpsTypes;

void debye_lammps_types_init(DebyeLammpsTypes *types, gsize n_types, DebyeStringPool *pool);
void debye_lammps_types_clear(DebyeLammpsTypes *types);

gboolean debye_lammps_types_have_labels(const DebyeLammpsTypes *types);
/* A type by its number or its label, or an error of the current line. */
gboolean debye_lammps_types_find(const DebyeLammpsTypes *types, const DebyeLineReader *lines,
                                 DebyeTextField field, gsize *type, GError **error);
/* The rows of the sections. */
gboolean debye_lammps_types_read_labels(DebyeLammpsTypes *types, DebyeLineReader *lines, GError **error);
gboolean debye_lammps_types_read_masses(DebyeLammpsTypes *types, DebyeLineReader *lines, GError **error);

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
