/* SPDX-License-Identifier: MIT */
/* The widget of one classroom lesson: text, buttons, measured rows and a figure; shown by
 * classroom_page.c. */
#include "classroom_lesson_private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/messages/message.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

#define CODE_KEY "debye-classroom-code" /* of a row: the id of its listing */

#define STATE_WAITING 0 /* the first of the job's states */

G_DEFINE_FINAL_TYPE(DebyeClassroomLesson, debye_classroom_lesson, GTK_TYPE_BOX)

static void
on_measure_clicked(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "measure");
}

static void
on_next_clicked(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "next");
}

static void
on_stop_clicked(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "stop", self->job);
}

static void
on_export_clicked(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "export");
}

static void
on_copy_clicked(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "copy");
}

static void
on_exercise_clicked(DebyeClassroomLesson *self)
{
  g_signal_emit_by_name(self, "exercise");
}

/* --- The job --- */

static void
show_state(DebyeClassroomLesson *self)
{
  g_autofree char *message = NULL, *details = NULL;
  gboolean active = FALSE;
  int state = STATE_WAITING;
  if (self->job != NULL)
    g_object_get(self->job, "active", &active, "state", &state, "message", &message, "details", &details,
                 NULL);
  if (active && state == STATE_WAITING)
    message = g_strdup(_("Waiting for the previous job"));
  gtk_widget_set_sensitive(GTK_WIDGET(self->measure), !active && self->hindrance == NULL);
  gtk_widget_set_sensitive(GTK_WIDGET(self->next), !active && self->hindrance == NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->stop), active);
  gtk_spinner_set_spinning(self->spinner, active);
  const char *said = active ? message : self->hindrance != NULL ? self->hindrance : details;
  g_autofree char *text = debye_message_translate(said != NULL ? said : "");
  g_autofree char *grouped = debye_group_digits(text);
  gtk_label_set_label(self->message, grouped);
  gtk_widget_set_visible(GTK_WIDGET(self->message), *grouped != '\0');
}

void
debye_classroom_lesson_set_hindrance(DebyeClassroomLesson *self, const char *reason)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  g_free(self->hindrance);
  self->hindrance = g_strdup(reason);
  show_state(self);
}

void
debye_classroom_lesson_set_job(DebyeClassroomLesson *self, GObject *job)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self) && G_IS_OBJECT(job));
  if (self->job != NULL)
    g_clear_signal_handler(&self->on_notify, self->job);
  g_set_object(&self->job, job);
  self->on_notify = g_signal_connect_object(job, "notify", G_CALLBACK(show_state), self, G_CONNECT_SWAPPED);
  show_state(self);
}

/* --- Pages: what else is known of them is in classroom_pages.c --- */

static gboolean
is_turned_to(DebyeClassroomLesson *self, const char *page)
{
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), page) == 0;
}

/* In a projector's type a line of code needs the whole width: beside the rows every second one would be broken. What can be
 * exported and copied is what the page shows. */
void
debye_classroom_lesson_show_panel(DebyeClassroomLesson *self)
{
  const gboolean is_sweeping = is_turned_to(self, "sweep"), has_code = is_turned_to(self, "code");
  DebyePlotView *view = is_sweeping ? debye_classroom_sweep_get_view(self->sweep) : self->view;
  gtk_widget_set_visible(GTK_WIDGET(self->scroll), !(self->is_projected && has_code));
  gtk_widget_set_visible(GTK_WIDGET(self->export), debye_plot_view_get_plot(view) != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->copy), is_sweeping || has_code || self->has_command);
}

static void
on_page_changed(DebyeClassroomLesson *self)
{
  if (is_turned_to(self, "sweep"))
    g_signal_emit_by_name(self, "offer-sweep");
  debye_classroom_lesson_show_panel(self);
}

/* --- Texts and figure --- */

