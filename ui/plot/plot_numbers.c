/* SPDX-License-Identifier: MIT */
/* Implementation of plot_numbers.h. */
#include "plot_numbers.h"

#include <math.h>

#include "plot_sites.h"
#include "ui/widgets/number_table.h"

struct _DebyePlotNumbers {
  GtkBox parent_instance;
  DebyeNumberTable *table;
  GArray *atoms; /* guint32: the first one of the residue in each row; empty: rows are no residues */
  DebyeResultPlot *plot;
  DebyeResult *titration; /* whose sites are the rows; NULL: rows are no sites */
  double ph;              /* at which charges are shown; NAN: the results' own */
  char *site;             /* whose curve is shown alone; NULL: all are */
  gboolean replaces_plot;
  gboolean is_turning;  /* to the curves of sites: what is plotted in between doesn't count */
  gboolean has_to_show; /* that, once the curves of sites are plotted */
};

G_DEFINE_FINAL_TYPE(DebyePlotNumbers, debye_plot_numbers, GTK_TYPE_BOX)

/* --- Tables of residues --- */

DebyeTable *
debye_plot_numbers_find_table(DebyeResultPlot *plot, DebyeResult *newest)
{
  const DebyeQuantity *shown = debye_result_plot_get_quantity(plot);
  if (shown == NULL || newest == NULL || !debye_result_plot_is_over(plot, DEBYE_RESIDUE_NUMBER))
    return NULL;
  DebyeTable *table = debye_result_find_table(newest, DEBYE_TABLE_OF_RESIDUES);
  return debye_table_find_numbers(table, shown->name) != NULL ? table : NULL;
}

/* Rows of the table that are residues; others are atoms. */
static GArray *
list_rows(DebyeTable *table)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
  const char *const *levels = debye_table_find_texts(table, "level");
  for (guint row = 0; levels != NULL && row < debye_table_get_n_rows(table); row++)
    if (g_str_equal(levels[row], "residue"))
      g_array_append_val(rows, row);
  return rows;
}

/* A column of empty texts says nothing. */
static void
add_texts(DebyeTable *shown, const DebyeQuantity *quantity, const char *const *texts, const GArray *rows)
{
  g_autofree const char **chosen = g_new0(const char *, rows->len + 1);
  gboolean is_empty = TRUE;
  for (guint i = 0; i < rows->len; i++) {
    chosen[i] = texts[g_array_index(rows, guint, i)];
    is_empty &= *chosen[i] == '\0';
  }
  if (!is_empty)
    debye_table_add_texts(shown, quantity, chosen);
}

static void
add_numbers(DebyeTable *shown, const DebyeQuantity *quantity, const double *numbers, const GArray *rows)
{
  g_autofree double *chosen = g_new(double, rows->len + 1);
  for (guint i = 0; i < rows->len; i++)
    chosen[i] = numbers[g_array_index(rows, guint, i)];
  debye_table_add_numbers(shown, quantity, rows->len, chosen);
}

/* Of atoms alone, or the same in all rows. */
static gboolean
is_of_atoms(const char *name)
{
  static const char *const names[] = {"level", "name", "atom", "radius", NULL};
  return g_strv_contains(names, name);
}

/* What is plotted stands behind what tells the residues apart. */
static DebyeTable *
create_shown(DebyeTable *table, const GArray *rows, const char *plotted)
{
  DebyeTable *shown = debye_table_new(DEBYE_TABLE_OF_RESIDUES);
  gsize first;
  for (gsize i = 0; i < debye_table_get_n_columns(table); i++) {
    const DebyeQuantity *quantity = debye_table_get_quantity(table, i);
    const double *numbers = debye_table_get_numbers(table, i);
    if (g_str_equal(quantity->name, "charge") && debye_table_find_column(table, plotted, &first))
      add_numbers(shown, debye_table_get_quantity(table, first), debye_table_get_numbers(table, first), rows);
    if (numbers == NULL && !is_of_atoms(quantity->name))
      add_texts(shown, quantity, debye_table_get_texts(table, i), rows);
    else if (!is_of_atoms(quantity->name) && !g_str_equal(quantity->name, plotted))
      add_numbers(shown, quantity, numbers, rows);
  }
  return shown;
}

