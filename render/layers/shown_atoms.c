/* SPDX-License-Identifier: MIT */
/* Implementation of shown_atoms.h: molecule, frame, atoms and selection of every layer that shows atoms. */
#include "shown_atoms.h"

enum { CHOICE, FRAME, N_SHOWN };

void
debye_shown_atoms_clear(DebyeShownAtoms *shown)
{
  g_clear_object(&shown->topology);
  g_clear_pointer(&shown->frame, debye_frame_unref);
  g_clear_pointer(&shown->chosen, g_array_unref);
  g_clear_pointer(&shown->selection, g_free);
}

/* Those that count; NULL: these are all. */
static GArray *
list_counted(DebyeTopology *topology)
{
  const guint8 *counted = debye_topology_get_counted(topology);
  const gsize n = debye_topology_get_n_atoms(topology);
  GArray *list = counted ? g_array_new(FALSE, FALSE, sizeof(guint32)) : NULL;
  for (guint32 i = 0; counted && i < n; i++)
    if (counted[i])
      g_array_append_val(list, i);
  return list;
}

void
debye_shown_atoms_init(DebyeShownAtoms *shown, DebyeTopology *topology)
{
  shown->topology = g_object_ref(topology);
  shown->chosen = list_counted(topology);
}

void
debye_shown_atoms_set(DebyeShownAtoms *shown, const guint32 *atoms, gsize n_atoms)
{
  gsize n = debye_topology_get_n_atoms(shown->topology);
  GArray *chosen = atoms ? g_array_sized_new(FALSE, FALSE, sizeof(guint32), (guint)n_atoms)
                         : list_counted(shown->topology);
  for (gsize i = 0; atoms && i < n_atoms; i++)
    if (atoms[i] < n)
      g_array_append_val(chosen, atoms[i]);
  g_clear_pointer(&shown->chosen, g_array_unref);
  shown->chosen = chosen;
}

DebyeAtomSet
debye_shown_atoms_get(const DebyeShownAtoms *shown)
{
  /* An empty array may have no memory. */
  static const guint32 none[1];
  if (!shown->chosen)
    return (DebyeAtomSet){.n_atoms = debye_topology_get_n_atoms(shown->topology)};
  return (DebyeAtomSet){.atoms =
                            shown->chosen->len > 0 ? (const guint32 *)(gpointer)shown->chosen->data : none,
                        .n_atoms = shown->chosen->len};
}

void
debye_shown_atoms_set_selection(DebyeShownAtoms *shown, const char *text)
{
  char *copy = g_strdup(text);
  g_free(shown->selection);
  shown->selection = copy;
}

gboolean
debye_shown_atoms_set_frame(DebyeShownAtoms *shown, DebyeFrame *frame)
{
  g_return_val_if_fail(!frame || frame->n_atoms == debye_topology_get_n_atoms(shown->topology), FALSE);
  if (frame)
    debye_frame_ref(frame);
  g_clear_pointer(&shown->frame, debye_frame_unref);
  shown->frame = frame;
  return TRUE;
}

void
debye_shown_atoms_set_choice(DebyeShownAtoms *shown, GVariant *choice)
{
  gsize n_atoms;
  const guint32 *atoms = debye_atom_choice_get_atoms(choice, &n_atoms);
  debye_shown_atoms_set_selection(shown, debye_atom_choice_get_selection(choice));
  debye_shown_atoms_set(shown, atoms, n_atoms);
}

GVariant *
debye_shown_atoms_create_choice(const DebyeShownAtoms *shown)
{
  DebyeAtomSet set = debye_shown_atoms_get(shown);
  return debye_atom_choice_new(shown->selection, set.atoms, set.n_atoms);
}

gboolean
debye_shown_atoms_get_bounds(const DebyeShownAtoms *shown, DebyeVec3 *low, DebyeVec3 *high)
{
  DebyeAtomSet set = debye_shown_atoms_get(shown);
  return shown->frame && set.n_atoms > 0 &&
         debye_frame_get_bounds(shown->frame, set.atoms, set.n_atoms, low, high);
}

void
debye_shown_atoms_install_properties(GObjectClass *class, guint first)
{
  const GParamFlags read_only = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  g_object_class_install_property(class, first + CHOICE, debye_atom_choice_spec());
  g_object_class_install_property(class, first + FRAME,
                                  g_param_spec_boxed("frame", NULL, NULL, DEBYE_TYPE_FRAME, read_only));
  g_object_class_install_property(class, first + N_SHOWN,
                                  g_param_spec_uint("n-shown", NULL, NULL, 0, G_MAXUINT, 0, read_only));
}

gboolean
debye_shown_atoms_get_property(const DebyeShownAtoms *shown, guint first, guint id, GValue *value)
{
  if (id == first + CHOICE)
    g_value_set_variant(value, debye_shown_atoms_create_choice(shown));
  else if (id == first + FRAME)
    g_value_set_boxed(value, shown->frame);
  else if (id == first + N_SHOWN)
    g_value_set_uint(value, (guint)debye_shown_atoms_get(shown).n_atoms);
  else
    return FALSE;
  return TRUE;
}
