/* SPDX-License-Identifier: MIT */
/* The columns of a CIF's atoms and cell, of mmCIF and of the core dictionary alike, and which kind a file's
 * are. Private to the CIF reader. */
#pragma once

#include "cif_table.h"
#include "data/geometry.h"
#include "data/molecule/topology.h"

enum {
  DEBYE_CIF_SITE_ID,
  DEBYE_CIF_SITE_SYMBOL,
  DEBYE_CIF_SITE_LABEL_ATOM,
  DEBYE_CIF_SITE_LABEL_ALTERNATIVE,
  DEBYE_CIF_SITE_LABEL_COMPONENT,
  DEBYE_CIF_SITE_LABEL_CHAIN,
  DEBYE_CIF_SITE_LABEL_NUMBER,
  DEBYE_CIF_SITE_INSERTION_CODE,
  DEBYE_CIF_SITE_X,
  DEBYE_CIF_SITE_Y,
  DEBYE_CIF_SITE_Z,
  DEBYE_CIF_SITE_OCCUPANCY,
  DEBYE_CIF_SITE_B_FACTOR,
  DEBYE_CIF_SITE_AUTHOR_NUMBER,
  DEBYE_CIF_SITE_AUTHOR_COMPONENT,
  DEBYE_CIF_SITE_AUTHOR_CHAIN,
  DEBYE_CIF_SITE_AUTHOR_ATOM,
  DEBYE_CIF_SITE_MODEL,
  DEBYE_CIF_SITE_LABEL,
  DEBYE_CIF_SITE_FRACTION_X,
  DEBYE_CIF_SITE_FRACTION_Y,
  DEBYE_CIF_SITE_FRACTION_Z,
  DEBYE_CIF_SITE_U_FACTOR,
  DEBYE_CIF_SITE_CALCULATION,
  DEBYE_CIF_SITE_DISORDER,
  DEBYE_CIF_SITE_CHARGE, /* partial, e; Debye's own, as the next */
  DEBYE_CIF_SITE_RADIUS,
  DEBYE_CIF_N_SITE_COLUMNS,
};

extern const char *const debye_cif_site_columns[];

/* _cell: three lengths (Å), three angles (degrees). */
extern const char *const debye_cif_cell_columns[];
/* FALSE with no cell; a mistake when the numbers describe none, but not when they are absent or the 1, 1, 1
 * that stands for "no crystal". */
gboolean debye_cif_read_cell(const DebyeCifRow *row, DebyeCell *cell, gboolean *is_mistake);

typedef enum {
  DEBYE_CIF_NO_SITES,
  DEBYE_CIF_MOLECULE, /* Cartesian coordinates of each atom, in models */
  DEBYE_CIF_CRYSTAL,  /* fractions of a cell, of the atoms that symmetry makes the others from */
} DebyeCifKind;

/* What a row of _atom_site makes the file; DEBYE_CIF_NO_SITES for one without columns of coordinates. */
DebyeCifKind debye_cif_row_get_kind(const DebyeCifRow *row);

/* Three coordinates, or an error of the row's line. */
gboolean debye_cif_row_get_position(const DebyeCifWalk *walk, const DebyeCifRow *row, double position[3],
                                    GError **error);
/* The first of two values that is given; otherwise the second. */
const DebyeCifValue *debye_cif_row_choose(const DebyeCifRow *row, gsize column, gsize other);
/* An integer, or `otherwise` where there is none. */
gint32 debye_cif_value_to_int(const DebyeCifValue *value, gint32 otherwise);

/* What the structure is called: a title, a chemical name, a formula. NULL: nothing. */
extern const char *const debye_cif_title_columns[];
char *debye_cif_get_title(const DebyeCifRow *row);

/* Data blocks with atoms behind the one that is read. */
typedef struct {
  gboolean is_on; /* the block that is read is over */
  char *name;     /* of the block, as long as no atom of it came */
  char *first;    /* the first block with atoms */
  guint n_blocks;
} DebyeCifOthers;

void debye_cif_others_begin_block(DebyeCifOthers *others, const char *name);
void debye_cif_others_take_site(DebyeCifOthers *others, const DebyeCifRow *row);
void debye_cif_others_warn(const DebyeCifOthers *others, DebyeTopologyBuilder *builder);
void debye_cif_others_clear(DebyeCifOthers *others);

/* The whole topology of a molecule. */
gboolean debye_cif_read_molecule(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error);