static void
name_button(GtkButton *button, const char *verb, const char *title)
{
  g_autofree char *name = g_strdup_printf("%s: %s", verb, title);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
debye_classroom_lesson_set_title(DebyeClassroomLesson *self, const char *title)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  g_free(self->title);
  self->title = g_strdup(title);
  name_button(self->measure, _("Measure"), title);
  name_button(self->next, _("Next step"), title);
  name_button(self->stop, _("Stop"), title);
  name_button(self->export, _("Export plot"), title);
  name_button(self->copy, _("Copy as command"), title);
  name_button(self->exercise, _("Save exercise"), title);
}

void
debye_classroom_lesson_set_text(DebyeClassroomLesson *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  gtk_label_set_label(self->text, text);
}

void
debye_classroom_lesson_set_subject(DebyeClassroomLesson *self, const char *subject)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  g_autofree char *grouped = debye_group_digits(subject);
  gtk_label_set_label(self->subject, grouped);
  gtk_widget_set_visible(GTK_WIDGET(self->subject), *subject != '\0');
}

void
debye_classroom_lesson_set_plot(DebyeClassroomLesson *self, DebyePlot *plot)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  debye_plot_view_set_plot(self->view, plot);
  gtk_stack_set_visible_child_name(self->figure, plot != NULL ? "plot" : "none");
  debye_classroom_lesson_show_panel(self);
}

/* --- Steps --- */

void
debye_classroom_lesson_set_pending(DebyeClassroomLesson *self, gboolean pending)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  gtk_button_set_label(self->next, pending ? _("Reveal") : _("Next step"));
  name_button(self->next, pending ? _("Reveal") : _("Next step"), self->title);
}

void
debye_classroom_lesson_take_step(DebyeClassroomLesson *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  if (!gtk_widget_get_visible(GTK_WIDGET(self->next)) || !gtk_widget_get_sensitive(GTK_WIDGET(self->next)))
    return;
  /* Its row must be seen. */
  if (!gtk_widget_get_visible(GTK_WIDGET(self->scroll)))
    gtk_stack_set_visible_child_name(self->pages, "figure");
  on_next_clicked(self);
}

void
debye_classroom_lesson_measure(DebyeClassroomLesson *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  if (gtk_widget_get_visible(GTK_WIDGET(self->measure)) &&
      gtk_widget_get_sensitive(GTK_WIDGET(self->measure)))
    on_measure_clicked(self);
}

static gboolean
scroll_down(gpointer data)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment(DEBYE_CLASSROOM_LESSON(data)->scroll);
  gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment));
  return G_SOURCE_REMOVE;
}

void
debye_classroom_lesson_scroll_down(DebyeClassroomLesson *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  g_timeout_add_full(G_PRIORITY_LOW, 50, scroll_down, g_object_ref(self), g_object_unref);
}

/* --- Listings --- */

void
debye_classroom_lesson_add_code(DebyeClassroomLesson *self, const char *id, const char *title,
                                const char *text, gboolean follows)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  debye_classroom_code_add(self->code, id, title, text, follows);
  gtk_widget_set_visible(self->switcher, TRUE);
  gtk_stack_page_set_visible(self->sweep_page, TRUE);
}

void
debye_classroom_lesson_show_code(DebyeClassroomLesson *self, const char *id)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  if (debye_classroom_code_show(self->code, id))
    gtk_stack_set_visible_child_name(self->pages, "code");
}

static void
on_row_activated(DebyeClassroomLesson *self, GtkListBoxRow *row)
{
  const char *code = g_object_get_data(G_OBJECT(row), CODE_KEY);
  DebyePlot *plot = g_object_get_data(G_OBJECT(row), DEBYE_CLASSROOM_PLOT_KEY);
  if (plot != NULL) {
    self->shown_row = self->wanted_row = (guint)gtk_list_box_row_get_index(row);
    debye_classroom_lesson_set_plot(self, plot);
  }
  if (code != NULL)
    debye_classroom_lesson_show_code(self, code);
}

