/* SPDX-License-Identifier: MIT */
/* Rows of a form: what is typed reaches the request, what the table refuses stays out and says why at the
 * row. */
#include <adwaita.h>
#include <locale.h>
#include <math.h>

#include "data/messages/time_text.h"
#include "data/molecule/topology.h"
#include "data/selection/selection.h"
#include "ui/forms/form_page.h"
#include "ui/scene/layer_controls.h"
#include "ui/widgets/number_slider.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/pair_list.h"
#include "ui/forms/request_history.h"
#include "ui/widgets/selection_entry.h"
#include "ui/widgets/setting_row.h"
#include "ui/widgets/setting_text.h"

static const DebyeChoice units[] = {
    {"kT/e", "kT/e", "thermal energy per charge"},
    {"V", "Volt", "the unit of everyday life"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "spacing",
     .label = "Grid spacing",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.01,
     .maximum = 100.0,
     .help = "distance between grid points",
     .basic = TRUE},
    {.key = "unit",
     .label = "Unit",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "kT/e",
     .choices = units,
     .help = "unit of the map",
     .basic = TRUE},
    {.key = "temperature",
     .label = "Temperature",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1.0,
     .maximum = 1e4,
     .initial = "300",
     .help = "of the unit kT/e",
     .needs = (const char *const[]){"unit", "kT/e", NULL}},
    {.key = "pair",
     .label = "Pairs",
     .kind = DEBYE_SETTING_SELECTION_PAIR,
     .repeated = TRUE,
     .help = "atoms around which others are counted"},
    {.key = "origin", .label = "Origin", .kind = DEBYE_SETTING_VECTOR},
    {.key = "q", .label = "Wave numbers", .kind = DEBYE_SETTING_TEXT, .numbers = TRUE},
    {.key = "names", .label = "Names", .kind = DEBYE_SETTING_TEXT},
    {.key = "superpose",
     .label = "Superpose",
     .kind = DEBYE_SETTING_SELECTION,
     .initial = "solute",
     .unset_differs = TRUE,
     .help = "atoms that are laid on a reference"},
    {.key = "bin-size",
     .label = "Bin size",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .derived = TRUE,
     .constant = "4"},
    {.key = "cutoff", .label = "Cutoff", .kind = DEBYE_SETTING_NUMBER, .derived = TRUE},
    {.key = "double", .label = "Double precision", .kind = DEBYE_SETTING_BOOLEAN, .initial = "false"},
};

static const DebyeSettingTable table = {
    .id = "test",
    .title = "Test",
    .question = "Does it work?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

static DebyeSettingRow *
create_row(DebyeRequest *request, const char *key)
{
  GtkWidget *row = debye_setting_row_new(debye_setting_table_find(&table, key), request);
  return DEBYE_SETTING_ROW(g_object_ref_sink(row));
}

/* Unset, the row shows what the data decided, and the request stays unset; what a person typed, or an entry
 * that is empty to be typed in, stays. */
static void
test_decided_atoms(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "superpose");
  DebyeSelectionEntry *entry = DEBYE_SELECTION_ENTRY(debye_setting_row_get_control(row));
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "solute");
  debye_setting_row_set_suggestion(row, "none");
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "none");
  g_assert_false(debye_request_is_set(request, "superpose"));
  debye_setting_row_set_suggestion(row, "solute");
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "solute");
  debye_selection_entry_set_text(entry, "");
  debye_setting_row_set_suggestion(row, "none");
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "");
  g_assert_true(debye_request_set(request, "superpose", "name CA", NULL));
  debye_setting_row_set_suggestion(row, "none");
  g_assert_cmpstr(debye_selection_entry_get_text(entry), ==, "name CA");
}

