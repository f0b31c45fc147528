/* SPDX-License-Identifier: MIT */
/* A small rigid ligand: its sites with their parameters, and a set of orientations. */
#pragma once

#include "data/forcefield/lennard_jones.h"
#include "data/geometry.h"

typedef struct {
  DebyeVec3 place; /* Å, from the centre of mass */
  DebyeLennardJones parameters;
  double charge; /* e */
} DebyeLigandSite;

typedef struct {
  const char *title;  /* “Xe” */
  const char *source; /* of the parameters; NULL: those of the atoms */
  GArray *sites;      /* DebyeLigandSite */
  GArray *places;     /* double: of the sites in each orientation, from the sample point */
  gsize n_orientations;
} DebyeLigandModel;

void debye_ligand_model_clear(DebyeLigandModel *model);
/* xe, o2, co, co2, no, h2, ar; FALSE: it is none of them. All zero before. */
gboolean debye_ligand_model_init(DebyeLigandModel *model, const char *name);
/* Of sites that are there: one orientation of an atom, directions on a golden spiral of a line (on half of the sphere where
 * it is the same backwards), else rotations on a super-Fibonacci spiral (Alexa, CVPR 2022). */
void debye_ligand_model_turn(DebyeLigandModel *model, gsize n_orientations);
