/* SPDX-License-Identifier: MIT */
/* Reads the asymmetric unit of a small-molecule CIF for cif_crystal.c. One walk over the file; what belongs
 * together (sites and the oxidation numbers of their types) is joined at the end, because tables come in any
 * order. */
#include "cif_crystal_read.h"

#include "data/tables/elements.h"
#include "data/files/error.h"

#include <math.h>
#include <string.h>

typedef struct {
  DebyeCifAsymmetricUnit *unit;
  GPtrArray *symbols;        /* char *, one a site: its type */
  GHashTable *oxidation;     /* symbol → double * */
  gboolean has_other_group;  /* the file names a space group other than P 1 */
  gboolean has_cell_mistake; /* numbers that describe no cell */
} Reader;

static void
clear_site(gpointer site)
{
  g_free(((DebyeCifCrystalSite *)site)->label);
}

static DebyeCifAsymmetricUnit *
unit_new(const char *name)
{
  DebyeCifAsymmetricUnit *unit = g_new0(DebyeCifAsymmetricUnit, 1);
  unit->name = g_strdup(name);
  unit->space_group = g_strdup("");
  unit->sites = g_array_new(FALSE, FALSE, sizeof(DebyeCifCrystalSite));
  g_array_set_clear_func(unit->sites, clear_site);
  unit->operations = g_array_new(FALSE, FALSE, sizeof(DebyeSymmetryOperation));
  return unit;
}

void
debye_cif_asymmetric_unit_free(DebyeCifAsymmetricUnit *unit)
{
  g_free(unit->name);
  g_free(unit->title);
  g_free(unit->space_group);
  g_array_unref(unit->sites);
  g_array_unref(unit->operations);
  debye_cif_others_clear(&unit->others);
  g_free(unit);
}

/* --- Sites --- */

/* The letters that a label or a type begins with: "Cu2+" and "Cu1A" are Cu. Labels may go on with letters
 * ("CA1" is carbon A1), so two letters are a symbol only as chemists write it, or where the first alone is
 * none. */
static guint8
find_element(const DebyeCifValue *symbol, const DebyeCifValue *label)
{
  gsize n = 0;
  while (symbol->is_given && n < symbol->length && g_ascii_isalpha(symbol->text[n]))
    n++;
  guint8 element = n > 0 ? debye_element_from_symbol(symbol->text, (gssize)n) : 0;
  if (element != 0 || !label->is_given || label->length == 0)
    return element;
  gboolean has_two = label->length > 1 && g_ascii_isalpha(label->text[1]);
  if (has_two && g_ascii_islower(label->text[1]))
    element = debye_element_from_symbol(label->text, 2);
  if (element == 0)
    element = debye_element_from_symbol(label->text, 1);
  return element == 0 && has_two ? debye_element_from_symbol(label->text, 2) : element;
}

static double
read_optional(const DebyeCifValue *value)
{
  double number;
  return debye_cif_value_to_double(value, &number) ? number : NAN;
}

static double
read_b_factor(const DebyeCifRow *row)
{
  /* B = 8π²·U. */
  double b = read_optional(&row->values[DEBYE_CIF_SITE_B_FACTOR]);
  double u = read_optional(&row->values[DEBYE_CIF_SITE_U_FACTOR]);
  return isnan(b) ? 8.0 * G_PI * G_PI * u : b;
}

static gboolean
read_fraction(const DebyeCifWalk *walk, const DebyeCifRow *row, DebyeVec3 *fraction, GError **error)
{
  double numbers[3];
  for (int i = 0; i < 3; i++) {
    const DebyeCifValue *value = &row->values[DEBYE_CIF_SITE_FRACTION_X + i];
    if (debye_cif_value_to_double(value, &numbers[i]) && isfinite(numbers[i]))
      continue;
    g_autofree char *found =
        debye_text_quote((DebyeTextField){value->text != NULL ? value->text : "", value->length});
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_SYNTAX,
                                   "expected a number for fract_%c, found %s", 'x' + i, found);
  }
  *fraction = debye_vec3(numbers[0], numbers[1], numbers[2]);
  return TRUE;
}

