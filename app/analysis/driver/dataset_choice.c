/* SPDX-License-Identifier: MIT */
/* Takes what counts of a dataset from a request; called by the window's jobs and cli_work.c. */
#include "dataset_choice.h"

#include <string.h>

#include "common_settings.h"
#include "data/files/error.h"
#include "data/trajectory/cell_choice.h"
#include "data/trajectory/length_unit.h"

static const DebyeSetting settings[] = {DEBYE_SETTING_DATASET_ENTRIES};

/* The unit of length stands last: of files that say theirs it isn't asked for. */
static const DebyeSettingTable table_of_files_with_units = {
    .id = "dataset",
    .title = "Cell and alternate locations",
    .question = "Which atoms and which cell count?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings) - 1,
};

static const DebyeSettingTable table = {
    .id = "dataset",
    .title = "Cell and alternate locations",
    .question = "Which atoms and which cell count?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

DebyeRequest *
debye_dataset_choice_request(DebyeDataset *dataset)
{
  const gboolean asks_for_unit = debye_dataset_leaves_unit_open(dataset);
  DebyeRequest *request = debye_request_new(asks_for_unit ? &table : &table_of_files_with_units);
  debye_request_set(request, "altloc", debye_dataset_get_altloc(dataset), NULL);
  debye_request_set(request, "cell", debye_dataset_get_cell_choice(dataset), NULL);
  if (debye_dataset_get_length_unit(dataset) != NULL)
    debye_request_set(request, "length-unit", debye_dataset_get_length_unit(dataset), NULL);
  return request;
}

static const char *
get_if_set(DebyeRequest *request, const char *key)
{
  const gboolean is_known = debye_setting_table_find(debye_request_get_table(request), key) != NULL;
  return is_known && debye_request_is_set(request, key) ? debye_request_get(request, key) : NULL;
}

static DebyeDataset *
refuse(const char *refused, const char **key, GError **error)
{
  debye_error_name_setting(error, debye_setting_table_find(&table, refused)->label);
  if (key != NULL)
    *key = refused;
  return NULL;
}

DebyeDataset *
debye_dataset_choose(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_autoptr(DebyeDataset) chosen =
      debye_dataset_with_choices(dataset, get_if_set(request, "altloc"), NULL, error);
  if (chosen == NULL)
    return refuse("altloc", key, error);
  g_autoptr(DebyeDataset) both = debye_dataset_with_choices(chosen, NULL, get_if_set(request, "cell"), error);
  if (both == NULL)
    return refuse("cell", key, error);
  DebyeDataset *all = debye_dataset_with_length_unit(both, get_if_set(request, "length-unit"), error);
  return all != NULL ? all : refuse("length-unit", key, error);
}

void
debye_dataset_choice_add_notes(DebyeDataset *dataset, DebyeResult *result)
{
  g_autofree char *sentence = debye_dataset_describe_altloc(dataset);
  const char *cell = debye_dataset_get_cell_choice(dataset);
  if (sentence != NULL)
    debye_result_add_note(result, "Alternate locations: %s", sentence);
  if (strcmp(cell, "none") == 0)
    debye_result_add_note(result, "Cell: none; the files' cell is ignored");
  else if (strcmp(cell, DEBYE_CELL_OF_FILE) != 0)
    debye_result_add_note(result, "Cell: %s (Å and degrees), given in place of the files' cell", cell);
  if (debye_dataset_leaves_unit_open(dataset))
    debye_result_add_note(result, "Unit of length, which the files don't state: %s",
                          debye_dataset_get_length_unit(dataset) != NULL
                              ? debye_dataset_get_length_unit(dataset)
                              : DEBYE_LENGTH_UNIT_DEFAULT);
}