guint
debye_classroom_lesson_get_shown_row(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), 0);
  return self->shown_row;
}

guint
debye_classroom_lesson_get_wanted_row(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), 0);
  return self->wanted_row;
}

void
debye_classroom_lesson_show_row(DebyeClassroomLesson *self, guint index)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->rows, (int)index);
  if (row == NULL)
    row = gtk_list_box_get_row_at_index(self->rows, 0);
  if (row != NULL)
    on_row_activated(self, row);
  self->wanted_row = index;
}

/* --- Rows --- */

guint
debye_classroom_lesson_get_n_rows(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), 0);
  guint n = 0;
  while (gtk_list_box_get_row_at_index(self->rows, (int)n) != NULL)
    n++;
  return n;
}

void
debye_classroom_lesson_clear_rows(DebyeClassroomLesson *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkListBoxRow *row;
  while ((row = gtk_list_box_get_row_at_index(self->rows, 0)) != NULL)
    gtk_list_box_remove(self->rows, GTK_WIDGET(row));
  gtk_widget_set_visible(GTK_WIDGET(self->rows), FALSE);
  self->own_row = NULL;
}

void
debye_classroom_lesson_remove_own_row(DebyeClassroomLesson *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  if (self->own_row == NULL)
    return;
  gtk_list_box_remove(self->rows, g_steal_pointer(&self->own_row));
  gtk_widget_set_visible(GTK_WIDGET(self->rows), gtk_list_box_get_row_at_index(self->rows, 0) != NULL);
}

/* A number and the word behind it, its unit, stay on one line. The text itself is as it was, to be found and copied. */
static void
set_numbers(GtkLabel *label, const char *text)
{
  PangoAttrList *attributes = pango_attr_list_new();
  gtk_label_set_text(label, text);
  for (const char *blank = strchr(text, ' '); blank != NULL; blank = strchr(blank + 1, ' ')) {
    if (blank == text || !g_ascii_isdigit(blank[-1]) || g_str_has_prefix(blank, " · "))
      continue;
    PangoAttribute *unbroken = pango_attr_allow_breaks_new(FALSE);
    unbroken->start_index = (guint)(blank - text) - 1;
    unbroken->end_index = (guint)(g_utf8_next_char(blank + 1) - text);
    pango_attr_list_insert(attributes, unbroken);
  }
  gtk_label_set_attributes(label, attributes);
  pango_attr_list_unref(attributes);
}

static void
add_label(GtkBox *box, const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  set_numbers(GTK_LABEL(label), text);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  if (class != NULL)
    gtk_widget_add_css_class(label, class);
  gtk_box_append(box, label);
}

static void
show_share(GtkWidget *bar, double share)
{
  g_autofree char *name = g_strdup_printf(_("%.0f %% of the limit"), 100.0 * share);
  gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(bar), CLAMP(share, 0.0, 1.0));
  gtk_accessible_update_property(GTK_ACCESSIBLE(bar), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
add_share(GtkBox *box, double share)
{
  GtkWidget *bar = gtk_progress_bar_new();
  show_share(bar, share);
  gtk_box_append(box, bar);
}

void
debye_classroom_lesson_add_row(DebyeClassroomLesson *self, const char *title, const char *text,
                               const char *numbers, double share, const char *code)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4), *row = gtk_list_box_row_new();
  gtk_widget_add_css_class(box, "setting");
  add_label(GTK_BOX(box), title, "heading");
  add_label(GTK_BOX(box), text, NULL);
  add_label(GTK_BOX(box), numbers, "numeric");
  if (isfinite(share))
    add_share(GTK_BOX(box), share);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), code != NULL);
  g_object_set_data_full(G_OBJECT(row), CODE_KEY, g_strdup(code), g_free);
  g_object_set_data_full(G_OBJECT(row), DEBYE_CLASSROOM_TITLE_KEY, g_strdup(title), g_free);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, numbers, -1);
  gtk_list_box_append(self->rows, row);
  gtk_widget_set_visible(GTK_WIDGET(self->rows), TRUE);
}

