/* SPDX-License-Identifier: MIT */
/* Reads a wave function and computes the orbitals that a person chooses; made by window_controller.c. */
#include "orbital_page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/analysis/orbital/orbital_browser.h"
#include "app/document/map_file.h"
#include "data/files/error.h"
#include "data/results/result.h"
#include "orbital_texts.h"

/* What takes longer is stopped for a newer wish; what is nearly there is shown first, so that a slider shows something. */
#define LONG (G_USEC_PER_SEC / 2)
#define BROWSER "debye-browser"
#define LEVELS "debye-levels"

struct _DebyeOrbitalPage {
  GObject parent_instance;
  DebyeOrbitalPanel *panel;
  DebyeDevices *devices;
  DebyeDataset *dataset;
  DebyeOrbitalBrowser *browser; /* NULL until it is read */
  DebyeJob *reading, *computing;
  gint64 start; /* of the one that computes */
  int wanted;   /* to be computed next; −1: none */
  double levels[DEBYE_ORBITAL_SHARES];
  gboolean has_shown;
  guint restored_share; /* percent */
};

G_DEFINE_FINAL_TYPE(DebyeOrbitalPage, debye_orbital_page, G_TYPE_OBJECT)

/* --- Computing --- */

static const DebyeOrbitalMap *
get_map(DebyeOrbitalBrowser *browser)
{
  return &g_array_index(debye_orbital_browser_get_plan(browser)->maps, DebyeOrbitalMap, 0);
}

/* What the levels of the map that the browser has chosen are, as data of an object that a job returns. */
static void
attach_levels(GObject *object, DebyeField *field, DebyeOrbitalBrowser *browser)
{
  double *levels = g_new(double, DEBYE_ORBITAL_SHARES);
  debye_orbital_find_levels(field, get_map(browser)->norm, levels);
  g_object_set_data_full(object, LEVELS, levels, g_free);
}

typedef struct {
  DebyeOrbitalBrowser *browser;
  DebyeDevices *devices;
  guint orbital;
} Wish;

static void
wish_free(gpointer data)
{
  Wish *wish = data;
  debye_orbital_browser_unref(wish->browser);
  debye_devices_unref(wish->devices);
  g_free(wish);
}

static void
on_progress(double fraction, const char *message G_GNUC_UNUSED, gpointer data)
{
  debye_job_set_progress(data, fraction);
}

static gpointer
compute(DebyeJob *job, gpointer data, GError **error)
{
  const Wish *wish = data;
  const DebyeRunCallbacks callbacks = {
      .cancel = debye_job_get_cancel_flag(job), .progress = on_progress, .data = job};
  debye_job_set_message(job, _("Computing"));
  const DebyeRegistry *registry = debye_devices_wait(wish->devices);
  g_autoptr(DebyeResult) result =
      debye_orbital_browser_compute(wish->browser, wish->orbital, registry, &callbacks, error);
  if (result == NULL)
    return NULL;
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  debye_map_file_prepare_field(field);
  attach_levels(G_OBJECT(result), field, wish->browser);
  return g_steal_pointer(&result);
}

static double
get_level(DebyeOrbitalPage *self)
{
  const guint share = debye_orbital_panel_get_share(self->panel);
  return self->levels[CLAMP(share, 1, DEBYE_ORBITAL_SHARES) - 1];
}

static void
show(DebyeOrbitalPage *self, DebyeResult *result)
{
  memcpy(self->levels, g_object_get_data(G_OBJECT(result), LEVELS), sizeof self->levels);
  debye_orbital_panel_set_level(self->panel, get_level(self));
  g_signal_emit_by_name(self, "shown", result, get_level(self), !self->has_shown);
  self->has_shown = TRUE;
}

static void start_wanted(DebyeOrbitalPage *self);

/* What was computed of files that are no longer open is dropped. */
static void
on_computed(DebyeJob *job, DebyeOrbitalPage *self)
{
  DebyeResult *result = debye_job_get_result(job);
  if (self->computing != job)
    return;
  g_clear_object(&self->computing);
  if (result != NULL)
    show(self, result);
  else if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    g_signal_emit_by_name(self, "failed", debye_job_get_error(job)->message);
  start_wanted(self);
}