static void
test_number(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "spacing");
  GtkEditable *entry = GTK_EDITABLE(debye_setting_row_get_control(row));
  gtk_editable_set_text(entry, "0.5");
  g_assert_cmpstr(debye_request_get(request, "spacing"), ==, "0.5");
  g_assert_null(debye_setting_row_get_problem(row));

  gtk_editable_set_text(entry, "wide");
  g_assert_cmpstr(debye_request_get(request, "spacing"), !=, "wide");
  g_assert_true(debye_setting_row_is_refused(row));
  g_assert_nonnull(strstr(debye_setting_row_get_problem(row), "Grid spacing"));
  g_assert_true(gtk_widget_has_css_class(GTK_WIDGET(entry), "error"));

  gtk_editable_set_text(entry, "");
  g_assert_false(debye_request_is_set(request, "spacing"));
  g_assert_null(debye_setting_row_get_problem(row));
  debye_setting_row_set_suggestion(row, "0.7");
  g_assert_cmpstr(gtk_entry_get_placeholder_text(GTK_ENTRY(entry)), ==, "0.7");
}

/* What an empty entry stands for: the constant that it is, or that it follows from something, or nothing. */
static void
test_placeholders(void)
{
  static const char *const cases[][2] = {
      {"bin-size", "4"}, {"cutoff", "automatic"}, {"temperature", "300"}, {"spacing", "none"}};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeSettingRow) row = create_row(request, cases[i][0]);
    GtkWidget *entry = debye_setting_row_get_control(row);
    g_assert_cmpstr(gtk_entry_get_placeholder_text(GTK_ENTRY(entry)), ==, cases[i][1]);
    debye_setting_row_set_suggestion(row, NULL);
    g_assert_cmpstr(gtk_entry_get_placeholder_text(GTK_ENTRY(entry)), ==, cases[i][1]);
    g_assert_false(debye_request_is_set(request, cases[i][0]));
  }
}

/* A request that changes elsewhere (a sample's settings) shows in the row, and doesn't come back as the
 * user's. */
static void
test_follows_request(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) spacing = create_row(request, "spacing");
  g_autoptr(DebyeSettingRow) unit = create_row(request, "unit");
  g_assert_false(debye_request_is_set(request, "unit"));
  debye_request_set(request, "spacing", "2", NULL);
  debye_request_set(request, "unit", "V", NULL);
  GtkEditable *entry = GTK_EDITABLE(debye_setting_row_get_control(spacing));
  g_assert_cmpstr(gtk_editable_get_text(entry), ==, "2");
  gtk_editable_set_text(entry, "2 of them");
  g_assert_true(debye_setting_row_is_refused(spacing));
  debye_request_set(request, "spacing", "3", NULL);
  g_assert_cmpstr(gtk_editable_get_text(entry), ==, "3");
  g_assert_false(debye_setting_row_is_refused(spacing));
  g_assert_cmpuint(gtk_drop_down_get_selected(GTK_DROP_DOWN(debye_setting_row_get_control(unit))), ==, 1);
}

static void
test_choice_and_switch(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) unit = create_row(request, "unit");
  g_autoptr(DebyeSettingRow) precision = create_row(request, "double");
  gtk_drop_down_set_selected(GTK_DROP_DOWN(debye_setting_row_get_control(unit)), 1);
  g_assert_cmpstr(debye_request_get(request, "unit"), ==, "V");
  gtk_switch_set_active(GTK_SWITCH(debye_setting_row_get_control(precision)), TRUE);
  g_assert_true(debye_request_get_boolean(request, "double"));
}

/* A text that the entry itself calls wrong is called so once: the row repeats neither the reason nor the mark. Another
 * reason, which the entry can't know, is the row's. */
