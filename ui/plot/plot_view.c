/* SPDX-License-Identifier: MIT */
/* The widget of a plot: drawing, and what plot_panel.c and the classroom ask of it. Pointer and keys are in
 * plot_view_input.c. */
#include "plot_view_private.h"

#include <glib/gi18n.h>
#include <math.h>

#include <epoxy/gl.h>

#include "plot_content.h"
#include "ui/widgets/gl_context.h"
#include "render/plot/plot_text.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text_scale.h"

/* A logical pixel of the screen is a 96th of an inch, a point a 72nd. */
#define POINTS_PER_PIXEL 0.75

enum { PROPERTY_LOG_X = 1, PROPERTY_LOG_Y, PROPERTY_LEGEND, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE(DebyePlotView, debye_plot_view, ADW_TYPE_BIN)

/* --- The layout --- */

DebyePlotLayout *
debye_plot_view_get_layout(DebyePlotView *self)
{
  GtkWidget *widget = GTK_WIDGET(self);
  double width = gtk_widget_get_width(widget) * POINTS_PER_PIXEL;
  double height = gtk_widget_get_height(widget) * POINTS_PER_PIXEL;
  if (width != self->layout_width || height != self->layout_height)
    g_clear_pointer(&self->layout, debye_plot_layout_free);
  if (self->layout != NULL || self->plot == NULL || width <= 0.0 || height <= 0.0)
    return self->layout;
  self->layout_width = width;
  self->layout_height = height;
  DebyePlotStyle style;
  debye_plot_style_init(&style, adw_style_manager_get_dark(adw_style_manager_get_default()),
                        debye_text_scale(widget));
  if (self->text_size > 0.0)
    debye_plot_style_set_text_size(&style, self->text_size);
  style.interactive = TRUE;
  if (self->n_series != debye_plot_get_n_series(self->plot))
    self->legend.n_columns = 0;
  self->n_series = debye_plot_get_n_series(self->plot);
  /* Under a hand that pans it does not jump. */
  self->legend.is_held = self->drag != DEBYE_DRAG_NONE;
  self->layout = debye_plot_layout_new(self->plot, &style, width, height,
                                       gtk_widget_get_scale_factor(widget) / POINTS_PER_PIXEL, &self->legend);
  self->legend = debye_plot_layout_get_legend_place(self->layout);
  return self->layout;
}

void
debye_plot_view_queue_draw(DebyePlotView *self)
{
  if (g_strcmp0(gtk_stack_get_visible_child_name(self->stack), "gl") == 0)
    gtk_gl_area_queue_render(self->gl_area);
  else
    gtk_widget_queue_draw(GTK_WIDGET(self->drawing_area));
}

void
debye_plot_view_forget_layout(DebyePlotView *self)
{
  g_clear_pointer(&self->layout, debye_plot_layout_free);
  debye_plot_view_queue_draw(self);
}

/* Where the mark stands after the axes moved; gone where its series is. */
static void
update_hover(DebyePlotView *self)
{
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  DebyePlotPoint *point = &self->hover.point;
  if (!self->hover.has_point || layout == NULL)
    return;
  DebyeCurve *curve = point->series != 0 ? debye_plot_get_curve(self->plot, point->series) : NULL;
  if ((point->series != 0 && (curve == NULL || point->index >= debye_curve_get_n_points(curve))) ||
      (point->series == 0 && debye_plot_get_matrix(self->plot) == NULL)) {
    self->hover.has_point = FALSE;
    return;
  }
  if (!self->hover_by_key)
    self->hover.has_point =
        debye_plot_layout_find_point(layout, self->pointer_x, self->pointer_y, 18.0, point);
  else if (curve != NULL) {
    point->x = debye_curve_get_x(curve)[point->index];
    point->y = debye_curve_get_y(curve)[point->index];
    point->page_x = debye_plot_layout_get_place(layout, DEBYE_PLOT_X, point->x);
    point->page_y =
        debye_plot_layout_get_place(layout, debye_plot_get_series_axis(self->plot, point->series), point->y);
  }
}

/* --- Drawing --- */

static GdkGLContext *
on_create_context(GtkGLArea *area, DebyePlotView *self G_GNUC_UNUSED)
{
  return debye_gl_context_create(area);
}

/* A stack can't turn its page while it is being drawn. */
static gboolean
turn_page(gpointer data)
{
  DebyePlotView *self = data;
  gtk_stack_set_visible_child_name(self->stack, self->has_no_gl || self->has_parts ? "cairo" : "gl");
  return G_SOURCE_REMOVE;
}

static void
queue_page(DebyePlotView *self)
{
  g_idle_add_full(G_PRIORITY_DEFAULT, turn_page, g_object_ref(self), g_object_unref);
}

static void
give_up_gl(DebyePlotView *self)
{
  self->has_no_gl = TRUE;
  queue_page(self);
}

/* An inset, and what stands below the plot, are drawings of their own, which only cairo places. */
static void
choose_page(DebyePlotView *self, const DebyePlotLayout *layout)
{
  const DebyePlotDrawing *drawing = debye_plot_layout_get_drawing(layout);
  const gboolean has_parts = drawing->inset != NULL || drawing->below != NULL;
  if (has_parts == self->has_parts)
    return;
  self->has_parts = has_parts;
  queue_page(self);
}

static void
on_gl_realize(GtkGLArea *area, DebyePlotView *self)
{
  gtk_gl_area_make_current(area);
  if (gtk_gl_area_get_error(area) != NULL)
    give_up_gl(self);
}

/* The context goes with the widget's surface, so everything made in it must go first. */
static void
on_gl_unrealize(GtkGLArea *area, DebyePlotView *self)
{
  gtk_gl_area_make_current(area);
  g_clear_pointer(&self->layout, debye_plot_layout_free);
  if (self->gl != NULL)
    debye_plot_gl_free(self->gl, gtk_gl_area_get_error(area) != NULL);
  self->gl = NULL;
}

static gboolean
on_gl_render(GtkGLArea *area, GdkGLContext *context G_GNUC_UNUSED, DebyePlotView *self)
{
  g_autoptr(GError) error = NULL;
  int scale = gtk_widget_get_scale_factor(GTK_WIDGET(area));
  int width = gtk_widget_get_width(GTK_WIDGET(area)) * scale;
  int height = gtk_widget_get_height(GTK_WIDGET(area)) * scale;
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  if (layout == NULL) {
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    return TRUE;
  }
  choose_page(self, layout);
  if (self->gl == NULL)
    self->gl = debye_plot_gl_new();
  update_hover(self);
  g_autoptr(DebyePlotDrawing) over = debye_plot_hover_draw(layout, &self->hover);
  if (!debye_plot_gl_draw(self->gl, debye_plot_layout_get_drawing(layout), width, height, &error) ||
      !debye_plot_gl_draw(self->gl, over, width, height, &error))
    give_up_gl(self);
  return TRUE;
}

static void
on_cairo_draw(GtkDrawingArea *area G_GNUC_UNUSED, cairo_t *cr, int width G_GNUC_UNUSED,
              int height G_GNUC_UNUSED, gpointer data)
{
  DebyePlotView *self = data;
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  if (layout == NULL)
    return;
  choose_page(self, layout);
  update_hover(self);
  g_autoptr(DebyePlotDrawing) over = debye_plot_hover_draw(layout, &self->hover);
  cairo_scale(cr, 1.0 / POINTS_PER_PIXEL, 1.0 / POINTS_PER_PIXEL);
  debye_plot_drawing_draw(debye_plot_layout_get_drawing(layout), cr);
  debye_plot_drawing_draw(over, cr);
}

/* --- The plot --- */

/* What a person who doesn't see it is told. */
static void
update_name(DebyePlotView *self)
{
  if (self->plot == NULL)
    return;
  g_autofree char *x = debye_plot_text_to_plain(debye_plot_get_label(self->plot, DEBYE_PLOT_X));
  g_autofree char *y = debye_plot_text_to_plain(debye_plot_get_label(self->plot, DEBYE_PLOT_Y));
  g_autoptr(GString) name = g_string_new(NULL);
  g_string_printf(name, _("Plot of %s over %s"), y, x);
  for (gsize i = 0; i < debye_plot_get_n_series(self->plot); i++) {
    DebyeCurve *curve = debye_plot_get_curve(self->plot, debye_plot_get_series(self->plot, i));
    g_autofree char *written = debye_plot_text_from_name(debye_curve_get_name(curve));
    g_string_append_printf(name, "%s%s", i == 0 ? ": " : ", ", written);
  }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
}

static void
on_plot_changed(DebyePlotView *self)
{
  debye_plot_view_forget_layout(self);
  update_name(self);
  for (int i = 1; i < N_PROPERTIES; i++)
    g_object_notify_by_pspec(G_OBJECT(self), properties[i]);
}

void
debye_plot_view_set_plot(DebyePlotView *self, DebyePlot *plot)
{
  g_return_if_fail(DEBYE_IS_PLOT_VIEW(self) && (plot == NULL || DEBYE_IS_PLOT(plot)));
  if (self->plot == plot)
    return;
  if (self->plot != NULL)
    g_signal_handlers_disconnect_by_data(self->plot, self);
  g_set_object(&self->plot, plot);
  self->legend.n_columns = 0;
  self->hover.has_point = self->hover.has_rectangle = FALSE;
  self->drag = DEBYE_DRAG_NONE;
  if (plot != NULL) {
    debye_plot_show_range_ends(plot);
    g_signal_connect_swapped(plot, "changed", G_CALLBACK(on_plot_changed), self);
  }
  on_plot_changed(self);
}

DebyePlot *
debye_plot_view_get_plot(DebyePlotView *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_VIEW(self), NULL);
  return self->plot;
}

