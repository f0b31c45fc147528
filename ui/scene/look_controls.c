/* SPDX-License-Identifier: MIT */
/* Makes the controls of a scene's look from its table; called by layers_panel.c. */
#include "look_controls.h"

#include <glib/gi18n.h>
#include <math.h>

#include "layer_controls.h"
#include "render/scene/look_settings.h"
#include "ui/widgets/number_slider.h"

#define SETTING_KEY "debye-look-setting"

static const DebyeLookSetting *
get_setting(gpointer control)
{
  return g_object_get_data(G_OBJECT(control), SETTING_KEY);
}

/* --- From the control --- */

static void
take(GtkWidget *control, DebyeScene *scene, const char *text)
{
  g_autoptr(GError) error = NULL;
  debye_look_setting_edit(get_setting(control), scene);
  if (!debye_look_setting_set(get_setting(control), scene, text, &error))
    g_warning("%s", error->message);
}

/* A scene that is told what it has already would be drawn again for nothing. */
static void
on_number(GtkWidget *slider, GParamSpec *spec G_GNUC_UNUSED, DebyeScene *scene)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  const DebyeLookSetting *setting = get_setting(slider);
  const double value = CLAMP(debye_number_slider_get_value(DEBYE_NUMBER_SLIDER(slider)),
                             setting->option.minimum, setting->option.maximum);
  if (fabs(value - (double)*(float *)debye_look_setting_find(setting, scene)) > 1e-6)
    take(slider, scene, g_ascii_dtostr(digits, sizeof digits, value));
}

static void
on_switch(GtkWidget *control, GParamSpec *spec G_GNUC_UNUSED, DebyeScene *scene)
{
  const gboolean is_on = gtk_switch_get_active(GTK_SWITCH(control));
  if (is_on != *(gboolean *)debye_look_setting_find(get_setting(control), scene))
    take(control, scene, is_on ? "true" : "false");
}

/* The place of a value among the choices; of a corner that is left to the program, none. */
static guint
find_position(const DebyeSetting *option, int value)
{
  for (guint i = 0; option->choices[i].value != NULL; i++)
    if (value == (option->choice_numbers != NULL ? option->choice_numbers[i] : (int)i))
      return i;
  return GTK_INVALID_LIST_POSITION;
}

static void
on_choice(GtkWidget *control, GParamSpec *spec G_GNUC_UNUSED, DebyeScene *scene)
{
  const DebyeLookSetting *setting = get_setting(control);
  const guint position = gtk_drop_down_get_selected(GTK_DROP_DOWN(control));
  const int value = *(int *)debye_look_setting_find(setting, scene);
  if (position != GTK_INVALID_LIST_POSITION && position != find_position(&setting->option, value))
    take(control, scene, setting->option.choices[position].value);
}

static void
on_color(GtkWidget *button, GParamSpec *spec G_GNUC_UNUSED, DebyeScene *scene)
{
  GdkRGBA rgba;
  gtk_color_chooser_get_rgba(GTK_COLOR_CHOOSER(button), &rgba);
  const float *color = debye_look_setting_find(get_setting(button), scene);
  if (fabsf(rgba.red - color[0]) + fabsf(rgba.green - color[1]) + fabsf(rgba.blue - color[2]) < 1e-3f)
    return;
  g_autofree char *text = g_strdup_printf("#%02lx%02lx%02lx", lroundf(rgba.red * 255.0f),
                                          lroundf(rgba.green * 255.0f), lroundf(rgba.blue * 255.0f));
  take(button, scene, text);
}

/* --- To the control --- */

