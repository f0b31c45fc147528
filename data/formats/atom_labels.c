/* SPDX-License-Identifier: MIT */
/* Numbers atoms by their labels; called by the readers of XYZ files and of LAMMPS dumps without ids. */
#include "atom_labels.h"

#include <string.h>

#define SHORT_LABEL 64

typedef struct {
  GArray *atoms; /* guint32: the numbers of the 1st, 2nd … atom of the label */
  guint n_met;   /* in the frame under way */
} Label;

struct _DebyeAtomLabels {
  GHashTable *labels; /* char * → Label */
  gsize n_atoms;
};

static void
label_free(gpointer data)
{
  Label *label = data;
  g_array_unref(label->atoms);
  g_free(label);
}

DebyeAtomLabels *
debye_atom_labels_new(void)
{
  DebyeAtomLabels *self = g_new0(DebyeAtomLabels, 1);
  self->labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, label_free);
  return self;
}

void
debye_atom_labels_free(DebyeAtomLabels *self)
{
  g_hash_table_unref(self->labels);
  g_free(self);
}

void
debye_atom_labels_begin_frame(DebyeAtomLabels *self)
{
  GHashTableIter iter;
  gpointer label;
  g_hash_table_iter_init(&iter, self->labels);
  while (g_hash_table_iter_next(&iter, NULL, &label))
    ((Label *)label)->n_met = 0;
}

/* Labels are short, and there are as many lookups as atoms: nothing is allocated for one. */
static Label *
look_up(const DebyeAtomLabels *self, DebyeTextField text)
{
  char key[SHORT_LABEL];
  if (text.length < sizeof key) {
    memcpy(key, text.text, text.length);
    key[text.length] = '\0';
    return g_hash_table_lookup(self->labels, key);
  }
  g_autofree char *copy = g_strndup(text.text, text.length);
  return g_hash_table_lookup(self->labels, copy);
}

guint32
debye_atom_labels_add(DebyeAtomLabels *self, DebyeTextField text, gboolean *is_new)
{
  Label *label = look_up(self, text);
  if (label == NULL) {
    label = g_new0(Label, 1);
    label->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_hash_table_insert(self->labels, g_strndup(text.text, text.length), label);
  }
  *is_new = label->n_met == label->atoms->len;
  if (*is_new) {
    const guint32 atom = (guint32)self->n_atoms++;
    g_array_append_val(label->atoms, atom);
  }
  return g_array_index(label->atoms, guint32, label->n_met++);
}

guint32
debye_atom_labels_find(DebyeAtomLabels *self, DebyeTextField text)
{
  Label *label = look_up(self, text);
  if (label == NULL || label->n_met == label->atoms->len)
    return DEBYE_ATOM_LABELS_NO_ATOM;
  return g_array_index(label->atoms, guint32, label->n_met++);
}

gsize
debye_atom_labels_get_n_atoms(const DebyeAtomLabels *self)
{
  return self->n_atoms;
}