void
debye_plot_view_get_page(DebyePlotView *self, DebyePlotPage *page)
{
  g_return_if_fail(DEBYE_IS_PLOT_VIEW(self) && page != NULL);
  debye_plot_page_init(page);
  int width = gtk_widget_get_width(GTK_WIDGET(self)), height = gtk_widget_get_height(GTK_WIDGET(self));
  if (width > 0 && height > 0) {
    page->width = width * POINTS_PER_PIXEL;
    page->height = height * POINTS_PER_PIXEL;
  }
  page->text_size = self->text_size;
  page->legend = self->legend;
  page->legend.is_held = TRUE;
}

void
debye_plot_view_set_text_size(DebyePlotView *self, double points)
{
  g_return_if_fail(DEBYE_IS_PLOT_VIEW(self));
  if (self->text_size == points)
    return;
  self->text_size = points;
  self->legend.n_columns = 0;
  debye_plot_view_forget_layout(self);
}

char *
debye_plot_view_get_readout(DebyePlotView *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_VIEW(self), NULL);
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  if (!self->hover.has_point || layout == NULL)
    return NULL;
  g_auto(GStrv) lines = debye_plot_layout_describe(layout, &self->hover.point);
  return g_strjoinv(", ", lines);
}

void
debye_plot_view_copy(DebyePlotView *self)
{
  g_return_if_fail(DEBYE_IS_PLOT_VIEW(self));
  g_autofree char *text = self->plot != NULL ? debye_plot_copy_text(self->plot) : NULL;
  if (text == NULL)
    return;
  DebyePlotPage page;
  debye_plot_view_get_page(self, &page);
  GdkContentProvider *both[] = {gdk_content_provider_new_typed(G_TYPE_STRING, text),
                                debye_plot_content_new(self->plot, &page)};
  g_autoptr(GdkContentProvider) content = gdk_content_provider_new_union(both, G_N_ELEMENTS(both));
  gdk_clipboard_set_content(gtk_widget_get_clipboard(GTK_WIDGET(self)), content);
}

