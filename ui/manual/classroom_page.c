/* SPDX-License-Identifier: MIT */
/* The classroom, a page of the window with its lessons side by side; filled by window_classroom.c. */
#include "classroom_page.h"

#include <math.h>

#include "ui/widgets/template.h"

/* Of tabs that have no room: as in style.css. */
#define CROWDED "crowded"
#define CROWDED_SIZE 0.76
#define PROJECTOR_SCALE 1.8 /* of all type: 18 pt, to be read from the last row */
#define TYPE_STEP 1.1       /* of Ctrl + and Ctrl − */
#define MAX_TYPE_STEPS 8

struct _DebyeClassroomPage {
  GtkBox parent_instance;
  GtkStack *lessons;
  GtkStackSwitcher *tabs;
  GtkAdjustment *place;     /* of the tabs */
  guint fitting;            /* the source; 0: none */
  GtkEventController *keys; /* of the window */
  gboolean is_projected;
  int type_steps; /* by which type is larger than the appearance has it */
};

G_DEFINE_FINAL_TYPE(DebyeClassroomPage, debye_classroom_page, GTK_TYPE_BOX)

DebyeClassroomLesson *
debye_classroom_page_add_lesson(DebyeClassroomPage *self, const char *id, const char *title, const char *text)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_PAGE(self), NULL);
  DebyeClassroomLesson *lesson = g_object_new(DEBYE_TYPE_CLASSROOM_LESSON, NULL);
  debye_classroom_lesson_set_title(lesson, title);
  debye_classroom_lesson_set_text(lesson, text);
  debye_classroom_lesson_set_projected(lesson, self->is_projected);
  gtk_stack_add_titled(self->lessons, GTK_WIDGET(lesson), id, title);
  return lesson;
}

void
debye_classroom_page_show_lesson(DebyeClassroomPage *self, const char *id)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  if (gtk_stack_get_child_by_name(self->lessons, id) != NULL)
    gtk_stack_set_visible_child_name(self->lessons, id);
}

void
debye_classroom_page_visit_figures(DebyeClassroomPage *self, DebyeClassroomFigureFunc visit, gpointer data)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  for (GtkWidget *lesson = gtk_widget_get_first_child(GTK_WIDGET(self->lessons)); lesson != NULL;
       lesson = gtk_widget_get_next_sibling(lesson))
    debye_classroom_lesson_visit_figures(DEBYE_CLASSROOM_LESSON(lesson), visit, data);
}

void
debye_classroom_page_take_step(DebyeClassroomPage *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  debye_classroom_lesson_take_step(DEBYE_CLASSROOM_LESSON(gtk_stack_get_visible_child(self->lessons)));
}

void
debye_classroom_page_measure(DebyeClassroomPage *self)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  debye_classroom_lesson_measure(DEBYE_CLASSROOM_LESSON(gtk_stack_get_visible_child(self->lessons)));
}

void
debye_classroom_page_show_row(DebyeClassroomPage *self, guint index)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_PAGE(self));
  debye_classroom_lesson_show_row(DEBYE_CLASSROOM_LESSON(gtk_stack_get_visible_child(self->lessons)), index);
}

/* --- Tabs --- */

/* That of the lesson, which may be out of sight where the type is large. */
static void
show_tab(DebyeClassroomPage *self)
{
  for (GtkWidget *tab = gtk_widget_get_first_child(GTK_WIDGET(self->tabs)); tab != NULL;
       tab = gtk_widget_get_next_sibling(tab)) {
    graphene_rect_t bounds;
    if ((gtk_widget_get_state_flags(tab) & GTK_STATE_FLAG_CHECKED) != 0 &&
        gtk_widget_compute_bounds(tab, GTK_WIDGET(self->tabs), &bounds))
      gtk_adjustment_clamp_page(self->place, (double)bounds.origin.x,
                                (double)(bounds.origin.x + bounds.size.width));
  }
}

