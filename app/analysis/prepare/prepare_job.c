/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_job.h. */
#include "prepare_job.h"

#include <string.h>

#include "app/analysis/titration/titration_output.h"
#include "chosen_states.h"
#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "data/files/text_fields.h"
#include "data/formats/cif/cif_assembly.h"
#include "data/formats/text/ligand_file.h"
#include "data/formats/text/pdb_assembly.h"
#include "data/messages/message.h"
#include "data/molecule/altloc.h"
#include "data/selection/selection.h"
#include "data/trajectory/format_list.h"

/* Of titrations: water at 298.15 K, and Å between the points about a site. */
#define WATER_PERMITTIVITY 78.54
#define TEMPERATURE 298.15
#define SPACING 0.5
#define NEUTRAL_PH 7.0

/* --- What is made ready --- */

DebyeFrame *
debye_prepare_job_read_model(DebyeDataset *dataset, gint64 model, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  const gsize n_models = trajectory != NULL ? debye_trajectory_get_n_frames(trajectory) : 0;
  if (trajectory == NULL) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "the file has no coordinates");
    return NULL;
  }
  if ((gsize)model > n_models) {
    debye_error_set_about(error, DEBYE_ERROR_SETTING, "Model",
                          "expected a model of the file, which has %" G_GSIZE_FORMAT
                          ", found %" G_GINT64_FORMAT,
                          n_models, model);
    return NULL;
  }
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  g_autoptr(DebyeFrame) frame =
      reader != NULL ? debye_frame_new(debye_trajectory_get_n_atoms(trajectory)) : NULL;
  if (reader == NULL)
    return NULL;
  if (frame == NULL) {
    debye_error_set_memory(error, NULL, debye_trajectory_get_n_atoms(trajectory), N_("positions"));
    return NULL;
  }
  return debye_trajectory_reader_read(reader, (gsize)model - 1, frame, error) ? g_steal_pointer(&frame)
                                                                              : NULL;
}

/* The atoms to keep; NULL with an error. */
static GArray *
select_atoms(const char *text, DebyeTopology *topology, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, frame, error) : NULL;
  if (atoms != NULL && atoms->len > 0)
    return g_steal_pointer(&atoms);
  if (atoms != NULL)
    debye_error_set(error, DEBYE_ERROR_SELECTION, "“%s” selects no atoms", text);
  debye_error_name_setting(error, "Keep");
  return NULL;
}

static DebyePrepared *
prepare_kept(DebyeTopology *topology, const DebyeFrame *frame, const char *keep,
             const DebyePrepareSettings *settings, GError **error)
{
  if (strcmp(keep, "all") == 0)
    return debye_prepare(topology, frame, settings, error);
  g_autoptr(GArray) atoms = select_atoms(keep, topology, frame, error);
  if (atoms == NULL)
    return NULL;
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  g_autoptr(DebyeTopology) part = debye_topology_subset(topology, list, atoms->len);
  g_autoptr(DebyeFrame) part_of_frame = debye_frame_subset(frame, list, atoms->len);
  if (part_of_frame != NULL)
    return debye_prepare(part, part_of_frame, settings, error);
  debye_error_set_memory(error, NULL, atoms->len, N_("positions"));
  return NULL;
}

/* The first file of a format that has assemblies. */
static DebyeAssembly *
read_assembly(DebyeDataset *dataset, gint64 number, GError **error)
{
  const char *const *paths = debye_dataset_get_paths(dataset), *const *formats =
                                                                   debye_dataset_get_formats(dataset);
  for (gsize k = 0; paths[k] != NULL; k++) {
    const gboolean is_cif = strcmp(formats[k], "cif") == 0;
    if (!is_cif && strcmp(formats[k], "pdb") != 0)
      continue;
    g_autoptr(DebyeInput) input = debye_input_open(paths[k], error);
    if (input == NULL)
      return NULL;
    return is_cif ? debye_cif_assembly_read(input, number, error)
                  : debye_pdb_assembly_read(input, number, error);
  }
  debye_error_set_about(error, DEBYE_ERROR_SETTING, "Assembly",
                        "expected a PDB or mmCIF file, because other files have no biological assemblies");
  return NULL;
}