static void
test_problem_of_entry(void)
{
  static const char *const reason = "selection: column 1: expected a word";
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "pair");
  GtkWidget *pairs = debye_setting_row_get_control(row);
  debye_setting_row_set_system(row, topology, NULL);
  debye_setting_row_set_problem(row, reason);
  while (!gtk_widget_has_css_class(pairs, "error"))
    g_main_context_iteration(NULL, TRUE);
  debye_pair_list_set_text(DEBYE_PAIR_LIST(pairs), "nam OW | name OW");
  g_autoptr(GError) error = NULL;
  guint column;
  g_assert_null(debye_selection_parse("nam OW", &column, &error));
  while (!debye_pair_list_shows(DEBYE_PAIR_LIST(pairs), error->message) ||
         debye_pair_list_is_pending(DEBYE_PAIR_LIST(pairs)))
    g_main_context_iteration(NULL, TRUE);
  g_assert_true(gtk_widget_has_css_class(pairs, "error"));
  /* Below the entry nothing says again that it is a selection. */
  g_autofree char *said = debye_setting_text_of_problem(error->message);
  g_assert_true(g_str_has_prefix(said, "Column 1: "));
  g_autofree char *other = debye_setting_text_of_problem("run.xtc: expected frames");
  g_assert_cmpstr(other, ==, "run.xtc: expected frames");
  debye_setting_row_set_problem(row, error->message);
  g_assert_false(gtk_widget_has_css_class(pairs, "error"));
  g_assert_cmpstr(debye_setting_row_get_problem(row), ==, error->message);
  debye_pair_list_set_text(DEBYE_PAIR_LIST(pairs), "name OW | name OW");
  while (!gtk_widget_has_css_class(pairs, "error"))
    g_main_context_iteration(NULL, TRUE);
}

/* Nothing is said of half a word before the entry has looked at it. */
static void
test_problem_while_typing(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "pair");
  GtkWidget *pairs = debye_setting_row_get_control(row);
  debye_setting_row_set_system(row, topology, NULL);
  debye_pair_list_set_text(DEBYE_PAIR_LIST(pairs), "element ( | name OW");
  debye_setting_row_set_problem(row, "selection: half a word");
  g_assert_true(debye_pair_list_is_pending(DEBYE_PAIR_LIST(pairs)));
  g_assert_false(gtk_widget_has_css_class(pairs, "error"));
  while (debye_pair_list_is_pending(DEBYE_PAIR_LIST(pairs)))
    g_main_context_iteration(NULL, TRUE);
  g_assert_true(gtk_widget_has_css_class(pairs, "error"));
}

/* Names for screen readers, made from the table. */
static void
test_accessible_name(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "spacing");
  gtk_test_accessible_assert_property(GTK_ACCESSIBLE(debye_setting_row_get_control(row)),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, "Grid spacing");
}

static void
test_form_can_run(void)
{
  g_autoptr(DebyeAnalysisForm) form = debye_analysis_form_new(&table);
  g_autoptr(GtkWidget) page = g_object_ref_sink(debye_form_page_new(form));
  g_assert_false(debye_analysis_form_can_run(form));
  debye_analysis_form_set_suggested(form, debye_analysis_form_get_request(form));
  debye_analysis_form_set_problem(form, NULL, NULL);
  g_assert_true(debye_analysis_form_can_run(form));
  debye_analysis_form_set_refused(form, TRUE);
  g_assert_false(debye_analysis_form_can_run(form));
  debye_analysis_form_set_refused(form, FALSE);
  debye_analysis_form_set_problem(form, "spacing", "Grid spacing: too fine for the memory there is");
  g_assert_false(debye_analysis_form_can_run(form));
}

static void
test_number_text(void)
{
  double value = 0.0;
  static const struct {
    double value;
    const char *text;
  } sentences[] = {{-10180.0, "−1.018\u00a0×\u00a010⁴"}, {1018.0, "1018"}, {2.5e-12, "2.5\u00a0×\u00a010⁻¹²"},
                   {1e20, "1\u00a0×\u00a010²⁰"},         {-0.25, "−0.25"}, {NAN, "–"}};
  for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++) {
    g_autofree char *sentence = debye_number_sentence(sentences[i].value, 4);
    g_assert_cmpstr(sentence, ==, sentences[i].text);
  }
  g_autofree char *negative = debye_number_text(-2.5, 3);
  static const struct {
    double seconds;
    const char *text;
  } times[] = {{140.0, "140 s"},        {21.8, "21.8 s"},   {0.99996, "1 s"},
               {0.0218, "21.8 ms"},     {3.2e-6, "3.2 µs"}, {4e-8, "0.04 µs"},
               {140000.0, "140,000 s"}, {0.0, "0 s"},       {NAN, "–"}};
  for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
    g_autofree char *time = debye_time_text(times[i].seconds);
    g_assert_cmpstr(time, ==, times[i].text);
  }
  g_autofree char *count = debye_count_text(1234567);
  g_assert_cmpstr(negative, ==, "−2.5");
  g_assert_cmpstr(count, ==, "1,234,567");
  g_autofree char *grouped = debye_group_digits("The first 20000 of 1234 atoms, 1.23456 Å, H2000, 999");
  g_assert_cmpstr(grouped, ==, "The first 20,000 of 1,234 atoms, 1.23456 Å, H2000, 999");
  g_assert_true(debye_number_parse(" −2.5 ", &value));
  g_assert_cmpfloat(value, ==, -2.5);
  g_assert_true(debye_number_parse("1.5", &value));
  g_assert_false(debye_number_parse("1,234,567", &value));
  g_assert_false(debye_number_parse("1,234.5", &value));
  g_assert_false(debye_number_parse("nan", &value));
}

