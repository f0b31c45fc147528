/* SPDX-License-Identifier: MIT */
/* What the atom types of a LAMMPS data file are called and weigh. */
#pragma once

#include "data/files/string_pool.h"
#include "data/files/text_fields.h"

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
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeLammpsTypes, debye_lammps_types_clear)

gboolean debye_lammps_types_have_labels(const DebyeLammpsTypes *types);
/* A type by its number or its label, or an error of the current line. */
gboolean debye_lammps_types_find(const DebyeLammpsTypes *types, const DebyeLineReader *lines,
                                 DebyeTextField field, gsize *type, GError **error);
/* The rows of the sections. */
gboolean debye_lammps_types_read_labels(DebyeLammpsTypes *types, DebyeLineReader *lines, GError **error);
gboolean debye_lammps_types_read_masses(DebyeLammpsTypes *types, DebyeLineReader *lines, GError **error);
