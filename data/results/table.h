/* SPDX-License-Identifier: MIT */
/* Columns of equal length, numbers or texts: what an analysis writes as CSV, or a table of weights. Immutable
 * once handed over. */
#pragma once

#include <gio/gio.h>

#include "array.h"

#define DEBYE_TYPE_TABLE (debye_table_get_type())
G_DECLARE_FINAL_TYPE(DebyeTable, debye_table, DEBYE, TABLE, GObject)

/* The table of what each kind of atom counts with: charges, scattering lengths. A CSV file holds it
 * only where there is nothing else. */
#define DEBYE_TABLE_OF_WEIGHTS "weights"
/* The table of fits of several kinds, a row each: a number that a fit doesn't have is empty in CSV files. Reports show it. */
#define DEBYE_TABLE_OF_FITS "fits"
/* The table of what residues and their atoms have: "level" says which of both a row is of, "atom" which atom, or which of a
 * residue's is the first, counted from 1. Curves over residues have DEBYE_RESIDUE_NUMBER as
 * x and the name of a column as y. Too long for reports. */
#define DEBYE_TABLE_OF_RESIDUES "residues"
#define DEBYE_RESIDUE_NUMBER "residue_number"
/* The table of what titrates, a row each: "residue" ("ASP 52") and "chain" say which, "site" what its curve over DEBYE_PH
 * is called, "charge" what it has at the result's pH. */
#define DEBYE_TABLE_OF_SITES "sites"
#define DEBYE_PH "ph"
#define DEBYE_PROTONS "protons"
/* The table of one row of numbers that are of the result as a whole: a diffusion coefficient and its error. A
 * CSV file of another table has them in its header. */
#define DEBYE_TABLE_OF_SUMMARY "summary"

/* `name` is that of its group in HDF5: "counts", DEBYE_TABLE_OF_WEIGHTS. */
DebyeTable *debye_table_new(const char *name);
/* The maker fills it; all columns have as many rows as the first. Values are copied. */
void debye_table_add_numbers(DebyeTable *self, const DebyeQuantity *quantity, gsize n_rows,
                             const double *values);
void debye_table_add_texts(DebyeTable *self, const DebyeQuantity *quantity, const char *const *texts);

const char *debye_table_get_name(DebyeTable *self);
gsize debye_table_get_n_rows(DebyeTable *self);
gsize debye_table_get_n_columns(DebyeTable *self);
const DebyeQuantity *debye_table_get_quantity(DebyeTable *self, gsize column);
const double *debye_table_get_numbers(DebyeTable *self, gsize column);    /* NULL: a column of texts */
const char *const *debye_table_get_texts(DebyeTable *self, gsize column); /* NULL: a column of numbers */
/* By the name of a quantity. NULL and FALSE where there is no such column, or no table. */
gboolean debye_table_find_column(DebyeTable *self, const char *name, gsize *column);
const double *debye_table_find_numbers(DebyeTable *self, const char *name);
const char *const *debye_table_find_texts(DebyeTable *self, const char *name);

/* Of a result that has curves but no table: one x column where all curves have the same x, each y and error
 * named after its curve where there are several; else a row a point: curve, quantity, x, value, error. */
DebyeTable *debye_table_new_for_curves(GListModel *curves);
/* Long form: the places on the axes, value (and error), a line a value. Not of a map. */
DebyeTable *debye_table_new_for_array(DebyeArray *array);

/* A comment block (`header`: lines "key: value", and the units), a header row, full precision. Errors of the
 * stream come as they are. `separator` ',' for a file, '\t' for the clipboard of a spreadsheet. */
gboolean debye_table_save_csv(DebyeTable *self, const char *const *header, char separator,
                              GOutputStream *stream, GError **error);
