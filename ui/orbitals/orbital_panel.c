/* SPDX-License-Identifier: MIT */
/* The page of orbitals in the side bar; filled by the window's orbital_page.c. */
#include "orbital_panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "orbital_columns.h"
#include "orbital_item.h"
#include "orbital_levels.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

struct _DebyeOrbitalPanel {
  AdwBin parent_instance;
  GtkLabel *title, *energy, *formula, *share_text, *level, *electrons, *remark;
  DebyeOrbitalLevels *levels;
  GtkScale *slider;
  GtkAdjustment *adjustment, *share_adjustment;
  GtkColumnView *list;
  GtkSingleSelection *selection; /* NULL until there are orbitals */
  gboolean is_restoring;
};

G_DEFINE_FINAL_TYPE(DebyeOrbitalPanel, debye_orbital_panel, ADW_TYPE_BIN)

static guint
count(DebyeOrbitalPanel *self)
{
  return self->selection != NULL ? g_list_model_get_n_items(G_LIST_MODEL(self->selection)) : 0;
}

static DebyeOrbitalItem *
get_selected(DebyeOrbitalPanel *self)
{
  return self->selection != NULL ? gtk_single_selection_get_selected_item(self->selection) : NULL;
}

/* --- What is told --- */

static void
show_text(GtkLabel *label, const char *text)
{
  gtk_label_set_label(label, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(label), text != NULL && *text != '\0');
}

/* "HOMO, orbital 4", "Orbital 4 β". */
static void
show_title(DebyeOrbitalPanel *self)
{
  DebyeOrbitalItem *item = get_selected(self);
  if (item == NULL) {
    gtk_label_set_label(self->title, _("No orbital is shown"));
    gtk_label_set_label(self->energy, "");
    show_text(self->formula, NULL);
    return;
  }
  g_autofree char *number = debye_orbital_item_number_text(item);
  g_autofree char *hartree = debye_orbital_item_hartree_text(item);
  g_autofree char *ev = debye_orbital_item_ev_text(item);
  const char *frontier = debye_orbital_item_frontier_text(item);
  g_autofree char *name = *frontier != '\0' ? g_strdup_printf(_("%s, orbital %s"), frontier, number)
                                            : g_strdup_printf(_("Orbital %s"), number);
  g_autofree char *energy = isfinite(debye_orbital_item_get(item)->energy)
                                ? g_strdup_printf("%s Eₕ · %s eV", hartree, ev)
                                : g_strdup("");
  gtk_label_set_label(self->title, name);
  gtk_label_set_label(self->energy, energy);
  show_text(self->formula, debye_orbital_item_get(item)->formula);
}

static void
show_share(DebyeOrbitalPanel *self)
{
  g_autofree char *text = g_strdup_printf("%u %%", debye_orbital_panel_get_share(self));
  gtk_label_set_label(self->share_text, text);
}

/* --- Choosing --- */

/* The list has the highest energy first, the slider to the right. */
static void
on_selected(DebyeOrbitalPanel *self)
{
  const guint position = gtk_single_selection_get_selected(self->selection);
  DebyeOrbitalItem *item = get_selected(self);
  show_title(self);
  debye_orbital_levels_set_selected(self->levels, position);
  if (item == NULL)
    return;
  gtk_adjustment_set_value(self->adjustment, (double)(count(self) - 1 - position));
  if (!self->is_restoring)
    g_signal_emit_by_name(self, "chosen", debye_orbital_item_get(item)->number);
}

/* With its neighbours. The list's own action knows where rows will be before they are laid out. */
static void
scroll_to(DebyeOrbitalPanel *self, guint position)
{
  const guint last = count(self) - 1,
              positions[] = {MIN(position + 1, last), position > 0 ? position - 1 : 0, position};
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self->list)); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    for (gsize i = 0; GTK_IS_LIST_VIEW(child) && i < G_N_ELEMENTS(positions); i++)
      gtk_widget_activate_action(child, "list.scroll-to-item", "u", positions[i]);
}