/* All of the file, or an assembly of its atoms that count. */
static DebyePrepared *
prepare_assembly(DebyeDataset *dataset, const DebyeFrame *frame, const DebyePrepareJobSettings *job,
                 const DebyePrepareSettings *settings, GError **error)
{
  DebyeTopology *topology = debye_dataset_get_topology(dataset);
  if (job->assembly == 0)
    return prepare_kept(topology, frame, job->keep, settings, error);
  g_autoptr(DebyeAssembly) assembly = read_assembly(dataset, job->assembly, error);
  if (assembly == NULL)
    return NULL;
  g_autoptr(GArray) atoms = debye_topology_list_counted(topology, G_MAXSIZE);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  g_autoptr(DebyeTopology) part = debye_topology_subset(topology, list, atoms->len);
  g_autoptr(DebyeFrame) part_of_frame = debye_frame_subset(frame, list, atoms->len);
  g_autoptr(DebyeTopology) made = NULL;
  g_autoptr(DebyeFrame) made_frame = NULL;
  if (part_of_frame == NULL) {
    debye_error_set_memory(error, NULL, atoms->len, N_("positions"));
    return NULL;
  }
  if (!debye_assembly_make(assembly, part, part_of_frame, &made, &made_frame, error))
    return NULL;
  return prepare_kept(made, made_frame, job->keep, settings, error);
}

static DebyePrepareSettings
get_settings(const DebyePrepareJobSettings *job, const DebyeChosenStates *chosen)
{
  return (DebyePrepareSettings){
      .states = {.titrate = job->titrate,
                 .ph = job->ph,
                 .table = job->table,
                 .termini = job->termini,
                 .states = chosen->states != NULL
                               ? (const DebyePrepareState *)(const void *)chosen->states->data
                               : NULL,
                 .n_states = chosen->states != NULL ? chosen->states->len : 0},
      .drops_water = job->drops_water,
      .optimises = job->optimises,
      .renames = job->renames};
}

/* --- Titration --- */

/* Of the structure as it is by model values; what it found goes into the settings. */
static DebyeTitrationResult *
titrate(const DebyePrepared *prepared, const DebyePrepareJobSettings *job,
        const DebyePrepareTitration *titration, const DebyePrepareSettings *settings, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  if (titration == NULL || titration->registry == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_SETTING, "Titration",
                          "expected a titration by Poisson–Boltzmann that is kept with the structure, found "
                          "none. Prepare it again");
    return NULL;
  }
  const gsize n_devices = debye_device_choose(titration->registry, &job->lanes, devices, error);
  const DebyeTitrationEnergySettings energies = {.medium = {.solute = job->solute_permittivity,
                                                            .solvent = WATER_PERMITTIVITY,
                                                            .temperature = TEMPERATURE,
                                                            .ionic_strength = job->ionic_strength,
                                                            .spacing = SPACING,
                                                            .held = DEBYE_TITRATION_HELD},
                                                 .devices = devices,
                                                 .n_devices = n_devices,
                                                 .callbacks = titration->callbacks};
  return n_devices > 0 ? debye_titration_run(prepared, settings, &energies, error) : NULL;
}

/* The one that is kept, or of hydrogen bonds of the usual charges, whatever the pH:
 * what a site's pKa is doesn't hang on what is asked. */
static DebyeTitrationResult *
get_titration(DebyeDataset *dataset, const DebyeFrame *frame, const DebyePrepareJobSettings *job,
              const DebyePrepareTitration *titration, DebyePrepareSettings *settings, GError **error)
{
  if (titration != NULL && titration->kept != NULL)
    return debye_titration_result_ref(titration->kept);
  const double ph = settings->states.ph;
  settings->states.ph = NEUTRAL_PH;
  g_autoptr(DebyePrepared) prepared = prepare_assembly(dataset, frame, job, settings, error);
  settings->states.ph = ph;
  return prepared != NULL ? titrate(prepared, job, titration, settings, error) : NULL;
}

static DebyePrepared *
prepare_titrated(DebyeDataset *dataset, const DebyeFrame *frame, const DebyePrepareJobSettings *job,
                 const DebyePrepareTitration *titration, DebyePrepareSettings *settings, GError **error)
{
  if (job->titrate != DEBYE_TITRATE_PB)
    return prepare_assembly(dataset, frame, job, settings, error);
  g_autoptr(DebyeTitrationResult) result = get_titration(dataset, frame, job, titration, settings, error);
  if (result == NULL)
    return NULL;
  g_autoptr(GArray) titrated = debye_titration_result_list(result, job->ph);
  settings->states.titrated = (const DebyePrepareTitrated *)(const void *)titrated->data;
  settings->states.n_titrated = titrated->len;
  DebyePrepared *prepared = prepare_assembly(dataset, frame, job, settings, error);
  if (prepared != NULL && titration->result != NULL)
    *titration->result = g_steal_pointer(&result);
  return prepared;
}