void
debye_classroom_lesson_add_own_row(DebyeClassroomLesson *self, const char *title, const char *text,
                                   const char *numbers, double share)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  debye_classroom_lesson_remove_own_row(self);
  debye_classroom_lesson_add_row(self, title, text, numbers, share, NULL);
  self->own_row = gtk_widget_get_last_child(GTK_WIDGET(self->rows));
}

void
debye_classroom_lesson_set_row_plot(DebyeClassroomLesson *self, guint index, DebyePlot *plot)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self) && DEBYE_IS_PLOT(plot));
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->rows, (int)index);
  g_return_if_fail(row != NULL);
  g_object_set_data_full(G_OBJECT(row), DEBYE_CLASSROOM_PLOT_KEY, g_object_ref(plot), g_object_unref);
  gtk_list_box_row_set_activatable(row, TRUE);
}

void
debye_classroom_lesson_update_row(DebyeClassroomLesson *self, guint index, const char *numbers, double share)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->rows, (int)index);
  g_return_if_fail(row != NULL);
  GtkWidget *last = gtk_widget_get_last_child(gtk_list_box_row_get_child(row));
  if (GTK_IS_PROGRESS_BAR(last)) {
    show_share(last, share);
    last = gtk_widget_get_prev_sibling(last);
  }
  set_numbers(GTK_LABEL(last), numbers);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, numbers, -1);
}

/* --- The object --- */

static void
debye_classroom_lesson_dispose(GObject *object)
{
  DebyeClassroomLesson *self = DEBYE_CLASSROOM_LESSON(object);
  if (self->job != NULL)
    g_clear_signal_handler(&self->on_notify, self->job);
  g_clear_object(&self->job);
  g_clear_pointer(&self->hindrance, g_free);
  g_clear_pointer(&self->title, g_free);
  g_clear_pointer(&self->buttons, g_ptr_array_unref);
  G_OBJECT_CLASS(debye_classroom_lesson_parent_class)->dispose(object);
}

static void
debye_classroom_lesson_class_init(DebyeClassroomLessonClass *class)
{
  g_type_ensure(DEBYE_TYPE_PLOT_VIEW);
  g_type_ensure(DEBYE_TYPE_CLASSROOM_CODE);
  g_type_ensure(DEBYE_TYPE_CLASSROOM_SWEEP);
  G_OBJECT_CLASS(class)->dispose = debye_classroom_lesson_dispose;
  const GType type = DEBYE_TYPE_CLASSROOM_LESSON;
  g_signal_new("measure", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("stop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_OBJECT);
  g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("copy", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("number", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("next", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("exercise", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("offer-sweep", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class),
                                              "/org/debye/Debye/classroom_lesson.ui");
  DEBYE_BIND_CHILDREN(class, DebyeClassroomLesson, text, message, subject, measure, next, scroll, stop,
                      export);
  DEBYE_BIND_CHILDREN(class, DebyeClassroomLesson, copy, exercise, numbers, spinner, rows, switcher, pages,
                      figure);
  DEBYE_BIND_CHILDREN(class, DebyeClassroomLesson, choices, view, code, sweep, sweep_page);
  DEBYE_BIND_CALLBACKS(class, on_measure_clicked, on_next_clicked, on_stop_clicked, on_row_activated,
                       on_export_clicked, on_copy_clicked, on_exercise_clicked);
}

static void
debye_classroom_lesson_init(DebyeClassroomLesson *self)
{
  self->buttons = g_ptr_array_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  g_signal_connect_object(self->pages, "notify::visible-child-name", G_CALLBACK(on_page_changed), self,
                          G_CONNECT_SWAPPED);
}