/* From the numbers of a table's atoms. A damaged file may have any, which is no atom. */
static guint32
find_atom(double number)
{
  return number >= 1.0 && number < G_MAXUINT32 ? (guint32)(number - 1.0) : G_MAXUINT32;
}

static void
list_atoms(DebyePlotNumbers *self, DebyeTable *table, const GArray *rows)
{
  const double *atoms = debye_table_find_numbers(table, "atom");
  for (guint i = 0; atoms != NULL && i < rows->len; i++) {
    const guint32 atom = find_atom(atoms[g_array_index(rows, guint, i)]);
    g_array_append_val(self->atoms, atom);
  }
}

/* Chains have residues of the same number: the value tells them apart. G_MAXUINT: none is there. */
static guint
find_nearest(const GArray *rows, const double *number, const double *values, double x, double y)
{
  guint nearest = G_MAXUINT;
  for (guint i = 0; i < rows->len; i++) {
    const guint row = g_array_index(rows, guint, i);
    if (number[row] == x && (nearest == G_MAXUINT || fabs(values[row] - y) < fabs(values[nearest] - y)))
      nearest = row;
  }
  return nearest;
}

gboolean
debye_plot_numbers_choose(DebyePlotNumbers *self, DebyeResultPlot *plot, DebyeResult *result, double x,
                          double y)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_NUMBERS(self) && plot != NULL && result != NULL, FALSE);
  DebyeTable *table = debye_plot_numbers_find_table(plot, result);
  if (table == NULL)
    return FALSE;
  const double *atoms = debye_table_find_numbers(table, "atom"),
               *number = debye_table_find_numbers(table, "number");
  const double *values = debye_table_find_numbers(table, debye_result_plot_get_quantity(plot)->name);
  g_autoptr(GArray) rows = list_rows(table);
  const guint row = atoms != NULL && number != NULL ? find_nearest(rows, number, values, x, y) : G_MAXUINT;
  if (row != G_MAXUINT)
    g_signal_emit_by_name(self, "residue-chosen", find_atom(atoms[row]));
  return row != G_MAXUINT;
}

/* --- Tables of sites --- */

/* The curves of sites are of another quantity than their sum, which has the same table. */
static gboolean
are_sites_plotted(DebyePlotNumbers *self)
{
  const DebyeQuantity *shown = self->plot != NULL ? debye_result_plot_get_quantity(self->plot) : NULL;
  return shown != NULL && g_str_equal(shown->name, DEBYE_PROTONS);
}

static void
show_curves(DebyePlotNumbers *self)
{
  if (!self->has_to_show || !are_sites_plotted(self))
    return;
  self->has_to_show = FALSE; /* before the plot tells that it changes */
  debye_plot_sites_show_alone(self->plot, self->site);
}

static void
show_sites(DebyePlotNumbers *self)
{
  DebyeTable *sites = debye_plot_sites_find_table(self->plot, self->titration);
  g_autoptr(DebyeTable) table =
      sites != NULL ? debye_plot_sites_create_shown(self->titration, sites, self->ph) : NULL;
  debye_number_table_set_table(self->table, table);
}

void
debye_plot_numbers_set_ph(DebyePlotNumbers *self, double ph)
{
  g_return_if_fail(DEBYE_IS_PLOT_NUMBERS(self));
  if (ph == self->ph)
    return;
  self->ph = ph;
  if (self->titration != NULL)
    show_sites(self);
}

static void
on_site_chosen(DebyePlotNumbers *self, guint row)
{
  DebyeTable *sites = debye_plot_sites_find_table(self->plot, self->titration);
  const char *site = sites != NULL ? debye_plot_sites_get_text(sites, "site", row) : NULL;
  g_free(self->site);
  self->site = g_strdup(site);
  self->has_to_show = TRUE;
  if (site == NULL) {
    show_curves(self);
    return;
  }
  if (!are_sites_plotted(self)) {
    self->is_turning = TRUE;
    debye_result_plot_set_quantity(self->plot, DEBYE_PROTONS);
    self->is_turning = FALSE;
  }
  show_curves(self);
  g_signal_emit_by_name(self, "site-chosen", debye_plot_sites_get_text(sites, "chain", row),
                        debye_plot_sites_get_text(sites, "residue", row));
}

