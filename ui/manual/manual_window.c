/* SPDX-License-Identifier: MIT */
/* The manual in a window. Its pages are resources of the program, so that they are there wherever it runs and
 * speak of the version that runs. */
#include "manual_window.h"

#include <locale.h>
#include <string.h>

#include "manual_markup.h"
#include "manual_page.h"
#include "ui/widgets/template.h"

typedef struct {
  char *name, *title, *text;
  char *words; /* for the search: without case */
} Page;

struct _DebyeManualWindow {
  AdwWindow parent_instance;
  AdwFlap *flap;
  GtkListBox *list;
  GtkSearchEntry *search;
  GtkScrolledWindow *place;
  GtkButton *back;
  GtkToggleButton *contents;

  char *folder;
  GPtrArray *pages;   /* of Page */
  GPtrArray *visited; /* of Page, borrowed; the last is shown */
};

G_DEFINE_FINAL_TYPE(DebyeManualWindow, debye_manual_window, ADW_TYPE_WINDOW)

/* --- pages --- */

static void
page_free(gpointer data)
{
  Page *page = data;
  g_free(page->name);
  g_free(page->title);
  g_free(page->text);
  g_free(page->words);
  g_free(page);
}

/* `language`: the folder of a translation; "." is English. */
static char *
load_in(DebyeManualWindow *self, const char *language, const char *name)
{
  const gboolean is_english = strcmp(language, ".") == 0;
  g_autofree char *path = is_english ? g_strconcat(self->folder, "/", name, NULL)
                                     : g_strconcat(self->folder, "/", language, "/", name, NULL);
  g_autoptr(GBytes) bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize size = 0;
  const char *data = bytes != NULL ? g_bytes_get_data(bytes, &size) : NULL;
  return data != NULL ? g_strndup(data, size) : NULL;
}

/* In the first of the user's languages that has it, as gettext takes them: none in the C locale, and none
 * behind English, which needs no translation. */
static char *
load_text(DebyeManualWindow *self, const char *name)
{
  const gboolean is_c = g_strcmp0(setlocale(LC_MESSAGES, NULL), "C") == 0;
  for (const char *const *language = g_get_language_names(); !is_c && *language != NULL; language++) {
    if (strcmp(*language, "C") == 0 || g_str_has_prefix(*language, "en"))
      break;
    char *text = load_in(self, *language, name);
    if (text != NULL)
      return text;
  }
  return load_in(self, ".", name);
}

static void
add_page(DebyeManualWindow *self, const char *name)
{
  g_autofree char *file = g_strconcat(name, ".md", NULL);
  g_autofree char *text = load_text(self, file);
  if (text == NULL)
    return;
  Page *page = g_new0(Page, 1);
  g_autofree char *plain = debye_manual_plain(text);
  page->name = g_strdup(name);
  page->title = debye_manual_page_find_title(text);
  page->words = g_utf8_casefold(plain, -1);
  page->text = g_steal_pointer(&text);
  g_ptr_array_add(self->pages, page);
  GtkWidget *label = gtk_label_new(page->title);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_list_box_append(self->list, label);
}

static void
load_pages(DebyeManualWindow *self)
{
  g_autofree char *contents = load_text(self, "contents");
  g_auto(GStrv) names = g_strsplit(contents != NULL ? contents : "", "\n", -1);
  for (char **name = names; *name != NULL; name++)
    if (*g_strstrip(*name) != '\0')
      add_page(self, *name);
}

static Page *
find_page(DebyeManualWindow *self, const char *name, int *position)
{
  g_autofree char *wanted = g_strdup(name);
  if (g_str_has_suffix(wanted, ".md"))
    wanted[strlen(wanted) - 3] = '\0';
  for (guint i = 0; i < self->pages->len; i++) {
    Page *page = g_ptr_array_index(self->pages, i);
    *position = (int)i;
    if (strcmp(page->name, wanted) == 0)
      return page;
  }
  return NULL;
}

/* --- showing --- */

static gboolean
on_link(GtkLabel *label G_GNUC_UNUSED, const char *target, DebyeManualWindow *self)
{
  if (!g_str_has_suffix(target, ".md"))
    return FALSE;
  debye_manual_window_show_page(self, target);
  return TRUE;
}

static void
connect_links(DebyeManualWindow *self, GtkWidget *widget)
{
  if (GTK_IS_LABEL(widget))
    g_signal_connect_object(widget, "activate-link", G_CALLBACK(on_link), self, G_CONNECT_DEFAULT);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    connect_links(self, child);
}

