/* SPDX-License-Identifier: MIT */
/* Comparisons and ranges of numbers. Arithmetic runs over blocks of atoms, so that a deep expression over a
 * million atoms needs a few kilobytes. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "selection_private.h"

gboolean
debye_selection_check_frame(const DebyeSelectionContext *context, GError **error)
{
  if (!context->frame)
    return debye_error_set(error, DEBYE_ERROR_MISSING,
                           "selection: expected coordinates, which the selection needs, found none");
  if (context->frame->n_atoms != context->n_atoms) {
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "selection: expected a frame of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT,
                           context->n_atoms, context->frame->n_atoms);
  }
  return TRUE;
}

#define BLOCK 128

typedef struct {
  const DebyeSelectionContext *context;
  const guint32 *molecules, *bond_offsets;
  const float *columns[DEBYE_NUMBER_Z + 1];
} Columns;

static gboolean
set_missing(GError **error, const char *what)
{
  return debye_error_set(error, DEBYE_ERROR_MISSING, "selection: expected %s in the structure, found none",
                         what);
}

static gboolean
find_float_column(const DebyeSelectionContext *context, DebyeNumberField field, const float **column,
                  GError **error)
{
  switch (field) {
  case DEBYE_NUMBER_MASS:
    *column = debye_topology_get_masses(context->topology);
    return *column || set_missing(error, "masses");
  case DEBYE_NUMBER_CHARGE:
    *column = debye_topology_get_charges(context->topology);
    return *column || set_missing(error, "charges");
  case DEBYE_NUMBER_RADIUS:
    *column = debye_topology_get_radii(context->topology);
    return *column || set_missing(error, "radii");
  case DEBYE_NUMBER_B_FACTOR:
    *column = debye_topology_get_b_factors(context->topology);
    return *column || set_missing(error, "B factors");
  case DEBYE_NUMBER_OCCUPANCY:
    *column = debye_topology_get_occupancies(context->topology);
    return *column || set_missing(error, "occupancies");
  default:
    if (!debye_selection_check_frame(context, error))
      return FALSE;
    *column = field == DEBYE_NUMBER_X   ? context->frame->x
              : field == DEBYE_NUMBER_Y ? context->frame->y
                                        : context->frame->z;
    return TRUE;
  }
}

static gboolean
find_column(Columns *columns, DebyeNumberField field, GError **error)
{
  DebyeTopology *topology = columns->context->topology;
  gsize count;
  const guint32 *partners;
  if (field >= DEBYE_NUMBER_MASS)
    return find_float_column(columns->context, field, &columns->columns[field], error);
  if (field == DEBYE_NUMBER_MOLECULE || field == DEBYE_NUMBER_BONDS) {
    debye_topology_get_bonds(topology, &count);
    if (count == 0)
      return set_missing(error, "bonds");
    columns->molecules = debye_topology_get_molecules(topology, &count);
    debye_topology_get_bond_graph(topology, &columns->bond_offsets, &partners);
  }
  return TRUE;
}

/* All columns that the tree asks for; FALSE where one is not there. */
static gboolean
find_columns(Columns *columns, const DebyeSelectionNode *node, GError **error)
{
  if (node->kind == DEBYE_NODE_FIELD || node->kind == DEBYE_NODE_RANGES)
    return find_column(columns, (DebyeNumberField)node->what, error);
  for (guint k = 0; node->children && k < node->children->len; k++)
    if (!find_columns(columns, node->children->pdata[k], error))
      return FALSE;
  return TRUE;
}

