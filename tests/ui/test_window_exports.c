/* SPDX-License-Identifier: MIT */
/* Where a file is to be written: the question goes with its window, and what it holds goes with the question. The hand-out of a
 * guide. */
#include "app/lessons/hand_out.h"
#include "app/window/window_exports.h"

#include <adwaita.h>
#include <glib/gstdio.h>

typedef struct {
  guint n_chosen, n_freed;
} Told;

static void
on_chosen(const char *path G_GNUC_UNUSED, gpointer data)
{
  ((Told *)data)->n_chosen++;
}

static void
on_freed(gpointer data)
{
  ((Told *)data)->n_freed++;
}

static void
iterate(void)
{
  for (int i = 0; i < 200 && g_main_context_pending(NULL); i++)
    g_main_context_iteration(NULL, FALSE);
}

/* The chooser goes when its lists have, which is looked at now and then. */
static void
wait_until_gone(GObject *const *object)
{
  const gint64 deadline = g_get_monotonic_time() + 60 * G_TIME_SPAN_SECOND;
  while (*object != NULL && g_get_monotonic_time() < deadline) {
    g_main_context_iteration(NULL, FALSE);
    g_usleep(1000);
  }
}

/* Of all that stand on the screen, the one that asks. */
static GtkFileChooser *
find_chooser(void)
{
  GListModel *windows = gtk_window_get_toplevels();
  for (guint i = 0; i < g_list_model_get_n_items(windows); i++) {
    g_autoptr(GtkWidget) window = g_list_model_get_item(windows, i);
    if (GTK_IS_FILE_CHOOSER(window) && gtk_widget_get_visible(window))
      return GTK_FILE_CHOOSER(window);
  }
  return NULL;
}

static DebyeWindow *
ask(Told *told)
{
  static const char *const suffixes[] = {"png", "Picture (PNG)", NULL};
  g_autoptr(DebyePreferences) preferences = debye_preferences_new();
  DebyeWindow *window = debye_window_new(NULL, preferences);
  gtk_window_present(GTK_WINDOW(window));
  debye_window_exports_choose_path(window, "Export", "picture.png", suffixes, on_chosen, told, on_freed);
  iterate();
  g_assert_nonnull(find_chooser());
  g_assert_cmpuint(told->n_freed, ==, 0);
  return window;
}

static void
test_window_gone(void)
{
  Told told = {0};
  DebyeWindow *window = ask(&told);
  gtk_window_destroy(GTK_WINDOW(window));
  iterate();
  g_assert_null(find_chooser());
  g_assert_cmpuint(told.n_freed, ==, 1);
  g_assert_cmpuint(told.n_chosen, ==, 0);
}

static void
test_cancelled(void)
{
  Told told = {0};
  DebyeWindow *window = ask(&told);
  gtk_dialog_response(GTK_DIALOG(find_chooser()), GTK_RESPONSE_CANCEL);
  iterate();
  g_assert_null(find_chooser());
  g_assert_cmpuint(told.n_freed, ==, 1);
  gtk_window_destroy(GTK_WINDOW(window));
  iterate();
  g_assert_cmpuint(told.n_freed, ==, 1);
  g_assert_cmpuint(told.n_chosen, ==, 0);
}

static gboolean
on_put_off(gpointer chooser)
{
  g_assert_nonnull(*(GtkFileChooser **)chooser);
  return G_SOURCE_REMOVE;
}

/* As GTK's chooser puts off the menu of a row that is clicked, with no hold on itself: the program could end.
 */
static void
test_put_off(void)
{
  Told told = {0};
  DebyeWindow *window = ask(&told);
  GtkFileChooser *chooser = find_chooser();
  g_object_add_weak_pointer(G_OBJECT(chooser), (gpointer *)&chooser);
  g_idle_add(on_put_off, &chooser);
  gtk_dialog_response(GTK_DIALOG(chooser), GTK_RESPONSE_CANCEL);
  wait_until_gone((GObject **)&chooser);
  g_assert_null(chooser);
  g_assert_cmpuint(told.n_freed, ==, 1);
  gtk_window_destroy(GTK_WINDOW(window));
  iterate();
}

/* --- Endings --- */

static void
on_path(const char *path, gpointer data)
{
  g_free(*(char **)data);
  *(char **)data = g_path_get_basename(path);
}

