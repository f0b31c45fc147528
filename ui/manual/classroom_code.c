/* SPDX-License-Identifier: MIT */
/* The listings of a lesson, one at a time, and the one that the class edits; shown by classroom_lesson.c. */
#include "classroom_code.h"

#include <glib/gi18n.h>

#include "classroom_macros.h"
#include "code_view.h"
#include "line_changes.h"
#include "ui/widgets/template.h"

/* Beneath marked lines, half transparent: the text is as legible as beside them, in a light and a dark style. */
#define MARK_COLOR "rgba(53, 132, 228, 0.25)"
#define PROBLEM_COLOR "rgba(224, 27, 36, 0.3)"
#define DRAFT "draft"     /* as macros know it: no listing's id, which has an extension */
#define MAX_COMPARED 2000 /* lines: comparing takes the product of both texts' */

typedef struct {
  char *id, *title, *text;
  gboolean follows;
} Listing;

struct _DebyeClassroomCode {
  GtkBox parent_instance;
  GtkButton *previous, *next, *edit, *reset, *run;
  GtkDropDown *choice;
  GtkStringList *titles;
  GtkLabel *changes, *verdict;
  GtkScrolledWindow *scroll;
  GtkTextView *view;
  GtkTextBuffer *shipped;
  GtkBox *macros_place;
  DebyeClassroomMacros *macros; /* of what is shown */
  GArray *listings;             /* Listing */
  GtkTextBuffer *draft;         /* the class's own, last in the choice; NULL: there is none */
  guint base;                   /* the listing that it was made from */
  char *ran;                    /* what ran last, as it was; NULL: nothing */
  guint ran_index;              /* in the choice */
  gboolean running;
};

G_DEFINE_FINAL_TYPE(DebyeClassroomCode, debye_classroom_code, GTK_TYPE_BOX)

static void
listing_clear(gpointer data)
{
  Listing *listing = data;
  g_free(listing->id);
  g_free(listing->title);
  g_free(listing->text);
}

/* As many as there are: there is no such listing. */
static guint
find_listing(DebyeClassroomCode *self, const char *id)
{
  guint index = 0;
  while (index < self->listings->len && !g_str_equal(g_array_index(self->listings, Listing, index).id, id))
    index++;
  return index;
}

/* --- What is shown --- */

static void
mark_line(GtkTextBuffer *buffer, const char *tag, guint line)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_iter_at_line(buffer, &start, (int)line);
  end = start;
  gtk_text_iter_forward_line(&end);
  gtk_text_buffer_apply_tag_by_name(buffer, tag, &start, &end);
}

static void
unmark(GtkTextBuffer *buffer, const char *tag)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  gtk_text_buffer_remove_tag_by_name(buffer, tag, &start, &end);
}

static char *
get_text(GtkTextBuffer *buffer)
{
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  return gtk_text_buffer_get_text(buffer, &start, &end, FALSE);
}

static void
describe_changes(DebyeClassroomCode *self, const DebyeLineChanges *changes, const Listing *before)
{
  g_autofree char *text = NULL;
  if (before != NULL && changes->n_new + changes->n_gone == 0)
    text = g_strdup_printf(_("Copy of “%s”, unchanged"), before->title);
  else if (before != NULL)
    text = g_strdup_printf(ngettext("Compared with “%s”: %u new line, marked; %u removed",
                                    "Compared with “%s”: %u new lines, marked; %u removed", changes->n_new),
                           before->title, changes->n_new, changes->n_gone);
  gtk_label_set_label(self->changes, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(self->changes), text != NULL);
}

/* Marks what `text`, which the buffer has, changes of `before`. */
static void
show_changes(DebyeClassroomCode *self, GtkTextBuffer *buffer, const Listing *before, const char *text)
{
  g_auto(DebyeLineChanges) changes = {0};
  unmark(buffer, "new");
  if (gtk_text_buffer_get_line_count(buffer) > MAX_COMPARED)
    before = NULL;
  debye_line_changes_init(&changes, before != NULL ? before->text : NULL, before != NULL ? text : "");
  for (guint line = 0; line < changes.is_new->len; line++)
    if (g_array_index(changes.is_new, gboolean, line))
      mark_line(buffer, "new", line);
  describe_changes(self, &changes, before);
}

static gboolean
is_draft_shown(DebyeClassroomCode *self)
{
  return self->draft != NULL && gtk_drop_down_get_selected(self->choice) == self->listings->len;
}

