/* SPDX-License-Identifier: MIT */
/* Values over two axes: F(q, τ), S(q, ω), partials by element. Immutable, double values; one that is not
 * finite is not there. */
#pragma once

#include <gio/gio.h>

#include "quantity.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_MATRIX (debye_matrix_get_type())
G_DECLARE_FINAL_TYPE(DebyeMatrix, debye_matrix, DEBYE, MATRIX, GObject)

/* A row for each of the `n_rows` values of `row`, in it a value for each of the `n_columns` of `column`:
 * values[i · n_columns + j]. For F(q, τ) the rows are q and the columns τ. `errors` (as many as values) may
 * be NULL. All is copied. */
DebyeMatrix *debye_matrix_new(const char *name, const DebyeQuantity *row, gsize n_rows,
                              const double *row_values, const DebyeQuantity *column, gsize n_columns,
                              const double *column_values, const DebyeQuantity *value, const double *values,
                              const double *errors);

const char *debye_matrix_get_name(DebyeMatrix *self);
const DebyeQuantity *debye_matrix_get_row_quantity(DebyeMatrix *self);
const DebyeQuantity *debye_matrix_get_column_quantity(DebyeMatrix *self);
const DebyeQuantity *debye_matrix_get_quantity(DebyeMatrix *self);
gsize debye_matrix_get_n_rows(DebyeMatrix *self);
gsize debye_matrix_get_n_columns(DebyeMatrix *self);
const double *debye_matrix_get_row_values(DebyeMatrix *self);
const double *debye_matrix_get_column_values(DebyeMatrix *self);
const double *debye_matrix_get_values(DebyeMatrix *self);
const double *debye_matrix_get_errors(DebyeMatrix *self); /* NULL: not known */

G_END_DECLS