/* Which of several models was taken, where nobody chose. */
static void
note_models(DebyeDataset *dataset, DebyePrepared *prepared)
{
  const gsize n_models = debye_trajectory_get_n_frames(debye_dataset_get_trajectory(dataset));
  if (n_models < 2)
    return;
  GPtrArray *warnings = g_ptr_array_new();
  g_ptr_array_add(warnings,
                  debye_say("the file has %" G_GSIZE_FORMAT " models; the first is used", n_models));
  for (char **warning = prepared->warnings; *warning != NULL; warning++)
    g_ptr_array_add(warnings, *warning);
  g_ptr_array_add(warnings, NULL);
  g_free(prepared->warnings);
  prepared->warnings = (char **)g_ptr_array_free(warnings, FALSE);
}

GPtrArray *
debye_prepare_job_read_ligands(DebyeRequest *request, GError **error)
{
  g_autoptr(GPtrArray) ligands = g_ptr_array_new_with_free_func((GDestroyNotify)debye_ligand_free);
  DebyePrepareJobSettings job;
  debye_request_fill(request, &job);
  g_auto(GStrv) paths = debye_setting_split_values(job.ligands);
  for (char **path = paths; *path != NULL; path++) {
    DebyeLigand *ligand = debye_ligand_file_read(*path, error);
    if (ligand == NULL)
      return NULL;
    g_ptr_array_add(ligands, ligand);
  }
  return g_steal_pointer(&ligands);
}

DebyePrepared *
debye_prepare_job_run(DebyeRequest *request, DebyeDataset *dataset, const char *states,
                      const DebyePrepareTitration *titration, GError **error)
{
  DebyePrepareJobSettings job;
  g_auto(DebyeChosenStates) chosen = {0};
  debye_request_fill(request, &job);
  if (job.renames && job.table != DEBYE_CHARGE_TABLE_AMBER) {
    debye_error_set_about(error, DEBYE_ERROR_SETTING, "Force field names",
                          "expected the charges of AMBER, for other force fields' names aren't written");
    return NULL;
  }
  if (job.termini == DEBYE_TERMINI_NEUTRAL && job.table == DEBYE_CHARGE_TABLE_AMBER) {
    debye_error_set_about(error, DEBYE_ERROR_SETTING, "Ends of chains",
                          "AMBER has no charges for neutral ends. Choose capped or charged ends, or the "
                          "charges of CHARMM or PARSE");
    return NULL;
  }
  if (states != NULL && !debye_chosen_states_read(&chosen, states, error))
    return NULL;
  g_autoptr(GPtrArray) ligands = debye_prepare_job_read_ligands(request, error);
  if (ligands == NULL)
    return NULL;
  DebyePrepareSettings settings = get_settings(&job, &chosen);
  settings.ligands = ligands;
  g_autoptr(DebyeFrame) frame = debye_prepare_job_read_model(dataset, job.model, error);
  DebyePrepared *prepared =
      frame != NULL ? prepare_titrated(dataset, frame, &job, titration, &settings, error) : NULL;
  if (prepared != NULL && !job.has_model)
    note_models(dataset, prepared);
  /* Errors about a file, the structure's or a ligand's, name it themselves. */
  if (prepared == NULL && error != NULL && debye_error_get_text(*error) == (*error)->message)
    debye_error_prefix(error, "%s: ", debye_dataset_get_name(dataset));
  return prepared;
}

DebyeResult *
debye_prepare_job_titrate(DebyeRequest *request, DebyeDataset *dataset, const DebyeRegistry *registry,
                          const DebyeRunCallbacks *callbacks, GError **error)
{
  DebyePrepareJobSettings job;
  debye_request_fill(request, &job);
  g_autoptr(DebyeTitrationResult) titration = NULL;
  const DebyePrepareTitration wanted = {registry, callbacks, &titration, NULL};
  g_autoptr(DebyePrepared) prepared = debye_prepare_job_run(
      request, dataset, job.states != NULL && *job.states != '\0' ? job.states : NULL, &wanted, error);
  if (prepared == NULL)
    return NULL;
  if (titration == NULL) {
    debye_error_set_about(error, DEBYE_ERROR_SETTING, "Titration",
                          "expected Poisson–Boltzmann, for which there are curves");
    return NULL;
  }
  DebyeResult *result = debye_titration_result_to_result(titration, request);
  debye_result_set_inputs(result, debye_dataset_get_paths(dataset));
  return result;
}