/* The buttons of a listing to be read, or of the one to be edited. */
static void
show_controls(DebyeClassroomCode *self)
{
  const guint index = gtk_drop_down_get_selected(self->choice);
  const gboolean is_draft = is_draft_shown(self);
  gtk_widget_set_sensitive(GTK_WIDGET(self->previous), index > 0);
  gtk_widget_set_sensitive(GTK_WIDGET(self->next),
                           index + 1 < g_list_model_get_n_items(G_LIST_MODEL(self->titles)));
  gtk_widget_set_visible(GTK_WIDGET(self->edit), !is_draft);
  gtk_widget_set_visible(GTK_WIDGET(self->reset), is_draft);
  gtk_widget_set_visible(GTK_WIDGET(self->run), is_draft || gtk_widget_get_visible(GTK_WIDGET(self->macros)));
  gtk_widget_set_sensitive(GTK_WIDGET(self->run), !self->running);
  gtk_widget_set_visible(GTK_WIDGET(self->verdict),
                         index == self->ran_index && *gtk_label_get_label(self->verdict) != '\0');
  gtk_text_view_set_editable(self->view, is_draft);
  gtk_text_view_set_cursor_visible(self->view, is_draft);
  gtk_text_view_set_accepts_tab(self->view, is_draft);
}

static void
show_listing(DebyeClassroomCode *self, guint index)
{
  const Listing *listing = &g_array_index(self->listings, Listing, index);
  GtkTextIter start;
  debye_code_buffer_set_cuda(self->shipped, g_str_has_suffix(listing->id, ".cu"));
  gtk_text_view_set_buffer(self->view, self->shipped);
  gtk_text_buffer_set_text(self->shipped, listing->text, -1);
  debye_classroom_macros_set_code(self->macros, listing->id, listing->text);
  show_changes(self, self->shipped, listing->follows && index > 0 ? listing - 1 : NULL, listing->text);
  gtk_text_buffer_get_start_iter(self->shipped, &start);
  gtk_text_view_scroll_to_iter(self->view, &start, 0.0, FALSE, 0.0, 0.0);
}

static void
show_draft(DebyeClassroomCode *self)
{
  g_autofree char *text = get_text(self->draft);
  gtk_text_view_set_buffer(self->view, self->draft);
  debye_classroom_macros_set_code(self->macros, DRAFT, text);
  show_changes(self, self->draft, &g_array_index(self->listings, Listing, self->base), text);
}

static void
on_selected(DebyeClassroomCode *self)
{
  const guint index = gtk_drop_down_get_selected(self->choice);
  if (is_draft_shown(self))
    show_draft(self);
  else if (index < self->listings->len)
    show_listing(self, index);
  show_controls(self);
}

static void
on_previous(DebyeClassroomCode *self)
{
  gtk_drop_down_set_selected(self->choice, gtk_drop_down_get_selected(self->choice) - 1);
}

static void
on_next(DebyeClassroomCode *self)
{
  gtk_drop_down_set_selected(self->choice, gtk_drop_down_get_selected(self->choice) + 1);
}

void
debye_classroom_code_add(DebyeClassroomCode *self, const char *id, const char *title, const char *text,
                         gboolean follows)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_CODE(self));
  const Listing listing = {g_strdup(id), g_strdup(title), g_strdup(text), follows};
  g_return_if_fail(self->draft == NULL);
  g_array_append_val(self->listings, listing);
  gtk_string_list_append(self->titles, title);
  on_selected(self);
}

gboolean
debye_classroom_code_show(DebyeClassroomCode *self, const char *id)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), FALSE);
  const guint index = find_listing(self, id);
  if (index < self->listings->len)
    gtk_drop_down_set_selected(self->choice, index);
  return index < self->listings->len;
}

/* --- What the class edits --- */

static GtkTextBuffer *
create_buffer(void)
{
  GtkTextBuffer *buffer = debye_code_buffer_new();
  gtk_text_buffer_create_tag(buffer, "new", "weight", PANGO_WEIGHT_BOLD, "paragraph-background", MARK_COLOR,
                             NULL);
  gtk_text_buffer_create_tag(buffer, "problem", "paragraph-background", PROBLEM_COLOR, NULL);
  return buffer;
}

static GtkTextBuffer *
get_ran_buffer(DebyeClassroomCode *self)
{
  return self->draft != NULL && self->ran_index == self->listings->len ? self->draft : self->shipped;
}

/* A verdict on what isn't there any more. */
static void
set_outdated(DebyeClassroomCode *self)
{
  GtkWidget *verdict = GTK_WIDGET(self->verdict);
  gtk_widget_remove_css_class(verdict, "error");
  gtk_widget_remove_css_class(verdict, "success");
  gtk_widget_add_css_class(verdict, "dim-label");
  unmark(get_ran_buffer(self), "problem");
}

static void
on_draft_changed(DebyeClassroomCode *self)
{
  if (self->ran_index == self->listings->len) {
    set_outdated(self);
    g_signal_emit_by_name(self, "edited");
  }
  if (is_draft_shown(self))
    on_selected(self);
}