static void
start_wanted(DebyeOrbitalPage *self)
{
  if (self->wanted < 0 || self->browser == NULL)
    return;
  Wish *wish = g_new0(Wish, 1);
  wish->browser = debye_orbital_browser_ref(self->browser);
  wish->devices = debye_devices_ref(self->devices);
  wish->orbital = (guint)self->wanted;
  self->wanted = -1;
  g_autofree char *title = g_strdup_printf(_("Orbital %u"), wish->orbital);
  self->computing = debye_job_new(title, compute, wish, wish_free);
  self->start = g_get_monotonic_time();
  g_signal_connect_object(self->computing, "finished", G_CALLBACK(on_computed), self, G_CONNECT_DEFAULT);
  g_signal_emit_by_name(self, "job", self->computing, TRUE);
}

static void
on_chosen(DebyeOrbitalPage *self, guint orbital)
{
  self->wanted = (int)orbital;
  if (self->computing == NULL)
    start_wanted(self);
  else if (g_get_monotonic_time() - self->start > LONG)
    debye_job_stop(self->computing);
}

static void
on_share_changed(DebyeOrbitalPage *self)
{
  if (!self->has_shown)
    return;
  debye_orbital_panel_set_level(self->panel, get_level(self));
  g_signal_emit_by_name(self, "level-changed", get_level(self));
}

static void
on_settings(DebyeOrbitalPage *self, guint orbital)
{
  g_autofree char *command = g_strdup_printf("orbital --orbital %u", orbital);
  g_signal_emit_by_name(self, "settings", command);
}

static void
on_potential(DebyeOrbitalPage *self)
{
  g_signal_emit_by_name(self, "settings", "orbital --density --potential");
}

/* --- Reading --- */

typedef struct {
  DebyeDataset *dataset;
  DebyeField *shown; /* of the orbital that a session has shown; NULL: none */
  guint number;
} Reading;

static void
reading_free(gpointer data)
{
  Reading *reading = data;
  g_object_unref(reading->dataset);
  g_clear_object(&reading->shown);
  g_free(reading);
}

static gpointer
read_orbitals(DebyeJob *job, gpointer data, GError **error)
{
  const Reading *reading = data;
  debye_job_set_message(job, _("Reading"));
  DebyeOrbitalBrowser *browser = debye_orbital_browser_new(reading->dataset, error);
  if (browser == NULL)
    return NULL;
  GListStore *orbitals = debye_orbital_texts_list(browser);
  if (reading->shown != NULL && debye_orbital_browser_choose(browser, reading->number))
    attach_levels(G_OBJECT(orbitals), reading->shown, browser);
  g_object_set_data_full(G_OBJECT(orbitals), BROWSER, browser, (GDestroyNotify)debye_orbital_browser_unref);
  return orbitals;
}

static void
fill_panel(DebyeOrbitalPage *self, GListModel *orbitals)
{
  g_autofree char *remark = debye_orbital_texts_remark(self->browser);
  g_autofree char *electrons = debye_orbital_texts_electrons(self->browser);
  debye_orbital_panel_set_electrons(self->panel, electrons);
  debye_orbital_panel_set_orbitals(self->panel, orbitals, remark);
  g_signal_emit_by_name(self, "found", TRUE);
}

/* The orbital that the session has shown is there already. */
static void
go_on_with_shown(DebyeOrbitalPage *self, GListModel *orbitals)
{
  const double *levels = g_object_get_data(G_OBJECT(orbitals), LEVELS);
  if (levels == NULL)
    return;
  memcpy(self->levels, levels, sizeof self->levels);
  self->has_shown = TRUE;
  debye_orbital_panel_restore(self->panel, get_map(self->browser)->orbital, self->restored_share);
  debye_orbital_panel_set_level(self->panel, get_level(self));
}