void
debye_plot_view_reset(DebyePlotView *self)
{
  self->legend.n_columns = 0;
  if (self->plot != NULL)
    debye_plot_reset_view(self->plot);
}

void
debye_plot_view_tell_hover(DebyePlotView *self)
{
  g_autofree char *readout = debye_plot_view_get_readout(self);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 readout != NULL ? readout : "", -1);
  debye_plot_view_queue_draw(self);
}

void
debye_plot_view_tell_range(DebyePlotView *self)
{
  g_signal_emit_by_name(self, "range-moved", fmin(self->range_fixed, self->range_moved),
                        fmax(self->range_fixed, self->range_moved));
}

void
debye_plot_view_activate_at(DebyePlotView *self, double x, double y)
{
  DebyePlotPoint point;
  double peak_x, peak_y;
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  int peak = layout != NULL ? debye_plot_layout_find_peak(layout, x, y) : -1;
  if (peak >= 0 && debye_plot_get_peak(self->plot, (gsize)peak, &peak_x, &peak_y))
    g_signal_emit_by_name(self, "peak-activated", peak_x, peak_y);
  else if (layout != NULL && debye_plot_layout_find_point(layout, x, y, 9.0, &point))
    g_signal_emit_by_name(self, "point-activated", point.series, point.x, point.y);
}

/* --- Actions --- */

static void
zoom_centre(DebyePlotView *self, double factor)
{
  DebyePlotLayout *layout = debye_plot_view_get_layout(self);
  if (layout == NULL)
    return;
  DebyePlotRectangle frame = debye_plot_layout_get_frame(layout);
  debye_plot_zoom(self->plot, layout, DEBYE_PLOT_ALL_AXES, frame.x + 0.5 * frame.width,
                  frame.y + 0.5 * frame.height, factor);
}

static void
on_reset(GtkWidget *widget, const char *name G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  debye_plot_view_reset(DEBYE_PLOT_VIEW(widget));
}

static void
on_zoom_in(GtkWidget *widget, const char *name G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  zoom_centre(DEBYE_PLOT_VIEW(widget), 1.25);
}

static void
on_zoom_out(GtkWidget *widget, const char *name G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  zoom_centre(DEBYE_PLOT_VIEW(widget), 0.8);
}

