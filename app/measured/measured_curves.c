/* SPDX-License-Identifier: MIT */
/* Implementation of measured_curves.h; used by window_plots.c. */
#include "measured_curves.h"

#include <glib/gi18n.h>

#include "app/document/json_reader.h"
#include "app/document/session_file.h"

#define CURVES "measured-curves"
#define FIT "measured-fit"
#define MAX_CURVES 200 /* of a session, whoever wrote it */

/* One file. */
typedef struct {
  guint number; /* by which its job finds it */
  char *path;
  guint key;        /* of its curve in the plot; 0: it isn't there, or not yet */
  DebyeQuantity of; /* until it is: the quantity it belongs to; name NULL: none */
  gboolean is_shown;
  gboolean is_kept; /* a session has it: it stays if it can't be read */
} Entry;

struct _DebyeMeasuredCurves {
  GObject parent_instance;
  DebyePlotChoices *choices;
  GPtrArray *entries; /* Entry, in the order in which they were asked for */
  guint last_number;
};

G_DEFINE_FINAL_TYPE(DebyeMeasuredCurves, debye_measured_curves, G_TYPE_OBJECT)

static void
entry_free(gpointer data)
{
  Entry *entry = data;
  debye_quantity_clear(&entry->of);
  g_free(entry->path);
  g_free(entry);
}

/* --- Reading --- */

gboolean
debye_measured_curves_is_one(const char *path)
{
  static const char *const endings[] = {".csv", ".dat", ".txt", ".xy", ".tsv", ".out", ".xml", NULL};
  g_autofree char *lower = g_ascii_strdown(path, -1);
  for (gsize i = 0; endings[i] != NULL; i++)
    if (g_str_has_suffix(lower, endings[i]))
      return TRUE;
  return FALSE;
}

static gpointer
load(DebyeJob *job, gpointer data, GError **error)
{
  debye_job_set_message(job, _("Reading"));
  return debye_curve_load_watched(data, debye_job_go_on, job, error);
}

/* NULL: another session has come meanwhile. */
static Entry *
find_entry(DebyeMeasuredCurves *self, guint number)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];
    if (entry->number == number)
      return entry;
  }
  return NULL;
}

static void
on_loaded(DebyeJob *job, DebyeMeasuredCurves *self)
{
  DebyeCurve *curve = debye_job_get_result(job);
  Entry *entry = find_entry(self, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(job), "entry")));
  if (entry == NULL)
    return;
  if (curve != NULL) {
    entry->key = debye_plot_choices_add_measured(self->choices, curve);
    if (entry->is_kept)
      debye_plot_choices_restore_measured(self->choices, entry->key,
                                          entry->of.name != NULL ? &entry->of : NULL, entry->is_shown);
  } else if (!entry->is_kept) {
    g_ptr_array_remove(self->entries, entry);
  }
}

static DebyeJob *
read_entry(DebyeMeasuredCurves *self, Entry *entry)
{
  g_autofree char *name = g_filename_display_basename(entry->path);
  g_autofree char *title = g_strdup_printf(_("Reading %s"), name);
  DebyeJob *job = debye_job_new(title, load, g_strdup(entry->path), g_free);
  g_ptr_array_add(self->entries, entry);
  entry->number = ++self->last_number;
  g_object_set_data(G_OBJECT(job), "entry", GUINT_TO_POINTER(entry->number));
  g_signal_connect_object(job, "finished", G_CALLBACK(on_loaded), self, G_CONNECT_DEFAULT);
  return job;
}

DebyeJob *
debye_measured_curves_read(DebyeMeasuredCurves *self, const char *path)
{
  g_return_val_if_fail(DEBYE_IS_MEASURED_CURVES(self) && path != NULL, NULL);
  Entry *entry = g_new0(Entry, 1);
  entry->path = g_canonicalize_filename(path, NULL);
  entry->is_shown = TRUE;
  return read_entry(self, entry);
}

/* --- Sessions --- */

static void
insert_quantity(GVariantDict *dict, const DebyeQuantity *of)
{
  g_variant_dict_insert(dict, "quantity", "s", of->name);
  g_variant_dict_insert(dict, "label", "s", of->label);
  g_variant_dict_insert(dict, "unit", "s", of->unit);
}

