/* SPDX-License-Identifier: MIT */
/* Implementation of result_details.h. */
#include "result_details.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/messages/count_text.h"
#include "data/messages/message.h"
#include "data/tables/unit_text.h"
#include "result_description.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/setting_text.h"

#define WIDTH 480
#define HEIGHT 640
#define DIGITS 4
#define MAX_LETTERS 200
#define MAX_VALUE_CHARS 28
#define LEAST_CHARGE 1e-3 /* e */
#define MAX_QUANTITIES 12 /* whose ranges are listed */

/* --- Rows --- */

static AdwPreferencesGroup *
add_group(AdwPreferencesPage *page, const char *title)
{
  GtkWidget *group = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), title != NULL ? title : "");
  adw_preferences_page_add(page, ADW_PREFERENCES_GROUP(group));
  return ADW_PREFERENCES_GROUP(group);
}

static GtkWidget *
create_row(const char *title)
{
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  return row;
}

/* A default is grey. */
static void
add_value(AdwPreferencesGroup *group, const char *title, const char *value, gboolean is_default)
{
  GtkWidget *row = create_row(title), *label = gtk_label_new(value);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(label), 1.0f);
  gtk_label_set_width_chars(GTK_LABEL(label), (int)MIN(g_utf8_strlen(value, -1), MAX_VALUE_CHARS));
  gtk_label_set_max_width_chars(GTK_LABEL(label), MAX_VALUE_CHARS);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  gtk_widget_set_margin_top(label, 8);
  gtk_widget_set_margin_bottom(label, 8);
  gtk_widget_add_css_class(label, "numeric");
  if (is_default)
    gtk_widget_add_css_class(label, "dim-label");
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), label);
  adw_preferences_group_add(group, row);
}

static void
add_sentence(AdwPreferencesGroup *group, const char *sentence)
{
  g_autofree char *text = debye_sentence_case(sentence);
  GtkWidget *row = create_row(text);
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 0);
  adw_preferences_group_add(group, row);
}

/* --- Name --- */

static void
on_name_changed(GtkEditable *entry, DebyeResult *result)
{
  debye_result_set_name(result, gtk_editable_get_text(entry));
}

/* Returns the entry. */
static GtkWidget *
add_name(AdwPreferencesGroup *group, DebyeResult *result)
{
  GtkWidget *row = create_row(_("Name")), *entry = gtk_entry_new();
  g_autofree char *name = debye_result_dup_name(result);
  g_autofree char *words = debye_message_translate(debye_result_get_title_message(result));
  g_autofree char *title = debye_sentence_case(words);
  gtk_editable_set_text(GTK_EDITABLE(entry), name != NULL ? name : "");
  gtk_entry_set_placeholder_text(GTK_ENTRY(entry), title);
  gtk_widget_set_valign(entry, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand(entry, TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Name of the result"), -1);
  g_signal_connect_object(entry, "changed", G_CALLBACK(on_name_changed), result, G_CONNECT_DEFAULT);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), entry);
  adw_preferences_group_add(group, row);
  return entry;
}

static void
add_origin(AdwPreferencesGroup *group, DebyeResult *result)
{
  const char *const *inputs = debye_result_get_inputs(result);
  g_autoptr(GString) files = g_string_new(NULL);
  g_autofree char *origin = debye_result_describe_origin(result);
  for (gsize i = 0; inputs != NULL && inputs[i] != NULL; i++) {
    g_autofree char *name = g_filename_display_basename(inputs[i]);
    g_string_append_printf(files, "%s%s", i > 0 ? ", " : "", name);
  }
  if (files->len > 0)
    add_value(group, _("Files"), files->str, FALSE);
  if (origin != NULL)
    add_sentence(group, origin);
  g_autofree char *stages = debye_stages_describe(debye_result_get_stages(result));
  if (stages != NULL && *stages != '\0')
    add_sentence(group, stages);
}

/* --- Values --- */

static char *
write_range(double low, double high, const char *unit)
{
  g_autofree char *from = debye_number_sentence(low, DIGITS), *to = debye_number_sentence(high, DIGITS);
  return g_strdup_printf(_("%s to %s%s%s"), from, to, *unit != '\0' ? " " : "", unit);
}

static void
add_field(AdwPreferencesGroup *group, DebyeField *field)
{
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  g_autofree char *unit = debye_unit_to_text(debye_field_get_unit(field));
  g_autofree char *range = write_range(statistics.minimum, statistics.maximum, unit);
  /* A field is called as its group in the file. */
  g_autofree char *name = g_strdelimit(g_strdup(debye_field_get_name(field)), "_", ' ');
  g_autofree char *title = debye_sentence_case(name);
  add_value(group, title, range, FALSE);
}

static void
extend(DebyeCurve *curve, double *low, double *high)
{
  const double *values = debye_curve_get_y(curve);
  for (gsize i = 0; i < debye_curve_get_n_points(curve); i++) {
    *low = isfinite(values[i]) ? fmin(*low, values[i]) : *low;
    *high = isfinite(values[i]) ? fmax(*high, values[i]) : *high;
  }
}

/* Of all curves of the quantity that this one is the first of. */
static void
add_quantity(AdwPreferencesGroup *group, GListModel *curves, const DebyeQuantity *quantity)
{
  double low = INFINITY, high = -INFINITY;
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (g_str_equal(debye_curve_get_y_quantity(curve)->name, quantity->name))
      extend(curve, &low, &high);
  }
  g_autofree char *range = write_range(low, high, quantity->unit);
  g_autofree char *label = debye_message_translate(quantity->label);
  if (low <= high)
    add_value(group, label, range, FALSE);
}

