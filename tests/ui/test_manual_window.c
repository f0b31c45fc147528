/* SPDX-License-Identifier: MIT */
/* The manual's window: its pages, links, search, and a picture of each page to look at. */
#include <locale.h>
#include <string.h>

#include "ui/manual/manual_markup.h"
#include "ui/manual/manual_window.h"

#define FOLDER "/org/debye/Debye/manual"

static void
check_markup(const char *text, const char *expected)
{
  g_autofree char *markup = debye_manual_markup(text);
  g_assert_cmpstr(markup, ==, expected);
}

static void
test_markup(void)
{
  check_markup("a < b & `c*d*` **e** *f*", "a &lt; b &amp; <tt>c*d*</tt> <b>e</b> <i>f</i>");
  check_markup("[the **map**](map.md).", "<a href=\"map.md\">the <b>map</b></a>.");
  check_markup("2 * 3 * 4, a`b, [x] (y)", "2 * 3 * 4, a`b, [x] (y)");
  g_autofree char *plain = debye_manual_plain("`a` & **b** [c](d.md)");
  g_assert_cmpstr(plain, ==, "a & b c");
}

static gboolean
on_late(gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait(guint milliseconds)
{
  gboolean late = FALSE;
  g_timeout_add(milliseconds, on_late, &late);
  while (!late)
    g_main_context_iteration(NULL, TRUE);
}

static GtkWidget *
find_widget(GtkWidget *root, GType type, const char *text)
{
  if (g_type_is_a(G_OBJECT_TYPE(root), type) &&
      (text == NULL || (GTK_IS_LABEL(root) && strstr(gtk_label_get_text(GTK_LABEL(root)), text) != NULL)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_widget(child, type, text);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
save_picture(GtkWidget *window, const char *name)
{
  g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(window);
  g_autoptr(GskRenderNode) node = NULL;
  /* A long page takes its time until it is laid out. */
  for (guint tries = 0; node == NULL && tries < 100; tries++) {
    wait(200);
    GtkSnapshot *snapshot = gtk_snapshot_new();
    gdk_paintable_snapshot(paintable, snapshot, gtk_widget_get_width(window), gtk_widget_get_height(window));
    node = gtk_snapshot_free_to_node(snapshot);
  }
  GskRenderer *renderer = gtk_native_get_renderer(GTK_NATIVE(window));
  g_autoptr(GdkTexture) texture = gsk_renderer_render_texture(renderer, node, NULL);
  g_autofree char *path = g_strdup_printf("%s/manual-%s.png", g_getenv("OUTPUT"), name);
  g_assert_true(gdk_texture_save_to_png(texture, path));
}

/* Every page that the contents name is there, and none of its marks is left over in a text. */
static void
test_pages(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = g_resources_lookup_data(FOLDER "/contents", G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  g_assert_no_error(error);
  g_auto(GStrv) names = g_strsplit(g_bytes_get_data(bytes, NULL), "\n", -1);
  GtkWidget *window = debye_manual_window_new(FOLDER);
  gtk_window_present(GTK_WINDOW(window));
  g_assert_cmpuint(g_strv_length(names), >, 15);
  for (char **name = names; **name != '\0'; name++) {
    gint64 begin = g_get_monotonic_time();
    debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(window), *name);
    wait(1);
    g_test_message("%s: %.0f ms", *name, (double)(g_get_monotonic_time() - begin) / 1000.0);
    GtkWidget *place = find_widget(window, ADW_TYPE_CLAMP, NULL);
    g_assert_nonnull(find_widget(place, GTK_TYPE_LABEL, gtk_window_get_title(GTK_WINDOW(window))));
    g_assert_null(find_widget(place, GTK_TYPE_LABEL, "]("));
    g_assert_null(find_widget(place, GTK_TYPE_LABEL, "```"));
    save_picture(window, *name);
  }
  gtk_window_destroy(GTK_WINDOW(window));
}

static void
test_links(void)
{
  GtkWidget *window = debye_manual_window_new(FOLDER);
  gtk_window_present(GTK_WINDOW(window));
  debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(window), "start");
  g_autofree char *start = g_strdup(gtk_window_get_title(GTK_WINDOW(window)));
  GtkWidget *label =
      find_widget(find_widget(window, ADW_TYPE_CLAMP, NULL), GTK_TYPE_LABEL, "lists what is read");
  gboolean handled = FALSE;
  g_signal_emit_by_name(label, "activate-link", "formats.md", &handled);
  g_assert_true(handled);
  g_assert_cmpstr(gtk_window_get_title(GTK_WINDOW(window)), ==, "Formats");
  g_assert_true(gtk_widget_activate_action(window, "manual.back", NULL));
  g_assert_cmpstr(gtk_window_get_title(GTK_WINDOW(window)), ==, start);
  debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(window), "no such page");
  g_assert_cmpstr(gtk_window_get_title(GTK_WINDOW(window)), ==, start);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* A link is followed by the keyboard, or its text was clicked: the label that has the focus goes with its
 * page. */
static void
test_focus(void)
{
  GtkWidget *window = debye_manual_window_new(FOLDER);
  gtk_window_present(GTK_WINDOW(window));
  debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(window), "start");
  wait(200);
  GtkWidget *label =
      find_widget(find_widget(window, ADW_TYPE_CLAMP, NULL), GTK_TYPE_LABEL, "lists what is read");
  g_assert_true(gtk_widget_grab_focus(label));
  debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(window), "formats");
  wait(200);
  g_assert_true(GTK_IS_SCROLLED_WINDOW(gtk_window_get_focus(GTK_WINDOW(window))));
  gtk_window_destroy(GTK_WINDOW(window));
}

static guint
count_rows(GtkWidget *list)
{
  guint n = 0;
  for (GtkWidget *row = gtk_widget_get_first_child(list); row != NULL; row = gtk_widget_get_next_sibling(row))
    n += gtk_widget_get_child_visible(row);
  return n;
}

static void
test_search(void)
{
  GtkWidget *window = debye_manual_window_new(FOLDER);
  gtk_window_present(GTK_WINDOW(window));
  GtkWidget *list = find_widget(window, GTK_TYPE_LIST_BOX, NULL);
  guint all = count_rows(list);
  gtk_editable_set_text(GTK_EDITABLE(find_widget(window, GTK_TYPE_SEARCH_ENTRY, NULL)), "faber-ziman");
  wait(500);
  guint found = count_rows(list);
  g_assert_cmpuint(found, >=, 3); /* pair distributions, scattering, the page of the commands */
  g_assert_cmpuint(found, <, all);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* Which title a page has for these languages. */
static void
check_language(const char *locale, const char *languages, const char *page, const char *expected)
{
  g_assert_nonnull(setlocale(LC_MESSAGES, locale));
  g_setenv("LANGUAGE", languages, TRUE);
  GtkWidget *window = debye_manual_window_new(FOLDER);
  debye_manual_window_show_page(DEBYE_MANUAL_WINDOW(window), page);
  g_assert_cmpstr(gtk_window_get_title(GTK_WINDOW(window)), ==, expected);
  gtk_window_destroy(GTK_WINDOW(window));
}

/* As gettext takes them: regions, the first that is there, English as it comes, none in the C locale. */
static void
test_languages(void)
{
  g_autofree char *before = g_strdup(setlocale(LC_MESSAGES, NULL));
  check_language("C.UTF-8", "de", "formats", "Formate");
  check_language("C.UTF-8", "de_AT.UTF-8", "formats", "Formate");
  check_language("C.UTF-8", "xx:de", "messages", "Fehlermeldungen");
  check_language("C.UTF-8", "en_GB:de", "formats", "Formats");
  check_language("C.UTF-8", "xx", "formats", "Formats");
  check_language("C", "de", "formats", "Formats");
  g_unsetenv("LANGUAGE");
  setlocale(LC_MESSAGES, before);
}

int
main(int argc, char **argv)
{
  gtk_test_init(&argc, &argv, NULL);
  adw_init();
  g_test_add_func("/manual/markup", test_markup);
  g_test_add_func("/manual/pages", test_pages);
  g_test_add_func("/manual/links", test_links);
  g_test_add_func("/manual/focus", test_focus);
  g_test_add_func("/manual/search", test_search);
  g_test_add_func("/manual/languages", test_languages);
  return g_test_run();
}
