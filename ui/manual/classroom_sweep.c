/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_sweep.h; a page of classroom_lesson.c, filled by lesson_sweep.c. */
#include "classroom_sweep.h"

#include <glib/gi18n.h>

#define MAX_AXES 2
#define VALUE_CHARS 14

typedef struct {
  char *name, *label, *values;
} Choice;

typedef struct {
  GtkDropDown *choice;
  GtkEditable *values;
  char *former; /* the name of what was chosen before the choices were last filled; NULL: nothing */
} Axis;

struct _DebyeClassroomSweep {
  GtkBox parent_instance;
  Axis axes[MAX_AXES];
  GtkLabel *title, *verdict;
  GtkButton *run;
  GtkStack *figure;
  DebyePlotView *view;
  GArray *choices; /* Choice */
  GStrv wanted;    /* to be chosen once it is there: "tile=64,128"; NULL: nothing */
  gboolean running, is_filling;
};

G_DEFINE_FINAL_TYPE(DebyeClassroomSweep, debye_classroom_sweep, GTK_TYPE_BOX)

static void
choice_clear(gpointer data)
{
  Choice *choice = data;
  g_free(choice->name);
  g_free(choice->label);
  g_free(choice->values);
}

/* --- What is chosen --- */

/* Of the second axis the first entry is none. NULL: nothing. */
static const Choice *
get_choice(DebyeClassroomSweep *self, guint axis)
{
  const guint selected = gtk_drop_down_get_selected(self->axes[axis].choice);
  if (selected == GTK_INVALID_LIST_POSITION || selected < axis || selected - axis >= self->choices->len)
    return NULL;
  return &g_array_index(self->choices, Choice, selected - axis);
}

static void
show_controls(DebyeClassroomSweep *self)
{
  const Choice *first = get_choice(self, 0), *second = get_choice(self, 1);
  gtk_widget_set_sensitive(GTK_WIDGET(self->axes[1].values), second != NULL);
  gtk_widget_set_sensitive(GTK_WIDGET(self->run), !self->running && first != NULL && first != second);
}

static void
on_chosen(DebyeClassroomSweep *self, GParamSpec *spec G_GNUC_UNUSED, GtkDropDown *button)
{
  if (self->is_filling)
    return;
  for (guint i = 0; i < MAX_AXES; i++)
    if (self->axes[i].choice == button) {
      const Choice *choice = get_choice(self, i);
      gtk_editable_set_text(self->axes[i].values, choice != NULL ? choice->values : "");
    }
  show_controls(self);
}

static void
on_run(DebyeClassroomSweep *self)
{
  if (gtk_widget_get_sensitive(GTK_WIDGET(self->run)))
    g_signal_emit_by_name(self, "run");
}

void
debye_classroom_sweep_begin(DebyeClassroomSweep *self, const char *title)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self));
  g_autofree char *text = g_strdup_printf(_("Code: %s"), title);
  gtk_label_set_label(self->title, text);
  for (guint i = 0; i < MAX_AXES; i++) {
    const Choice *choice = get_choice(self, i);
    g_free(self->axes[i].former);
    self->axes[i].former = choice != NULL ? g_strdup(choice->name) : NULL;
  }
  g_array_set_size(self->choices, 0);
}

void
debye_classroom_sweep_add(DebyeClassroomSweep *self, const char *name, const char *label, const char *values)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self));
  const Choice choice = {g_strdup(name), g_strdup(label), g_strdup(values)};
  g_array_append_val(self->choices, choice);
}

/* The place among the choices of what is wanted of this axis, and its values. FALSE: nothing, or none of them is it. */
static gboolean
find_wanted(DebyeClassroomSweep *self, guint axis, guint *place, const char **values)
{
  const char *wanted = self->wanted != NULL && axis < g_strv_length(self->wanted) ? self->wanted[axis] : NULL;
  const char *equals = wanted != NULL ? strchr(wanted, '=') : NULL;
  for (guint i = 0; equals != NULL && i < self->choices->len; i++) {
    const char *name = g_array_index(self->choices, Choice, i).name;
    if (strlen(name) == (gsize)(equals - wanted) && g_str_has_prefix(wanted, name)) {
      *place = i;
      *values = equals + 1;
      return TRUE;
    }
  }
  return FALSE;
}