/* --- Showing --- */

static void
show_table(DebyePlotNumbers *self, DebyeResult *newest)
{
  DebyeTable *residues = debye_plot_numbers_find_table(self->plot, newest);
  g_autoptr(GArray) rows = residues != NULL ? list_rows(residues) : NULL;
  g_autoptr(DebyeTable) table =
      residues != NULL ? create_shown(residues, rows, debye_result_plot_get_quantity(self->plot)->name)
                       : debye_plot_create_table(debye_result_plot_get_plot(self->plot));
  if (residues != NULL)
    list_atoms(self, residues, rows);
  debye_number_table_set_table(self->table, table);
}

static void
set_replaces_plot(DebyePlotNumbers *self, gboolean replaces_plot)
{
  if (replaces_plot == self->replaces_plot)
    return;
  self->replaces_plot = replaces_plot;
  g_object_notify(G_OBJECT(self), "replaces-plot");
}

/* A curve that is hidden is no new table: its rows, one of which hid it, stay. */
void
debye_plot_numbers_show(DebyePlotNumbers *self, DebyeResultPlot *plot, DebyeResult *newest)
{
  g_return_if_fail(DEBYE_IS_PLOT_NUMBERS(self));
  if (self->is_turning)
    return;
  DebyeResult *titration = plot != NULL && debye_plot_sites_find_table(plot, newest) != NULL ? newest : NULL;
  const gboolean is_same = titration != NULL && titration == self->titration;
  if (plot != NULL)
    g_set_object(&self->plot, plot);
  set_replaces_plot(self, plot != NULL && titration == NULL);
  show_curves(self);
  if (is_same)
    return;
  g_array_set_size(self->atoms, 0);
  if (self->titration != NULL || plot == NULL) { /* no row stays selected of another titration */
    g_clear_object(&self->titration);
    debye_number_table_set_table(self->table, NULL);
  }
  g_set_object(&self->titration, titration);
  if (plot == NULL)
    return;
  if (titration != NULL)
    show_sites(self);
  else
    show_table(self, newest);
}

char *
debye_plot_numbers_copy_text(DebyePlotNumbers *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT_NUMBERS(self), NULL);
  return debye_number_table_copy_text(self->table);
}

static void
on_row_chosen(DebyePlotNumbers *self, guint row)
{
  if (self->titration != NULL || self->site != NULL)
    on_site_chosen(self, row);
  else if (row < self->atoms->len)
    g_signal_emit_by_name(self, "residue-chosen", g_array_index(self->atoms, guint32, row));
}

/* --- The object --- */

static void
debye_plot_numbers_get_property(GObject *object, guint id G_GNUC_UNUSED, GValue *value,
                                GParamSpec *spec G_GNUC_UNUSED)
{
  g_value_set_boolean(value, DEBYE_PLOT_NUMBERS(object)->replaces_plot);
}

static void
debye_plot_numbers_finalize(GObject *object)
{
  DebyePlotNumbers *self = DEBYE_PLOT_NUMBERS(object);
  g_array_unref(self->atoms);
  g_clear_object(&self->titration);
  g_clear_object(&self->plot);
  g_free(self->site);
  G_OBJECT_CLASS(debye_plot_numbers_parent_class)->finalize(object);
}

static void
debye_plot_numbers_class_init(DebyePlotNumbersClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_plot_numbers_finalize;
  G_OBJECT_CLASS(class)->get_property = debye_plot_numbers_get_property;
  g_object_class_install_property(
      G_OBJECT_CLASS(class), 1,
      g_param_spec_boolean("replaces-plot", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_signal_new("residue-chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
               G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new("site-chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
               2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
debye_plot_numbers_init(DebyePlotNumbers *self)
{
  self->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  self->ph = (double)NAN;
  self->table = g_object_new(DEBYE_TYPE_NUMBER_TABLE, NULL);
  g_signal_connect_object(self->table, "row-chosen", G_CALLBACK(on_row_chosen), self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->table));
}
