/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_doubts.h. */
#include "prepare_doubts.h"

#include "data/tables/elements.h"

/* Of the sum of the covalent radii. Bonds of proteins and nucleic acids have
 * 0.87 (C=O) to 1.03, those of poor models 0.8 to 1.2. */
#define SHORTEST 0.7
#define LONGEST 1.35
/* Å; nearer ones are told as atoms that are too near. */
#define TOO_NEAR 0.4

/* --- Occupancies --- */

/* Programs that have none write 0 for all. */
static gboolean
has_occupancies(DebyeTopology *topology)
{
  const float *occupancies = debye_topology_get_occupancies(topology);
  for (gsize i = 0; occupancies != NULL && i < debye_topology_get_n_atoms(topology); i++)
    if (occupancies[i] > 0.0f)
      return TRUE;
  return FALSE;
}

static gboolean
is_unseen(DebyeTopology *topology, gsize atom)
{
  return debye_topology_get_elements(topology)[atom] > 1 &&
         debye_topology_get_occupancies(topology)[atom] == 0.0f;
}

gsize
debye_prepare_doubts_count(DebyeTopology *topology)
{
  const gsize n_atoms = has_occupancies(topology) ? debye_topology_get_n_atoms(topology) : 0;
  gsize n = 0;
  for (gsize i = 0; i < n_atoms; i++)
    n += is_unseen(topology, i);
  return n;
}

static void
note_unseen(DebyePreparedSystem *system, DebyePreparedUnit *unit)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(system->topology);
  const guint32 *names = debye_topology_get_names(system->topology);
  g_autoptr(GString) list = g_string_new(NULL);
  unit->n_unseen = 0;
  for (guint k = 0; k < unit->atoms->len; k++) {
    const guint32 source =
        debye_prepared_system_get_atom(system, g_array_index(unit->atoms, guint32, k))->source;
    if (!is_unseen(system->topology, source))
      continue;
    g_string_append_printf(list, "%s%s", list->len > 0 ? " " : "",
                           debye_string_pool_get(pool, names[source]));
    unit->n_unseen++;
  }
  if (list->len > 0)
    debye_prepared_unit_note(unit, "occupancy 0: %s", list->str);
}

/* --- Bonds --- */

static void
check_bond(DebyePreparedSystem *system, guint32 atom, guint32 neighbour)
{
  const DebyePreparedAtom *own = debye_prepared_system_get_atom(system, atom);
  const DebyePreparedAtom *other = debye_prepared_system_get_atom(system, neighbour);
  const double expected = (double)debye_element_get(own->element)->covalent_radius +
                          (double)debye_element_get(other->element)->covalent_radius;
  const double length = debye_vec3_length(debye_vec3_subtract(own->position, other->position));
  if (length < TOO_NEAR || (length > SHORTEST * expected && length < LONGEST * expected))
    return;
  debye_prepared_unit_warn(debye_prepared_system_get_unit(system, own->unit),
                           "the bond from %s to %s is %.2f Å long", own->name, other->name, length);
}

void
debye_prepare_doubts_note(DebyePreparedSystem *system)
{
  const gboolean has_any = debye_prepare_doubts_count(system->topology) > 0;
  for (guint32 u = 0; has_any && u < system->units->len; u++)
    note_unseen(system, debye_prepared_system_get_unit(system, u));
  for (guint32 i = 0; i < system->atoms->len; i++) {
    const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, i);
    for (guint k = 0; k < atom->n_neighbours; k++)
      if (atom->neighbours[k] > i)
        check_bond(system, i, atom->neighbours[k]);
  }
}
