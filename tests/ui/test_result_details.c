/* SPDX-License-Identifier: MIT */
/* The window of one result: what it lists, and the name that is edited in it. */
#include "ui/forms/result_details.h"

static const DebyeChoice methods[] = {{"direct", "Direct sum", "all"}, {NULL, NULL, NULL}};
static const DebyeSetting settings[] = {
    {.key = "method",
     .label = "Method",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = methods,
     .help = "how"},
    {.key = "cutoff", .label = "Cutoff", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, .help = "to where"},
    {.key = "padding", .label = "Padding", .unit = "Å", .kind = DEBYE_SETTING_NUMBER, .help = "around"},
};
static const DebyeSettingTable table = {.id = "test",
                                        .title = "Test",
                                        .question = "?",
                                        .settings = settings,
                                        .n_settings = G_N_ELEMENTS(settings)};

/* A map from −2 to 5 kT/e of three atoms with −1 e and one with +0.5 e. */
static DebyeResult *
create_result(void)
{
  static const double counts[] = {3.0, 1.0}, charges[] = {-1.0, 0.5};
  const DebyeGrid grid = {
      .step = {debye_vec3(1.0, 0.0, 0.0), debye_vec3(0.0, 1.0, 0.0), debye_vec3(0.0, 0.0, 1.0)},
      .shape = {2, 1, 1}};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  g_assert_true(debye_request_set(request, "cutoff", "12", NULL));
  DebyeResult *result = debye_result_new(request, "Electrostatic potential");
  g_autoptr(DebyeField) field =
      debye_field_new_take("potential", &grid, g_memdup2((float[]){-2.0f, 5.0f}, 2 * sizeof(float)), "kT/e");
  g_autoptr(DebyeTable) weights = debye_table_new(DEBYE_TABLE_OF_WEIGHTS);
  debye_table_add_numbers(weights, &(DebyeQuantity){"number", "atoms", NULL}, 2, counts);
  debye_table_add_numbers(weights, &(DebyeQuantity){"charge", "charge", "e"}, 2, charges);
  debye_result_add_field(result, field);
  debye_result_add_table(result, weights);
  debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL, "the cell is small");
  debye_result_add_note_of(result, DEBYE_NOTE_DEVICE, "CPU", "CPU: one core");
  return result;
}

static GtkWidget *
find(GtkWidget *widget, GType type, const char *text)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE(widget, type) &&
      (text == NULL || g_str_equal(gtk_label_get_label(GTK_LABEL(widget)), text)))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find(child, type, text);
  return found;
}

static void
test_lists(void)
{
  static const char *const texts[] = {"Warnings",   "The cell is small", "Range of values", "Potential",
                                      "Net charge", "Settings",          "Cutoff",          "12 Å",
                                      "Method",     "Direct sum",        "Computation",     "CPU: one core"};
  g_autoptr(DebyeResult) result = create_result();
  GtkWidget *window = debye_result_details_new(NULL, result);
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_test_message("%s", texts[i]);
    g_assert_nonnull(find(window, GTK_TYPE_LABEL, texts[i]));
  }
  g_assert_nonnull(find(window, GTK_TYPE_LABEL, "−2 to 5 kT/e"));
  g_assert_nonnull(find(window, GTK_TYPE_LABEL, "−2.5 e"));
  g_assert_null(find(window, GTK_TYPE_LABEL, "Padding"));
  /* A default is grey, what was set isn't. */
  g_assert_true(gtk_widget_has_css_class(find(window, GTK_TYPE_LABEL, "Direct sum"), "dim-label"));
  g_assert_false(gtk_widget_has_css_class(find(window, GTK_TYPE_LABEL, "12 Å"), "dim-label"));
  gtk_window_destroy(GTK_WINDOW(window));
}

static void
count(gpointer result G_GNUC_UNUSED, guint *n)
{
  (*n)++;
}

static void
test_name(void)
{
  g_autoptr(DebyeResult) result = create_result();
  guint n = 0;
  GtkWidget *window = debye_result_details_new(NULL, result);
  g_signal_connect(result, "renamed", G_CALLBACK(count), &n);
  gtk_editable_set_text(GTK_EDITABLE(find(window, GTK_TYPE_ENTRY, NULL)), "With salt");
  g_autofree char *name = debye_result_dup_name(result);
  g_assert_cmpstr(name, ==, "With salt");
  g_assert_cmpuint(n, >, 0);
  gtk_window_destroy(GTK_WINDOW(window));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/result-details/lists", test_lists);
  g_test_add_func("/result-details/name", test_name);
  return g_test_run();
}