static void
show(GtkWidget *control, DebyeScene *scene)
{
  const DebyeLookSetting *setting = get_setting(control);
  gpointer value = debye_look_setting_find(setting, scene);
  g_signal_handlers_block_matched(control, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, scene);
  if (DEBYE_IS_NUMBER_SLIDER(control)) {
    debye_number_slider_set_value(DEBYE_NUMBER_SLIDER(control), (double)*(float *)value);
  } else if (GTK_IS_SWITCH(control)) {
    gtk_switch_set_active(GTK_SWITCH(control), *(gboolean *)value);
  } else if (GTK_IS_DROP_DOWN(control)) {
    gtk_drop_down_set_selected(GTK_DROP_DOWN(control), find_position(&setting->option, *(int *)value));
  } else {
    const float *color = value;
    gtk_color_chooser_set_rgba(GTK_COLOR_CHOOSER(control), &(GdkRGBA){color[0], color[1], color[2], 1.0f});
  }
  g_signal_handlers_unblock_matched(control, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, scene);
}

/* The camera changes it often: what isn't seen can wait. */
static void
on_scene_changed(GtkWidget *control, DebyeScene *scene)
{
  if (gtk_widget_get_mapped(control))
    show(control, scene);
}

static void
on_mapped(GtkWidget *control, DebyeScene *scene)
{
  show(control, scene);
}

/* --- Lines --- */

static GtkWidget *
create_choice(const DebyeSetting *option)
{
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  for (int i = 0; option->choices[i].value != NULL; i++)
    gtk_string_list_append(names, _(option->choices[i].label));
  return debye_layer_controls_drop_down(G_LIST_MODEL(g_steal_pointer(&names)),
                                        gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string"));
}

static GtkWidget *
create_control(const DebyeSetting *option, const char **signal, GCallback *changed)
{
  switch (option->kind) {
  case DEBYE_SETTING_NUMBER:
    *signal = "notify::value";
    *changed = G_CALLBACK(on_number);
    return debye_number_slider_new(_(option->label), option->minimum, option->maximum,
                                   option->unit != NULL ? "°" : NULL);
  case DEBYE_SETTING_BOOLEAN:
    *signal = "notify::active";
    *changed = G_CALLBACK(on_switch);
    return gtk_switch_new();
  case DEBYE_SETTING_CHOICE:
    *signal = "notify::selected";
    *changed = G_CALLBACK(on_choice);
    return create_choice(option);
  default:
    *signal = "notify::rgba";
    *changed = G_CALLBACK(on_color);
    return gtk_color_button_new();
  }
}

static void
add_line(AdwExpanderRow *row, const DebyeLookSetting *setting, DebyeScene *scene)
{
  const char *signal;
  GCallback changed;
  GtkWidget *control = create_control(&setting->option, &signal, &changed);
  if (GTK_IS_SWITCH(control) || GTK_IS_COLOR_BUTTON(control))
    gtk_widget_set_halign(control, GTK_ALIGN_END);
  g_object_set_data(G_OBJECT(control), SETTING_KEY, (gpointer)setting);
  g_signal_connect_object(control, signal, changed, scene, G_CONNECT_DEFAULT);
  g_signal_connect_object(scene, "changed", G_CALLBACK(on_scene_changed), control, G_CONNECT_SWAPPED);
  g_signal_connect_object(control, "map", G_CALLBACK(on_mapped), scene, G_CONNECT_DEFAULT);
  gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _(setting->option.label), -1);
  show(control, scene);
  debye_layer_controls_add_line(row, _(setting->option.label), control);
}

static void
on_reset(DebyeScene *scene)
{
  debye_look_settings_reset(scene);
}

/* What was set stays for the next start, so there is a way back. */
static void
add_reset(AdwExpanderRow *row, DebyeScene *scene)
{
  GtkWidget *button = gtk_button_new_with_label(_("Reset to defaults"));
  g_signal_connect_object(button, "clicked", G_CALLBACK(on_reset), scene, G_CONNECT_SWAPPED);
  debye_layer_controls_add_line(row, "", button);
}

void
debye_look_controls_fill(AdwExpanderRow *row, DebyeScene *scene)
{
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  for (gsize i = 0; i < n_settings; i++)
    add_line(row, &settings[i], scene);
  add_reset(row, scene);
}