/* Some files list atoms that were never located, or places that are none of an atom's. */
static gboolean
has_position(const DebyeCifRow *row)
{
  for (int i = 0; i < 3; i++)
    if (!row->values[DEBYE_CIF_SITE_FRACTION_X + i].is_given)
      return FALSE;
  return !debye_cif_value_is(&row->values[DEBYE_CIF_SITE_CALCULATION], "dum");
}

static gboolean
take_site(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Reader *reader = walk->data;
  DebyeCifAsymmetricUnit *unit = reader->unit;
  if (unit->others.is_on)
    debye_cif_others_take_site(&unit->others, row);
  if (unit->others.is_on || debye_cif_row_get_kind(row) != DEBYE_CIF_CRYSTAL)
    return TRUE;
  if (!has_position(row)) {
    unit->n_without_position++;
    return TRUE;
  }
  const DebyeCifValue *label = debye_cif_row_choose(row, DEBYE_CIF_SITE_LABEL, DEBYE_CIF_SITE_LABEL_ATOM);
  const DebyeCifValue *symbol = &row->values[DEBYE_CIF_SITE_SYMBOL];
  DebyeCifCrystalSite site = {.element = find_element(symbol, label),
                              .occupancy = read_optional(&row->values[DEBYE_CIF_SITE_OCCUPANCY]),
                              .b_factor = read_b_factor(row),
                              .charge = NAN,
                              .is_disordered = row->values[DEBYE_CIF_SITE_DISORDER].is_given};
  if (!read_fraction(walk, row, &site.fraction, error))
    return FALSE;
  site.label = g_strndup(label->is_given ? label->text : "", label->is_given ? label->length : 0);
  g_array_append_val(unit->sites, site);
  g_ptr_array_add(reader->symbols, g_strndup(symbol->is_given ? symbol->text : "", symbol->length));
  return TRUE;
}

/* --- Cell and symmetry --- */

static gboolean
take_cell(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Reader *reader = walk->data;
  if (!reader->unit->others.is_on)
    debye_cif_read_cell(row, &reader->unit->cell, &reader->has_cell_mistake);
  return TRUE;
}

static const char *const operation_columns[] = {"_space_group_symop.operation_xyz",
                                                "_symmetry_equiv.pos_as_xyz", NULL};

static gboolean
take_operation(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  const Reader *reader = walk->data;
  GArray *operations = reader->unit->operations;
  const DebyeCifValue *value = debye_cif_row_choose(row, 0, 1);
  DebyeSymmetryOperation operation;
  if (!value->is_given || reader->unit->others.is_on)
    return TRUE;
  if (!debye_symmetry_parse(value->text, value->length, &operation)) {
    g_autofree char *found = debye_text_quote((DebyeTextField){value->text, value->length});
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_SYNTAX,
                                   "expected a symmetry operation like “-x,y+1/2,-z”, found %s", found);
  }
  if (operations->len == DEBYE_SYMMETRY_OPERATIONS_MAXIMUM)
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_LIMIT,
                                   "expected at most %d symmetry operations, found more",
                                   DEBYE_SYMMETRY_OPERATIONS_MAXIMUM);
  g_array_append_val(operations, operation);
  return TRUE;
}

static const char *const group_columns[] = {"_space_group.name_h-m_alt", "_symmetry.space_group_name_h-m",
                                            "_space_group.name_hall", "_symmetry.space_group_name_hall",
                                            NULL};

static gboolean
take_group(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Reader *reader = walk->data;
  for (gsize i = 0; group_columns[i] != NULL && !reader->unit->others.is_on; i++) {
    const DebyeCifValue *value = &row->values[i];
    if (!value->is_given || value->length == 0)
      continue;
    g_free(reader->unit->space_group);
    reader->unit->space_group = debye_text_quote((DebyeTextField){value->text, value->length});
    reader->has_other_group = !debye_cif_value_is(value, "P 1") && !debye_cif_value_is(value, "P1");
    return TRUE;
  }
  return TRUE;
}

/* --- Types and names --- */

static const char *const type_columns[] = {"_atom_type.symbol", "_atom_type.oxidation_number", NULL};