/* A comma is decimal where the locale says so, and refused where it would part thousands. */
static void
test_decimal_comma(void)
{
  const gboolean is_decimal = g_str_equal(localeconv()->decimal_point, ",");
  double value = 0.0;
  g_assert_cmpint(debye_number_parse("1,5", &value), ==, is_decimal);
  g_assert_cmpfloat(value, ==, is_decimal ? 1.5 : 0.0);
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  DebyeSettingRow *row = g_object_ref_sink(DEBYE_SETTING_ROW(debye_setting_row_new(&settings[0], request)));
  gtk_editable_set_text(GTK_EDITABLE(debye_setting_row_get_control(row)), "0,25");
  g_assert_cmpint(debye_setting_row_is_refused(row), ==, !is_decimal);
  g_assert_cmpstr(debye_request_get(request, "spacing"), ==, is_decimal ? "0.25" : NULL);
  g_object_unref(row);
}

static void
assert_read(const char *key, const char *typed, const char *expected)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, key);
  gtk_editable_set_text(GTK_EDITABLE(debye_setting_row_get_control(row)), typed);
  g_assert_cmpstr(debye_request_get(request, key), ==, expected);
}

/* Semicolons part numbers in every language, so that commas may be decimal; without them commas part. */
static void
test_lists_of_numbers(void)
{
  const gboolean is_decimal = g_str_equal(localeconv()->decimal_point, ",");
  assert_read("origin", "1.5, 2, -3", "1.5, 2, -3");
  assert_read("origin", "1.5; 2; -3", "1.5,2,-3");
  assert_read("origin", "1,5; 2; -3,25", is_decimal ? "1.5,2,-3.25" : NULL);
  assert_read("origin", "1,2,3", "1,2,3");
  assert_read("q", "0.1; 0.2", "0.1,0.2");
  assert_read("q", "0,1:3:0,05", is_decimal ? "0.1:3:0.05" : "0,1:3:0,05");
  assert_read("q", "select:resname A,B", "select:resname A,B");
  assert_read("names", "a; b", "a; b");
}

/* A row that asks for atoms waits until some are chosen; others have a value or take none. */
static void
test_waiting(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  DebyeSettingRow *pair = create_row(request, "pair");
  DebyeSettingRow *spacing = create_row(request, "spacing");
  g_assert_true(debye_setting_row_is_waiting(pair));
  g_assert_false(debye_setting_row_is_waiting(spacing));
  debye_request_set(request, "pair", "name O | name H", NULL);
  g_assert_false(debye_setting_row_is_waiting(pair));
  g_object_unref(spacing);
  g_object_unref(pair);
}

/* The entry may go where the slider doesn't reach. */
static void
test_slider_beyond_its_ends(void)
{
  g_autoptr(GtkWidget) slider = g_object_ref_sink(debye_number_slider_new("Level", 0.0, 10.0, "V"));
  debye_number_slider_set_value(DEBYE_NUMBER_SLIDER(slider), 25.0);
  g_assert_cmpfloat(debye_number_slider_get_value(DEBYE_NUMBER_SLIDER(slider)), ==, 25.0);
}

