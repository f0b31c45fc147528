/* SPDX-License-Identifier: MIT */
/* The row of one job in the jobs popover; made by jobs_button.c. */
#include "job_row.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

/* The values of a job's "state". */
enum { STATE_WAITING, STATE_RUNNING, STATE_DONE, STATE_STOPPED, STATE_FAILED };

struct _DebyeJobRow {
  GtkListBoxRow parent_instance;
  GtkLabel *title;
  GtkProgressBar *progress;
  GtkLabel *message;
  GtkButton *stop;
  GObject *job;
};

G_DEFINE_FINAL_TYPE(DebyeJobRow, debye_job_row, GTK_TYPE_LIST_BOX_ROW)

/* Nearer to the end the estimate says nothing: surfaces are made after the last step that it counts. */
#define LEAST_SECONDS 0.5

static char *
running_text(const char *message, double remaining)
{
  g_autofree char *left = debye_duration_text(remaining);
  g_autofree char *doing = message != NULL ? g_strdup(message) : g_strdup(_("Running"));
  g_autofree char *grouped = debye_group_digits(doing);
  g_autofree char *now = debye_sentence_case(grouped);
  return isfinite(remaining) && remaining >= LEAST_SECONDS ? g_strdup_printf(_("%s · %s left"), now, left)
                                                           : g_steal_pointer(&now);
}

static char *
state_text(int state, const char *message, const char *details, double remaining)
{
  switch (state) {
  case STATE_WAITING:
    return g_strdup(_("Waiting for the previous job"));
  case STATE_RUNNING:
    return running_text(message, remaining);
  case STATE_STOPPED:
    return g_strdup(_("Stopped; what was finished is kept"));
  case STATE_FAILED:
    return g_strdup(details);
  default:
    return g_strdup(_("Done"));
  }
}

static void
show_job(DebyeJobRow *self)
{
  g_autofree char *message = NULL, *details = NULL;
  double fraction = -1.0, remaining = NAN;
  gboolean active = FALSE;
  int state = STATE_WAITING;
  g_object_get(self->job, "message", &message, "details", &details, "fraction", &fraction, "remaining",
               &remaining, "state", &state, "active", &active, NULL);
  g_autofree char *text = state_text(state, message, details, remaining);
  gtk_label_set_label(self->message, text);
  gtk_progress_bar_set_fraction(self->progress, CLAMP(fraction, 0.0, 1.0));
  gtk_widget_set_visible(GTK_WIDGET(self->progress), active);
  gtk_widget_set_visible(GTK_WIDGET(self->stop), active);
  if (state == STATE_FAILED)
    gtk_widget_add_css_class(GTK_WIDGET(self->message), "error");
}

static void
on_stop_clicked(DebyeJobRow *self)
{
  g_signal_emit_by_name(self, "stop", self->job);
}

GtkWidget *
debye_job_row_new(GObject *job)
{
  DebyeJobRow *self = g_object_new(DEBYE_TYPE_JOB_ROW, NULL);
  g_autofree char *name = NULL;
  self->job = g_object_ref(job);
  g_object_bind_property(job, "title", self->title, "label", G_BINDING_SYNC_CREATE);
  g_signal_connect_object(job, "notify", G_CALLBACK(show_job), self, G_CONNECT_SWAPPED);
  g_object_get(job, "title", &name, NULL);
  g_autofree char *stop_name = g_strdup_printf(_("Stop %s"), name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->stop), GTK_ACCESSIBLE_PROPERTY_LABEL, stop_name, -1);
  show_job(self);
  return GTK_WIDGET(self);
}

static void
debye_job_row_dispose(GObject *object)
{
  DebyeJobRow *self = DEBYE_JOB_ROW(object);
  g_clear_object(&self->job);
  G_OBJECT_CLASS(debye_job_row_parent_class)->dispose(object);
}

static void
debye_job_row_class_init(DebyeJobRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_job_row_dispose;
  g_signal_new("stop", DEBYE_TYPE_JOB_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_OBJECT);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/job_row.ui");
  DEBYE_BIND_CHILDREN(class, DebyeJobRow, title, progress, message, stop);
  gtk_widget_class_bind_template_callback(widget_class, on_stop_clicked);
}

static void
debye_job_row_init(DebyeJobRow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