static void
on_copy(GtkWidget *widget, const char *name G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  debye_plot_view_copy(DEBYE_PLOT_VIEW(widget));
}

static void
debye_plot_view_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(object);
  if (id == PROPERTY_LEGEND)
    g_value_set_boolean(value, self->plot != NULL && debye_plot_get_legend_visible(self->plot));
  else if (id == PROPERTY_LOG_X || id == PROPERTY_LOG_Y)
    g_value_set_boolean(
        value, self->plot != NULL &&
                   debye_plot_get_scale(self->plot, id == PROPERTY_LOG_X ? DEBYE_PLOT_X : DEBYE_PLOT_Y) ==
                       DEBYE_PLOT_LOG);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void
debye_plot_view_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(object);
  gboolean is_on = g_value_get_boolean(value);
  self->legend.n_columns = 0;
  if (self->plot == NULL)
    return;
  if (id == PROPERTY_LEGEND)
    debye_plot_set_legend_visible(self->plot, is_on);
  else if (id == PROPERTY_LOG_X || id == PROPERTY_LOG_Y)
    debye_plot_set_scale(self->plot, id == PROPERTY_LOG_X ? DEBYE_PLOT_X : DEBYE_PLOT_Y,
                         is_on ? DEBYE_PLOT_LOG : DEBYE_PLOT_LINEAR);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

/* --- The object --- */

static void
debye_plot_view_dispose(GObject *object)
{
  DebyePlotView *self = DEBYE_PLOT_VIEW(object);
  g_signal_handlers_disconnect_by_data(adw_style_manager_get_default(), self);
  if (self->plot != NULL)
    g_signal_handlers_disconnect_by_data(self->plot, self);
  g_clear_object(&self->plot);
  g_clear_pointer(&self->menu, gtk_widget_unparent);
  g_clear_pointer(&self->layout, debye_plot_layout_free);
  G_OBJECT_CLASS(debye_plot_view_parent_class)->dispose(object);
}

static void
install_properties(GObjectClass *class)
{
  class->get_property = debye_plot_view_get_property;
  class->set_property = debye_plot_view_set_property;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  properties[PROPERTY_LOG_X] = g_param_spec_boolean("log-x", NULL, NULL, FALSE, flags);
  properties[PROPERTY_LOG_Y] = g_param_spec_boolean("log-y", NULL, NULL, FALSE, flags);
  properties[PROPERTY_LEGEND] = g_param_spec_boolean("legend", NULL, NULL, TRUE, flags);
  g_object_class_install_properties(class, N_PROPERTIES, properties);
}

static void
install_signals(GObjectClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);
  g_signal_new("peak-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE,
               G_TYPE_DOUBLE);
  g_signal_new("point-activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_UINT,
               G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  g_signal_new("range-moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE,
               G_TYPE_DOUBLE);
}

static void
install_actions(GtkWidgetClass *class)
{
  gtk_widget_class_install_action(class, "plot.reset", NULL, on_reset);
  gtk_widget_class_install_action(class, "plot.zoom-in", NULL, on_zoom_in);
  gtk_widget_class_install_action(class, "plot.zoom-out", NULL, on_zoom_out);
  gtk_widget_class_install_action(class, "plot.copy", NULL, on_copy);
  gtk_widget_class_install_property_action(class, "plot.log-x", "log-x");
  gtk_widget_class_install_property_action(class, "plot.log-y", "log-y");
  gtk_widget_class_install_property_action(class, "plot.legend", "legend");
}

static void
debye_plot_view_class_init(DebyePlotViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_plot_view_dispose;
  install_properties(G_OBJECT_CLASS(class));
  install_signals(G_OBJECT_CLASS(class));
  install_actions(widget_class);
  debye_plot_view_add_keys(widget_class);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/plot_view.ui");
  DEBYE_BIND_CHILDREN(class, DebyePlotView, stack, gl_area, drawing_area);
  DEBYE_BIND_CALLBACKS(class, on_create_context, on_gl_realize, on_gl_unrealize, on_gl_render);
  gtk_widget_class_set_css_name(widget_class, "plotview");
}

static void
debye_plot_view_init(DebyePlotView *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_drawing_area_set_draw_func(self->drawing_area, on_cairo_draw, self, NULL);
  debye_plot_view_add_input(self);
  g_signal_connect_swapped(adw_style_manager_get_default(), "notify::dark",
                           G_CALLBACK(debye_plot_view_forget_layout), self);
  debye_text_scale_watch(GTK_WIDGET(self), G_CALLBACK(debye_plot_view_forget_layout), self);
  g_signal_connect(self, "notify::scale-factor", G_CALLBACK(debye_plot_view_forget_layout), NULL);
}
