/* SPDX-License-Identifier: MIT */
/* Chooses the charges of an analysis, from files or a table; called by the plans of maps and the
 * classroom. */
#include "charge_choice.h"

#include "data/files/error.h"

/* --- Of a table --- */

static void
table_charges_clear(gpointer data)
{
  DebyeTableCharges *charges = data;
  g_clear_object(&charges->topology);
  debye_charge_report_clear(&charges->report);
}

static void
table_charges_unref(gpointer data)
{
  g_atomic_rc_box_release_full(data, table_charges_clear);
}

/* A form asks with each change of a setting, and a million atoms take a tenth of a second. Two threads may come at once. */
static const DebyeTableCharges *
get_table_charges(DebyeTopology *topology, DebyeChargeTable table)
{
  static const char *const names[] = {
      [DEBYE_CHARGE_TABLE_AMBER] = "amber-charges", [DEBYE_CHARGE_TABLE_CHARMM] = "charmm-charges"};
  static GMutex making;
  g_mutex_lock(&making);
  DebyeTableCharges *charges = g_object_get_data(G_OBJECT(topology), names[table]);
  if (charges == NULL) {
    charges = g_atomic_rc_box_new0(DebyeTableCharges);
    charges->topology = debye_topology_with_table_charges(topology, table, &charges->report);
    g_object_set_data_full(G_OBJECT(topology), names[table], charges, table_charges_unref);
  }
  g_atomic_rc_box_acquire(charges);
  g_mutex_unlock(&making);
  return charges;
}

/* --- The choice --- */

void
debye_charge_choice_clear(DebyeChargeChoice *choice)
{
  g_clear_object(&choice->topology);
  if (choice->table != NULL)
    g_atomic_rc_box_release_full((gpointer)choice->table, table_charges_clear);
  choice->table = NULL;
}

/* A column of zeros is what some programs write for "none". */
static gboolean
has_charges(DebyeTopology *topology)
{
  const float *charges = debye_topology_get_charges(topology);
  for (gsize i = debye_topology_get_n_atoms(topology); charges != NULL && i-- > 0;)
    if (charges[i] != 0.0f)
      return TRUE;
  return FALSE;
}

static gboolean
take_from_file(DebyeChargeChoice *choice, DebyeDataset *dataset, gboolean takes_zeros, GError **error)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  const gboolean has_column = debye_topology_get_charges(topology) != NULL;
  if (takes_zeros ? has_column : has_charges(topology)) {
    choice->topology = g_object_ref(topology);
    return TRUE;
  }
  return debye_error_set_about(
      error, DEBYE_ERROR_MISSING, "Charges",
      "%s has %s, and a potential needs them: choose AMBER's or CHARMM's table, or add a file of the same "
      "atoms that has them (PQR, PSF, prmtop, TPR, Mol2, LAMMPS data …)",
      debye_dataset_get_name(dataset), has_column ? "no charges but zeros" : "no charges");
}

static gboolean
take_from_table(DebyeChargeChoice *choice, DebyeDataset *dataset, DebyeChargeTable table, GError **error)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  choice->table = get_table_charges(topology, table);
  choice->topology = g_object_ref(choice->table->topology);
  if (choice->table->report.n_atoms[DEBYE_CHARGED_NONE] < debye_topology_get_n_counted(topology))
    return TRUE;
  const char *reason = choice->table->report.sentences[0];
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Charges",
                               "the table has none for any atom of %s: %s", debye_dataset_get_name(dataset),
                               reason != NULL ? reason : "there are no atoms");
}

gboolean
debye_charge_choice_init(DebyeChargeChoice *choice, DebyeDataset *dataset, DebyeChargeSource source,
                         const char **key, GError **error)
{
  gboolean is_taken;
  if (source == DEBYE_CHARGES_AMBER)
    is_taken = take_from_table(choice, dataset, DEBYE_CHARGE_TABLE_AMBER, error);
  else if (source == DEBYE_CHARGES_CHARMM)
    is_taken = take_from_table(choice, dataset, DEBYE_CHARGE_TABLE_CHARMM, error);
  else
    is_taken = take_from_file(choice, dataset, source == DEBYE_CHARGES_FILE, error);
  *key = is_taken ? NULL : "charges";
  return is_taken;
}

void
debye_charge_choice_add_notes(const DebyeChargeChoice *choice, const GArray *atoms, DebyeResult *result)
{
  gsize n_without = 0;
  if (choice->table == NULL) {
    debye_result_add_note(result, "Charges: those of the files");
    return;
  }
  for (guint i = 0; i < atoms->len; i++)
    n_without += choice->table->report.kinds[g_array_index(atoms, guint32, i)] == DEBYE_CHARGED_NONE;
  for (char *const *sentence = choice->table->report.sentences; *sentence != NULL; sentence++)
    debye_result_add_note(result, "Charges from a table: %s", *sentence);
  if (n_without > 0)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "%" G_GSIZE_FORMAT
        " of the %u chosen atoms are in residues that the table of charges lacks; they count as neutral",
        n_without, atoms->len);
}