static void
choose(DebyeOrbitalPanel *self, guint position)
{
  if (position >= count(self) || position == gtk_single_selection_get_selected(self->selection))
    return;
  gtk_single_selection_set_selected(self->selection, position);
  scroll_to(self, position);
}

static void
on_picked(DebyeOrbitalPanel *self, guint position)
{
  choose(self, position);
  gtk_widget_grab_focus(GTK_WIDGET(self->levels));
}

static void
on_slid(DebyeOrbitalPanel *self)
{
  const double value = round(gtk_adjustment_get_value(self->adjustment));
  if (count(self) > 0 && get_selected(self) != NULL)
    choose(self, count(self) - 1 - (guint)CLAMP(value, 0.0, count(self) - 1.0));
}

/* The diagram and the list alike, whichever row has the focus: up is a higher energy. */
static gboolean
on_key(GtkEventControllerKey *keys G_GNUC_UNUSED, guint key, guint code G_GNUC_UNUSED, GdkModifierType state,
       DebyeOrbitalPanel *self)
{
  static const struct {
    guint key;
    int steps;
  } moves[] = {{GDK_KEY_Up, -1},        {GDK_KEY_Down, 1},          {GDK_KEY_Page_Up, -10},
               {GDK_KEY_Page_Down, 10}, {GDK_KEY_Home, G_MININT16}, {GDK_KEY_End, G_MAXINT16}};
  if (get_selected(self) == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(moves); i++)
    if (moves[i].key == key) {
      const int at = (int)gtk_single_selection_get_selected(self->selection) + moves[i].steps;
      choose(self, (guint)CLAMP(at, 0, (int)count(self) - 1));
      return TRUE;
    }
  return FALSE;
}

static void
add_keys(DebyeOrbitalPanel *self, gpointer widget)
{
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object(keys, "key-pressed", G_CALLBACK(on_key), self, G_CONNECT_DEFAULT);
  gtk_widget_add_controller(widget, keys);
}

static guint
find_homo(DebyeOrbitalPanel *self)
{
  for (guint i = 0; i < count(self); i++) {
    g_autoptr(DebyeOrbitalItem) item = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    if (debye_orbital_item_get(item)->frontier == DEBYE_FRONTIER_HOMO)
      return i;
  }
  return count(self) - 1;
}

/* Once the page is laid out, which scrolling needs. */
static gboolean
choose_first(gpointer data)
{
  DebyeOrbitalPanel *self = data;
  if (count(self) > 0 && get_selected(self) == NULL)
    choose(self, find_homo(self));
  else if (count(self) > 0)
    scroll_to(self, gtk_single_selection_get_selected(self->selection));
  gtk_widget_grab_focus(GTK_WIDGET(self->levels));
  return G_SOURCE_REMOVE;
}

static void
on_mapped(DebyeOrbitalPanel *self)
{
  if (count(self) > 0)
    g_idle_add_full(G_PRIORITY_LOW, choose_first, g_object_ref(self), g_object_unref);
}

static void
on_shared(DebyeOrbitalPanel *self)
{
  show_share(self);
  if (!self->is_restoring)
    g_signal_emit_by_name(self, "share-changed");
}

static void
on_settings_clicked(DebyeOrbitalPanel *self)
{
  DebyeOrbitalItem *item = get_selected(self);
  if (item != NULL)
    g_signal_emit_by_name(self, "settings", debye_orbital_item_get(item)->number);
}

static void
on_potential_clicked(DebyeOrbitalPanel *self)
{
  g_signal_emit_by_name(self, "potential");
}

/* --- From above --- */

static gboolean
has_symmetry(GListModel *orbitals)
{
  for (guint i = 0; i < g_list_model_get_n_items(orbitals); i++) {
    g_autoptr(DebyeOrbitalItem) item = g_list_model_get_item(orbitals, i);
    if (*debye_orbital_item_get(item)->symmetry != '\0')
      return TRUE;
  }
  return FALSE;
}

