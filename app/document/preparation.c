/* SPDX-License-Identifier: MIT */
/* Implementation of preparation.h. */
#include "preparation.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/analysis/titration/titration_output.h"
#include "data/files/error.h"
#include "data/files/prepared_folder.h"
#include "data/files/provenance.h"
#include "data/messages/count_text.h"
#include "data/messages/message.h"
#include "json_reader.h"
#include "kept_titration.h"

#define STATES_FILE "states.csv"

struct _DebyePreparation {
  GObject parent_instance;
  DebyeDataset *origin, *dataset;
  DebyeRequest *request;
  GPtrArray *states;
  DebyePrepareSurvey survey;
  DebyePrepared *prepared;
  DebyeTitrationResult *titration; /* NULL: none */
  GVariant *kept_titration;        /* the same for sessions */
  DebyeResult *solved;             /* its curves; NULL: it was taken from another preparation */
  gboolean keeps_known;            /* its request's “keep” was set here */
  char *folder, *path, *command, *version;
  int held; /* the folder */
};

G_DEFINE_FINAL_TYPE(DebyePreparation, debye_preparation, G_TYPE_OBJECT)

/* --- Where it lies --- */

/* "1abc" of 1abc.pdb.gz. */
static char *
make_stem(DebyeDataset *origin)
{
  char *name = g_path_get_basename(debye_dataset_get_paths(origin)[0]);
  char *dot = strchr(name + 1, '.');
  if (dot != NULL)
    *dot = '\0';
  return name;
}

/* Other content of the same files, other settings or states: another folder. */
static char *
make_folder(DebyeDataset *origin, DebyeRequest *request, const char *states)
{
  const char *const *paths = debye_dataset_get_paths(origin);
  g_autofree char *command = debye_request_to_command(request, paths, NULL);
  g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
  g_checksum_update(checksum, (const guchar *)command, -1);
  g_checksum_update(checksum, (const guchar *)states, -1);
  g_checksum_update(checksum, (const guchar *)debye_provenance_get_version(), -1);
  for (; *paths != NULL; paths++) {
    GStatBuf status = {0};
    g_stat(*paths, &status);
    g_autofree char *file = g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, (gint64)status.st_size,
                                            (gint64)status.st_mtime);
    g_checksum_update(checksum, (const guchar *)file, -1);
  }
  g_autofree char *id = g_strndup(g_checksum_get_string(checksum), 16);
  return debye_prepared_folder_get_path(id);
}

static gboolean
make_files(DebyePreparation *self, const char *states, GError **error)
{
  g_autofree char *stem = make_stem(self->origin);
  g_autofree char *name = g_strconcat(stem, ".pqr", NULL);
  self->folder = make_folder(self->origin, self->request, states);
  self->path = g_build_filename(self->folder, name, NULL);
  self->held = debye_prepared_folder_hold(self->folder, error);
  return self->held >= 0;
}

/* --- Looking --- */

static gboolean
go_on(DebyeProgressFunc progress, double fraction, gpointer data, GError **error)
{
  if (progress == NULL || progress(fraction, data))
    return TRUE;
  g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  return FALSE;
}

/* What the dataset counts isn't in a person's request, and a command line needs it. */
static void
take_choices(DebyePreparation *self)
{
  const char *const *choices = debye_dataset_get_element_choices(self->origin);
  g_autofree char *lines = *choices != NULL ? g_strjoinv("\n", (char **)choices) : NULL;
  const char *altloc = debye_dataset_get_altloc(self->origin);
  debye_request_set(self->request, "element", lines, NULL);
  debye_request_set(self->request, "altloc", strcmp(altloc, "highest") == 0 ? NULL : altloc, NULL);
  debye_request_set(self->request, "states", NULL, NULL);
  debye_request_set(self->request, "report", NULL, NULL);
}

static gboolean
look_at_origin(DebyePreparation *self, gboolean leaves_out_unknown, GError **error)
{
  DebyePrepareJobSettings settings;
  debye_request_fill(self->request, &settings);
  g_autoptr(DebyeFrame) frame = debye_prepare_job_read_model(self->origin, settings.model, error);
  if (frame == NULL)
    return FALSE;
  g_autoptr(GPtrArray) ligands = debye_prepare_job_read_ligands(self->request, error);
  if (ligands == NULL)
    return FALSE;
  debye_prepare_survey(debye_dataset_get_topology(self->origin), frame, settings.table, ligands,
                       &self->survey);
  if (self->survey.n_amino_acids + self->survey.n_nucleotides + self->survey.n_waters == 0 &&
      self->survey.unknown != NULL)
    return debye_error_set(
        error, DEBYE_ERROR_MISSING,
        "%s: no amino acids, nucleotides or water, and the table has no charges for %s. Open a file with "
        "charges, such as PQR, PSF, prmtop or TPR",
        debye_dataset_get_name(self->origin), self->survey.unknown);
  if (!leaves_out_unknown || self->survey.unknown == NULL || settings.has_keep)
    return TRUE;
  g_autofree char *keep = g_strdup_printf("not resname %s", self->survey.unknown);
  self->keeps_known = TRUE;
  return debye_request_set(self->request, "keep", keep, error);
}

