/* SPDX-License-Identifier: MIT */
/* Finds the columns of a CIF's atoms and cell and reads their values; used by the other files of the CIF
 * reader. */
#include "cif_site.h"

#include "data/files/error.h"
#include "data/geometry.h"

#include <math.h>
#include <string.h>

const char *const debye_cif_site_columns[] = {
    [DEBYE_CIF_SITE_ID] = "_atom_site.id",
    [DEBYE_CIF_SITE_SYMBOL] = "_atom_site.type_symbol",
    [DEBYE_CIF_SITE_LABEL_ATOM] = "_atom_site.label_atom_id",
    [DEBYE_CIF_SITE_LABEL_ALTERNATIVE] = "_atom_site.label_alt_id",
    [DEBYE_CIF_SITE_LABEL_COMPONENT] = "_atom_site.label_comp_id",
    [DEBYE_CIF_SITE_LABEL_CHAIN] = "_atom_site.label_asym_id",
    [DEBYE_CIF_SITE_LABEL_NUMBER] = "_atom_site.label_seq_id",
    [DEBYE_CIF_SITE_INSERTION_CODE] = "_atom_site.pdbx_pdb_ins_code",
    [DEBYE_CIF_SITE_X] = "_atom_site.cartn_x",
    [DEBYE_CIF_SITE_Y] = "_atom_site.cartn_y",
    [DEBYE_CIF_SITE_Z] = "_atom_site.cartn_z",
    [DEBYE_CIF_SITE_OCCUPANCY] = "_atom_site.occupancy",
    [DEBYE_CIF_SITE_B_FACTOR] = "_atom_site.b_iso_or_equiv",
    [DEBYE_CIF_SITE_AUTHOR_NUMBER] = "_atom_site.auth_seq_id",
    [DEBYE_CIF_SITE_AUTHOR_COMPONENT] = "_atom_site.auth_comp_id",
    [DEBYE_CIF_SITE_AUTHOR_CHAIN] = "_atom_site.auth_asym_id",
    [DEBYE_CIF_SITE_AUTHOR_ATOM] = "_atom_site.auth_atom_id",
    [DEBYE_CIF_SITE_MODEL] = "_atom_site.pdbx_pdb_model_num",
    [DEBYE_CIF_SITE_LABEL] = "_atom_site.label",
    [DEBYE_CIF_SITE_FRACTION_X] = "_atom_site.fract_x",
    [DEBYE_CIF_SITE_FRACTION_Y] = "_atom_site.fract_y",
    [DEBYE_CIF_SITE_FRACTION_Z] = "_atom_site.fract_z",
    [DEBYE_CIF_SITE_U_FACTOR] = "_atom_site.u_iso_or_equiv",
    [DEBYE_CIF_SITE_CALCULATION] = "_atom_site.calc_flag",
    [DEBYE_CIF_SITE_DISORDER] = "_atom_site.disorder_group",
    [DEBYE_CIF_SITE_CHARGE] = "_atom_site.debye_partial_charge",
    [DEBYE_CIF_SITE_RADIUS] = "_atom_site.debye_radius",
    [DEBYE_CIF_N_SITE_COLUMNS] = NULL,
};

G_STATIC_ASSERT(DEBYE_CIF_N_SITE_COLUMNS <= DEBYE_CIF_COLUMNS_MAXIMUM);

const char *const debye_cif_cell_columns[] = {"_cell.length_a",
                                              "_cell.length_b",
                                              "_cell.length_c",
                                              "_cell.angle_alpha",
                                              "_cell.angle_beta",
                                              "_cell.angle_gamma",
                                              NULL};

const char *const debye_cif_title_columns[] = {"_struct.title", "_chemical.name_common",
                                               "_chemical.name_systematic", "_chemical_formula.sum", NULL};

