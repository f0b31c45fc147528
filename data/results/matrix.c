/* SPDX-License-Identifier: MIT */
/* Makes arrays over two axes. */
#include "matrix.h"

DebyeMatrix *
debye_matrix_new(const char *name, const DebyeQuantity *row, gsize n_rows, const double *row_values,
                 const DebyeQuantity *column, gsize n_columns, const double *column_values,
                 const DebyeQuantity *value, const double *values, const double *errors)
{
  gsize n;
  g_return_val_if_fail(g_size_checked_mul(&n, n_rows, n_columns) && n > 0 && n < G_MAXSIZE / sizeof(double),
                       NULL);
  g_autoptr(GBytes) row_bytes = g_bytes_new(row_values, n_rows * sizeof(double));
  g_autoptr(GBytes) column_bytes = g_bytes_new(column_values, n_columns * sizeof(double));
  g_autoptr(GBytes) bytes = g_bytes_new(values, n * sizeof(double));
  g_autoptr(GBytes) error_bytes = errors != NULL ? g_bytes_new(errors, n * sizeof(double)) : NULL;
  return debye_array_new(&(DebyeArrayContent){.name = name,
                                              .n_axes = 2,
                                              .axes = {{*row, row_bytes}, {*column, column_bytes}},
                                              .quantity = *value,
                                              .values = bytes,
                                              .errors = error_bytes});
}