static gboolean
take_type(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  const Reader *reader = walk->data;
  double number;
  if (!reader->unit->others.is_on && row->values[0].is_given &&
      debye_cif_value_to_double(&row->values[1], &number) && isfinite(number))
    g_hash_table_replace(reader->oxidation, g_strndup(row->values[0].text, row->values[0].length),
                         g_memdup2(&number, sizeof number));
  return TRUE;
}

static gboolean
take_title(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  const Reader *reader = walk->data;
  g_autofree char *title = debye_cif_get_title(row);
  if (title != NULL && reader->unit->title == NULL && !reader->unit->others.is_on)
    reader->unit->title = g_steal_pointer(&title);
  return TRUE;
}

/* --- The whole --- */

static void
begin_unit(Reader *reader, const char *name)
{
  g_clear_pointer(&reader->unit, debye_cif_asymmetric_unit_free);
  reader->unit = unit_new(name);
  reader->has_other_group = reader->has_cell_mistake = FALSE;
  g_ptr_array_set_size(reader->symbols, 0);
  g_hash_table_remove_all(reader->oxidation);
}

static void
begin_block(DebyeCifWalk *walk, const char *name, G_GNUC_UNUSED gsize length)
{
  Reader *reader = walk->data;
  if (reader->unit->sites->len > 0)
    debye_cif_others_begin_block(&reader->unit->others, name);
  else
    begin_unit(reader, name);
}

static void
set_charges(Reader *reader)
{
  for (guint i = 0; i < reader->unit->sites->len; i++) {
    const double *number = g_hash_table_lookup(reader->oxidation, g_ptr_array_index(reader->symbols, i));
    if (number == NULL)
      continue;
    g_array_index(reader->unit->sites, DebyeCifCrystalSite, i).charge = *number;
    reader->unit->has_charges = TRUE;
  }
}

static gboolean
finish_unit(Reader *reader, DebyeInput *input, GError **error)
{
  DebyeCifAsymmetricUnit *unit = reader->unit;
  const DebyeSymmetryOperation identity = {.rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  if (unit->sites->len == 0)
    return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                                 "expected atoms with coordinates, found none");
  if (!debye_cell_is_valid(&unit->cell)) {
    return debye_input_set_error(input, error,
                                 reader->has_cell_mistake ? DEBYE_ERROR_VALUE : DEBYE_ERROR_MISSING,
                                 "expected the cell that the fractional coordinates belong to, found %s",
                                 reader->has_cell_mistake ? "lengths and angles that describe none" : "none");
  }
  unit->lacks_operations = unit->operations->len == 0 && reader->has_other_group;
  if (unit->operations->len == 0)
    g_array_append_val(unit->operations, identity);
  if ((guint64)unit->sites->len * unit->operations->len >= G_MAXINT32)
    return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                                 "expected fewer than %d atoms in the cell, found more", G_MAXINT32);
  set_charges(reader);
  return TRUE;
}

static gboolean
walk_file(Reader *reader, DebyeInput *input, GError **error)
{
  static const DebyeCifTable tables[] = {
      {debye_cif_site_columns, take_site}, {debye_cif_cell_columns, take_cell},
      {operation_columns, take_operation}, {group_columns, take_group},
      {type_columns, take_type},           {debye_cif_title_columns, take_title}};
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeCifWalk walk = {.lines = &lines,
                       .tables = tables,
                       .n_tables = G_N_ELEMENTS(tables),
                       .begin_block = begin_block,
                       .data = reader};
  g_autoptr(GError) problem = NULL;
  /* What is wrong in a later block is nothing to this one. */
  if (debye_cif_walk(&walk, &problem) || reader->unit->others.is_on)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

DebyeCifAsymmetricUnit *
debye_cif_asymmetric_unit_read(DebyeInput *input, GError **error)
{
  g_autoptr(GPtrArray) symbols = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GHashTable) oxidation = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  Reader reader = {.symbols = symbols, .oxidation = oxidation, .unit = unit_new("")};
  g_autoptr(DebyeCifAsymmetricUnit) unit = NULL;
  gboolean done = walk_file(&reader, input, error) && finish_unit(&reader, input, error);
  unit = reader.unit;
  return done ? g_steal_pointer(&unit) : NULL;
}