/* A geometry alone is no error: there are no orbitals then. */
static void
on_read(DebyeJob *job, DebyeOrbitalPage *self)
{
  GListModel *orbitals = debye_job_get_result(job);
  const GError *error = debye_job_get_error(job);
  if (self->reading != job)
    return;
  if (orbitals != NULL) {
    self->browser = debye_orbital_browser_ref(g_object_get_data(G_OBJECT(orbitals), BROWSER));
    fill_panel(self, orbitals);
    go_on_with_shown(self, orbitals);
  } else if (debye_job_get_state(job) == DEBYE_JOB_FAILED &&
             !g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_MISSING)) {
    g_signal_emit_by_name(self, "failed", error->message);
  }
  g_clear_object(&self->reading);
}

static void
stop(DebyeJob **job)
{
  if (*job != NULL)
    debye_job_stop(*job);
  g_clear_object(job);
}

static gboolean
is_same(DebyeDataset *one, DebyeDataset *other)
{
  return one != NULL && other != NULL &&
         g_strv_equal(debye_dataset_get_paths(one), debye_dataset_get_paths(other));
}

static void
start_reading(DebyeOrbitalPage *self, const DebyeOrbitalShown *shown)
{
  Reading *reading = g_new0(Reading, 1);
  reading->dataset = g_object_ref(self->dataset);
  if (shown != NULL) {
    reading->shown = g_object_ref(shown->field);
    reading->number = shown->number;
    self->restored_share = shown->share;
  }
  self->reading = debye_job_new(_("Reading orbitals"), read_orbitals, reading, reading_free);
  g_signal_connect_object(self->reading, "finished", G_CALLBACK(on_read), self, G_CONNECT_DEFAULT);
  g_signal_emit_by_name(self, "job", self->reading, FALSE);
}

void
debye_orbital_page_set_dataset(DebyeOrbitalPage *self, DebyeDataset *dataset, const DebyeOrbitalShown *shown)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_PAGE(self));
  if (is_same(self->dataset, dataset))
    return;
  stop(&self->reading);
  stop(&self->computing);
  g_clear_pointer(&self->browser, debye_orbital_browser_unref);
  self->wanted = -1;
  self->has_shown = FALSE;
  g_signal_emit_by_name(self, "found", FALSE);
  g_set_object(&self->dataset, dataset);
  if (dataset != NULL && debye_orbital_browser_is_likely(dataset))
    start_reading(self, shown);
}

/* --- The object --- */

DebyeOrbitalPage *
debye_orbital_page_new(DebyeOrbitalPanel *panel, DebyeDevices *devices)
{
  DebyeOrbitalPage *self = g_object_new(DEBYE_TYPE_ORBITAL_PAGE, NULL);
  self->panel = g_object_ref(panel);
  self->devices = debye_devices_ref(devices);
  g_signal_connect_object(panel, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "share-changed", G_CALLBACK(on_share_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "settings", G_CALLBACK(on_settings), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "potential", G_CALLBACK(on_potential), self, G_CONNECT_SWAPPED);
  return self;
}

static void
debye_orbital_page_finalize(GObject *object)
{
  DebyeOrbitalPage *self = DEBYE_ORBITAL_PAGE(object);
  g_clear_object(&self->reading);
  g_clear_object(&self->computing);
  g_clear_pointer(&self->browser, debye_orbital_browser_unref);
  g_clear_object(&self->dataset);
  g_clear_object(&self->panel);
  debye_devices_unref(self->devices);
  G_OBJECT_CLASS(debye_orbital_page_parent_class)->finalize(object);
}

static void
debye_orbital_page_class_init(DebyeOrbitalPageClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_orbital_page_finalize;
  g_signal_new("job", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, DEBYE_TYPE_JOB,
               G_TYPE_BOOLEAN);
  g_signal_new("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  g_signal_new("shown", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, DEBYE_TYPE_RESULT,
               G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
  g_signal_new("level-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  g_signal_new("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new("settings", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_orbital_page_init(DebyeOrbitalPage *self)
{
  self->wanted = -1;
}
