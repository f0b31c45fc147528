/* SPDX-License-Identifier: MIT */
/* What a film shall show, how long and how large. */
#include "film_dialog.h"

#include <math.h>

#define TURN_SECONDS 8.0

/* The choices of film_dialog.ui, in their order. 0: the view's. */
static const struct {
  int width, height;
} sizes[] = {{0, 0}, {1280, 720}, {1920, 1080}, {3840, 2160}};

struct _DebyeFilmDialog {
  AdwWindow parent_instance;
  GtkSwitch *frames;
  GtkSpinButton *degrees, *seconds, *rate;
  AdwComboRow *size;
  AdwActionRow *frames_row;
  GtkButton *export;
  int view_width, view_height;
};

enum { SIGNAL_EXPORT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeFilmDialog, debye_film_dialog, ADW_TYPE_WINDOW)

static void
on_cancel_clicked(DebyeFilmDialog *self)
{
  gtk_window_close(GTK_WINDOW(self));
}

static void
on_export_clicked(DebyeFilmDialog *self)
{
  guint i = MIN(adw_combo_row_get_selected(self->size), G_N_ELEMENTS(sizes) - 1);
  int width = sizes[i].width > 0 ? sizes[i].width : self->view_width;
  int height = sizes[i].height > 0 ? sizes[i].height : self->view_height;
  int rate = gtk_spin_button_get_value_as_int(self->rate);
  int n_pictures = MAX(1, (int)lround(gtk_spin_button_get_value(self->seconds) * rate));
  g_signal_emit(self, signals[SIGNAL_EXPORT], 0, gtk_switch_get_active(self->frames),
                gtk_spin_button_get_value(self->degrees), n_pictures, rate, width & ~1, height & ~1);
  gtk_window_close(GTK_WINDOW(self));
}

GtkWidget *
debye_film_dialog_new(GtkWindow *parent, guint n_frames, int width, int height)
{
  DebyeFilmDialog *self = g_object_new(DEBYE_TYPE_FILM_DIALOG, "transient-for", parent, NULL);
  gboolean moves = n_frames > 1;
  self->view_width = width;
  self->view_height = height;
  gtk_widget_set_sensitive(GTK_WIDGET(self->frames_row), moves);
  gtk_switch_set_active(self->frames, moves);
  gtk_spin_button_set_value(self->degrees, moves ? 0.0 : 360.0);
  gtk_spin_button_set_value(self->seconds,
                            moves ? n_frames / gtk_spin_button_get_value(self->rate) : TURN_SECONDS);
  return GTK_WIDGET(self);
}

static void
debye_film_dialog_class_init(DebyeFilmDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  signals[SIGNAL_EXPORT] =
      g_signal_new("export", DEBYE_TYPE_FILM_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 6,
                   G_TYPE_BOOLEAN, G_TYPE_DOUBLE, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/film_dialog.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, frames);
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, frames_row);
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, degrees);
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, seconds);
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, rate);
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, size);
  gtk_widget_class_bind_template_child(widget_class, DebyeFilmDialog, export);
  gtk_widget_class_bind_template_callback(widget_class, on_cancel_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_export_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_film_dialog_init(DebyeFilmDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
