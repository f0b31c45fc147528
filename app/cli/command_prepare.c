/* SPDX-License-Identifier: MIT */
/* debye-cli prepare: hydrogens, charges and radii for a bare structure; listed by command_list.c. */
#include "app/document/json_writer.h"
#include "app/analysis/prepare/prepare_job.h"
#include "app/analysis/titration/titration_output.h"
#include "app/installation/devices.h"
#include "arguments.h"
#include "cli_work.h"
#include "interrupt.h"
#include "plot_output.h"

static const char *const endings[] = {".pqr",  ".pdb", ".ent", ".cif", ".h5",
                                      ".h5md", ".svg", ".pdf", ".png", NULL};

static void
print_decision(DebyeJson *json, const DebyePrepareDecision *decision)
{
  debye_json_open(json, NULL, '{');
  debye_json_string(json, "residue", decision->residue);
  debye_json_string(json, "chain", decision->chain);
  debye_json_string(json, "state", decision->state);
  debye_json_number(json, "pka", decision->pka);
  debye_json_number(json, "pk_half", decision->pk_half);
  debye_json_number(json, "pk_half_error", decision->pk_error);
  debye_json_integer(json, "hydrogens", decision->n_hydrogens);
  debye_json_number(json, "charge", decision->charge);
  debye_json_string(json, "done", decision->done);
  debye_json_close(json, '}');
}

static void
print_json(const DebyePrepared *prepared, const char *const *outputs, const char *const *warnings)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_strings(&json, "outputs", outputs);
  debye_json_integer(&json, "atoms", (gint64)prepared->frame->n_atoms);
  debye_json_integer(&json, "added", (gint64)prepared->n_added);
  debye_json_number(&json, "total_charge", prepared->total_charge);
  debye_json_open(&json, "residues", '[');
  for (guint k = 0; k < prepared->decisions->len; k++)
    print_decision(&json, g_ptr_array_index(prepared->decisions, k));
  debye_json_close(&json, ']');
  debye_json_strings(&json, "warnings", warnings);
  debye_json_print(&json);
}

