/* SPDX-License-Identifier: MIT */
/* Colour and radius of each atom, for all layers that draw a molecule. */
#pragma once

#include "data/molecule/topology.h"
#include "data/settings/setting.h"
#include "render/plot/color_map.h"

typedef enum {
  DEBYE_COLOR_BY_ELEMENT,
  DEBYE_COLOR_BY_RESIDUE, /* by residue type */
  DEBYE_COLOR_BY_CHAIN,
  DEBYE_COLOR_BY_CHARGE, /* blue +, red − */
  DEBYE_COLOR_BY_B_FACTOR,
  DEBYE_COLOR_UNIFORM,
} DebyeMoleculeColoring;

/* The words for these values, and what the window calls them. */
extern const DebyeChoice debye_molecule_colorings[];

/* Radii are kept in a byte, in fiftieths of Å: finer than any table of radii. */
#define DEBYE_RADIUS_STEP 0.02f

/* `chosen` stands in for the usual map of a coloring by values; NULL: that one. Four bytes an atom:
 * red, green, blue, van der Waals radius / DEBYE_RADIUS_STEP. */
guint8 *debye_molecule_styles(DebyeTopology *topology, DebyeMoleculeColoring coloring, guint32 uniform,
                              const DebyeColorMap *chosen);
/* Van der Waals radius, Å: of the element; where it has none, of the file; else that of a middling atom. */
float debye_molecule_radius(DebyeTopology *topology, gsize atom);
/* What the atoms lack for the colouring, one sentence to be translated where it is shown; NULL: nothing. */
const char *debye_molecule_find_coloring_lack(DebyeTopology *topology, DebyeMoleculeColoring coloring);
/* What a colour bar of the colouring shows; FALSE where it has none. */
gboolean debye_molecule_color_scale(DebyeTopology *topology, DebyeMoleculeColoring coloring,
                                    const DebyeColorMap *chosen, const DebyeColorMap **map, double *minimum,
                                    double *maximum, const char **title);
/* The class of residues of this name (“acidic”, to be translated; NULL: a class of its own), and its colour. */
const char *debye_molecule_find_residue_class(const char *name, guint32 *color);
/* Distinct names of atoms whose element nobody knows, as the types of a LAMMPS file without masses: codes, numbers in
 * their order first, each with the colour at its place among the chains'. NULL: none, or all have one name. */
GArray *debye_molecule_list_unknown_names(DebyeTopology *topology);
/* The colour of a chain by its place among the chains of the topology. */
guint32 debye_molecule_chain_color(guint number);
/* Distinct chains in their order, of residues without one segments; one number a residue, to be freed. A
 * chain's ligands and water are of it, whatever segments a file puts them into. */
guint *debye_molecule_number_chains(DebyeTopology *topology, guint *n_chains);
