/* SPDX-License-Identifier: MIT */
/* Values over two axes in memory, as scattering makes them; result_hdf5_*.c save and load them. */
#include "matrix.h"

struct _DebyeMatrix {
  GObject parent_instance;
  char *name;
  DebyeQuantity row_quantity, column_quantity, quantity;
  gsize n_rows, n_columns;
  double *row_values, *column_values, *values, *errors;
};

G_DEFINE_FINAL_TYPE(DebyeMatrix, debye_matrix, G_TYPE_OBJECT)

static void
debye_matrix_finalize(GObject *object)
{
  DebyeMatrix *self = DEBYE_MATRIX(object);
  g_free(self->name);
  debye_quantity_clear(&self->row_quantity);
  debye_quantity_clear(&self->column_quantity);
  debye_quantity_clear(&self->quantity);
  g_free(self->row_values);
  g_free(self->column_values);
  g_free(self->values);
  g_free(self->errors);
  G_OBJECT_CLASS(debye_matrix_parent_class)->finalize(object);
}

static void
debye_matrix_class_init(DebyeMatrixClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_matrix_finalize;
}

static void
debye_matrix_init(DebyeMatrix *self)
{
  (void)self;
}

static double *
copy_doubles(const double *values, gsize n)
{
  return g_memdup2(values, n * sizeof(double));
}

DebyeMatrix *
debye_matrix_new(const char *name, const DebyeQuantity *row, gsize n_rows, const double *row_values,
                 const DebyeQuantity *column, gsize n_columns, const double *column_values,
                 const DebyeQuantity *value, const double *values, const double *errors)
{
  gsize n;
  g_return_val_if_fail(g_size_checked_mul(&n, n_rows, n_columns) && n > 0 && n < G_MAXSIZE / sizeof(double),
                       NULL);
  DebyeMatrix *self = g_object_new(DEBYE_TYPE_MATRIX, NULL);
  self->name = g_utf8_make_valid(name != NULL ? name : "", -1);
  debye_quantity_copy(row, &self->row_quantity);
  debye_quantity_copy(column, &self->column_quantity);
  debye_quantity_copy(value, &self->quantity);
  self->n_rows = n_rows;
  self->n_columns = n_columns;
  self->row_values = copy_doubles(row_values, n_rows);
  self->column_values = copy_doubles(column_values, n_columns);
  self->values = copy_doubles(values, n);
  self->errors = copy_doubles(errors, n);
  return self;
}

const char *
debye_matrix_get_name(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return self->name;
}

const DebyeQuantity *
debye_matrix_get_row_quantity(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return &self->row_quantity;
}

const DebyeQuantity *
debye_matrix_get_column_quantity(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return &self->column_quantity;
}

const DebyeQuantity *
debye_matrix_get_quantity(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return &self->quantity;
}

gsize
debye_matrix_get_n_rows(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), 0);
  return self->n_rows;
}

gsize
debye_matrix_get_n_columns(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), 0);
  return self->n_columns;
}

const double *
debye_matrix_get_row_values(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return self->row_values;
}

const double *
debye_matrix_get_column_values(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return self->column_values;
}

const double *
debye_matrix_get_values(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return self->values;
}

const double *
debye_matrix_get_errors(DebyeMatrix *self)
{
  g_return_val_if_fail(DEBYE_IS_MATRIX(self), NULL);
  return self->errors;
}
