/* SPDX-License-Identifier: MIT */
/* Implementation of prepare.h: the steps in their order. */
#include "prepare.h"

#include "add_hydrogens.h"
#include "borrowed_charges.h"
#include "chain_ends.h"
#include "hydrogen_movers.h"
#include "ligand_units.h"
#include "phosphate_ends.h"
#include "prepare_doubts.h"
#include "prepare_links.h"
#include "prepare_network.h"

static DebyePrepared *
prepare_counted(DebyeTopology *topology, const DebyeFrame *frame, const DebyePrepareSettings *settings,
                GError **error)
{
  g_autoptr(DebyePreparedSystem) system =
      debye_prepared_system_new(topology, frame, settings->states.table, error);
  if (system == NULL || !debye_prepare_links_find(system, error))
    return NULL;
  debye_prepare_doubts_note(system);
  if (!debye_chain_ends_decide(system, &settings->states, error) ||
      !debye_prepare_states_decide(system, &settings->states, error) ||
      !debye_prepare_complete(system, error) || !debye_phosphate_ends_complete(system, error) ||
      !debye_prepare_add_hydrogens(system, error) ||
      !debye_ligand_units_fill(system, settings->ligands, error))
    return NULL;
  debye_movers_turn_chosen(system);
  if (settings->optimises)
    debye_prepare_network_optimise(system);
  debye_borrowed_charges_set(system, settings->states.table);
  debye_phosphate_ends_set_charges(system, settings->states.table);
  return debye_prepared_result_new(system, settings, error);
}

DebyePrepared *
debye_prepare(DebyeTopology *topology, const DebyeFrame *frame, const DebyePrepareSettings *settings,
              GError **error)
{
  g_autoptr(DebyeTopology) counted = NULL;
  g_autoptr(DebyeFrame) counted_frame = NULL;
  return debye_prepared_system_count(topology, frame, &counted, &counted_frame, error)
             ? prepare_counted(counted, counted_frame, settings, error)
             : NULL;
}