/* --- Files --- */

static gboolean
save(const DebyePrepared *prepared, const char *path, GError **error)
{
  /* A trajectory isn't written as .h5, which results have. */
  const DebyeFormat *format =
      g_str_has_suffix(path, ".h5") ? &debye_format_h5md : debye_format_for_writing(path, error);
  g_autoptr(DebyeReplaceFile) file = format != NULL ? debye_replace_file_new(path, error) : NULL;
  if (file == NULL)
    return FALSE;
  gpointer writer = format->writer_new(debye_replace_file_get_stream(file), prepared->topology,
                                       prepared->frame->n_atoms, 1, error);
  if (writer == NULL)
    return FALSE;
  if (!format->write_frame(writer, prepared->frame, error)) {
    format->writer_finish(writer, NULL);
    return FALSE;
  }
  return format->writer_finish(writer, error) && debye_replace_file_commit(g_steal_pointer(&file), error);
}

/* Cut to one character, different chains would be one. */
static gboolean
check_chains(const DebyePrepared *prepared, const char *path, GError **error)
{
  const DebyeFormat *format = debye_format_for_writing(path, NULL);
  const DebyeResidue *residues = debye_topology_get_residue_table(prepared->topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(prepared->topology);
  for (gsize r = 0; r < debye_topology_get_n_residues(prepared->topology); r++) {
    const char *chain = debye_string_pool_get(pool, residues[r].chain);
    if (format == NULL || strcmp(format->name, "pdb") != 0 || strlen(chain) <= 1)
      continue;
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "PDB files name chains by one character, and the structure has a chain %s. Write "
                           "a .cif or .pqr file, or keep fewer chains",
                           chain);
  }
  return TRUE;
}

gboolean
debye_prepare_job_save(const DebyePrepared *prepared, const char *const *outputs, GError **error)
{
  for (; *outputs != NULL; outputs++)
    if (!check_chains(prepared, *outputs, error) || !save(prepared, *outputs, error)) {
      debye_error_name_output(*outputs, error);
      return FALSE;
    }
  return TRUE;
}

static void
put_number(DebyeTextWriter *text, double value, const char *format)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isnan(value))
    debye_text_writer_put_string(text, g_ascii_formatd(number, sizeof number, format, value));
  debye_text_writer_put_string(text, ",");
}

/* As CSV has it: a residue's name may have a comma, a chain's a quote. */
static void
put_text(DebyeTextWriter *text, const char *value, gboolean is_last)
{
  g_autoptr(GString) quoted = g_string_new(value);
  g_string_replace(quoted, "\"", "\"\"", 0);
  const gboolean needs_quotes = is_last || strpbrk(value, ",\"#") != NULL;
  debye_text_writer_put_string(text, needs_quotes ? "\"" : "");
  debye_text_writer_put_string(text, quoted->str);
  debye_text_writer_put_string(text, needs_quotes ? "\"" : "");
  debye_text_writer_put_string(text, is_last ? "\n" : ",");
}

static void
put_decision(DebyeTextWriter *text, const DebyePrepareDecision *decision)
{
  put_text(text, decision->residue, FALSE);
  put_text(text, decision->chain, FALSE);
  put_text(text, decision->state, FALSE);
  put_number(text, decision->pka, "%.2f");
  put_number(text, decision->pk_half, "%.2f");
  debye_text_put_formatted(text, "%u,", decision->n_hydrogens);
  put_number(text, decision->charge, "%.4f");
  put_text(text, decision->done, TRUE);
}

gboolean
debye_prepare_job_save_report(const DebyePrepared *prepared, DebyeRequest *request, const char *path,
                              GError **error)
{
  g_auto(GStrv) remarks = debye_request_describe(request, NULL, FALSE);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  g_autoptr(DebyeTextWriter) text = debye_text_writer_new(debye_replace_file_get_stream(file));
  debye_text_writer_put_comments(text, (const char *const *)remarks);
  debye_text_writer_put_string(text, "residue,chain,state,pka,pk_half,hydrogens,charge,done\n");
  for (guint k = 0; k < prepared->decisions->len; k++)
    put_decision(text, g_ptr_array_index(prepared->decisions, k));
  if (debye_text_writer_finish(text, error) && debye_replace_file_commit(g_steal_pointer(&file), error))
    return TRUE;
  debye_error_name_output(path, error);
  return FALSE;
}