/* GTK hands the focus of a label that goes to one that comes, and looks at the old one after it was freed.
 * Where the page itself has it, its keys scroll at once. */
static void
take_focus_off_labels(DebyeManualWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self)), *place = GTK_WIDGET(self->place);
  if (focus != NULL && gtk_widget_is_ancestor(focus, place))
    gtk_window_set_focus(GTK_WINDOW(self), place);
}

static void
show_last(DebyeManualWindow *self)
{
  Page *page = g_ptr_array_index(self->visited, self->visited->len - 1);
  GtkWidget *content = debye_manual_page_new(page->text, self->folder);
  GtkWidget *clamp = adw_clamp_new();
  int position;
  adw_clamp_set_maximum_size(ADW_CLAMP(clamp), 720);
  adw_clamp_set_child(ADW_CLAMP(clamp), content);
  gtk_widget_add_css_class(clamp, "manual-page");
  connect_links(self, content);
  take_focus_off_labels(self);
  gtk_scrolled_window_set_child(self->place, clamp);
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(self->place), 0);
  find_page(self, page->name, &position);
  gtk_list_box_select_row(self->list, gtk_list_box_get_row_at_index(self->list, position));
  gtk_window_set_title(GTK_WINDOW(self), page->title);
  gtk_widget_set_sensitive(GTK_WIDGET(self->back), self->visited->len > 1);
  if (adw_flap_get_folded(self->flap))
    adw_flap_set_reveal_flap(self->flap, FALSE);
}

void
debye_manual_window_show_page(DebyeManualWindow *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_MANUAL_WINDOW(self) && name != NULL);
  int position;
  Page *page = find_page(self, name, &position);
  if (page == NULL)
    return;
  if (self->visited->len == 0 || g_ptr_array_index(self->visited, self->visited->len - 1) != page)
    g_ptr_array_add(self->visited, page);
  show_last(self);
}

static void
on_back(DebyeManualWindow *self)
{
  if (self->visited->len < 2)
    return;
  g_ptr_array_set_size(self->visited, (int)self->visited->len - 1);
  show_last(self);
}

static void
on_row_activated(DebyeManualWindow *self, GtkListBoxRow *row)
{
  Page *page = g_ptr_array_index(self->pages, (guint)gtk_list_box_row_get_index(row));
  debye_manual_window_show_page(self, page->name);
}

static gboolean
is_found(GtkListBoxRow *row, gpointer data)
{
  DebyeManualWindow *self = data;
  Page *page = g_ptr_array_index(self->pages, (guint)gtk_list_box_row_get_index(row));
  g_autofree char *wanted = g_utf8_casefold(gtk_editable_get_text(GTK_EDITABLE(self->search)), -1);
  return strstr(page->words, g_strstrip(wanted)) != NULL;
}

static void
on_search_changed(DebyeManualWindow *self)
{
  gtk_list_box_invalidate_filter(self->list);
}

/* --- the object --- */

GtkWidget *
debye_manual_window_new(const char *folder)
{
  DebyeManualWindow *self = g_object_new(DEBYE_TYPE_MANUAL_WINDOW, NULL);
  self->folder = g_strdup(folder);
  gtk_list_box_set_filter_func(self->list, is_found, self, NULL);
  load_pages(self);
  return GTK_WIDGET(self);
}

static void
debye_manual_window_finalize(GObject *object)
{
  DebyeManualWindow *self = DEBYE_MANUAL_WINDOW(object);
  g_free(self->folder);
  g_ptr_array_unref(self->visited);
  g_ptr_array_unref(self->pages);
  G_OBJECT_CLASS(debye_manual_window_parent_class)->finalize(object);
}

static void
debye_manual_window_class_init(DebyeManualWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_manual_window_finalize;
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/manual_window.ui");
  DEBYE_BIND_CHILDREN(class, DebyeManualWindow, flap, list, search, place, back, contents);
  DEBYE_BIND_CALLBACKS(class, on_back, on_row_activated, on_search_changed);
  gtk_widget_class_install_action(widget_class, "manual.back", NULL,
                                  (GtkWidgetActionActivateFunc)(void (*)(void))on_back);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Left, GDK_ALT_MASK, "manual.back", NULL);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_manual_window_init(DebyeManualWindow *self)
{
  self->pages = g_ptr_array_new_with_free_func(page_free);
  self->visited = g_ptr_array_new();
  gtk_widget_init_template(GTK_WIDGET(self));
}