/* What is shown of the last run says which macros it had. */
static void
on_macros_changed(DebyeClassroomCode *self)
{
  if (gtk_drop_down_get_selected(self->choice) == self->ran_index)
    set_outdated(self);
}

/* In one step of undo. */
static void
replace_text(GtkTextBuffer *buffer, const char *text)
{
  GtkTextIter start, end;
  gtk_text_buffer_begin_user_action(buffer);
  gtk_text_buffer_get_bounds(buffer, &start, &end);
  gtk_text_buffer_delete(buffer, &start, &end);
  gtk_text_buffer_insert(buffer, &start, text, -1);
  gtk_text_buffer_end_user_action(buffer);
}

static void
set_verdict(DebyeClassroomCode *self, const char *verdict, gboolean is_right)
{
  gtk_label_set_label(self->verdict, verdict);
  gtk_widget_remove_css_class(GTK_WIDGET(self->verdict), "dim-label");
  gtk_widget_remove_css_class(GTK_WIDGET(self->verdict), is_right ? "error" : "success");
  gtk_widget_add_css_class(GTK_WIDGET(self->verdict), is_right ? "success" : "error");
  show_controls(self);
}

static void
edit(DebyeClassroomCode *self, guint base, const char *text)
{
  const Listing *listing = &g_array_index(self->listings, Listing, base);
  self->base = base;
  if (self->draft == NULL) {
    self->draft = create_buffer();
    gtk_text_buffer_set_text(self->draft, text, -1);
    gtk_text_buffer_set_enable_undo(self->draft, TRUE);
    g_signal_connect_object(self->draft, "changed", G_CALLBACK(on_draft_changed), self, G_CONNECT_SWAPPED);
    gtk_string_list_append(self->titles, _("Ours, of the class"));
  } else {
    replace_text(self->draft, text);
  }
  debye_code_buffer_set_cuda(self->draft, g_str_has_suffix(listing->id, ".cu"));
  unmark(self->draft, "problem");
  if (!self->running) { /* what runs has its verdict to come */
    self->ran_index = self->listings->len;
    set_verdict(self, "", TRUE);
  }
  gtk_drop_down_set_selected(self->choice, self->listings->len);
  on_selected(self);
}

static void
on_edit(DebyeClassroomCode *self)
{
  const guint index = gtk_drop_down_get_selected(self->choice);
  GtkTextIter start;
  if (index >= self->listings->len)
    return;
  edit(self, index, g_array_index(self->listings, Listing, index).text);
  gtk_text_buffer_get_start_iter(self->draft, &start);
  gtk_text_buffer_place_cursor(self->draft, &start);
  gtk_widget_grab_focus(GTK_WIDGET(self->view));
}

static void
on_reset(DebyeClassroomCode *self)
{
  if (self->draft != NULL)
    edit(self, self->base, g_array_index(self->listings, Listing, self->base).text);
}

static void
on_run(DebyeClassroomCode *self)
{
  if (gtk_widget_get_visible(GTK_WIDGET(self->run)) && !self->running)
    g_signal_emit_by_name(self, "run");
}

static gboolean
on_run_key(GtkWidget *view G_GNUC_UNUSED, GVariant *none G_GNUC_UNUSED, gpointer data)
{
  on_run(data);
  return TRUE;
}

char *
debye_classroom_code_get_draft(DebyeClassroomCode *self, const char **base)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), NULL);
  if (self->draft == NULL)
    return NULL;
  *base = g_array_index(self->listings, Listing, self->base).id;
  return get_text(self->draft);
}

char *
debye_classroom_code_get_shown(DebyeClassroomCode *self, const char **base, char ***macros)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), NULL);
  const guint index = gtk_drop_down_get_selected(self->choice);
  *macros = debye_classroom_macros_list(self->macros);
  if (is_draft_shown(self))
    return debye_classroom_code_get_draft(self, base);
  *base = g_array_index(self->listings, Listing, index).id;
  return g_strdup(g_array_index(self->listings, Listing, index).text);
}

char **
debye_classroom_code_list_macros(DebyeClassroomCode *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), NULL);
  return debye_classroom_macros_list_all(self->macros);
}

void
debye_classroom_code_choose_macros(DebyeClassroomCode *self, const char *const *macros)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_CODE(self));
  debye_classroom_macros_choose(self->macros, macros);
}

char *
debye_classroom_code_get_title(DebyeClassroomCode *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), NULL);
  GtkStringObject *item = gtk_drop_down_get_selected_item(self->choice);
  return g_strdup(item != NULL ? gtk_string_object_get_string(item) : "");
}

gboolean
debye_classroom_code_is_draft(DebyeClassroomCode *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), FALSE);
  return is_draft_shown(self);
}

gboolean
debye_classroom_code_set_draft(DebyeClassroomCode *self, const char *base, const char *text)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), FALSE);
  const guint index = find_listing(self, base);
  if (index < self->listings->len)
    edit(self, index, text);
  return index < self->listings->len;
}