gboolean
debye_cif_read_cell(const DebyeCifRow *row, DebyeCell *cell, gboolean *is_mistake)
{
  double n[6] = {0.0, 0.0, 0.0, 90.0, 90.0, 90.0};
  gboolean is_any_given = FALSE;
  for (int i = 0; i < 6; i++) {
    is_any_given = is_any_given || row->values[i].is_given;
    if (row->values[i].is_given && !debye_cif_value_to_double(&row->values[i], &n[i]))
      n[i] = NAN;
  }
  gboolean is_dummy = n[0] == 1.0 && n[1] == 1.0 && n[2] == 1.0;
  *cell = (DebyeCell){0};
  *is_mistake = FALSE;
  if (is_dummy || !is_any_given)
    return FALSE;
  *is_mistake = !debye_cell_from_lengths_angles(cell, n, n + 3);
  return !*is_mistake;
}

DebyeCifKind
debye_cif_row_get_kind(const DebyeCifRow *row)
{
  if (row->values[DEBYE_CIF_SITE_X].text != NULL)
    return DEBYE_CIF_MOLECULE;
  return row->values[DEBYE_CIF_SITE_FRACTION_X].text != NULL ? DEBYE_CIF_CRYSTAL : DEBYE_CIF_NO_SITES;
}

gboolean
debye_cif_row_get_position(const DebyeCifWalk *walk, const DebyeCifRow *row, double position[3],
                           GError **error)
{
  static const char *const axes[] = {"Cartn_x", "Cartn_y", "Cartn_z"};
  for (int i = 0; i < 3; i++) {
    const DebyeCifValue *value = &row->values[DEBYE_CIF_SITE_X + i];
    if (debye_cif_value_to_double(value, &position[i]))
      continue;
    g_autofree char *found = value->text != NULL
                                 ? debye_text_quote((DebyeTextField){value->text, value->length})
                                 : g_strdup("nothing");
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_SYNTAX, "expected a number for %s, found %s",
                                   axes[i], found);
  }
  return TRUE;
}

const DebyeCifValue *
debye_cif_row_choose(const DebyeCifRow *row, gsize column, gsize other)
{
  return row->values[column].is_given ? &row->values[column] : &row->values[other];
}

gint32
debye_cif_value_to_int(const DebyeCifValue *value, gint32 otherwise)
{
  gint64 number;
  if (!value->is_given || !debye_text_to_int(value->text, value->length, &number) ||
      ABS(number) >= G_MAXINT32)
    return otherwise;
  return (gint32)number;
}

char *
debye_cif_get_title(const DebyeCifRow *row)
{
  for (gsize i = 0; debye_cif_title_columns[i] != NULL; i++) {
    const DebyeCifValue *value = &row->values[i];
    if (value->is_given && value->length > 0)
      return g_strstrip(g_strdelimit(g_strndup(value->text, value->length), "\r\n", ' '));
  }
  return NULL;
}

void
debye_cif_others_begin_block(DebyeCifOthers *others, const char *name)
{
  others->is_on = TRUE;
  g_free(others->name);
  others->name = debye_text_quote((DebyeTextField){name, strlen(name)});
}

void
debye_cif_others_take_site(DebyeCifOthers *others, const DebyeCifRow *row)
{
  if (others->name == NULL || debye_cif_row_get_kind(row) == DEBYE_CIF_NO_SITES)
    return;
  if (others->n_blocks++ == 0)
    others->first = g_steal_pointer(&others->name);
  else
    g_clear_pointer(&others->name, g_free);
}

void
debye_cif_others_warn(const DebyeCifOthers *others, DebyeTopologyBuilder *builder)
{
  if (others->n_blocks > 0)
    debye_topology_builder_warn(
        builder, "%u data blocks with atoms after the first one are not read; the first of them is %s",
        others->n_blocks, others->first);
}

void
debye_cif_others_clear(DebyeCifOthers *others)
{
  g_clear_pointer(&others->name, g_free);
  g_clear_pointer(&others->first, g_free);
}
