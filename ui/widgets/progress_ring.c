/* SPDX-License-Identifier: MIT */
/* A ring that fills clockwise, in the text's colour; shown by jobs_button.c. */
#include "progress_ring.h"

#include <math.h>

#define RING_SIZE 16
#define RING_WIDTH 2.5

struct _DebyeProgressRing {
  GtkWidget parent_instance;
  double fraction;
};

G_DEFINE_FINAL_TYPE(DebyeProgressRing, debye_progress_ring, GTK_TYPE_WIDGET)

static void
stroke_arc(cairo_t *cr, const GdkRGBA *color, double alpha, double fraction)
{
  const double radius = (RING_SIZE - RING_WIDTH) / 2.0;
  cairo_set_source_rgba(cr, color->red, color->green, color->blue, color->alpha * alpha);
  cairo_arc(cr, 0.0, 0.0, radius, -G_PI_2, -G_PI_2 + 2.0 * G_PI * fraction);
  cairo_stroke(cr);
}

static void
debye_progress_ring_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  DebyeProgressRing *self = DEBYE_PROGRESS_RING(widget);
  int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  GdkRGBA color;
  gtk_style_context_get_color(gtk_widget_get_style_context(widget), &color);
  cairo_t *cr = gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
  cairo_translate(cr, width / 2.0, height / 2.0);
  cairo_set_line_width(cr, RING_WIDTH);
  stroke_arc(cr, &color, 0.25, 1.0);
  stroke_arc(cr, &color, 1.0, self->fraction < 0.0 ? 0.25 : self->fraction);
  cairo_destroy(cr);
}

static void
debye_progress_ring_measure(GtkWidget *widget G_GNUC_UNUSED, GtkOrientation orientation G_GNUC_UNUSED,
                            int for_size G_GNUC_UNUSED, int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline)
{
  *minimum = *natural = RING_SIZE;
  *minimum_baseline = *natural_baseline = -1;
}

void
debye_progress_ring_set_fraction(DebyeProgressRing *self, double fraction)
{
  g_return_if_fail(DEBYE_IS_PROGRESS_RING(self));
  self->fraction = fmin(fraction, 1.0);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
debye_progress_ring_class_init(DebyeProgressRingClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  widget_class->snapshot = debye_progress_ring_snapshot;
  widget_class->measure = debye_progress_ring_measure;
  gtk_widget_class_set_css_name(widget_class, "progressring");
}

static void
debye_progress_ring_init(DebyeProgressRing *self)
{
  self->fraction = -1.0;
}
