/* SPDX-License-Identifier: MIT */
/* Biological assemblies: which chains a file says belong together, moved how. Read by data/formats/cif/cif_assembly.c and
 * data/formats/text/pdb_assembly.c, made by prepare_job.c. */
#pragma once

#include "frame.h"
#include "topology.h"

/* More than any capsid's, and a bound for files that are wrong. */
#define DEBYE_ASSEMBLY_OPERATIONS 1000

typedef struct {
  double rotation[3][3];
  DebyeVec3 translation; /* Å */
} DebyeAssemblyOperation;

/* Chains, and each operation that makes a copy of all of them. */
typedef struct {
  char **chains;
  GArray *operations; /* DebyeAssemblyOperation */
} DebyeAssemblyPart;

typedef struct {
  GArray *parts;       /* DebyeAssemblyPart */
  gboolean of_segment; /* chains are those of mmCIF's label_asym_id, which the topology has as segments */
} DebyeAssembly;

DebyeAssembly *debye_assembly_new(gboolean of_segment);
void debye_assembly_free(DebyeAssembly *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeAssembly, debye_assembly_free)
/* Takes both. */
void debye_assembly_add_part(DebyeAssembly *self, char **chains, GArray *operations);

/* The copies of a topology and its frame, one after the other. The first copy of a chain keeps its name; further ones get the
 * first letter or digit that no chain has, and when those are used up the name with the copy's number ("A-2"). All atoms
 * count. FALSE with an error: none of the chains is there, or there are too many atoms. */
gboolean debye_assembly_make(const DebyeAssembly *self, DebyeTopology *topology, const DebyeFrame *frame,
                             DebyeTopology **made, DebyeFrame **made_frame, GError **error);