/* The n-th text of the list, row by row. */
static DebyeSelectionEntry *
find_side(GtkWidget *widget, guint *n)
{
  if (DEBYE_IS_SELECTION_ENTRY(widget))
    return (*n)-- == 0 ? DEBYE_SELECTION_ENTRY(widget) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    DebyeSelectionEntry *found = find_side(child, n);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
type_side(DebyePairList *list, guint n, const char *text)
{
  DebyeSelectionEntry *side = find_side(GTK_WIDGET(list), &n);
  g_assert_nonnull(side);
  debye_selection_entry_set_text(side, text);
}

static void
test_pairs(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "pair");
  DebyePairList *list = DEBYE_PAIR_LIST(debye_setting_row_get_control(row));
  g_assert_cmpuint(debye_pair_list_get_n_rows(list), ==, 1);
  g_assert_false(debye_request_is_set(request, "pair"));

  type_side(list, 0, "name OW");
  g_assert_cmpstr(debye_request_get(request, "pair"), ==, "name OW | all");
  type_side(list, 1, "name OW");
  debye_pair_list_add(list);
  g_assert_cmpstr(debye_request_get(request, "pair"), ==, "name OW | name OW");
  type_side(list, 2, "name NA");
  type_side(list, 3, "element H");
  g_assert_cmpstr(debye_request_get(request, "pair"), ==, "name OW | name OW\nname NA | element H");

  debye_pair_list_remove(list, 0);
  g_assert_cmpstr(debye_request_get(request, "pair"), ==, "name NA | element H");
  debye_pair_list_remove(list, 0);
  g_assert_cmpuint(debye_pair_list_get_n_rows(list), ==, 1);
  g_assert_false(debye_request_is_set(request, "pair"));
}

static void
check_hints(DebyePairList *list, guint first, gboolean are_all)
{
  for (guint n = first; n < first + 2; n++) {
    guint wanted = n;
    DebyeSelectionEntry *side = find_side(GTK_WIDGET(list), &wanted);
    g_assert_cmpint(g_str_equal(debye_selection_entry_get_hint(side), "all"), ==, are_all);
  }
}

/* What an empty side says is what it stands for: all atoms beside some, nothing in a row without any. */
static void
test_empty_sides(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "pair");
  DebyePairList *list = DEBYE_PAIR_LIST(debye_setting_row_get_control(row));
  check_hints(list, 0, FALSE);
  type_side(list, 1, "name OW");
  check_hints(list, 0, TRUE);
  g_assert_cmpstr(debye_request_get(request, "pair"), ==, "all | name OW");
  debye_pair_list_add(list);
  check_hints(list, 2, FALSE);
  type_side(list, 1, "");
  check_hints(list, 0, FALSE);
  g_assert_false(debye_request_is_set(request, "pair"));
}

static void
test_pasted_pairs(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeSettingRow) row = create_row(request, "pair");
  DebyePairList *list = DEBYE_PAIR_LIST(debye_setting_row_get_control(row));
  type_side(list, 0, "name OW | name OW\nname NA|name CL");
  g_assert_cmpuint(debye_pair_list_get_n_rows(list), ==, 2);
  g_assert_cmpstr(debye_request_get(request, "pair"), ==, "name OW | name OW\nname NA | name CL");
  /* From elsewhere, as a sample's command does. */
  g_assert_true(debye_request_set(request, "pair", "protein | water", NULL));
  g_assert_cmpuint(debye_pair_list_get_n_rows(list), ==, 1);
  g_autofree char *text = debye_pair_list_get_text(list);
  g_assert_cmpstr(text, ==, "protein | water");
}

/* Whoever only looks at the entry changes nothing. */
static void
test_slider_untouched(void)
{
  g_autoptr(GtkWidget) slider = g_object_ref_sink(debye_number_slider_new("Level", -10.0, 10.0, "kT/e"));
  GtkWidget *entry = gtk_widget_get_next_sibling(gtk_widget_get_first_child(slider));
  debye_number_slider_set_value(DEBYE_NUMBER_SLIDER(slider), 1.23456789);
  g_assert_true(GTK_IS_ENTRY(entry));
  g_signal_emit_by_name(entry, "activate");
  g_assert_cmpfloat(debye_number_slider_get_value(DEBYE_NUMBER_SLIDER(slider)), ==, 1.23456789);
  gtk_editable_set_text(GTK_EDITABLE(entry), "1.5");
  g_signal_emit_by_name(entry, "activate");
  g_assert_cmpfloat(debye_number_slider_get_value(DEBYE_NUMBER_SLIDER(slider)), ==, 1.5);
}

