/* SPDX-License-Identifier: MIT */
/* Reads normal modes and makes the frames of the one that a person chooses; made by window_controller.c. */
#include "vibration_page.h"

#include <glib/gi18n.h>

#include "app/analysis/orbital/orbital_browser.h"
#include "app/jobs/job.h"
#include "data/formats/quantum/quantum_files.h"
#include "ui/orbitals/vibration_item.h"

#define VIBRATIONS "debye-vibrations"

struct _DebyeVibrationPage {
  GObject parent_instance;
  DebyeVibrationPanel *panel;
  DebyeDataset *dataset;
  GListModel *modes;           /* which owns: */
  DebyeVibrations *vibrations; /* NULL: there are none */
  DebyeJob *reading;
  int mode; /* −1: none */
};

G_DEFINE_FINAL_TYPE(DebyeVibrationPage, debye_vibration_page, G_TYPE_OBJECT)

/* --- Choosing --- */

static void
choose(DebyeVibrationPage *self, int mode)
{
  self->mode = mode;
  g_signal_emit_by_name(self, "mode-changed", mode >= 0);
}

static void
on_chosen(DebyeVibrationPage *self, guint mode)
{
  choose(self, (int)mode);
}

static void
on_stopped(DebyeVibrationPage *self)
{
  choose(self, -1);
}

static void
on_amplitude_changed(DebyeVibrationPage *self)
{
  if (self->mode >= 0)
    g_signal_emit_by_name(self, "amplitude-changed");
}

DebyeFrame *
debye_vibration_page_make_frame(DebyeVibrationPage *self, guint number)
{
  g_return_val_if_fail(DEBYE_IS_VIBRATION_PAGE(self), NULL);
  g_auto(DebyeVibrationMotion) motion = debye_vibration_page_get_motion(self);
  return motion.vibrations != NULL
             ? debye_vibration_motion_make_frame(&motion, number, DEBYE_VIBRATION_FRAMES)
             : NULL;
}

DebyeVibrationMotion
debye_vibration_page_get_motion(DebyeVibrationPage *self)
{
  const DebyeVibrationMotion none = {NULL, 0, 0.0};
  g_return_val_if_fail(DEBYE_IS_VIBRATION_PAGE(self), none);
  if (self->mode < 0)
    return none;
  return (DebyeVibrationMotion){.vibrations = debye_vibrations_ref(self->vibrations),
                                .mode = (guint)self->mode,
                                .amplitude = debye_vibration_panel_get_amplitude(self->panel)};
}

/* --- Reading --- */

static GListStore *
create_list(DebyeVibrations *vibrations)
{
  GListStore *list = g_list_store_new(DEBYE_TYPE_VIBRATION_ITEM);
  for (guint i = 0; i < vibrations->modes->len; i++) {
    const DebyeVibration *mode = &g_array_index(vibrations->modes, DebyeVibration, i);
    const DebyeVibrationFacts facts = {mode->number, mode->frequency, mode->intensity, mode->reduced_mass};
    g_autoptr(DebyeVibrationItem) item = debye_vibration_item_new(&facts);
    g_list_store_append(list, item);
  }
  g_object_set_data_full(G_OBJECT(list), VIBRATIONS, vibrations, (GDestroyNotify)debye_vibrations_unref);
  return list;
}

/* An empty list where no file has modes of all atoms. */
static gpointer
read_modes(DebyeJob *job, gpointer data, GError **error)
{
  DebyeDataset *dataset = data;
  GError *problem = NULL;
  debye_job_set_message(job, _("Reading"));
  DebyeVibrations *vibrations =
      debye_vibrations_find(debye_dataset_get_paths(dataset),
                            debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)), &problem);
  if (problem != NULL) {
    g_propagate_error(error, problem);
    return NULL;
  }
  return vibrations != NULL ? create_list(vibrations) : g_list_store_new(DEBYE_TYPE_VIBRATION_ITEM);
}

static void
on_read(DebyeJob *job, DebyeVibrationPage *self)
{
  GListModel *modes = debye_job_get_result(job);
  if (self->reading != job)
    return;
  if (modes != NULL && g_list_model_get_n_items(modes) > 0) {
    self->modes = g_object_ref(modes);
    self->vibrations = g_object_get_data(G_OBJECT(modes), VIBRATIONS);
    debye_vibration_panel_set_modes(self->panel, modes);
    g_signal_emit_by_name(self, "found", TRUE);
  } else {
    debye_vibration_panel_wait_for(self->panel, 0);
  }
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    g_signal_emit_by_name(self, "failed", debye_job_get_error(job)->message);
  g_clear_object(&self->reading);
}

static void
start_reading(DebyeVibrationPage *self)
{
  self->reading =
      debye_job_new(_("Reading vibrations"), read_modes, g_object_ref(self->dataset), g_object_unref);
  g_signal_connect_object(self->reading, "finished", G_CALLBACK(on_read), self, G_CONNECT_DEFAULT);
  g_signal_emit_by_name(self, "job", self->reading, FALSE);
}

static gboolean
is_same(DebyeDataset *one, DebyeDataset *other)
{
  return one != NULL && other != NULL &&
         g_strv_equal(debye_dataset_get_paths(one), debye_dataset_get_paths(other));
}

void
debye_vibration_page_set_dataset(DebyeVibrationPage *self, DebyeDataset *dataset)
{
  g_return_if_fail(DEBYE_IS_VIBRATION_PAGE(self));
  if (is_same(self->dataset, dataset))
    return;
  if (self->reading != NULL)
    debye_job_stop(self->reading);
  g_clear_object(&self->reading);
  self->mode = -1;
  self->vibrations = NULL;
  g_clear_object(&self->modes);
  debye_vibration_panel_set_modes(self->panel, NULL);
  g_signal_emit_by_name(self, "found", FALSE);
  g_set_object(&self->dataset, dataset);
  if (dataset != NULL && debye_orbital_browser_is_likely(dataset))
    start_reading(self);
}

/* --- The object --- */

DebyeVibrationPage *
debye_vibration_page_new(DebyeVibrationPanel *panel)
{
  DebyeVibrationPage *self = g_object_new(DEBYE_TYPE_VIBRATION_PAGE, NULL);
  self->panel = g_object_ref(panel);
  g_signal_connect_object(panel, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "stopped", G_CALLBACK(on_stopped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "amplitude-changed", G_CALLBACK(on_amplitude_changed), self,
                          G_CONNECT_SWAPPED);
  return self;
}

static void
debye_vibration_page_finalize(GObject *object)
{
  DebyeVibrationPage *self = DEBYE_VIBRATION_PAGE(object);
  g_clear_object(&self->reading);
  g_clear_object(&self->modes);
  g_clear_object(&self->dataset);
  g_clear_object(&self->panel);
  G_OBJECT_CLASS(debye_vibration_page_parent_class)->finalize(object);
}

static void
debye_vibration_page_class_init(DebyeVibrationPageClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_vibration_page_finalize;
  g_signal_new("job", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, DEBYE_TYPE_JOB,
               G_TYPE_BOOLEAN);
  g_signal_new("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  g_signal_new("mode-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  g_signal_new("amplitude-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_vibration_page_init(DebyeVibrationPage *self)
{
  self->mode = -1;
}