static double
get_whole_number(const Columns *columns, DebyeNumberField field, gsize atom)
{
  DebyeTopology *topology = columns->context->topology;
  const gint32 *serials = debye_topology_get_serials(topology);
  guint32 residue = debye_topology_get_residues(topology)[atom];
  switch (field) {
  case DEBYE_NUMBER_SERIAL:
    return serials != NULL ? (double)serials[atom] : (double)atom + 1.0;
  case DEBYE_NUMBER_POSITION:
    return (double)atom + 1.0;
  case DEBYE_NUMBER_RESIDUE_NUMBER:
    return debye_topology_get_residue_table(topology)[residue].number;
  case DEBYE_NUMBER_RESIDUE:
    return residue;
  case DEBYE_NUMBER_MOLECULE:
    return columns->molecules[atom];
  case DEBYE_NUMBER_ATOMIC_NUMBER:
    return debye_topology_get_elements(topology)[atom];
  case DEBYE_NUMBER_BONDS:
    return columns->bond_offsets[atom + 1] - columns->bond_offsets[atom];
  default:
    return (double)atom;
  }
}

static void
fill_field(const Columns *columns, DebyeNumberField field, gsize begin, gsize n, double *values)
{
  const float *column = columns->columns[field];
  for (gsize k = 0; k < n; k++)
    values[k] = column ? (double)column[begin + k] : get_whole_number(columns, field, begin + k);
}

static double
apply_function(DebyeNumberFunction function, double v)
{
  switch (function) {
  case DEBYE_FUNCTION_ABS:
    return fabs(v);
  case DEBYE_FUNCTION_SQR:
    return v * v;
  case DEBYE_FUNCTION_SQRT:
    return sqrt(v);
  case DEBYE_FUNCTION_SIN:
    return sin(v);
  case DEBYE_FUNCTION_COS:
    return cos(v);
  case DEBYE_FUNCTION_TAN:
    return tan(v);
  case DEBYE_FUNCTION_EXP:
    return exp(v);
  case DEBYE_FUNCTION_LOG:
    return log(v);
  case DEBYE_FUNCTION_LOG10:
    return log10(v);
  case DEBYE_FUNCTION_FLOOR:
    return floor(v);
  case DEBYE_FUNCTION_CEIL:
    return ceil(v);
  }
  return NAN;
}

static double
apply_operator(DebyeNodeKind kind, double left, double right)
{
  switch (kind) {
  case DEBYE_NODE_ADD:
    return left + right;
  case DEBYE_NODE_SUBTRACT:
    return left - right;
  case DEBYE_NODE_MULTIPLY:
    return left * right;
  case DEBYE_NODE_DIVIDE:
    return left / right;
  case DEBYE_NODE_REMAINDER:
    return fmod(left, right);
  default:
    return pow(left, right);
  }
}

static void
fill_numbers(const Columns *columns, const DebyeSelectionNode *node, gsize begin, gsize n, double *values)
{
  double right[BLOCK];
  if (node->kind == DEBYE_NODE_FIELD) {
    fill_field(columns, (DebyeNumberField)node->what, begin, n, values);
    return;
  }
  if (node->kind == DEBYE_NODE_CONSTANT) {
    for (gsize k = 0; k < n; k++)
      values[k] = node->number[0];
    return;
  }
  fill_numbers(columns, node->children->pdata[0], begin, n, values);
  if (node->children->len == 2)
    fill_numbers(columns, node->children->pdata[1], begin, n, right);
  for (gsize k = 0; k < n; k++) {
    if (node->kind == DEBYE_NODE_NEGATE)
      values[k] = -values[k];
    else if (node->kind == DEBYE_NODE_FUNCTION)
      values[k] = apply_function((DebyeNumberFunction)node->what, values[k]);
    else
      values[k] = apply_operator(node->kind, values[k], right[k]);
  }
}

/* What is not finite compares with nothing, not even as "different". */
static gboolean
compare(DebyeComparison comparison, double left, double right)
{
  if (!isfinite(left) || !isfinite(right))
    return FALSE;
  switch (comparison) {
  case DEBYE_COMPARE_EQUAL:
    return left == right;
  case DEBYE_COMPARE_NOT_EQUAL:
    return left != right;
  case DEBYE_COMPARE_LESS:
    return left < right;
  case DEBYE_COMPARE_LESS_EQUAL:
    return left <= right;
  case DEBYE_COMPARE_GREATER:
    return left > right;
  case DEBYE_COMPARE_GREATER_EQUAL:
    return left >= right;
  }
  return FALSE;
}

