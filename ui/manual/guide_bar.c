/* SPDX-License-Identifier: MIT */
/* The bar with a sample's guide, one step at a time, above what the window shows; filled by
 * window_guide.c. */
#include "guide_bar.h"

#include <glib/gi18n.h>

#include "guide_drawing.h"
#include "ui/widgets/template.h"

#define DRAWING_WIDTH 250

struct _DebyeGuideBar {
  GtkBox parent_instance;
  GtkLabel *title, *count, *text, *answer;
  GtkDrawingArea *drawing;
  char *drawn; /* what the drawing is called; NULL: none */
  GtkButton *deed, *reveal, *back, *next;
  guint number, n_steps;
};

G_DEFINE_FINAL_TYPE(DebyeGuideBar, debye_guide_bar, GTK_TYPE_BOX)

static void
draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer bar)
{
  const DebyeGuideBar *self = bar;
  const double fitting = MIN((double)width, DEBYE_GUIDE_DRAWING_ASPECT * (double)height);
  GdkRGBA ink;
  gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(area)), &ink);
  gdk_cairo_set_source_rgba(cr, &ink);
  cairo_translate(cr, 0.5 * ((double)width - fitting),
                  0.5 * ((double)height - fitting / DEBYE_GUIDE_DRAWING_ASPECT));
  debye_guide_drawing_draw(self->drawn, cr, fitting);
}

static void
show_drawing(DebyeGuideBar *self, const char *name)
{
  const char *description = debye_guide_drawing_describe(name);
  g_free(self->drawn);
  self->drawn = g_strdup(name);
  gtk_widget_set_visible(GTK_WIDGET(self->drawing), description != NULL);
  if (description != NULL)
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->drawing), GTK_ACCESSIBLE_PROPERTY_LABEL, description,
                                   -1);
  gtk_widget_queue_draw(GTK_WIDGET(self->drawing));
}

void
debye_guide_bar_show_step(DebyeGuideBar *self, guint number, guint n_steps, const DebyeGuideStep *step)
{
  g_return_if_fail(DEBYE_IS_GUIDE_BAR(self));
  const char *deed = step->deed, *answer = step->answer;
  g_autofree char *count = step->minutes > 0
                               ? g_strdup_printf(_("%u of %u · %u min"), number + 1, n_steps, step->minutes)
                               : g_strdup_printf(_("%u of %u"), number + 1, n_steps);
  const gboolean is_last = number + 1 == n_steps;
  self->number = number;
  self->n_steps = n_steps;
  gtk_label_set_label(self->title, step->title);
  gtk_label_set_label(self->count, count);
  gtk_label_set_label(self->text, step->text);
  show_drawing(self, step->drawing);
  gtk_label_set_label(self->answer, answer != NULL ? answer : "");
  gtk_widget_set_visible(GTK_WIDGET(self->answer), FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->reveal), answer != NULL);
  gtk_button_set_label(self->deed, deed != NULL ? deed : "");
  gtk_widget_set_visible(GTK_WIDGET(self->deed), deed != NULL);
  gtk_widget_set_sensitive(GTK_WIDGET(self->back), number > 0);
  gtk_button_set_label(self->next, is_last ? _("Finish") : _("Next"));
  gtk_widget_set_visible(GTK_WIDGET(self), TRUE);
}

void
debye_guide_bar_hide(DebyeGuideBar *self)
{
  g_return_if_fail(DEBYE_IS_GUIDE_BAR(self));
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

static void
on_deed_clicked(DebyeGuideBar *self)
{
  g_signal_emit_by_name(self, "do");
}

static void
on_reveal_clicked(DebyeGuideBar *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self->answer), !gtk_widget_get_visible(GTK_WIDGET(self->answer)));
}

static void
on_back_clicked(DebyeGuideBar *self)
{
  if (self->number > 0)
    g_signal_emit_by_name(self, "step", (int)self->number - 1);
}

static void
on_close_clicked(DebyeGuideBar *self)
{
  debye_guide_bar_hide(self);
  g_signal_emit_by_name(self, "closed");
}

static void
on_next_clicked(DebyeGuideBar *self)
{
  if (self->number + 1 < self->n_steps)
    g_signal_emit_by_name(self, "step", (int)self->number + 1);
  else
    on_close_clicked(self);
}

static void
on_hand_out(GtkWidget *widget, const char *name G_GNUC_UNUSED, GVariant *has_answers)
{
  g_signal_emit_by_name(widget, "hand-out", g_variant_get_boolean(has_answers));
}

static void
debye_guide_bar_finalize(GObject *object)
{
  g_free(DEBYE_GUIDE_BAR(object)->drawn);
  G_OBJECT_CLASS(debye_guide_bar_parent_class)->finalize(object);
}

static void
debye_guide_bar_class_init(DebyeGuideBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_guide_bar_finalize;
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/guide_bar.ui");
  DEBYE_BIND_CHILDREN(class, DebyeGuideBar, title, count, text, answer, drawing, deed, reveal, back);
  DEBYE_BIND_CHILDREN(class, DebyeGuideBar, next);
  DEBYE_BIND_CALLBACKS(class, on_deed_clicked, on_reveal_clicked, on_back_clicked, on_next_clicked,
                       on_close_clicked);
  gtk_widget_class_install_action(widget_class, "guide.hand-out", "b", on_hand_out);
  const GType type = G_TYPE_FROM_CLASS(class);
  g_signal_new("do", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("step", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new("hand-out", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  g_signal_new("closed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_guide_bar_init(DebyeGuideBar *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_drawing_area_set_content_width(self->drawing, DRAWING_WIDTH);
  gtk_drawing_area_set_content_height(self->drawing, (int)(DRAWING_WIDTH / DEBYE_GUIDE_DRAWING_ASPECT));
  gtk_drawing_area_set_draw_func(self->drawing, draw, self, NULL);
}
