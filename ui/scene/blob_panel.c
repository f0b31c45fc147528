/* SPDX-License-Identifier: MIT */
/* Shows the list of residues in blobs; filled by window_blobs.c. */
#include "blob_panel.h"

#include <glib/gi18n.h>

#include "data/messages/message.h"
#include "ui/widgets/number_table.h"
#include "ui/widgets/number_text.h"

#define DIGITS 3

struct _DebyeBlobPanel {
  AdwBin parent_instance;
  GtkLabel *title, *caption, *hint;
  DebyeNumberTable *table;
  DebyeResult *result; /* NULL: the panel is empty */
};

G_DEFINE_FINAL_TYPE(DebyeBlobPanel, debye_blob_panel, ADW_TYPE_BIN)

gboolean
debye_blob_panel_can_show(DebyeResult *result)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(result), FALSE);
  DebyeTable *visits = debye_result_find_table(result, "visits");
  gsize column;
  return debye_table_find_column(visits, "residue", &column) &&
         debye_table_find_column(visits, "share", &column);
}

/* --- The list --- */

static double
round_number(double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.4g", value), NULL);
}

static void
add_column(DebyeTable *shown, DebyeTable *visits, const DebyeQuantity *quantity, double factor)
{
  gsize column;
  const gsize n = debye_table_get_n_rows(visits);
  if (!debye_table_find_column(visits, quantity->name, &column))
    return;
  const DebyeQuantity named = {quantity->name, quantity->label,
                               quantity->unit != NULL ? quantity->unit
                                                      : debye_table_get_quantity(visits, column)->unit};
  const double *numbers = debye_table_get_numbers(visits, column);
  if (numbers == NULL) {
    debye_table_add_texts(shown, &named, debye_table_get_texts(visits, column));
    return;
  }
  g_autofree double *values = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = round_number(factor * numbers[i]);
  debye_table_add_numbers(shown, &named, n, values);
}

/* The table as it is shown, with the residue in the first column. The column of blobs is left out if there is one blob. */
static DebyeTable *
create_shown(DebyeTable *visits, gboolean has_several)
{
  static const DebyeQuantity quantities[] = {
      {"residue", N_("residue"), NULL},
      {"blob", N_("blob"), NULL},
      {"share", N_("frames"), "%"},
      {"mean_stay", N_("mean stay"), ""},
      {"longest_stay", N_("longest"), ""},
      {"stays", N_("stays"), NULL},
      {"first_frame", N_("first frame"), NULL},
      {"last_frame", N_("last frame"), NULL},
  };
  DebyeTable *shown = debye_table_new("visits");
  for (gsize i = 0; i < G_N_ELEMENTS(quantities); i++)
    if (has_several || !g_str_equal(quantities[i].name, "blob"))
      add_column(shown, visits, &quantities[i], g_str_equal(quantities[i].name, "share") ? 100.0 : 1.0);
  return shown;
}

static void
on_row_chosen(DebyeBlobPanel *self, guint row)
{
  DebyeTable *visits = self->result != NULL ? debye_result_find_table(self->result, "visits") : NULL;
  if (visits == NULL || row >= debye_table_get_n_rows(visits))
    return;
  const double *residues = debye_table_find_numbers(visits, "index"),
               *frames = debye_table_find_numbers(visits, "first_frame");
  /* The numbers of a damaged file can be out of range. */
  if (residues != NULL && frames != NULL && residues[row] >= 0.0 && residues[row] < G_MAXUINT &&
      frames[row] >= 0.0 && frames[row] < G_MAXUINT)
    g_signal_emit_by_name(self, "residue-chosen", (guint)residues[row], (guint)frames[row]);
}

/* --- Title and caption above the list --- */

static char *
write_title(DebyeTable *blobs)
{
  const gsize n = blobs != NULL ? debye_table_get_n_rows(blobs) : 0;
  const double *volumes = debye_table_find_numbers(blobs, "volume");
  if (n != 1 || volumes == NULL)
    return g_strdup_printf(ngettext("%zu blob", "%zu blobs", n), n);
  g_autofree char *volume = debye_number_sentence(volumes[0], DIGITS);
  return g_strdup_printf(_("Blob of %s Å³"), volume);
}