/* What is wanted; else the entry of the same name as before, and the values that were typed for it. */
static void
fill(DebyeClassroomSweep *self, guint axis)
{
  GtkDropDown *button = self->axes[axis].choice;
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  guint selected = 0;
  gboolean is_same = FALSE;
  const char *wanted = NULL;
  if (axis > 0)
    gtk_string_list_append(labels, _("nothing else"));
  for (guint i = 0; i < self->choices->len; i++) {
    const Choice *choice = &g_array_index(self->choices, Choice, i);
    gtk_string_list_append(labels, choice->label);
    if (g_strcmp0(choice->name, self->axes[axis].former) == 0) {
      selected = i + axis;
      is_same = TRUE;
    }
  }
  if (find_wanted(self, axis, &selected, &wanted))
    selected += axis;
  gtk_drop_down_set_model(button, G_LIST_MODEL(labels));
  gtk_drop_down_set_selected(button, selected);
  const Choice *choice = get_choice(self, axis);
  if (wanted != NULL)
    gtk_editable_set_text(self->axes[axis].values, wanted);
  else if (!is_same || *gtk_editable_get_text(self->axes[axis].values) == '\0')
    gtk_editable_set_text(self->axes[axis].values, choice != NULL ? choice->values : "");
}

void
debye_classroom_sweep_end(DebyeClassroomSweep *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self));
  self->is_filling = TRUE;
  for (guint i = 0; i < MAX_AXES; i++)
    fill(self, i);
  self->is_filling = FALSE;
  g_clear_pointer(&self->wanted, g_strfreev);
  show_controls(self);
}

void
debye_classroom_sweep_choose(DebyeClassroomSweep *self, const char *const *axes)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self));
  g_strfreev(self->wanted);
  self->wanted = g_strdupv((char **)axes);
}

char **
debye_classroom_sweep_list(DebyeClassroomSweep *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self), NULL);
  g_autoptr(GStrvBuilder) list = g_strv_builder_new();
  for (guint i = 0; i < MAX_AXES; i++) {
    const Choice *choice = get_choice(self, i);
    g_autofree char *text =
        choice != NULL ? g_strdup_printf("%s=%s", choice->name, gtk_editable_get_text(self->axes[i].values))
                       : NULL;
    if (text != NULL)
      g_strv_builder_add(list, text);
  }
  return g_strv_builder_end(list);
}

/* --- What is shown --- */

void
debye_classroom_sweep_set_running(DebyeClassroomSweep *self, gboolean running)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self));
  self->running = running;
  show_controls(self);
}

void
debye_classroom_sweep_show(DebyeClassroomSweep *self, DebyePlot *plot, const char *text, gboolean is_right)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self));
  debye_plot_view_set_plot(self->view, plot);
  gtk_stack_set_visible_child_name(self->figure, plot != NULL ? "plot" : "none");
  gtk_label_set_label(self->verdict, text);
  gtk_widget_set_visible(GTK_WIDGET(self->verdict), *text != '\0');
  gtk_widget_remove_css_class(GTK_WIDGET(self->verdict), is_right ? "error" : "success");
  gtk_widget_add_css_class(GTK_WIDGET(self->verdict), is_right ? "success" : "error");
}

DebyePlotView *
debye_classroom_sweep_get_view(DebyeClassroomSweep *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_SWEEP(self), NULL);
  return self->view;
}

/* --- The object --- */

static void
debye_classroom_sweep_finalize(GObject *object)
{
  DebyeClassroomSweep *self = DEBYE_CLASSROOM_SWEEP(object);
  g_array_unref(self->choices);
  g_strfreev(self->wanted);
  for (guint i = 0; i < MAX_AXES; i++)
    g_free(self->axes[i].former);
  G_OBJECT_CLASS(debye_classroom_sweep_parent_class)->finalize(object);
}

