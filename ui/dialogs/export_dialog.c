/* SPDX-License-Identifier: MIT */
/* The dialog for a picture's size, text and background; opened by the window's export action. */
#include "export_dialog.h"

#include <math.h>

#include <glib/gi18n.h>

#include "render/scene/capture.h"
#include "ui/widgets/template.h"

#define MM_PER_INCH 25.4

/* The sizes in pixels, which come before the presets. 0: as many times the view. */
static const struct {
  const char *title;
  int width, height, times;
} sizes[] = {
    {N_("As in the window"), 0, 0, 1},
    {N_("Twice the window size"), 0, 0, 2},
    {N_("Full HD (1920 × 1080)"), 1920, 1080, 0},
    {N_("4K (3840 × 2160)"), 3840, 2160, 0},
};

/* The rows of "Unit" in export_dialog.ui. */
typedef enum { PIXELS, MILLIMETRES } Unit;

struct _DebyeExportDialog {
  AdwWindow parent_instance;
  AdwComboRow *preset, *unit;
  GtkSpinButton *width, *height, *dpi, *text;
  AdwActionRow *text_row;
  GtkSwitch *transparent;
  GtkLabel *summary;
  GtkButton *export;
  int view_width, view_height, scale_factor; /* logical pixels, and pixels each */
  guint n_presets;
  gboolean has_own_dpi; /* typed or of a preset; else it follows the size in pixels */
  gboolean updating;    /* what changes is no person's doing */
};

G_DEFINE_FINAL_TYPE(DebyeExportDialog, debye_export_dialog, ADW_TYPE_WINDOW)

static gboolean
is_in_mm(DebyeExportDialog *self)
{
  return adw_combo_row_get_selected(self->unit) == MILLIMETRES;
}

/* --- What it says --- */

static void
show_summary(DebyeExportDialog *self)
{
  int width, height;
  DebyePictureSize size;
  g_autofree char *text = NULL;
  debye_export_dialog_get_size(self, &size);
  const double to_mm = size.is_in_mm ? 1.0 : MM_PER_INCH / size.dpi;
  const gboolean fits = debye_picture_size_get_pixels(&size, &width, &height);
  if (fits)
    text = g_strdup_printf(_("%d × %d pixels, %.1f × %.1f mm"), width, height, to_mm * size.width,
                           to_mm * size.height);
  else
    text = g_strdup_printf(_("Too large: at most %d pixels per side"), DEBYE_PICTURE_MAX_PIXELS);
  gtk_label_set_text(self->summary, text);
  gtk_widget_set_sensitive(GTK_WIDGET(self->export), fits);
}

/* --- Values --- */

/* Text of a printed picture has a size in any case. */
static void
set_unit(DebyeExportDialog *self, Unit unit)
{
  const gboolean mm = unit == MILLIMETRES;
  GtkSpinButton *const sides[] = {self->width, self->height};
  adw_combo_row_set_selected(self->unit, unit);
  for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
    gtk_spin_button_set_range(sides[i], mm ? 1.0 : 16.0, mm ? 10000.0 : DEBYE_PICTURE_MAX_PIXELS);
    gtk_spin_button_set_increments(sides[i], mm ? 1.0 : 10.0, mm ? 10.0 : 100.0);
    gtk_spin_button_set_digits(sides[i], mm ? 2 : 0);
  }
  gtk_spin_button_set_range(self->text, mm ? DEBYE_PICTURE_MIN_TEXT : 0.0, DEBYE_PICTURE_MAX_TEXT);
  adw_action_row_set_subtitle(self->text_row, mm ? _("points") : _("points; 0: as in the window"));
}

static void
set_values(DebyeExportDialog *self, const DebyePictureSize *size)
{
  self->updating = TRUE;
  set_unit(self, size->is_in_mm ? MILLIMETRES : PIXELS);
  gtk_spin_button_set_value(self->width, size->width);
  gtk_spin_button_set_value(self->height, size->height);
  gtk_spin_button_set_value(self->dpi, debye_picture_size_get_dpi(size));
  gtk_spin_button_set_value(
      self->text, size->is_in_mm && !(size->text_size > 0.0) ? DEBYE_PICTURE_PRINTED_TEXT : size->text_size);
  self->updating = FALSE;
  show_summary(self);
}

void
debye_export_dialog_get_size(DebyeExportDialog *self, DebyePictureSize *size)
{
  g_return_if_fail(DEBYE_IS_EXPORT_DIALOG(self) && size != NULL);
  *size = (DebyePictureSize){.width = gtk_spin_button_get_value(self->width),
                             .height = gtk_spin_button_get_value(self->height),
                             .is_in_mm = is_in_mm(self),
                             .dpi = gtk_spin_button_get_value(self->dpi),
                             .text_size = gtk_spin_button_get_value(self->text)};
}

void
debye_export_dialog_set_size(DebyeExportDialog *self, const DebyePictureSize *size)
{
  g_return_if_fail(DEBYE_IS_EXPORT_DIALOG(self) && size != NULL);
  self->has_own_dpi = TRUE;
  set_values(self, size);
}

gboolean
debye_export_dialog_get_transparent(DebyeExportDialog *self)
{
  g_return_val_if_fail(DEBYE_IS_EXPORT_DIALOG(self), FALSE);
  return gtk_switch_get_active(self->transparent);
}

void
debye_export_dialog_set_transparent(DebyeExportDialog *self, gboolean transparent)
{
  g_return_if_fail(DEBYE_IS_EXPORT_DIALOG(self));
  gtk_switch_set_active(self->transparent, transparent);
}