static void
say_written(DebyeArguments *arguments, const DebyePrepared *prepared, const char *const *outputs)
{
  char charge[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(charge, sizeof charge, "%.4g", debye_charge_round(prepared->total_charge));
  debye_cli_say(arguments, "%" G_GSIZE_FORMAT " atoms, %" G_GSIZE_FORMAT " of them added, total charge %s e",
                prepared->frame->n_atoms, prepared->n_added, charge);
  for (; *outputs != NULL; outputs++)
    debye_cli_say(arguments, "written: %s", *outputs);
}

static gboolean
check_line(DebyeArguments *arguments, const char *const *outputs, GError **error)
{
  if (*outputs == NULL && !debye_arguments_get_options(arguments).json &&
      debye_arguments_get_path(arguments, "titration") == NULL)
    return debye_usage_refuse(
        error, "prepare: expected --output FILE (.pqr, .pdb, .cif or .h5) or --json, found none");
  return debye_cli_check_outputs(outputs, endings, error);
}

/* Made ready, and titrated where that is asked for. */
static DebyePrepared *
prepare(DebyeArguments *arguments, DebyeDataset *dataset, DebyeDevices *devices,
        DebyeTitrationResult **titration, GError **error)
{
  DebyeRequest *request = debye_arguments_get_request(arguments);
  DebyeStages *stages = debye_arguments_get_stages(arguments);
  DebyeCliProgress progress;
  debye_cli_progress_init(&progress, arguments, "prepare");
  const DebyeRunCallbacks callbacks = {.cancel = debye_interrupt_flag(),
                                       .progress = debye_cli_progress_update,
                                       .data = &progress,
                                       .stages = stages};
  debye_stages_enter(stages, DEBYE_STAGE_DEVICES);
  const DebyeRegistry *registry = devices != NULL ? debye_devices_wait(devices) : NULL;
  debye_stages_enter(stages, DEBYE_STAGE_PREPARE);
  const DebyePrepareTitration wanted = {registry, &callbacks, titration, NULL};
  DebyePrepared *prepared =
      debye_prepare_job_run(request, dataset, debye_arguments_get_path(arguments, "states"), &wanted, error);
  debye_cli_progress_end(&progress);
  return prepared;
}

/* A .h5 file is a structure, unless there are curves. */
static gboolean
is_of_titration(const char *path, const DebyeTitrationResult *titration)
{
  return (g_str_has_suffix(path, ".h5") && titration != NULL) || g_str_has_suffix(path, ".svg") ||
         g_str_has_suffix(path, ".pdf") || g_str_has_suffix(path, ".png");
}

/* The structures and the titration's results, each in its files. */
static gboolean
save_all(DebyeArguments *arguments, const DebyePrepared *prepared, const DebyeTitrationResult *titration,
         const char *const *outputs, GError **error)
{
  g_autoptr(GPtrArray) structures = g_ptr_array_new(), results = g_ptr_array_new();
  const char *table = debye_arguments_get_path(arguments, "titration"), *first = *outputs;
  for (; *outputs != NULL; outputs++)
    g_ptr_array_add(is_of_titration(*outputs, titration) ? results : structures, (gpointer)*outputs);
  if (titration == NULL && (results->len > 0 || table != NULL))
    return debye_usage_refuse(
        error, "prepare: expected --titrate pb, whose curves are what plots and --titration have");
  g_ptr_array_add(structures, NULL);
  g_ptr_array_add(results, NULL);
  if (!debye_prepare_job_save(prepared, (const char *const *)structures->pdata, error))
    return FALSE;
  if (titration == NULL)
    return TRUE;
  g_autoptr(DebyeResult) result =
      debye_titration_result_to_result(titration, debye_arguments_get_request(arguments));
  debye_result_set_inputs(result, debye_arguments_get_files(arguments));
  return debye_cli_save(arguments, result, (const char *const *)results->pdata, error) &&
         (table == NULL || debye_cli_save_as(arguments, result, table, first, error));
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  const char *report = debye_arguments_get_path(arguments, "report");
  g_autoptr(DebyeTitrationResult) titration = NULL;
  if (!check_line(arguments, outputs, error))
    return FALSE;
  /* Their drivers wake while files open. */
  g_autoptr(DebyeDevices) devices = debye_prepare_settings_titrate(request)
                                        ? debye_devices_begin(debye_cli_get_device(request), 0, 1)
                                        : NULL;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  g_autofree char *ligands = g_strjoinv("\n", (char **)debye_arguments_get_list(arguments, "ligand"));
  if (!debye_request_set(request, "ligand", *ligands != '\0' ? ligands : NULL, error))
    return FALSE;
  g_autoptr(DebyePrepared) prepared = prepare(arguments, dataset, devices, &titration, error);
  if (prepared == NULL || !debye_cli_warn(arguments, (const char *const *)prepared->warnings, error) ||
      !save_all(arguments, prepared, titration, outputs, error) ||
      (report != NULL && !debye_prepare_job_save_report(prepared, request, report, error)))
    return FALSE;
  say_written(arguments, prepared, outputs);
  if (report != NULL)
    debye_cli_say(arguments, "written: %s", report);
  if (debye_arguments_get_options(arguments).json)
    print_json(prepared, outputs, (const char *const *)prepared->warnings);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli prepare -o 1abc.pqr --water drop 1abc.pdb",
    "debye-cli prepare --ph 4.5 --report decisions.csv -o 1abc.pqr 1abc.cif",
    "debye-cli prepare --keep \"protein or water\" --states mine.csv -o 1abc.pqr -o 1abc.pdb 1abc.pdb",
    "debye-cli prepare --titrate pb --ph 5 --keep protein -o 1abc.pqr -o titration.svg 1abc.pdb",
    "debye-cli prepare --charges parse --termini capped --ligand drug.sdf -o 1abc.pqr 1abc.pdb",
    NULL,
};

const DebyeCommand debye_command_prepare = {
    .name = "prepare",
    .operands = "FILE...",
    .summary = "Adds hydrogens, charges and radii to a bare structure",
    .description =
        "Links chains, disulfides and metals by distance, decides which residues are protonated, places "
        "hydrogens with AMBER's bond lengths and angles, and gives each atom the charge and radius of the "
        "force field. Hydrogens of the file keep their positions. Missing atoms of side chains and the "
        "second oxygen at the end of a chain are built; other missing atoms of proteins and nucleic acids "
        "are an error that names them.\n\nCharges are never silently zero: a residue that can't be charged "
        "is an error until --keep leaves it out. A ligand that the force field doesn't know gets estimated "
        "charges (Gasteiger and Marsili 1980), with a warning, from the bond orders of its --ligand file or "
        "of its geometry. The ends of chains are charged, neutral or capped by --termini.\n\nProtonation by "
        "model values compares the pH with a residue's pKa in alanine pentapeptides (Thurlkill et al. 2006; "
        "arginine: Pace et al. 2009). Cysteines in disulfides or at metals and histidines at metals follow "
        "their bonds. With --titrate pb the sites' pKa are computed: energies by the Poisson-Boltzmann "
        "equation, protons by Monte Carlo over all sites, both tautomers of His.\n\nFor hydrogen bonds, "
        "hydroxyls, ammonium groups and waters turn, Asn, Gln and His flip if that gains 3 kcal/mol, and "
        "neutral His gets its hydrogen at ND1 or NE2: one group after the other and two at a time, until "
        "nothing gains. With --no-optimise hydroxyls are staggered and the hydrogen of neutral His is at "
        "NE2.\n\nWrites .pqr, .pdb, .cif and .h5 (H5MD), the last two with charges, radii and bonds, and the "
        "decisions as .csv with --report. With --titrate pb titration curves are written as .h5, as plots "
        "(.svg, .pdf, .png), and as .csv with --titration; the structure is then .h5md.",
    .examples = examples,
    .table = &debye_prepare_settings,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run,
};