/* --- Its titration --- */

/* Settings that no titration depends on; all others it does. */
static gboolean
is_alike(DebyeRequest *request, DebyeRequest *other)
{
  static const char *const free_keys[] = {"ph",     "names",   "states", "report", "titration",
                                          "device", "threads", "memory", NULL};
  const DebyeSettingTable *table = debye_request_get_table(request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    if (!g_strv_contains(free_keys, key) &&
        g_strcmp0(debye_request_get(request, key), debye_request_get(other, key)) != 0)
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_preparation_is_of(DebyePreparation *self, DebyeRequest *request)
{
  g_return_val_if_fail(DEBYE_IS_PREPARATION(self) && DEBYE_IS_REQUEST(request), FALSE);
  g_autoptr(DebyeRequest) whole = debye_request_copy(request);
  if (self->keeps_known && !debye_request_is_set(whole, "keep"))
    debye_request_set(whole, "keep", debye_request_get(self->request, "keep"), NULL);
  return is_alike(self->request, whole);
}

static gboolean
take_titration(DebyePreparation *self, DebyePreparation *from)
{
  if (from == NULL || from->titration == NULL || from->origin != self->origin ||
      !is_alike(self->request, from->request))
    return FALSE;
  self->titration = debye_titration_result_ref(from->titration);
  self->kept_titration = g_variant_ref(from->kept_titration);
  return TRUE;
}

static gboolean
load_titration(DebyePreparation *self, GVariant *kept, GError **error)
{
  self->titration = debye_kept_titration_load(kept, error);
  self->kept_titration = g_variant_ref(kept);
  return self->titration != NULL;
}

/* Of all sites, also of those whose states a person chose: a choice that is taken back finds its site titrated. */
static gboolean
solve(DebyePreparation *self, const DebyePreparationOrder *order, GError **error)
{
  const DebyePrepareTitration wanted = {order->registry, order->callbacks, &self->titration, NULL};
  g_autoptr(DebyePrepared) prepared =
      debye_prepare_job_run(self->request, self->origin, NULL, &wanted, error);
  if (prepared == NULL)
    return FALSE;
  self->kept_titration = g_variant_ref_sink(debye_kept_titration_save(self->titration));
  self->solved = debye_titration_result_to_result(self->titration, self->request);
  debye_result_set_inputs(self->solved, debye_dataset_get_paths(self->origin));
  return TRUE;
}

/* --- Making it --- */

static gboolean
prepare(DebyePreparation *self, GError **error)
{
  g_autofree char *states = debye_preparation_states_to_csv(self->states);
  const gboolean has_states = self->states->len > 0;
  if (!make_files(self, states, error))
    return FALSE;
  g_autofree char *states_path = has_states ? g_build_filename(self->folder, STATES_FILE, NULL) : NULL;
  g_autoptr(DebyeRequest) whole = debye_request_copy(self->request);
  if (has_states && (!g_file_set_contents(states_path, states, -1, error) ||
                     !debye_request_set(whole, "states", states_path, error)))
    return FALSE;
  self->command = debye_request_to_command(whole, debye_dataset_get_paths(self->origin), self->path);
  const DebyePrepareTitration titration = {.kept = self->titration};
  self->prepared = debye_prepare_job_run(self->request, self->origin, states_path, &titration, error);
  return self->prepared != NULL &&
         debye_prepare_job_save(self->prepared, (const char *const[]){self->path, NULL}, error);
}

/* `kept`: the session's titration; NULL: none. Solving reports its own progress, from nothing to all. */
static DebyePreparation *
run(DebyeDataset *origin, const DebyePreparationOrder *order, GVariant *kept, DebyeProgressFunc progress,
    gpointer data, GError **error)
{
  g_autoptr(DebyePreparation) self = g_object_new(DEBYE_TYPE_PREPARATION, NULL);
  self->origin = g_object_ref(origin);
  self->request = debye_request_copy(order->request);
  self->states = order->states != NULL ? g_ptr_array_ref(order->states) : debye_preparation_states_new();
  self->version = g_strdup(debye_provenance_get_version());
  take_choices(self);
  if (!look_at_origin(self, order->leaves_out_unknown, error))
    return NULL;
  if (debye_prepare_settings_titrate(self->request) && kept != NULL && !load_titration(self, kept, error))
    return NULL;
  const gboolean solves = debye_prepare_settings_titrate(self->request) && self->titration == NULL &&
                          !take_titration(self, order->titrated);
  if (!go_on(progress, solves ? 0.0 : 0.2, data, error) || (solves && !solve(self, order, error)) ||
      !prepare(self, error) || !go_on(progress, solves ? 0.99 : 0.7, data, error))
    return NULL;
  self->dataset = debye_dataset_open((const char *const[]){self->path, NULL}, NULL, NULL, error);
  return self->dataset != NULL && go_on(progress, 1.0, data, error) ? g_steal_pointer(&self) : NULL;
}

DebyePreparation *
debye_preparation_run(DebyeDataset *origin, const DebyePreparationOrder *order, DebyeProgressFunc progress,
                      gpointer data, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(origin) && DEBYE_IS_REQUEST(order->request), NULL);
  return run(origin, order, NULL, progress, data, error);
}

/* --- What it holds --- */

DebyeDataset *
debye_preparation_get_origin(DebyePreparation *self)
{
  return self->origin;
}

DebyeDataset *
debye_preparation_get_dataset(DebyePreparation *self)
{
  return self->dataset;
}

const DebyePrepared *
debye_preparation_get_prepared(DebyePreparation *self)
{
  return self->prepared;
}

DebyeRequest *
debye_preparation_get_request(DebyePreparation *self)
{
  return self->request;
}

gboolean
debye_preparation_keeps_known(DebyePreparation *self)
{
  return self->keeps_known;
}

GPtrArray *
debye_preparation_get_states(DebyePreparation *self)
{
  return self->states;
}

const char *
debye_preparation_get_command(DebyePreparation *self)
{
  return self->command;
}

const DebyeTitrationResult *
debye_preparation_get_titration(DebyePreparation *self)
{
  return self->titration;
}

DebyeResult *
debye_preparation_get_solved(DebyePreparation *self)
{
  return self->solved;
}

const char *
debye_preparation_get_version(DebyePreparation *self)
{
  return self->version;
}

/* --- Words --- */

static void
append_count(GString *text, const char *form, gsize count)
{
  g_autofree char *digits = debye_count_text(count);
  g_string_append(text, " · ");
  g_string_append_printf(text, form, digits);
}

static void
append_left_out(GString *text, DebyePreparation *self, const DebyePrepareJobSettings *settings)
{
  const char *keep = settings->keep;
  if (settings->drops_water && self->survey.n_waters > 0)
    append_count(text, ngettext("%s water left out", "%s waters left out", self->survey.n_waters),
                 self->survey.n_waters);
  if (strcmp(keep, "all") == 0)
    return;
  g_string_append(text, " · ");
  if (self->keeps_known && self->survey.unknown != NULL)
    g_string_append_printf(text, _("%s left out"), self->survey.unknown);
  else
    g_string_append_printf(text, _("only “%s”"), keep);
}

char *
debye_preparation_describe(DebyePreparation *self)
{
  g_return_val_if_fail(DEBYE_IS_PREPARATION(self), NULL);
  DebyePrepareJobSettings settings;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new(NULL);
  debye_request_fill(self->request, &settings);
  if (settings.titrate != DEBYE_TITRATE_NONE)
    g_string_append_printf(text, _("pH %s"), g_ascii_formatd(number, sizeof number, "%.4g", settings.ph));
  else
    g_string_append(text, _("usual states"));
  append_count(text, ngettext("%s atom added", "%s atoms added", self->prepared->n_added),
               self->prepared->n_added);
  g_ascii_formatd(number, sizeof number, "%.4g", self->prepared->total_charge);
  g_autofree char *charge = debye_true_minus_text(number);
  g_string_append_printf(text, _(" · total charge %s e"), charge);
  if (self->survey.n_alternates > 0)
    append_count(text,
                 ngettext("%s atom with alternate locations", "%s atoms with alternate locations",
                          self->survey.n_alternates),
                 self->survey.n_alternates);
  append_left_out(text, self, &settings);
  return g_string_free(text, FALSE);
}

const char *
debye_preparation_name_radii(DebyePreparation *self)
{
  static const char *const names[] = {[DEBYE_CHARGE_TABLE_AMBER] = N_("AMBER's radii"),
                                      [DEBYE_CHARGE_TABLE_CHARMM] = N_("CHARMM's radii"),
                                      [DEBYE_CHARGE_TABLE_PARSE] = N_("PARSE's radii")};
  DebyePrepareJobSettings settings;
  g_return_val_if_fail(DEBYE_IS_PREPARATION(self), NULL);
  debye_request_fill(self->request, &settings);
  return names[settings.table];
}

/* --- In a session --- */

static GVariant *
save_settings(DebyeRequest *request)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < table->n_settings; i++)
    if (debye_request_is_set(request, table->settings[i].key))
      g_variant_dict_insert(&dict, table->settings[i].key, "s",
                            debye_request_get(request, table->settings[i].key));
  return g_variant_dict_end(&dict);
}