/* In the caption and not in the headings: two of them with it would be wider than the side bar. */
static void
append_unit_of_stays(GString *text, DebyeTable *visits)
{
  gsize column;
  if (!debye_table_find_column(visits, "mean_stay", &column))
    return;
  g_autofree char *unit = debye_message_translate(debye_table_get_quantity(visits, column)->unit);
  if (*unit != '\0')
    g_string_append_printf(text, _(" · stays in %s"), unit);
}

/* Such as "Level 0.6 · around (3.1, 8, −2.4) Å · stays in ps". */
static char *
write_caption(DebyeResult *result, DebyeTable *blobs)
{
  const double *center[3] = {NULL};
  static const char *const axes[] = {"x", "y", "z"};
  g_autofree char *level =
      debye_number_sentence(debye_request_get_number(debye_result_get_request(result), "level"), DIGITS);
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, _("Level %s"), level);
  for (int k = 0; k < 3 && blobs != NULL && debye_table_get_n_rows(blobs) == 1; k++)
    center[k] = debye_table_find_numbers(blobs, axes[k]);
  if (center[0] != NULL && center[1] != NULL && center[2] != NULL) {
    g_autofree char *x = debye_number_sentence(center[0][0], DIGITS);
    g_autofree char *y = debye_number_sentence(center[1][0], DIGITS);
    g_autofree char *z = debye_number_sentence(center[2][0], DIGITS);
    g_string_append_printf(text, _(" · around (%s, %s, %s) Å"), x, y, z);
  }
  append_unit_of_stays(text, debye_result_find_table(result, "visits"));
  if (debye_result_is_partial(result))
    g_string_append(text, _(" · stopped early, partial"));
  return g_string_free(text, FALSE);
}

void
debye_blob_panel_set_result(DebyeBlobPanel *self, DebyeResult *result)
{
  g_return_if_fail(DEBYE_IS_BLOB_PANEL(self) && (result == NULL || debye_blob_panel_can_show(result)));
  if (!g_set_object(&self->result, result))
    return;
  debye_number_table_set_table(self->table, NULL);
  if (result == NULL)
    return;
  DebyeTable *visits = debye_result_find_table(result, "visits"),
             *blobs = debye_result_find_table(result, "blobs");
  g_autofree char *title = write_title(blobs), *caption = write_caption(result, blobs);
  g_autoptr(DebyeTable) shown = create_shown(visits, blobs != NULL && debye_table_get_n_rows(blobs) > 1);
  debye_number_table_set_table(self->table, shown);
  gtk_label_set_label(self->title, title);
  gtk_label_set_label(self->caption, caption);
  gtk_label_set_label(self->hint,
                      debye_table_get_n_rows(visits) == 0
                          ? _("None of the chosen atoms was inside in these frames.")
                          : _("Select a residue to see it in the first frame in which it is inside."));
}

/* --- The object --- */

static GtkLabel *
add_label(GtkWidget *box, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 30);
  gtk_widget_set_margin_start(label, 12);
  gtk_widget_set_margin_end(label, 12);
  gtk_widget_add_css_class(label, class);
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static void
debye_blob_panel_finalize(GObject *object)
{
  g_clear_object(&DEBYE_BLOB_PANEL(object)->result);
  G_OBJECT_CLASS(debye_blob_panel_parent_class)->finalize(object);
}

static void
debye_blob_panel_class_init(DebyeBlobPanelClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_blob_panel_finalize;
  g_signal_new("residue-chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
               G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
debye_blob_panel_init(DebyeBlobPanel *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->title = add_label(box, "heading");
  self->caption = add_label(box, "caption");
  self->table = g_object_new(DEBYE_TYPE_NUMBER_TABLE, NULL);
  g_signal_connect_object(self->table, "row-chosen", G_CALLBACK(on_row_chosen), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand(GTK_WIDGET(self->table), TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->table), "blobs");
  gtk_widget_set_margin_top(GTK_WIDGET(self->title), 12);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->table));
  self->hint = add_label(box, "dim-label");
  gtk_widget_set_margin_bottom(GTK_WIDGET(self->hint), 12);
  adw_bin_set_child(ADW_BIN(self), box);
}
