/* SPDX-License-Identifier: MIT */
/* Describes in words what is under the pointer; called by view_3d_input.c. */
#include "pick_text.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/tables/unit_text.h"
#include "ui/widgets/number_text.h"

static const char *
code_text(DebyeTopology *topology, guint32 code)
{
  const char *text = debye_string_pool_get(debye_topology_get_string_pool(topology), code);
  return text != NULL ? text : "";
}

static char *
signed_text(double value, int digits)
{
  g_autofree char *number = debye_number_sentence(value, digits);
  return g_strdup_printf("%s%s", value > 0.0 ? "+" : "", number);
}

static char *
atom_text(DebyeTopology *topology, guint32 atom)
{
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  const float *charges = debye_topology_get_charges(topology);
  const char *chain = code_text(topology, residue->chain);
  const char *residue_name = code_text(topology, residue->name);
  GString *text = g_string_new(NULL);
  if (*residue_name != '\0')
    g_string_append_printf(text, "%s %d ", residue_name, residue->number);
  g_string_append(text, code_text(topology, debye_topology_get_names(topology)[atom]));
  if (*chain != '\0')
    g_string_append_printf(text, _(" · chain %s"), chain);
  if (charges != NULL) {
    g_autofree char *charge = signed_text(charges[atom], 3);
    g_string_append_printf(text, " · %s e", charge);
  }
  g_string_append_printf(text, _(" · index %u"), atom);
  return g_string_free(text, FALSE);
}

/* The map that the value is of; NULL: none. */
static DebyeField *
field_of(DebyeLayer *layer)
{
  DebyeField *coloring = debye_layer_get_color_field(layer);
  return coloring != NULL ? coloring : debye_layer_get_field(layer);
}

static char *
coordinate_text(double value)
{
  /* Always one digit after the dot, so that the text doesn't jump about while the pointer moves. */
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(text, sizeof text, "%.1f", value);
  GString *result = g_string_new(text);
  g_string_replace(result, "-", "−", 0);
  return g_string_free(result, FALSE);
}

/* A plus tells of two signs; of what is never negative it tells nothing. */
static char *
number_text(DebyeField *field, double value)
{
  DebyeFieldStatistics statistics = {.minimum = -1.0};
  if (field != NULL)
    debye_field_get_statistics(field, &statistics);
  return statistics.minimum < 0.0 ? signed_text(value, 3) : debye_number_sentence(value, 3);
}

static char *
value_text(const DebyePick *pick)
{
  g_autofree char *x = coordinate_text(pick->point.x);
  g_autofree char *y = coordinate_text(pick->point.y);
  g_autofree char *z = coordinate_text(pick->point.z);
  DebyeField *field = field_of(pick->layer);
  g_autofree char *value = number_text(field, pick->value);
  g_autofree char *unit = debye_unit_to_text(field != NULL ? debye_field_get_unit(field) : NULL);
  const char *length_unit = field != NULL ? debye_field_get_length_unit(field) : "Å";
  return g_strdup_printf(_("%s%s%s at (%s, %s, %s) %s"), value, *unit != '\0' ? " " : "", unit, x, y, z,
                         length_unit);
}

char *
debye_pick_text(const DebyePick *pick, DebyeTopology *topology)
{
  if (pick->layer == NULL)
    return NULL;
  if (pick->atom >= 0 && topology != NULL && (gsize)pick->atom < debye_topology_get_n_atoms(topology))
    return atom_text(topology, (guint32)pick->atom);
  return isnan(pick->value) ? NULL : value_text(pick);
}
