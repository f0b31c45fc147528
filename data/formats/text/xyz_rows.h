/* SPDX-License-Identifier: MIT */
/* An XYZ frame line by line: its number of atoms and comment, then a row for each atom. Private to its reader. */
#pragma once

#include "data/files/text_fields.h"
#include "data/molecule/topology.h"

#define DEBYE_XYZ_MAX_FIELDS 1001

/* Columns of an atom's line, 0-based; -1: not there. */
typedef struct {
  int species, position, atomic_number, mass, charge;
  int n_columns;
  DebyeCell cell;
  gboolean has_cell;
} DebyeXyzProperties;

typedef struct {
  guint64 offset;
  gsize n_atoms;
  DebyeXyzProperties properties;
} DebyeXyzHead;

/* "  5", "  5   # atoms": the number, with nothing or a remark behind it. */
gboolean debye_xyz_read_first_number(const char *line, gsize length, gint64 *count);

/* The count and the comment; blank lines between frames and at the end are passed. FALSE without an error at
 * the end; for the second function that is an error, too. */
gboolean debye_xyz_read_head(DebyeLineReader *lines, DebyeXyzHead *head, GError **error);
gboolean debye_xyz_require_head(DebyeLineReader *lines, DebyeXyzHead *head, GError **error);

/* The next row, split into `words`, of which there is room for DEBYE_XYZ_MAX_FIELDS. */
gboolean debye_xyz_require_next_atom(DebyeLineReader *lines, const DebyeXyzProperties *properties,
                                     DebyeTextField *words, GError **error);
/* -1: the row doesn't say. */
int debye_xyz_read_atomic_number(const DebyeTextField *words, const DebyeXyzProperties *properties);
/* `all_symbols`: the first column holds elements, not names. */
void debye_xyz_add_atom(DebyeTopologyBuilder *builder, const DebyeXyzProperties *properties,
                        const DebyeTextField *words, gboolean all_symbols);
