/* SPDX-License-Identifier: MIT */
/* Implementation of atom_choice.h: atoms and the selection that chose them, as the property "choice" of
 * layers. */
#include "atom_choice.h"

#define CHOICE_TYPE G_VARIANT_TYPE("(msmau)")

GVariant *
debye_atom_choice_new(const char *selection, const guint32 *atoms, gsize n_atoms)
{
  GVariant *array =
      atoms != NULL ? g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, atoms, n_atoms, sizeof *atoms) : NULL;
  GVariant *choice = g_variant_new("(ms@mau)", selection, g_variant_new_maybe(G_VARIANT_TYPE("au"), array));
  /* In one piece from now on: what is read of it points into it, not into parts that may go before it. */
  g_variant_get_data(choice);
  return choice;
}

const char *
debye_atom_choice_get_selection(GVariant *choice)
{
  const char *selection = NULL;
  g_variant_get_child(choice, 0, "m&s", &selection);
  return selection;
}

const guint32 *
debye_atom_choice_get_atoms(GVariant *choice, gsize *n_atoms)
{
  /* An empty array may have no memory, and NULL would mean all. */
  static const guint32 none[1];
  g_autoptr(GVariant) maybe = g_variant_get_child_value(choice, 1);
  g_autoptr(GVariant) array = g_variant_get_maybe(maybe);
  *n_atoms = 0;
  if (array == NULL)
    return NULL;
  const guint32 *atoms = g_variant_get_fixed_array(array, n_atoms, sizeof *atoms);
  return *n_atoms > 0 ? atoms : none;
}

GParamSpec *
debye_atom_choice_spec(void)
{
  return g_param_spec_variant("choice", NULL, NULL, CHOICE_TYPE, NULL,
                              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}