/* --- Changes --- */

/* Pixels are as dense as those of the screen, of which the picture shows as much as the view. */
static double
find_screen_dpi(DebyeExportDialog *self, double width)
{
  return CLAMP(round(DEBYE_SCREEN_DPI * width / MAX(1, self->view_width)), DEBYE_PICTURE_MIN_DPI,
               DEBYE_PICTURE_MAX_DPI);
}

static void
choose_size(DebyeExportDialog *self, guint i)
{
  const int times = sizes[i].times * self->scale_factor;
  DebyePictureSize size = {.width = times > 0 ? times * self->view_width : sizes[i].width,
                           .height = times > 0 ? times * self->view_height : sizes[i].height};
  size.dpi = find_screen_dpi(self, size.width);
  self->has_own_dpi = FALSE;
  set_values(self, &size);
}

static void
on_preset_selected(DebyeExportDialog *self)
{
  const guint i = adw_combo_row_get_selected(self->preset), n_sizes = G_N_ELEMENTS(sizes);
  if (self->updating || i >= n_sizes + self->n_presets)
    return;
  if (i < n_sizes)
    choose_size(self, i);
  g_signal_emit_by_name(
      self, "preset",
      i < n_sizes ? NULL : gtk_string_object_get_string(adw_combo_row_get_selected_item(self->preset)));
}

void
debye_export_dialog_refuse_preset(DebyeExportDialog *self)
{
  g_return_if_fail(DEBYE_IS_EXPORT_DIALOG(self));
  self->updating = TRUE;
  adw_combo_row_set_selected(self->preset, G_N_ELEMENTS(sizes) + self->n_presets);
  self->updating = FALSE;
}

/* A size in pixels has no other name than its own; a preset stays the one that it began with, whose look it has. */
static void
forget_size(DebyeExportDialog *self)
{
  if (adw_combo_row_get_selected(self->preset) < G_N_ELEMENTS(sizes))
    debye_export_dialog_refuse_preset(self);
}

static void
on_size_changed(DebyeExportDialog *self)
{
  if (self->updating)
    return;
  forget_size(self);
  self->updating = TRUE;
  if (!self->has_own_dpi && !is_in_mm(self))
    gtk_spin_button_set_value(self->dpi, find_screen_dpi(self, gtk_spin_button_get_value(self->width)));
  self->updating = FALSE;
  show_summary(self);
}

static void
on_dpi_changed(DebyeExportDialog *self)
{
  if (self->updating)
    return;
  self->has_own_dpi = TRUE;
  show_summary(self);
}

/* The pixels stay, as dense as in print at least. */
static void
on_unit_selected(DebyeExportDialog *self)
{
  DebyePictureSize size;
  if (self->updating)
    return;
  forget_size(self);
  debye_export_dialog_get_size(self, &size);
  if (size.is_in_mm && !self->has_own_dpi)
    size.dpi = fmax(size.dpi, DEBYE_PICTURE_USUAL_DPI);
  const double factor = size.is_in_mm ? MM_PER_INCH / size.dpi : size.dpi / MM_PER_INCH;
  const double digits = size.is_in_mm ? 10.0 : 1.0;
  size.width = round(digits * factor * size.width) / digits;
  size.height = round(digits * factor * size.height) / digits;
  set_values(self, &size);
}

/* Text that was typed but not yet applied counts. */
static void
on_export_clicked(DebyeExportDialog *self)
{
  GtkSpinButton *const all[] = {self->width, self->height, self->dpi, self->text};
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
    gtk_spin_button_update(all[i]);
  if (!gtk_widget_get_sensitive(GTK_WIDGET(self->export)))
    return;
  g_signal_emit_by_name(self, "export");
  gtk_window_close(GTK_WINDOW(self));
}

/* --- The object --- */

static void
set_presets(DebyeExportDialog *self, const char *const *presets)
{
  g_autoptr(GtkStringList) model = gtk_string_list_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
    gtk_string_list_append(model, _(sizes[i].title));
  for (self->n_presets = 0; presets[self->n_presets] != NULL; self->n_presets++)
    gtk_string_list_append(model, presets[self->n_presets]);
  gtk_string_list_append(model, _("Custom size"));
  self->updating = TRUE;
  adw_combo_row_set_model(self->preset, G_LIST_MODEL(model));
  self->updating = FALSE;
}

GtkWidget *
debye_export_dialog_new(GtkWindow *parent, int width, int height, int scale_factor,
                        const char *const *presets)
{
  DebyeExportDialog *self = g_object_new(DEBYE_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  self->view_width = width;
  self->view_height = height;
  self->scale_factor = scale_factor;
  set_presets(self, presets);
  choose_size(self, 0);
  return GTK_WIDGET(self);
}

static void
debye_export_dialog_class_init(DebyeExportDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  GType type = G_TYPE_FROM_CLASS(class);
  g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("preset", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/export_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeExportDialog, preset, unit, width, height, dpi, text, text_row,
                      transparent);
  DEBYE_BIND_CHILDREN(class, DebyeExportDialog, summary, export);
  DEBYE_BIND_CALLBACKS(class, on_preset_selected, on_unit_selected, on_size_changed, on_dpi_changed,
                       on_export_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_export_dialog_init(DebyeExportDialog *self)
{
  self->updating = TRUE;
  gtk_widget_init_template(GTK_WIDGET(self));
  self->updating = FALSE;
}