GVariant *
debye_preparation_save(DebyePreparation *self)
{
  g_return_val_if_fail(DEBYE_IS_PREPARATION(self), NULL);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert_value(&dict, "settings", save_settings(self->request));
  g_variant_dict_insert_value(&dict, "states", debye_preparation_states_save(self->states));
  if (self->kept_titration != NULL)
    g_variant_dict_insert_value(&dict, "titration", self->kept_titration);
  g_variant_dict_insert(&dict, "keeps-known", "b", self->keeps_known);
  g_variant_dict_insert(&dict, "version", "s", self->version);
  return g_variant_dict_end(&dict);
}

/* A setting that this version doesn't know, or a value that it refuses, is an error: the structure would be another one. */
static DebyeRequest *
load_settings(GVariant *saved, GError **error)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_prepare_settings);
  g_autoptr(GVariant) settings = debye_json_get(saved, "settings", G_VARIANT_TYPE_VARDICT);
  GVariantIter iter;
  const char *key;
  GVariant *value;
  if (settings == NULL)
    return g_steal_pointer(&request);
  g_variant_iter_init(&iter, settings);
  while (g_variant_iter_next(&iter, "{&sv}", &key, &value)) {
    g_autoptr(GVariant) held = value;
    const gboolean is_known = debye_setting_table_find(&debye_prepare_settings, key) != NULL &&
                              g_variant_is_of_type(held, G_VARIANT_TYPE_STRING);
    if (!is_known)
      debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                      "the session prepares its structure with “%s”, which this version doesn't know", key);
    if (!is_known || !debye_request_set(request, key, g_variant_get_string(held, NULL), error))
      return NULL;
  }
  return g_steal_pointer(&request);
}

