/* SPDX-License-Identifier: MIT */
/* Implementation of prepare.h: the steps in their order. */
#include "prepare.h"

#include "add_hydrogens.h"
#include "borrowed_charges.h"
#include "chain_ends.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "ligand_units.h"
#include "prepare_links.h"
#include "prepare_network.h"

static GArray *
list_counted(DebyeTopology *topology)
{
  const guint8 *counted = debye_topology_get_counted(topology);
  GArray *atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < debye_topology_get_n_atoms(topology); i++)
    if (counted == NULL || counted[i])
      g_array_append_val(atoms, i);
  return atoms;
}

static DebyePrepared *
prepare_counted(DebyeTopology *topology, const DebyeFrame *frame, const DebyePrepareSettings *settings,
                GError **error)
{
  g_autoptr(DebyePreparedSystem) system = debye_prepared_system_new(topology, frame, error);
  if (system == NULL || !debye_prepare_links_find(system, error) ||
      !debye_chain_ends_decide(system, &settings->states, error) ||
      !debye_prepare_states_decide(system, &settings->states, error) ||
      !debye_prepare_complete(system, error) || !debye_prepare_add_hydrogens(system, error) ||
      !debye_ligand_units_fill(system, settings->ligands, error))
    return NULL;
  if (settings->optimises)
    debye_prepare_network_optimise(system);
  debye_borrowed_charges_set(system, settings->states.table);
  return debye_prepared_result_new(system, settings, error);
}

DebyePrepared *
debye_prepare(DebyeTopology *topology, const DebyeFrame *frame, const DebyePrepareSettings *settings,
              GError **error)
{
  g_autoptr(GArray) atoms = list_counted(topology);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  if (atoms->len == frame->n_atoms)
    return prepare_counted(topology, frame, settings, error);
  g_autoptr(DebyeTopology) part = debye_topology_subset(topology, list, atoms->len);
  g_autoptr(DebyeFrame) part_of_frame = debye_frame_subset(frame, list, atoms->len);
  if (part_of_frame == NULL) {
    debye_error_set_memory(error, NULL, atoms->len, N_("positions"));
    return NULL;
  }
  return prepare_counted(part, part_of_frame, settings, error);
}