static gboolean
has_float_field(const DebyeSelectionNode *node)
{
  if (node->kind == DEBYE_NODE_FIELD)
    return node->what >= DEBYE_NUMBER_MASS;
  for (guint k = 0; node->children && k < node->children->len; k++)
    if (has_float_field(node->children->pdata[k]))
      return TRUE;
  return FALSE;
}

/* Columns of floats are compared as floats: a charge read as 0.417 is not less than 0.417. */
static void
evaluate_compare(const Columns *columns, const DebyeSelectionNode *node, guint8 *mask)
{
  gboolean as_float = has_float_field(node);
  gsize n_atoms = columns->context->n_atoms;
  for (gsize begin = 0; begin < n_atoms; begin += BLOCK) {
    double left[BLOCK], right[BLOCK];
    gsize n = MIN(BLOCK, n_atoms - begin);
    fill_numbers(columns, node->children->pdata[0], begin, n, left);
    fill_numbers(columns, node->children->pdata[1], begin, n, right);
    for (gsize k = 0; k < n; k++)
      mask[begin + k] =
          (guint8)compare((DebyeComparison)node->what, as_float ? (double)(float)left[k] : left[k],
                          as_float ? (double)(float)right[k] : right[k]);
  }
}

/* Insertion codes follow their number in order; a bound without one takes in all of them. */
static gboolean
is_in_range(const DebyeSelectionRange *range, double value, int code)
{
  if (value < range->low || value > range->high)
    return FALSE;
  if (value == range->low && range->low_code >= 0 && code < range->low_code)
    return FALSE;
  return !(value == range->high && range->high_code >= 0 && code > range->high_code);
}

static gboolean
is_in_float_range(const DebyeSelectionRange *range, double value)
{
  return isfinite(value) && value >= (double)(float)range->low && value <= (double)(float)range->high;
}

static gboolean
is_in_ranges(const DebyeSelectionNode *node, double value, int code)
{
  for (guint k = 0; k < node->ranges->len; k++) {
    const DebyeSelectionRange *range = &g_array_index(node->ranges, DebyeSelectionRange, k);
    if (node->what >= DEBYE_NUMBER_MASS ? is_in_float_range(range, value) : is_in_range(range, value, code))
      return TRUE;
  }
  return FALSE;
}

static int
get_insertion_code(const DebyeSelectionContext *context, gsize atom)
{
  guint32 residue = debye_topology_get_residues(context->topology)[atom];
  return (guint8)debye_topology_get_residue_table(context->topology)[residue].insertion_code;
}

static void
evaluate_ranges(const Columns *columns, const DebyeSelectionNode *node, guint8 *mask)
{
  gboolean has_codes = node->what == DEBYE_NUMBER_RESIDUE_NUMBER;
  for (gsize begin = 0; begin < columns->context->n_atoms; begin += BLOCK) {
    double values[BLOCK];
    gsize n = MIN(BLOCK, columns->context->n_atoms - begin);
    fill_field(columns, (DebyeNumberField)node->what, begin, n, values);
    for (gsize k = 0; k < n; k++) {
      int code = has_codes ? get_insertion_code(columns->context, begin + k) : 0;
      mask[begin + k] = (guint8)is_in_ranges(node, values[k], code);
    }
  }
}

gboolean
debye_selection_evaluate_comparison(const DebyeSelectionContext *context, const DebyeSelectionNode *node,
                                    guint8 *mask, GError **error)
{
  Columns columns = {.context = context};
  if (!find_columns(&columns, node, error))
    return FALSE;
  if (node->kind == DEBYE_NODE_COMPARE)
    evaluate_compare(&columns, node, mask);
  else
    evaluate_ranges(&columns, node, mask);
  return TRUE;
}