void
debye_orbital_panel_set_orbitals(DebyeOrbitalPanel *self, GListModel *orbitals, const char *remark)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_PANEL(self) && G_IS_LIST_MODEL(orbitals));
  g_clear_object(&self->selection);
  gtk_column_view_set_model(self->list, NULL);
  debye_orbital_columns_set(self->list, has_symmetry(orbitals));
  self->selection = g_object_new(GTK_TYPE_SINGLE_SELECTION, "autoselect", FALSE, "can-unselect", FALSE,
                                 "model", orbitals, NULL);
  gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_object(self->selection, "notify::selected", G_CALLBACK(on_selected), self,
                          G_CONNECT_SWAPPED);
  gtk_adjustment_set_upper(self->adjustment, MAX(count(self), 2) - 1.0);
  debye_orbital_levels_set_orbitals(self->levels, orbitals);
  gtk_column_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
  show_text(self->remark, remark);
  debye_orbital_panel_set_level(self, 0.0);
  show_title(self);
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    on_mapped(self);
}

static guint
find_number(DebyeOrbitalPanel *self, guint number)
{
  for (guint i = 0; i < count(self); i++) {
    g_autoptr(DebyeOrbitalItem) item = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    if (debye_orbital_item_get(item)->number == number)
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

void
debye_orbital_panel_choose(DebyeOrbitalPanel *self, guint number)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_PANEL(self));
  if (self->selection != NULL)
    choose(self, find_number(self, number));
}

void
debye_orbital_panel_restore(DebyeOrbitalPanel *self, guint number, guint share)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_PANEL(self) && self->selection != NULL);
  self->is_restoring = TRUE;
  gtk_adjustment_set_value(self->share_adjustment, (double)share);
  gtk_single_selection_set_selected(self->selection, find_number(self, number));
  self->is_restoring = FALSE;
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    on_mapped(self);
}

guint
debye_orbital_panel_get_share(DebyeOrbitalPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_ORBITAL_PANEL(self), 80);
  return (guint)round(gtk_adjustment_get_value(self->share_adjustment));
}

void
debye_orbital_panel_set_level(DebyeOrbitalPanel *self, double level)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_PANEL(self));
  g_autofree char *number = debye_number_text(level, 2);
  g_autofree char *text =
      level > 0.0 ? g_strdup_printf(_("Surfaces at ψ = ±%s bohr⁻³ᐟ²"), number) : g_strdup("");
  show_text(self->level, text);
}

void
debye_orbital_panel_set_electrons(DebyeOrbitalPanel *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_ORBITAL_PANEL(self));
  show_text(self->electrons, text);
}

/* --- The object --- */

static void
debye_orbital_panel_finalize(GObject *object)
{
  g_clear_object(&DEBYE_ORBITAL_PANEL(object)->selection);
  G_OBJECT_CLASS(debye_orbital_panel_parent_class)->finalize(object);
}

static void
debye_orbital_panel_class_init(DebyeOrbitalPanelClass *class)
{
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_orbital_panel_finalize;
  g_type_ensure(DEBYE_TYPE_ORBITAL_LEVELS);
  g_signal_new("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new("share-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("settings", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new("potential", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(GTK_WIDGET_CLASS(class), "/org/debye/Debye/orbital_panel.ui");
  DEBYE_BIND_CHILDREN(class, DebyeOrbitalPanel, title, energy, formula, levels, slider, adjustment, list,
                      share_adjustment);
  DEBYE_BIND_CHILDREN(class, DebyeOrbitalPanel, share_text, level, electrons, remark);
  DEBYE_BIND_CALLBACKS(class, on_settings_clicked, on_potential_clicked);
}

static void
debye_orbital_panel_init(DebyeOrbitalPanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  g_signal_connect(self, "map", G_CALLBACK(on_mapped), NULL);
  g_signal_connect_object(self->levels, "picked", G_CALLBACK(on_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->adjustment, "value-changed", G_CALLBACK(on_slid), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->share_adjustment, "value-changed", G_CALLBACK(on_shared), self,
                          G_CONNECT_SWAPPED);
  add_keys(self, self->levels);
  add_keys(self, self->list);
  show_share(self);
  show_title(self);
}
