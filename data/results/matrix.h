/* SPDX-License-Identifier: MIT */
/* Values over two axes: F(q, τ), S(q, ω), partials by element. One that is not finite is not there. */
#pragma once

#include "array.h"

typedef DebyeArray DebyeMatrix;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMatrix, g_object_unref)
#define DEBYE_IS_MATRIX(object) debye_array_has_axes(object, 2)

/* A row for each of the `n_rows` values of `row`, in it a value for each of the `n_columns` of `column`:
 * values[i · n_columns + j]. For F(q, τ) the rows are q and the columns τ. `errors` (as many as values) may
 * be NULL. All is copied. */
DebyeMatrix *debye_matrix_new(const char *name, const DebyeQuantity *row, gsize n_rows,
                              const double *row_values, const DebyeQuantity *column, gsize n_columns,
                              const double *column_values, const DebyeQuantity *value, const double *values,
                              const double *errors);

#define debye_matrix_get_name(matrix) (debye_array_get_content(matrix)->name)
#define debye_matrix_get_row_quantity(matrix) (&debye_array_get_content(matrix)->axes[0].quantity)
#define debye_matrix_get_column_quantity(matrix) (&debye_array_get_content(matrix)->axes[1].quantity)
#define debye_matrix_get_quantity(matrix) (&debye_array_get_content(matrix)->quantity)
#define debye_matrix_get_n_rows(matrix) debye_array_get_length(matrix, 0)
#define debye_matrix_get_n_columns(matrix) debye_array_get_length(matrix, 1)
#define debye_matrix_get_row_values(matrix) debye_array_get_axis(matrix, 0)
#define debye_matrix_get_column_values(matrix) debye_array_get_axis(matrix, 1)
#define debye_matrix_get_values(matrix) debye_array_get_values(matrix)
#define debye_matrix_get_errors(matrix) debye_array_get_errors(matrix) /* NULL: not known */