DebyePreparation *
debye_preparation_load(DebyeDataset *origin, GVariant *saved, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(origin) && saved != NULL, NULL);
  g_autoptr(DebyeRequest) request = load_settings(saved, error);
  g_autoptr(GPtrArray) states = debye_preparation_states_load(saved);
  const DebyePreparationOrder order = {.request = request, .states = states};
  g_autoptr(GVariant) kept = debye_json_get(saved, "titration", G_VARIANT_TYPE_VARDICT);
  DebyePreparation *self = request != NULL ? run(origin, &order, kept, NULL, NULL, error) : NULL;
  g_autoptr(GVariant) keeps_known = debye_json_get(saved, "keeps-known", G_VARIANT_TYPE_BOOLEAN);
  if (self != NULL)
    self->keeps_known = keeps_known != NULL && g_variant_get_boolean(keeps_known);
  return self;
}

/* --- The object --- */

static void
debye_preparation_finalize(GObject *object)
{
  DebyePreparation *self = DEBYE_PREPARATION(object);
  g_clear_object(&self->origin);
  g_clear_object(&self->dataset);
  g_clear_object(&self->request);
  g_clear_pointer(&self->states, g_ptr_array_unref);
  g_clear_pointer(&self->prepared, debye_prepared_free);
  g_clear_pointer(&self->titration, debye_titration_result_free);
  g_clear_pointer(&self->kept_titration, g_variant_unref);
  g_clear_object(&self->solved);
  debye_prepare_survey_clear(&self->survey);
  debye_prepared_folder_release(self->held);
  g_free(self->folder);
  g_free(self->path);
  g_free(self->command);
  g_free(self->version);
  G_OBJECT_CLASS(debye_preparation_parent_class)->finalize(object);
}

static void
debye_preparation_class_init(DebyePreparationClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_preparation_finalize;
}

static void
debye_preparation_init(DebyePreparation *self)
{
  self->held = -1;
}
