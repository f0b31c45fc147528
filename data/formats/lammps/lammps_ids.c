/* SPDX-License-Identifier: MIT */
/* Converts ids to atom numbers for the readers of data files and dumps: by a table where they are dense, as
 * they nearly always are, by bisection otherwise. */
#include "lammps_ids.h"

#include <stdlib.h>
#include <string.h>

/* A table of at most so many places an atom: beyond that ids are sparse. */
#define PLACES_PER_ATOM 8

struct _DebyeLammpsIds {
  gint64 first;
  guint64 n_places; /* 0: bisection */
  guint32 *table;
  gint64 *sorted;
  gsize n;
};

static int
compare(gconstpointer left, gconstpointer right)
{
  gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
  return (a > b) - (a < b);
}

/* Numbers the places in use from 0 on. */
static gboolean
fill_table(DebyeLammpsIds *self, const gint64 *ids, gint64 *twice)
{
  self->table = g_new(guint32, self->n_places);
  memset(self->table, 0xFF, self->n_places * sizeof(guint32));
  for (gsize i = 0; i < self->n; i++) {
    guint32 *place = &self->table[ids[i] - self->first];
    if (*place != DEBYE_LAMMPS_NO_ATOM) {
      *twice = ids[i];
      return FALSE;
    }
    *place = 0;
  }
  guint32 number = 0;
  for (guint64 i = 0; i < self->n_places; i++)
    if (self->table[i] != DEBYE_LAMMPS_NO_ATOM)
      self->table[i] = number++;
  return TRUE;
}

static gboolean
fill_sorted(DebyeLammpsIds *self, const gint64 *ids, gint64 *twice)
{
  self->sorted = g_new(gint64, self->n);
  memcpy(self->sorted, ids, self->n * sizeof(gint64));
  qsort(self->sorted, self->n, sizeof(gint64), compare);
  for (gsize i = 1; i < self->n; i++)
    if (self->sorted[i] == self->sorted[i - 1]) {
      *twice = self->sorted[i];
      return FALSE;
    }
  return TRUE;
}

DebyeLammpsIds *
debye_lammps_ids_new(const gint64 *ids, gsize n, gint64 *twice)
{
  g_autoptr(DebyeLammpsIds) self = g_new0(DebyeLammpsIds, 1);
  gint64 first = n > 0 ? ids[0] : 0, last = first;
  for (gsize i = 1; i < n; i++) {
    first = MIN(first, ids[i]);
    last = MAX(last, ids[i]);
  }
  self->n = n;
  self->first = first;
  guint64 span = (guint64)last - (guint64)first;
  self->n_places = span < (guint64)n * PLACES_PER_ATOM ? span + 1 : 0;
  gboolean done = self->n_places > 0 ? fill_table(self, ids, twice) : fill_sorted(self, ids, twice);
  return done ? g_steal_pointer(&self) : NULL;
}

void
debye_lammps_ids_free(DebyeLammpsIds *self)
{
  g_free(self->table);
  g_free(self->sorted);
  g_free(self);
}

guint32
debye_lammps_ids_find(const DebyeLammpsIds *self, gint64 id)
{
  if (self->n_places > 0) {
    guint64 place = (guint64)id - (guint64)self->first;
    return place < self->n_places ? self->table[place] : DEBYE_LAMMPS_NO_ATOM;
  }
  const gint64 *found = self->n > 0 ? bsearch(&id, self->sorted, self->n, sizeof(gint64), compare) : NULL;
  return found != NULL ? (guint32)(found - self->sorted) : DEBYE_LAMMPS_NO_ATOM;
}
