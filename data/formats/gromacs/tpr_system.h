/* SPDX-License-Identifier: MIT */
/* The system in a GROMACS run input file: kinds of molecules, and how many of each follow one another. */
#pragma once

#include "data/molecule/topology.h"
#include "tpr_cursor.h"
#include "tpr_interactions.h"

typedef struct _DebyeTprSystem DebyeTprSystem;

/* Reads it and leaves the cursor behind it, where the coordinates are. `n_atoms` is what the file's head
 * says; another number is an error. */
DebyeTprSystem *debye_tpr_system_read(DebyeTprCursor *cursor, gsize n_atoms, GError **error);
void debye_tpr_system_free(DebyeTprSystem *system);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTprSystem, debye_tpr_system_free)

/* Residues are numbered as GROMACS' own tools number them in what they write: molecules of one residue go on
 * from the highest number among the others. The kind of molecule is the segment, and "Protein_chain_A", which
 * pdb2gmx names so, is chain A. FALSE when the bonds are more than a file of this size can mean. */
gboolean debye_tpr_system_build(const DebyeTprSystem *system, DebyeInput *input,
                                DebyeTopologyBuilder *builder, GError **error);

/* Calls `func` for each atom of each kind of molecule with the name of its type and the type's Lennard-Jones
 * coefficients. FALSE when the force field has none. */
typedef void (*DebyeTprTypeFunc)(const char *name, const DebyeTprCoefficients *coefficients, gpointer data);
gboolean debye_tpr_system_list_types(const DebyeTprSystem *system, DebyeInput *input, DebyeTprTypeFunc func,
                                     gpointer data, GError **error);