/* --- Undo --- */

static void
set_by_hand(DebyeRequestHistory *history, DebyeRequest *request, const char *key, const char *value)
{
  debye_request_history_edit(history, key);
  debye_request_set(request, key, value, NULL);
}

static void
assert_set(DebyeRequest *request, const char *key, const char *value)
{
  g_assert_cmpstr(debye_request_is_set(request, key) ? debye_request_get(request, key) : NULL, ==, value);
}

/* One setting after the other, and what was typed in one go at once. */
static void
test_history(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeRequestHistory) history = debye_request_history_new(request);
  g_assert_false(debye_request_history_undo(history));
  set_by_hand(history, request, "spacing", "0");
  set_by_hand(history, request, "spacing", "0.5");
  set_by_hand(history, request, "unit", "V");
  set_by_hand(history, request, "spacing", "0.25");
  g_assert_true(debye_request_history_undo(history));
  assert_set(request, "spacing", "0.5");
  assert_set(request, "unit", "V");
  g_assert_true(debye_request_history_undo(history));
  assert_set(request, "unit", NULL);
  g_assert_true(debye_request_history_undo(history));
  assert_set(request, "spacing", NULL);
  g_assert_false(debye_request_history_undo(history));
  for (int i = 0; i < 3; i++)
    g_assert_true(debye_request_history_redo(history));
  assert_set(request, "spacing", "0.25");
  assert_set(request, "unit", "V");
  g_assert_false(debye_request_history_redo(history));
}

/* What the table refused is no step, what the program set stays, and a new edit ends the way forth. */
static void
test_history_of_hands(void)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(DebyeRequestHistory) history = debye_request_history_new(request);
  set_by_hand(history, request, "unit", "V");
  set_by_hand(history, request, "spacing", "wide");
  debye_request_set(request, "temperature", "310", NULL);
  g_assert_true(debye_request_history_undo(history));
  assert_set(request, "unit", NULL);
  assert_set(request, "temperature", "310");
  set_by_hand(history, request, "double", "true");
  g_assert_false(debye_request_history_redo(history));
  assert_set(request, "unit", NULL);
}

static GtkWidget *
find_button(GtkWidget *widget, const char *icon)
{
  if (GTK_IS_BUTTON(widget) && g_strcmp0(gtk_button_get_icon_name(GTK_BUTTON(widget)), icon) == 0)
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_button(child, icon);
  return found;
}

/* Back to what the form began with: the defaults, and what was advised for this molecule. */
static void
test_form_reset(void)
{
  g_autoptr(DebyeAnalysisForm) form = debye_analysis_form_new(&table);
  DebyeRequest *request = debye_analysis_form_get_request(form);
  debye_analysis_form_advise(form, "unit", "V", "it has no temperature");
  g_autoptr(GtkWidget) page = g_object_ref_sink(debye_form_page_new(form));
  debye_request_set(request, "unit", "kT/e", NULL);
  debye_request_set(request, "spacing", "0.5", NULL);
  debye_request_set(request, "pair", "protein | water", NULL);
  g_signal_emit_by_name(find_button(page, "edit-undo-symbolic"), "clicked");
  assert_set(request, "unit", "V");
  assert_set(request, "spacing", NULL);
  assert_set(request, "pair", NULL);
  g_assert_cmpstr(debye_analysis_form_get_advice(form, "unit"), ==, "it has no temperature");
}

/* Of the first widget of this type within one, itself included. */
static GtkWidget *
find_type(GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE(widget, type) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_type(child, type);
  return found;
}