static void
add_quantities(AdwPreferencesGroup *group, GListModel *curves)
{
  g_autoptr(GPtrArray) known = g_ptr_array_new();
  for (guint i = 0; i < g_list_model_get_n_items(curves) && known->len < MAX_QUANTITIES; i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const DebyeQuantity *quantity = debye_curve_get_y_quantity(curve);
    if (g_ptr_array_find_with_equal_func(known, quantity->name, g_str_equal, NULL))
      continue;
    g_ptr_array_add(known, (gpointer)quantity->name); /* the result keeps the curve */
    add_quantity(group, curves, quantity);
  }
}

/* Of charges that the result lists with the numbers of their atoms. FALSE: it lists none. */
static gboolean
sum_charges(DebyeTable *table, double *net)
{
  const double *numbers = debye_table_find_numbers(table, "number"),
               *charges = debye_table_find_numbers(table, "charge");
  *net = 0.0;
  for (gsize row = 0; numbers != NULL && charges != NULL && row < debye_table_get_n_rows(table); row++)
    *net += numbers[row] * charges[row];
  return numbers != NULL && charges != NULL;
}

static void
add_net_charge(AdwPreferencesGroup *group, DebyeResult *result)
{
  double net;
  if (!sum_charges(debye_result_find_table(result, DEBYE_TABLE_OF_WEIGHTS), &net))
    return;
  /* Files round charges to a few digits. */
  g_autofree char *number = debye_number_sentence(fabs(net) < LEAST_CHARGE ? 0.0 : net, DIGITS);
  g_autofree char *text = g_strdup_printf("%s e", number);
  add_value(group, _("Net charge"), text, FALSE);
}

static void
add_values(AdwPreferencesPage *page, DebyeResult *result)
{
  GListModel *fields = debye_result_get_fields(result), *curves = debye_result_get_curves(result);
  const guint n_fields = g_list_model_get_n_items(fields);
  if (n_fields + g_list_model_get_n_items(curves) == 0)
    return;
  AdwPreferencesGroup *group = add_group(page, _("Range of values"));
  for (guint i = 0; i < MIN(n_fields, MAX_QUANTITIES); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    add_field(group, field);
  }
  add_quantities(group, curves);
  add_net_charge(group, result);
}

/* --- Notes --- */

static void
add_notes(AdwPreferencesPage *page, DebyeResult *result, const char *title, gboolean warnings)
{
  GPtrArray *notes = debye_result_get_notes(result);
  AdwPreferencesGroup *group = NULL;
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (debye_note_is_warning(note) != warnings)
      continue;
    if (group == NULL)
      group = add_group(page, title);
    /* The heading says that it is a warning. */
    g_autofree char *words = debye_message_translate(note->message);
    g_autofree char *sentence = debye_true_minus_text(words);
    add_sentence(group, sentence);
  }
}

/* --- Settings --- */

static void
add_setting(AdwPreferencesGroup *group, DebyeRequest *request, const DebyeSetting *setting)
{
  gboolean is_on = FALSE;
  const char *value = debye_request_get(request, setting->key);
  const gboolean is_default = !debye_request_is_set(request, setting->key);
  g_autofree char *with_unit = debye_setting_with_unit(setting, debye_setting_text_of_choice(setting, value));
  g_autofree char *said = debye_setting_text_shorten(with_unit, MAX_LETTERS);
  const gboolean is_switch =
      setting->kind == DEBYE_SETTING_BOOLEAN && debye_setting_parse_boolean(value, &is_on);
  add_value(group, _(setting->label), is_switch ? (is_on ? _("on") : _("off")) : said, is_default);
}

static void
add_settings(AdwPreferencesPage *page, DebyeResult *result)
{
  DebyeRequest *request = debye_result_get_request(result);
  const DebyeSettingTable *table = debye_request_get_table(request);
  AdwPreferencesGroup *group = add_group(page, _("Settings"));
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    const char *value = debye_request_get(request, setting->key);
    if (value != NULL && *value != '\0' && debye_request_is_relevant(request, setting))
      add_setting(group, request, setting);
  }
}

/* --- The window --- */

static void
add_escape(GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(keys),
      gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0), gtk_named_action_new("window.close")));
  gtk_widget_add_controller(window, keys);
}

GtkWidget *
debye_result_details_new(GtkWindow *parent, DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), NULL);
  GtkWidget *window = adw_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new();
  AdwPreferencesPage *list = ADW_PREFERENCES_PAGE(page);
  AdwPreferencesGroup *first = add_group(list, NULL);
  GtkWidget *name = add_name(first, result);
  add_origin(first, result);
  add_notes(list, result, _("Warnings"), TRUE);
  add_values(list, result);
  add_settings(list, result);
  add_notes(list, result, _("Computation"), FALSE);
  gtk_widget_set_vexpand(page, TRUE);
  gtk_box_append(GTK_BOX(box), adw_header_bar_new());
  gtk_box_append(GTK_BOX(box), page);
  adw_window_set_content(ADW_WINDOW(window), box);
  gtk_window_set_title(GTK_WINDOW(window), _("Details of the result"));
  gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
  gtk_window_set_transient_for(GTK_WINDOW(window), parent);
  gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
  gtk_window_set_focus(GTK_WINDOW(window), name);
  add_escape(window);
  return window;
}