static GVariant *
save_entry(DebyeMeasuredCurves *self, const Entry *entry, const char *folder)
{
  g_autofree char *relative = folder != NULL ? debye_session_file_relate(folder, entry->path) : NULL;
  const DebyeQuantity *of = entry->of.name != NULL ? &entry->of : NULL;
  const gboolean is_shown =
      entry->key != 0 ? debye_plot_choices_get_measured(self->choices, entry->key, &of) : entry->is_shown;
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  if (relative != NULL)
    g_variant_dict_insert(&dict, "path", "s", relative);
  g_variant_dict_insert(&dict, "absolute", "s", entry->path);
  if (of != NULL)
    insert_quantity(&dict, of);
  g_variant_dict_insert(&dict, "shown", "b", is_shown);
  return g_variant_dict_end(&dict);
}

void
debye_measured_curves_save(DebyeMeasuredCurves *self, GVariantDict *values, const char *folder)
{
  GVariantBuilder list;
  g_return_if_fail(DEBYE_IS_MEASURED_CURVES(self) && values != NULL);
  g_variant_dict_remove(values, CURVES);
  g_variant_dict_remove(values, FIT);
  if (self->entries->len == 0)
    return;
  g_variant_builder_init(&list, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < self->entries->len; i++)
    g_variant_builder_add(&list, "v", save_entry(self, self->entries->pdata[i], folder));
  g_variant_dict_insert_value(values, CURVES, g_variant_builder_end(&list));
  g_variant_dict_insert(values, FIT, "b", debye_plot_choices_get_fit(self->choices));
}

static gboolean
get_flag(GVariant *object, const char *key)
{
  g_autoptr(GVariant) value = debye_json_get(object, key, G_VARIANT_TYPE_BOOLEAN);
  return value != NULL && g_variant_get_boolean(value);
}

/* NULL: damaged. */
static Entry *
load_entry(GVariant *saved, const char *folder)
{
  g_autoptr(DebyeSessionFile) file = g_variant_is_of_type(saved, G_VARIANT_TYPE_VARDICT)
                                         ? debye_session_file_from_variant(saved, folder)
                                         : NULL;
  if (file == NULL)
    return NULL;
  g_autofree char *name = debye_json_get_text(saved, "quantity");
  g_autofree char *label = debye_json_get_text(saved, "label");
  g_autofree char *unit = debye_json_get_text(saved, "unit");
  Entry *entry = g_new0(Entry, 1);
  entry->path = g_strdup(file->path);
  entry->is_shown = get_flag(saved, "shown");
  entry->is_kept = TRUE;
  if (name != NULL)
    debye_quantity_copy(&(DebyeQuantity){name, label, unit}, &entry->of);
  return entry;
}

GPtrArray *
debye_measured_curves_restore(DebyeMeasuredCurves *self, GVariant *values, const char *folder)
{
  g_return_val_if_fail(DEBYE_IS_MEASURED_CURVES(self) && values != NULL && folder != NULL, NULL);
  g_autoptr(GVariant) list = debye_json_get(values, CURVES, G_VARIANT_TYPE("av"));
  GPtrArray *jobs = g_ptr_array_new_with_free_func(g_object_unref);
  debye_plot_choices_remove_measured(self->choices);
  g_ptr_array_set_size(self->entries, 0);
  debye_plot_choices_set_fit(self->choices, get_flag(values, FIT));
  for (gsize i = 0; list != NULL && i < MIN(g_variant_n_children(list), MAX_CURVES); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i), one = g_variant_get_variant(boxed);
    Entry *entry = load_entry(one, folder);
    if (entry != NULL)
      g_ptr_array_add(jobs, read_entry(self, entry));
  }
  return jobs;
}

/* --- The object --- */

DebyeMeasuredCurves *
debye_measured_curves_new(DebyePlotChoices *choices)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_CHOICES(choices), NULL);
  DebyeMeasuredCurves *self = g_object_new(DEBYE_TYPE_MEASURED_CURVES, NULL);
  self->choices = g_object_ref(choices);
  return self;
}

static void
debye_measured_curves_finalize(GObject *object)
{
  DebyeMeasuredCurves *self = DEBYE_MEASURED_CURVES(object);
  g_ptr_array_unref(self->entries);
  g_clear_object(&self->choices);
  G_OBJECT_CLASS(debye_measured_curves_parent_class)->finalize(object);
}

static void
debye_measured_curves_class_init(DebyeMeasuredCurvesClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_measured_curves_finalize;
}

static void
debye_measured_curves_init(DebyeMeasuredCurves *self)
{
  self->entries = g_ptr_array_new_with_free_func(entry_free);
}