/* "0:-1" would be "1-:0", and "−3.2" "3.2−". */
static void
test_right_to_left(void)
{
  gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_autoptr(GtkWidget) row = g_object_ref_sink(debye_setting_row_new(&settings[2], request));
  g_autoptr(GtkWidget) slider = g_object_ref_sink(debye_number_slider_new("Level", -5.0, 5.0, "kT/e"));
  GtkWidget *text = find_type(row, GTK_TYPE_TEXT);
  g_assert_cmpint(gtk_widget_get_direction(row), ==, GTK_TEXT_DIR_RTL);
  g_assert_cmpint(gtk_widget_get_direction(text), ==, GTK_TEXT_DIR_LTR);
  g_assert_cmpint(gtk_widget_get_direction(find_type(text, GTK_TYPE_LABEL)), ==, GTK_TEXT_DIR_LTR);
  g_assert_cmpint(gtk_widget_get_direction(find_type(slider, GTK_TYPE_TEXT)), ==, GTK_TEXT_DIR_LTR);
  gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR);
}

static gboolean
says(GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL(widget) && g_str_equal(gtk_label_get_label(GTK_LABEL(widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (says(child, text))
      return TRUE;
  return FALSE;
}

/* A file's name must not make the list of layers wider. */
static void
test_long_choice(void)
{
  static const char *const names[] = {
      "potential, the one of the whole protein without its ligand at twice the resolution.dx", NULL};
  int least, natural;
  GtkWidget *window = gtk_window_new();
  GtkWidget *choice =
      debye_layer_controls_drop_down(G_LIST_MODEL(gtk_string_list_new(names)),
                                     gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string"));
  gtk_window_set_child(GTK_WINDOW(window), choice);
  gtk_widget_measure(choice, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  g_assert_true(says(choice, names[0]));
  g_assert_cmpint(natural, <, 200);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* A file's name, a setting and a symbol keep their letters. */
static void
test_remark_case(void)
{
  static const char *const cases[][2] = {{"no charges for 3 atoms", "No charges for 3 atoms"},
                                         {"a bond is long", "A bond is long"},
                                         {"water, too", "Water, too"},
                                         {"water.pdb: 3 atoms", "water.pdb: 3 atoms"},
                                         {"--cell: no cell", "--cell: no cell"},
                                         {"q² is small", "q² is small"},
                                         {"", ""}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *sentence = debye_remark_case(cases[i][0]);
    g_assert_cmpstr(sentence, ==, cases[i][1]);
  }
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/setting-row/remark-case", test_remark_case);
  g_test_add_func("/setting-row/problem-while-typing", test_problem_while_typing);
  g_test_add_func("/setting-row/problem-of-entry", test_problem_of_entry);
  g_test_add_func("/setting-row/number", test_number);
  g_test_add_func("/setting-row/placeholders", test_placeholders);
  g_test_add_func("/setting-row/decided-atoms", test_decided_atoms);
  g_test_add_func("/setting-row/follows-request", test_follows_request);
  g_test_add_func("/setting-row/choice-and-switch", test_choice_and_switch);
  g_test_add_func("/setting-row/accessible-name", test_accessible_name);
  g_test_add_func("/form-page/can-run", test_form_can_run);
  g_test_add_func("/number-text/both-ways", test_number_text);
  g_test_add_func("/setting-row/waiting", test_waiting);
  g_test_add_func("/number-text/decimal-comma", test_decimal_comma);
  g_test_add_func("/number-text/lists-of-numbers", test_lists_of_numbers);
  g_test_add_func("/setting-row/pairs", test_pairs);
  g_test_add_func("/setting-row/empty-sides", test_empty_sides);
  g_test_add_func("/setting-row/pasted-pairs", test_pasted_pairs);
  g_test_add_func("/number-slider/beyond-its-ends", test_slider_beyond_its_ends);
  g_test_add_func("/number-slider/untouched", test_slider_untouched);
  g_test_add_func("/request-history/back-and-forth", test_history);
  g_test_add_func("/request-history/of-hands", test_history_of_hands);
  g_test_add_func("/form-page/reset", test_form_reset);
  g_test_add_func("/number-entry/right-to-left", test_right_to_left);
  g_test_add_func("/layer-controls/long-choice", test_long_choice);
  return g_test_run();
}
