/* SPDX-License-Identifier: MIT */
/* Lennard-Jones parameters of atom types from parameter files, and of elements from a table. */
#pragma once

#include <glib.h>

/* E = ε·((2·radius/r)¹² − 2·(2·radius/r)⁶) between two such atoms. */
typedef struct {
  double epsilon; /* kcal/mol, ≥ 0 */
  double radius;  /* Å: half the distance of the minimum */
} DebyeLennardJones;

/* Of elements up to barium; FALSE: there is none. */
gboolean debye_lennard_jones_of_element(guint8 atomic_number, DebyeLennardJones *parameters);

/* By the names of types. */
typedef struct _DebyeLennardJonesTable DebyeLennardJonesTable;

DebyeLennardJonesTable *debye_lennard_jones_table_new(void);
void debye_lennard_jones_table_free(DebyeLennardJonesTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeLennardJonesTable, debye_lennard_jones_table_free)
/* CHARMM's .prm and .str (section NONBONDED), GROMACS' .itp and .top (section atomtypes) and .tpr, and AMBER's prmtop, known
 * by what is in them; what a file says of a type replaces what one before said. FALSE with an error that names file,
 * line, what was expected and what was found. */
gboolean debye_lennard_jones_table_read(DebyeLennardJonesTable *table, const char *path, GError **error);
gsize debye_lennard_jones_table_get_n_types(const DebyeLennardJonesTable *table);
/* FALSE: the table doesn't know the type. Case counts only where it makes a difference. */
gboolean debye_lennard_jones_table_find(const DebyeLennardJonesTable *table, const char *type,
                                        DebyeLennardJones *parameters);