static void
debye_classroom_sweep_class_init(DebyeClassroomSweepClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_classroom_sweep_finalize;
  g_signal_new("run", DEBYE_TYPE_CLASSROOM_SWEEP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
add_axis(DebyeClassroomSweep *self, GtkFlowBox *box, guint number)
{
  static const char *const choices[MAX_AXES] = {N_("First choice"), N_("Second choice")},
                           *const values[MAX_AXES] = {N_("Values of the first choice"),
                                                      N_("Values of the second choice")};
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *choice = gtk_drop_down_new(NULL, NULL),
            *entry = gtk_entry_new();
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), VALUE_CHARS);
  gtk_widget_set_hexpand(entry, TRUE);
  gtk_widget_set_tooltip_text(entry, _("1,2,4 or first:last:step or first:last:xfactor"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _(choices[number]),
                                 -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _(values[number]), -1);
  gtk_box_append(GTK_BOX(row), choice);
  gtk_box_append(GTK_BOX(row), entry);
  gtk_flow_box_append(box, row);
  gtk_widget_set_focusable(gtk_widget_get_parent(row), FALSE);
  self->axes[number] = (Axis){.choice = GTK_DROP_DOWN(choice), .values = GTK_EDITABLE(entry)};
  g_signal_connect_object(choice, "notify::selected", G_CALLBACK(on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(entry, "activate", G_CALLBACK(on_run), self, G_CONNECT_SWAPPED);
}

static GtkLabel *
create_label(gboolean hexpand)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_widget_set_hexpand(label, hexpand);
  gtk_widget_set_margin_start(label, 12);
  gtk_widget_set_margin_end(label, 12);
  return GTK_LABEL(label);
}

static void
add_controls(DebyeClassroomSweep *self)
{
  GtkWidget *top = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *box = gtk_flow_box_new(),
            *run = gtk_button_new_with_label(_("Run sweep"));
  self->title = create_label(TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->title), "heading");
  gtk_widget_add_css_class(run, "suggested-action");
  gtk_widget_set_valign(run, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_end(run, 6);
  gtk_widget_set_tooltip_text(run, _("Compiles, checks and times the code for each of the values"));
  gtk_box_append(GTK_BOX(top), GTK_WIDGET(self->title));
  gtk_box_append(GTK_BOX(top), run);
  gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(box), GTK_SELECTION_NONE);
  gtk_flow_box_set_column_spacing(GTK_FLOW_BOX(box), 12);
  gtk_flow_box_set_row_spacing(GTK_FLOW_BOX(box), 6);
  gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(box), MAX_AXES);
  gtk_widget_set_margin_start(box, 12);
  gtk_widget_set_margin_end(box, 6);
  gtk_accessible_update_property(GTK_ACCESSIBLE(box), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Choices"), -1);
  for (guint i = 0; i < MAX_AXES; i++)
    add_axis(self, GTK_FLOW_BOX(box), i);
  self->run = GTK_BUTTON(run);
  g_signal_connect_object(run, "clicked", G_CALLBACK(on_run), self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(self), top);
  gtk_box_append(GTK_BOX(self), box);
}

static void
add_figure(DebyeClassroomSweep *self)
{
  GtkWidget *stack = gtk_stack_new(), *none = adw_status_page_new(),
            *view = g_object_new(DEBYE_TYPE_PLOT_VIEW, NULL);
  adw_status_page_set_title(ADW_STATUS_PAGE(none), _("No measurements yet"));
  adw_status_page_set_description(
      ADW_STATUS_PAGE(none), _("Each point times the code of the page Code, compiled with other values or "
                               "run on another problem. The fastest is marked."));
  self->verdict = create_label(FALSE);
  gtk_label_set_selectable(self->verdict, TRUE);
  gtk_widget_set_visible(GTK_WIDGET(self->verdict), FALSE);
  gtk_widget_set_vexpand(stack, TRUE);
  gtk_stack_add_named(GTK_STACK(stack), none, "none");
  gtk_stack_add_named(GTK_STACK(stack), view, "plot");
  self->figure = GTK_STACK(stack);
  self->view = DEBYE_PLOT_VIEW(view);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->verdict));
  gtk_box_append(GTK_BOX(self), stack);
}

static void
debye_classroom_sweep_init(DebyeClassroomSweep *self)
{
  self->choices = g_array_new(FALSE, TRUE, sizeof(Choice));
  g_array_set_clear_func(self->choices, choice_clear);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing(GTK_BOX(self), 6);
  gtk_widget_set_margin_top(GTK_WIDGET(self), 6);
  add_controls(self);
  add_figure(self);
}