/* As large as other type where there is room for all; what a projector's smaller ones need says what larger ones would, or more. */
static gboolean
fit_tabs(gpointer data)
{
  DebyeClassroomPage *self = data;
  GtkWidget *tabs = GTK_WIDGET(self->tabs);
  int width;
  gtk_widget_measure(tabs, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  const double needed = gtk_widget_has_css_class(tabs, CROWDED) ? width / CROWDED_SIZE : width;
  if (needed > gtk_adjustment_get_page_size(self->place))
    gtk_widget_add_css_class(tabs, CROWDED);
  else
    gtk_widget_remove_css_class(tabs, CROWDED);
  show_tab(self);
  self->fitting = 0;
  return G_SOURCE_REMOVE;
}

/* While widgets get their places, none may become larger. */
static void
on_room_changed(DebyeClassroomPage *self)
{
  if (self->fitting == 0)
    self->fitting = g_idle_add(fit_tabs, self);
}

/* --- Type --- */

/* From the desktop's own size of type. */
static void
scale_type(DebyeClassroomPage *self)
{
  GtkSettings *settings = gtk_widget_get_settings(GTK_WIDGET(self));
  const double larger = self->is_projected ? PROJECTOR_SCALE : 1.0,
               scale = larger * pow(TYPE_STEP, self->type_steps);
  int dpi = 0;
  gtk_settings_reset_property(settings, "gtk-xft-dpi");
  g_object_get(settings, "gtk-xft-dpi", &dpi, NULL);
  if (scale != 1.0 && dpi > 0)
    g_object_set(settings, "gtk-xft-dpi", (int)lround(dpi * scale), NULL);
}

gboolean
debye_classroom_page_set_projected(DebyeClassroomPage *self, gboolean is_projected)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_PAGE(self), FALSE);
  GtkWidget *window = GTK_WIDGET(gtk_widget_get_root(GTK_WIDGET(self)));
  if (self->is_projected == is_projected)
    return FALSE;
  self->is_projected = is_projected;
  (is_projected ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(window, "projector");
  for (GtkWidget *lesson = gtk_widget_get_first_child(GTK_WIDGET(self->lessons)); lesson != NULL;
       lesson = gtk_widget_get_next_sibling(lesson))
    debye_classroom_lesson_set_projected(DEBYE_CLASSROOM_LESSON(lesson), is_projected);
  scale_type(self);
  return TRUE;
}

/* --- Keys --- */

/* A clicker for slides sends Page Down. A listing turns its own pages. */
static gboolean
on_page_down(DebyeClassroomPage *self)
{
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));
  if (root != NULL && GTK_IS_TEXT_VIEW(gtk_root_get_focus(root)))
    return GDK_EVENT_PROPAGATE;
  debye_classroom_page_take_step(self);
  return GDK_EVENT_STOP;
}

/* 1: larger, −1: smaller, 0: as it was. */
static gboolean
set_type_size(DebyeClassroomPage *self, int step)
{
  self->type_steps = step == 0 ? 0 : CLAMP(self->type_steps + step, -MAX_TYPE_STEPS, MAX_TYPE_STEPS);
  scale_type(self);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_pressed(GtkEventControllerKey *controller G_GNUC_UNUSED, guint key, guint code G_GNUC_UNUSED,
               GdkModifierType state, DebyeClassroomPage *self)
{
  const gboolean is_control = (state & GDK_CONTROL_MASK) != 0;
  if (!gtk_widget_get_mapped(GTK_WIDGET(self)))
    return GDK_EVENT_PROPAGATE;
  if (!is_control && key == GDK_KEY_Page_Down)
    return on_page_down(self);
  if (is_control && (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add))
    return set_type_size(self, 1);
  if (is_control && (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract))
    return set_type_size(self, -1);
  return is_control && key == GDK_KEY_0 ? set_type_size(self, 0) : GDK_EVENT_PROPAGATE;
}

/* Keys are the whole window's while the room is shown: a clicker goes on after a button of the guide, above the room, was
 * pressed and has the focus. */
static void
debye_classroom_page_root(GtkWidget *widget)
{
  DebyeClassroomPage *self = DEBYE_CLASSROOM_PAGE(widget);
  GTK_WIDGET_CLASS(debye_classroom_page_parent_class)->root(widget);
  self->keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(self->keys, GTK_PHASE_CAPTURE);
  g_signal_connect(self->keys, "key-pressed", G_CALLBACK(on_key_pressed), self);
  gtk_widget_add_controller(GTK_WIDGET(gtk_widget_get_root(widget)), self->keys);
}

static void
debye_classroom_page_unroot(GtkWidget *widget)
{
  DebyeClassroomPage *self = DEBYE_CLASSROOM_PAGE(widget);
  gtk_widget_remove_controller(GTK_WIDGET(gtk_widget_get_root(widget)), g_steal_pointer(&self->keys));
  GTK_WIDGET_CLASS(debye_classroom_page_parent_class)->unroot(widget);
}

static void
debye_classroom_page_dispose(GObject *object)
{
  g_clear_handle_id(&DEBYE_CLASSROOM_PAGE(object)->fitting, g_source_remove);
  G_OBJECT_CLASS(debye_classroom_page_parent_class)->dispose(object);
}

static void
debye_classroom_page_class_init(DebyeClassroomPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_classroom_page_dispose;
  widget_class->root = debye_classroom_page_root;
  widget_class->unroot = debye_classroom_page_unroot;
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/classroom_page.ui");
  DEBYE_BIND_CHILDREN(class, DebyeClassroomPage, lessons, tabs, place);
  gtk_widget_class_bind_template_callback(widget_class, on_room_changed);
}

static void
debye_classroom_page_init(DebyeClassroomPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
