/* SPDX-License-Identifier: MIT */
/* A slider with an entry beside it for one number; used by the controls of layers and contrast_bar.c. */
#include "number_slider.h"

#include <math.h>

#include "data/tables/unit_text.h"
#include "number_entry.h"
#include "number_text.h"

#define DIGITS 4
#define STEPS 100.0

struct _DebyeNumberSlider {
  GtkBox parent_instance;
  GtkScale *scale;
  GtkEntry *entry;
  double value;
  double shown; /* by the scale, within its ends */
  gboolean updating, telling;
};

G_DEFINE_FINAL_TYPE(DebyeNumberSlider, debye_number_slider, GTK_TYPE_BOX)

static void
show_value(DebyeNumberSlider *self)
{
  g_autofree char *text = debye_number_text(self->value, DIGITS);
  self->updating = TRUE;
  gtk_range_set_value(GTK_RANGE(self->scale), self->value);
  self->shown = gtk_range_get_value(GTK_RANGE(self->scale));
  gtk_editable_set_text(GTK_EDITABLE(self->entry), text);
  gtk_widget_remove_css_class(GTK_WIDGET(self->entry), "error");
  self->updating = FALSE;
}

/* A slider's position has more digits than a hand can mean. */
static double
rounded_to_range(DebyeNumberSlider *self, double value)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment(GTK_RANGE(self->scale));
  double span = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_lower(adjustment);
  if (!(span > 0.0))
    return value;
  double unit = pow(10.0, floor(log10(span)) - 2.0);
  return round(value / unit) * unit;
}

/* A value that is set while the scale tells of another makes it tell again when all have been told
 * (GtkAdjustment's signal does not recurse): that is not a hand's. */
static void
on_slid(DebyeNumberSlider *self)
{
  const double value = gtk_range_get_value(GTK_RANGE(self->scale));
  if (!self->updating && value != self->shown)
    debye_number_slider_set_value(self, rounded_to_range(self, value));
}

static void
on_entered(DebyeNumberSlider *self)
{
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->entry));
  g_autofree char *shown = debye_number_text(self->value, DIGITS);
  double value = 0.0;
  if (self->updating)
    return;
  /* A text that nobody has touched says fewer digits than the value has. */
  if (g_str_equal(text, shown))
    show_value(self);
  else if (debye_number_parse(text, &value))
    debye_number_slider_set_value(self, value);
  else
    gtk_widget_add_css_class(GTK_WIDGET(self->entry), "error");
}

static void
on_entry_left(GtkEventControllerFocus *focus G_GNUC_UNUSED, DebyeNumberSlider *self)
{
  on_entered(self);
}

GtkWidget *
debye_number_slider_new(const char *name, double minimum, double maximum, const char *unit)
{
  DebyeNumberSlider *self = g_object_new(DEBYE_TYPE_NUMBER_SLIDER, NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->scale), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (unit != NULL && *unit != '\0') {
    g_autofree char *text = debye_unit_to_text(unit);
    GtkWidget *label = gtk_label_new(text);
    gtk_widget_add_css_class(label, "dim-label");
    gtk_widget_add_css_class(label, "caption");
    gtk_box_append(GTK_BOX(self), label);
  }
  self->value = minimum;
  debye_number_slider_set_range(self, minimum, maximum);
  return GTK_WIDGET(self);
}

void
debye_number_slider_set_range(DebyeNumberSlider *self, double minimum, double maximum)
{
  g_return_if_fail(DEBYE_IS_NUMBER_SLIDER(self));
  double step = (maximum - minimum) / STEPS;
  self->updating = TRUE;
  gtk_adjustment_configure(gtk_range_get_adjustment(GTK_RANGE(self->scale)), self->value, minimum, maximum,
                           step, 10.0 * step, 0.0);
  self->updating = FALSE;
  show_value(self);
}

/* Whoever is told may say what it became, by a rounding something else each time: to tell that again would
 * begin the telling anew, for ever. */
static void
tell_value(DebyeNumberSlider *self)
{
  if (self->telling)
    return;
  self->telling = TRUE;
  g_object_notify(G_OBJECT(self), "value");
  self->telling = FALSE;
}

void
debye_number_slider_set_value(DebyeNumberSlider *self, double value)
{
  g_return_if_fail(DEBYE_IS_NUMBER_SLIDER(self));
  if (value != self->value) {
    self->value = value;
    tell_value(self);
  }
  show_value(self);
}

double
debye_number_slider_get_value(DebyeNumberSlider *self)
{
  g_return_val_if_fail(DEBYE_IS_NUMBER_SLIDER(self), NAN);
  return self->value;
}

static void
debye_number_slider_get_property(GObject *object, guint id G_GNUC_UNUSED, GValue *value,
                                 GParamSpec *spec G_GNUC_UNUSED)
{
  g_value_set_double(value, DEBYE_NUMBER_SLIDER(object)->value);
}

static void
debye_number_slider_set_property(GObject *object, guint id G_GNUC_UNUSED, const GValue *value,
                                 GParamSpec *spec G_GNUC_UNUSED)
{
  debye_number_slider_set_value(DEBYE_NUMBER_SLIDER(object), g_value_get_double(value));
}

static void
debye_number_slider_class_init(DebyeNumberSliderClass *class)
{
  G_OBJECT_CLASS(class)->get_property = debye_number_slider_get_property;
  G_OBJECT_CLASS(class)->set_property = debye_number_slider_set_property;
  g_object_class_install_property(
      G_OBJECT_CLASS(class), 1,
      g_param_spec_double("value", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0.0,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
}

static void
debye_number_slider_init(DebyeNumberSlider *self)
{
  gtk_box_set_spacing(GTK_BOX(self), 6);
  self->scale = GTK_SCALE(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0.0, 1.0, 0.01));
  gtk_scale_set_draw_value(self->scale, FALSE);
  gtk_widget_set_hexpand(GTK_WIDGET(self->scale), TRUE);
  gtk_widget_set_size_request(GTK_WIDGET(self->scale), 60, -1);
  self->entry = GTK_ENTRY(debye_number_entry_new(6));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->scale));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->entry));
  g_signal_connect_swapped(self->scale, "value-changed", G_CALLBACK(on_slid), self);
  g_signal_connect_swapped(self->entry, "activate", G_CALLBACK(on_entered), self);
  GtkEventController *focus = gtk_event_controller_focus_new();
  g_signal_connect(focus, "leave", G_CALLBACK(on_entry_left), self);
  gtk_widget_add_controller(GTK_WIDGET(self->entry), focus);
}