void
debye_classroom_code_set_running(DebyeClassroomCode *self, gboolean running)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_CODE(self));
  const guint index = gtk_drop_down_get_selected(self->choice);
  self->running = running;
  if (running)
    debye_classroom_code_set_ran(
        self, index < self->listings->len ? g_array_index(self->listings, Listing, index).id : NULL);
  show_controls(self);
}

const char *
debye_classroom_code_get_ran(DebyeClassroomCode *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), NULL);
  return self->ran_index < self->listings->len ? g_array_index(self->listings, Listing, self->ran_index).id
                                               : NULL;
}

gboolean
debye_classroom_code_set_ran(DebyeClassroomCode *self, const char *id)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), FALSE);
  const guint index = id != NULL ? find_listing(self, id) : self->listings->len;
  if (index == self->listings->len && (id != NULL || self->draft == NULL))
    return FALSE;
  g_free(self->ran);
  self->ran =
      id != NULL ? g_strdup(g_array_index(self->listings, Listing, index).text) : get_text(self->draft);
  self->ran_index = index;
  gtk_label_set_label(self->verdict, "");
  return TRUE;
}

gboolean
debye_classroom_code_is_current(DebyeClassroomCode *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_CODE(self), FALSE);
  if (self->ran == NULL || self->ran_index < self->listings->len)
    return self->ran != NULL;
  g_autofree char *text = get_text(self->draft);
  return g_str_equal(text, self->ran);
}

void
debye_classroom_code_set_verdict(DebyeClassroomCode *self, const char *verdict, guint line, gboolean is_right)
{
  GtkTextIter at;
  g_return_if_fail(DEBYE_IS_CLASSROOM_CODE(self));
  GtkTextBuffer *buffer = get_ran_buffer(self);
  unmark(buffer, "problem");
  set_verdict(self, verdict, is_right);
  if (!debye_classroom_code_is_current(self)) {
    set_outdated(self);
    return;
  }
  if (line == 0 || line > (guint)gtk_text_buffer_get_line_count(buffer) ||
      gtk_drop_down_get_selected(self->choice) != self->ran_index)
    return;
  mark_line(buffer, "problem", line - 1);
  gtk_text_buffer_get_iter_at_line(buffer, &at, (int)line - 1);
  gtk_text_buffer_place_cursor(buffer, &at);
  gtk_text_view_scroll_to_mark(self->view, gtk_text_buffer_get_insert(buffer), 0.1, FALSE, 0.0, 0.0);
}

/* --- The object --- */

static void
debye_classroom_code_finalize(GObject *object)
{
  DebyeClassroomCode *self = DEBYE_CLASSROOM_CODE(object);
  g_array_unref(self->listings);
  g_clear_object(&self->shipped);
  g_clear_object(&self->draft);
  g_free(self->ran);
  G_OBJECT_CLASS(debye_classroom_code_parent_class)->finalize(object);
}

static void
debye_classroom_code_class_init(DebyeClassroomCodeClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_classroom_code_finalize;
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/classroom_code.ui");
  DEBYE_BIND_CHILDREN(class, DebyeClassroomCode, previous, next, choice, titles, changes, verdict, scroll,
                      macros_place);
  DEBYE_BIND_CHILDREN(class, DebyeClassroomCode, edit, reset, run);
  DEBYE_BIND_CALLBACKS(class, on_selected, on_previous, on_next, on_edit, on_reset, on_run);
  g_signal_new("run", DEBYE_TYPE_CLASSROOM_CODE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("edited", DEBYE_TYPE_CLASSROOM_CODE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
add_view(DebyeClassroomCode *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new();
  self->view = debye_code_view_new();
  self->shipped = create_buffer();
  gtk_text_view_set_buffer(self->view, self->shipped);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Code of the variant"), -1);
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(keys),
      gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Return, GDK_CONTROL_MASK),
                       gtk_callback_action_new(on_run_key, self, NULL)));
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(GTK_WIDGET(self->view), keys);
  gtk_scrolled_window_set_child(self->scroll, GTK_WIDGET(self->view));
}

static void
debye_classroom_code_init(DebyeClassroomCode *self)
{
  self->listings = g_array_new(FALSE, TRUE, sizeof(Listing));
  g_array_set_clear_func(self->listings, listing_clear);
  gtk_widget_init_template(GTK_WIDGET(self));
  self->macros = DEBYE_CLASSROOM_MACROS(debye_classroom_macros_new());
  gtk_box_append(self->macros_place, GTK_WIDGET(self->macros));
  g_signal_connect_object(self->macros, "changed", G_CALLBACK(on_macros_changed), self, G_CONNECT_SWAPPED);
  add_view(self);
}