/* The path that is given where a person saves under this name in a dialog that proposed “plot.svg”; NULL: the dialog asks
 * again. */
static char *
save_as(DebyeWindow *window, const char *folder, const char *name)
{
  static const char *const suffixes[] = {"svg", "Picture (SVG)", "png", "Picture (PNG)", NULL};
  g_autoptr(GFile) place = g_file_new_for_path(folder);
  char *given = NULL;
  debye_window_exports_choose_path(window, "Export", "plot.svg", suffixes, on_path, &given, NULL);
  iterate();
  GtkFileChooser *chooser = find_chooser();
  g_assert_nonnull(chooser);
  gtk_file_chooser_set_current_folder(chooser, place, NULL);
  gtk_file_chooser_set_current_name(chooser, name);
  const gint64 deadline = g_get_monotonic_time() + 60 * G_TIME_SPAN_SECOND;
  while (given == NULL && find_chooser() == chooser && g_get_monotonic_time() < deadline) {
    gtk_dialog_response(GTK_DIALOG(chooser), GTK_RESPONSE_ACCEPT);
    iterate();
  }
  if (find_chooser() != NULL)
    gtk_dialog_response(GTK_DIALOG(find_chooser()), GTK_RESPONSE_CANCEL);
  iterate();
  return given;
}

/* The chooser selects “plot”, so that “x.png” becomes “x.png.svg”. Before a file is replaced the chooser asks. */
static void
test_endings(void)
{
  static const char *const names[][2] = {{"x.png.svg", "x.png"},
                                         {"x.svg", "x.svg"},
                                         {"x.dat.svg", "x.dat.svg"},
                                         {"x", "x.svg"},
                                         {"there.png.svg", NULL}};
  g_autofree char *folder = g_dir_make_tmp("exports-XXXXXX", NULL),
                  *there = g_build_filename(folder, "there.png", NULL);
  g_autoptr(DebyePreferences) preferences = debye_preferences_new();
  DebyeWindow *window = debye_window_new(NULL, preferences);
  gtk_window_present(GTK_WINDOW(window));
  g_assert_true(g_file_set_contents(there, "", 0, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *given = save_as(window, folder, names[i][0]);
    g_assert_cmpstr(given, ==, names[i][1]);
  }
  gtk_window_destroy(GTK_WINDOW(window));
  iterate();
  g_remove(there);
  g_rmdir(folder);
}

/* --- Hand-out --- */

/* With answers the page has more to say than with lines; steps that don't fit go to further pages. */
static void
test_hand_out(void)
{
  DebyeSampleStep step = {.title = "A step & more", .text = "Why?", .answer = "Because.", .minutes = 5};
  DebyeSample sample = {.title = "A lecture", .description = "Of a few steps"};
  g_autofree char *folder = g_dir_make_tmp("hand-out-XXXXXX", NULL),
                  *path = g_build_filename(folder, "hand-out.pdf", NULL),
                  *nowhere = g_build_filename(folder, "none", "hand-out.pdf", NULL);
  g_autoptr(GError) error = NULL;
  gsize sizes[2] = {0};
  sample.steps = g_array_new(FALSE, FALSE, sizeof step);
  for (int i = 0; i < 20; i++)
    g_array_append_val(sample.steps, step);
  for (int has_answers = 0; has_answers < 2; has_answers++) {
    g_autofree char *bytes = NULL;
    g_assert_true(debye_hand_out_save(&sample, has_answers, path, &error));
    g_assert_no_error(error);
    g_assert_true(g_file_get_contents(path, &bytes, &sizes[has_answers], NULL));
    g_assert_true(g_str_has_prefix(bytes, "%PDF-"));
  }
  g_assert_cmpuint(sizes[0], !=, sizes[1]);
  g_assert_false(debye_hand_out_save(&sample, TRUE, nowhere, &error));
  g_assert_nonnull(error);
  g_remove(path);
  g_rmdir(folder);
  g_array_unref(sample.steps);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/window-exports/window-gone", test_window_gone);
  g_test_add_func("/window-exports/cancelled", test_cancelled);
  g_test_add_func("/window-exports/put-off", test_put_off);
  g_test_add_func("/window-exports/endings", test_endings);
  g_test_add_func("/window-exports/hand-out", test_hand_out);
  return g_test_run();
}
