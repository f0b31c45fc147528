/* SPDX-License-Identifier: MIT */
/* The header's jobs button with its progress ring and popover; part of window.c. */
#include "jobs_button.h"

#include <glib/gi18n.h>

#include "job_row.h"
#include "ui/widgets/progress_ring.h"
#include "ui/widgets/template.h"

struct _DebyeJobsButton {
  AdwBin parent_instance;
  GtkMenuButton *button;
  DebyeProgressRing *ring;
  GtkListBox *list;
  GListModel *jobs;
};

G_DEFINE_FINAL_TYPE(DebyeJobsButton, debye_jobs_button, ADW_TYPE_BIN)

/* The mean over the jobs that run; 1 with none. */
static double
overall_fraction(DebyeJobsButton *self, guint *n_active)
{
  double sum = 0.0;
  *n_active = 0;
  for (guint i = 0; i < g_list_model_get_n_items(self->jobs); i++) {
    g_autoptr(GObject) job = g_list_model_get_item(self->jobs, i);
    double fraction = -1.0;
    gboolean active = FALSE;
    g_object_get(job, "fraction", &fraction, "active", &active, NULL);
    if (active) {
      sum += MAX(fraction, 0.0);
      ++*n_active;
    }
  }
  return *n_active > 0 ? sum / *n_active : 1.0;
}

static void
show_progress(DebyeJobsButton *self)
{
  guint n_active = 0;
  double fraction = overall_fraction(self, &n_active);
  g_autofree char *text = n_active > 0 ? g_strdup_printf(_("Jobs: %.0f %%"), 100.0 * fraction)
                                       : g_strdup(_("Jobs: none running"));
  debye_progress_ring_set_fraction(self->ring, fraction);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), text);
  gtk_widget_set_visible(GTK_WIDGET(self), g_list_model_get_n_items(self->jobs) > 0);
  if (n_active > 0)
    gtk_widget_add_css_class(GTK_WIDGET(self->ring), "active");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->ring), "active");
}

static void
on_row_stop(DebyeJobsButton *self, GObject *job)
{
  g_signal_emit_by_name(self, "stop", job);
}

static GtkWidget *
create_row(gpointer item, gpointer data)
{
  DebyeJobsButton *self = data;
  GtkWidget *row = debye_job_row_new(item);
  g_signal_connect_object(row, "stop", G_CALLBACK(on_row_stop), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(item, "notify::fraction", G_CALLBACK(show_progress), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(item, "notify::active", G_CALLBACK(show_progress), self, G_CONNECT_SWAPPED);
  return row;
}

void
debye_jobs_button_set_jobs(DebyeJobsButton *self, GListModel *jobs)
{
  g_return_if_fail(DEBYE_IS_JOBS_BUTTON(self) && G_IS_LIST_MODEL(jobs));
  g_set_object(&self->jobs, jobs);
  gtk_list_box_bind_model(self->list, jobs, create_row, self, NULL);
  g_signal_connect_object(jobs, "items-changed", G_CALLBACK(show_progress), self, G_CONNECT_SWAPPED);
  show_progress(self);
}

static void
debye_jobs_button_dispose(GObject *object)
{
  DebyeJobsButton *self = DEBYE_JOBS_BUTTON(object);
  g_clear_object(&self->jobs);
  G_OBJECT_CLASS(debye_jobs_button_parent_class)->dispose(object);
}

static void
debye_jobs_button_class_init(DebyeJobsButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_jobs_button_dispose;
  g_type_ensure(DEBYE_TYPE_PROGRESS_RING);
  g_signal_new("stop", DEBYE_TYPE_JOBS_BUTTON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_OBJECT);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/jobs_button.ui");
  DEBYE_BIND_CHILDREN(class, DebyeJobsButton, button, ring, list);
}

static void
debye_jobs_button_init(DebyeJobsButton *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
