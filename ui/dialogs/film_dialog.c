/* SPDX-License-Identifier: MIT */
/* The dialog for a movie's content, length and size; opened by the window's movie action. */
#include "film_dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "film_caption_row.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/template.h"

#define TURN_SECONDS 8.0
#define LEG_SECONDS 3.0 /* from one view to the next */
#define PERIODS 5
#define RATE_DIGITS 6 /* 119.881 */

/* The choices of film_dialog.ui, in their order. 0: the view's. */
static const struct {
  int width, height;
} sizes[] = {{0, 0}, {1280, 720}, {1920, 1080}, {3840, 2160}};

/* Names of the codecs with the files that hold them, in the order of DebyeFilmWish's codec. */
static const char *const codec_names[] = {N_("Automatic"), "H.264 (MP4)", "VP8 (WebM)", "VP9 (WebM)",
                                          "AV1 (MP4, WebM)"};

struct _DebyeFilmDialog {
  AdwWindow parent_instance;
  GtkSwitch *frames;
  GtkSpinButton *degrees, *seconds, *rate;
  AdwComboRow *camera, *axis, *size, *codec, *plot;
  AdwExpanderRow *words;
  AdwEntryRow *film_title, *subtitle;
  GPtrArray *captions; /* their rows, owned by `words` */
  gboolean is_refused;
  AdwActionRow *frames_row, *degrees_row, *views_row;
  GtkListBox *views;
  GtkButton *export;
  GtkLabel *remark;
  GtkToggleButton *play;
  int view_width, view_height;
  gboolean moves, vibrates;
  guint n_views;
  guint codecs[G_N_ELEMENTS(codec_names)]; /* those of the rows */
};

G_DEFINE_FINAL_TYPE(DebyeFilmDialog, debye_film_dialog, ADW_TYPE_WINDOW)

/* --- What it says --- */

void
debye_film_dialog_get_wish(DebyeFilmDialog *self, DebyeFilmWish *wish)
{
  guint i = MIN(adw_combo_row_get_selected(self->size), G_N_ELEMENTS(sizes) - 1);
  int width = sizes[i].width > 0 ? sizes[i].width : self->view_width;
  int height = sizes[i].height > 0 ? sizes[i].height : self->view_height;
  const double rate = gtk_spin_button_get_value(self->rate);
  const guint row = MIN(adw_combo_row_get_selected(self->codec), G_N_ELEMENTS(codec_names) - 1);
  *wish = (DebyeFilmWish){
      .frames = gtk_switch_get_active(self->frames),
      .camera = (DebyeFilmCamera)adw_combo_row_get_selected(self->camera),
      .degrees = gtk_spin_button_get_value(self->degrees),
      .axis = (DebyeTurnAxis)adw_combo_row_get_selected(self->axis),
      .n_pictures = MAX(1, (int)lround(gtk_spin_button_get_value(self->seconds) * rate)),
      .rate = rate,
      .codec = self->codecs[row],
      .width = width & ~1,
      .height = height & ~1,
  };
}

/* What belongs to the choice of camera; a path needs two views. */
static void
update(DebyeFilmDialog *self)
{
  guint camera = adw_combo_row_get_selected(self->camera);
  gboolean goes = camera == DEBYE_FILM_GOES, ready = !goes || self->n_views >= 2;
  gtk_widget_set_visible(GTK_WIDGET(self->degrees_row), camera == DEBYE_FILM_TURNS);
  gtk_widget_set_visible(GTK_WIDGET(self->axis), camera == DEBYE_FILM_TURNS);
  gtk_widget_set_visible(GTK_WIDGET(self->views_row), goes);
  gtk_widget_set_visible(GTK_WIDGET(self->views), goes && self->n_views > 0);
  gtk_widget_set_sensitive(GTK_WIDGET(self->export), ready);
  gtk_widget_set_sensitive(GTK_WIDGET(self->play), ready);
}

/* A length that suits what moves, until a person says another. */
static void
on_camera_selected(DebyeFilmDialog *self)
{
  guint camera = adw_combo_row_get_selected(self->camera);
  if (!self->moves && camera == DEBYE_FILM_TURNS)
    gtk_spin_button_set_value(self->seconds, TURN_SECONDS);
  update(self);
}

/* --- Views --- */

static guint
number_of(GtkWidget *button)
{
  return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "debye-view"));
}

static void
on_show_clicked(GtkWidget *button, DebyeFilmDialog *self)
{
  g_signal_emit_by_name(self, "show-view", number_of(button));
}

static void
on_forget_clicked(GtkWidget *button, DebyeFilmDialog *self)
{
  g_signal_emit_by_name(self, "forget-view", number_of(button));
}

static void
on_keep_clicked(DebyeFilmDialog *self)
{
  g_signal_emit_by_name(self, "keep-view");
}

static GtkWidget *
create_button(const char *icon, const char *name, guint number, GCallback clicked, DebyeFilmDialog *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data(G_OBJECT(button), "debye-view", GUINT_TO_POINTER(number));
  g_signal_connect(button, "clicked", clicked, self);
  return button;
}

static void
add_view(DebyeFilmDialog *self, guint number)
{
  GtkWidget *row = adw_action_row_new();
  g_autofree char *title = g_strdup_printf(_("View %u"), number + 1);
  g_autofree char *show = g_strdup_printf(_("Show view %u"), number + 1);
  g_autofree char *forget = g_strdup_printf(_("Remove view %u"), number + 1);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), create_button("find-location-symbolic", show, number,
                                                               G_CALLBACK(on_show_clicked), self));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), create_button("user-trash-symbolic", forget, number,
                                                               G_CALLBACK(on_forget_clicked), self));
  gtk_list_box_append(self->views, row);
}

void
debye_film_dialog_set_n_views(DebyeFilmDialog *self, guint n_views)
{
  g_return_if_fail(DEBYE_IS_FILM_DIALOG(self));
  GtkWidget *row;
  while ((row = gtk_widget_get_first_child(GTK_WIDGET(self->views))) != NULL)
    gtk_list_box_remove(self->views, row);
  for (guint i = 0; i < n_views; i++)
    add_view(self, i);
  if (n_views != self->n_views && n_views >= 2 && !self->moves)
    gtk_spin_button_set_value(self->seconds, LEG_SECONDS * (n_views - 1));
  self->n_views = n_views;
  update(self);
}

/* --- Words --- */

static void
on_caption_removed(DebyeFilmDialog *self, GtkWidget *row)
{
  g_ptr_array_remove(self->captions, row);
  adw_expander_row_remove(self->words, row);
}

/* It begins where the last one ends. */
static void
on_add_clicked(DebyeFilmDialog *self)
{
  const guint n = self->captions->len;
  const double from = n > 0 ? debye_film_caption_row_get_end(self->captions->pdata[n - 1]) : 0.0;
  GtkWidget *row = debye_film_caption_row_new(from);
  g_signal_connect_object(row, "remove", G_CALLBACK(on_caption_removed), self, G_CONNECT_SWAPPED);
  g_ptr_array_add(self->captions, row);
  adw_expander_row_add_row(self->words, row);
}

char **
debye_film_dialog_list_titles(DebyeFilmDialog *self)
{
  AdwEntryRow *const rows[] = {self->film_title, self->subtitle};
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(rows[i]))));
    if (*text != '\0')
      g_strv_builder_add(lines, text);
  }
  return g_strv_builder_end(lines);
}

char **
debye_film_dialog_list_captions(DebyeFilmDialog *self)
{
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  for (guint i = 0; i < self->captions->len; i++) {
    g_autofree char *line = debye_film_caption_row_get_line(self->captions->pdata[i]);
    if (line != NULL)
      g_strv_builder_add(lines, line);
  }
  return g_strv_builder_end(lines);
}

/* --- Plots --- */

void
debye_film_dialog_set_plots(DebyeFilmDialog *self, const char *const *names)
{
  g_return_if_fail(DEBYE_IS_FILM_DIALOG(self));
  const char *const first[] = {_("No plot"), NULL};
  g_autoptr(GtkStringList) list = gtk_string_list_new(first);
  gtk_string_list_splice(list, 1, 0, names);
  adw_combo_row_set_model(self->plot, G_LIST_MODEL(list));
  gtk_widget_set_visible(GTK_WIDGET(self->plot), *names != NULL && self->moves && !self->vibrates);
}

int
debye_film_dialog_get_plot(DebyeFilmDialog *self)
{
  const guint selected = adw_combo_row_get_selected(self->plot);
  const gboolean has_frames = self->moves && !self->vibrates && gtk_switch_get_active(self->frames);
  return has_frames && selected != GTK_INVALID_LIST_POSITION ? (int)selected - 1 : -1;
}

/* --- Encodings --- */

/* Keeps the chosen codec if it is still offered. */
void
debye_film_dialog_set_codecs(DebyeFilmDialog *self, guint codecs)
{
  g_return_if_fail(DEBYE_IS_FILM_DIALOG(self));
  g_autoptr(GtkStringList) list = gtk_string_list_new(NULL);
  const guint former = adw_combo_row_get_selected(self->codec);
  const guint chosen = former < G_N_ELEMENTS(codec_names) ? self->codecs[former] : 0;
  guint n = 0, selected = 0;
  for (guint i = 0; i < G_N_ELEMENTS(codec_names); i++) {
    if (i > 0 && (codecs >> i & 1U) == 0)
      continue;
    selected = i == chosen ? n : selected;
    self->codecs[n++] = i;
    gtk_string_list_append(list, i == 0 ? _(codec_names[i]) : codec_names[i]);
  }
  adw_combo_row_set_model(self->codec, G_LIST_MODEL(list));
  adw_combo_row_set_selected(self->codec, selected);
  gtk_widget_set_sensitive(GTK_WIDGET(self->codec), n > 1);
}

/* --- The rest --- */

static void
on_export_clicked(DebyeFilmDialog *self)
{
  gtk_toggle_button_set_active(self->play, FALSE);
  self->is_refused = FALSE;
  g_signal_emit_by_name(self, "export");
  if (!self->is_refused)
    gtk_window_close(GTK_WINDOW(self));
}

void
debye_film_dialog_refuse(DebyeFilmDialog *self, const char *reason)
{
  g_return_if_fail(DEBYE_IS_FILM_DIALOG(self));
  self->is_refused = TRUE;
  debye_film_dialog_set_remark(self, reason);
  gtk_widget_add_css_class(GTK_WIDGET(self->remark), "error");
}

static void
on_play_toggled(DebyeFilmDialog *self)
{
  gboolean playing = gtk_toggle_button_get_active(self->play);
  const char *name = playing ? _("Stop") : _("Play in the window");
  gtk_button_set_icon_name(GTK_BUTTON(self->play),
                           playing ? "media-playback-stop-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->play), name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->play), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_emit_by_name(self, "play", playing);
}

void
debye_film_dialog_set_remark(DebyeFilmDialog *self, const char *remark)
{
  gtk_label_set_label(self->remark, remark != NULL ? remark : "");
  gtk_widget_remove_css_class(GTK_WIDGET(self->remark), "error");
  gtk_widget_set_visible(GTK_WIDGET(self->remark), remark != NULL);
}

void
debye_film_dialog_set_playing(DebyeFilmDialog *self, gboolean playing)
{
  g_return_if_fail(DEBYE_IS_FILM_DIALOG(self));
  gtk_toggle_button_set_active(self->play, playing);
}

/* Closing the dialog stops the preview. */
static gboolean
debye_film_dialog_close_request(GtkWindow *window)
{
  gtk_toggle_button_set_active(DEBYE_FILM_DIALOG(window)->play, FALSE);
  return GTK_WINDOW_CLASS(debye_film_dialog_parent_class)->close_request(window);
}

GtkWidget *
debye_film_dialog_new(GtkWindow *parent, guint n_frames, int width, int height)
{
  DebyeFilmDialog *self = g_object_new(DEBYE_TYPE_FILM_DIALOG, "transient-for", parent, NULL);
  self->moves = n_frames > 1;
  self->view_width = width;
  self->view_height = height;
  gtk_widget_set_sensitive(GTK_WIDGET(self->frames_row), self->moves);
  gtk_switch_set_active(self->frames, self->moves);
  adw_combo_row_set_selected(self->camera, self->moves ? DEBYE_FILM_STANDS : DEBYE_FILM_TURNS);
  gtk_spin_button_set_value(self->seconds,
                            self->moves ? n_frames / gtk_spin_button_get_value(self->rate) : TURN_SECONDS);
  update(self);
  return GTK_WIDGET(self);
}

void
debye_film_dialog_set_vibrates(DebyeFilmDialog *self)
{
  g_return_if_fail(DEBYE_IS_FILM_DIALOG(self));
  self->vibrates = TRUE;
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self->frames_row), _("Vibration"));
  adw_action_row_set_subtitle(self->frames_row, _("Whole periods of the mode, about 24 frames each"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->frames), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Vibration"),
                                 -1);
  gtk_spin_button_set_value(self->seconds, PERIODS * gtk_spin_button_get_value(self->seconds));
  gtk_widget_set_visible(GTK_WIDGET(self->plot), FALSE);
}

static void
add_signals(DebyeFilmDialogClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);
  g_signal_new("export", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("play", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  g_signal_new("keep-view", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("show-view", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new("forget-view", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
debye_film_dialog_finalize(GObject *object)
{
  g_ptr_array_unref(DEBYE_FILM_DIALOG(object)->captions);
  G_OBJECT_CLASS(debye_film_dialog_parent_class)->finalize(object);
}

/* Three decimals are for rates such as 23.976; a whole number has none. */
static gboolean
on_rate_output(GtkSpinButton *button, gpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = debye_number_text(gtk_spin_button_get_value(button), RATE_DIGITS);
  if (!g_str_equal(text, gtk_editable_get_text(GTK_EDITABLE(button))))
    gtk_editable_set_text(GTK_EDITABLE(button), text);
  return TRUE;
}

static void
debye_film_dialog_class_init(DebyeFilmDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  GTK_WINDOW_CLASS(class)->close_request = debye_film_dialog_close_request;
  G_OBJECT_CLASS(class)->finalize = debye_film_dialog_finalize;
  add_signals(class);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/film_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeFilmDialog, frames, frames_row, camera, degrees, degrees_row, axis,
                      views_row, views);
  DEBYE_BIND_CHILDREN(class, DebyeFilmDialog, seconds, rate, size, codec, words, film_title, subtitle, plot);
  DEBYE_BIND_CHILDREN(class, DebyeFilmDialog, export, play, remark);
  DEBYE_BIND_CALLBACKS(class, on_rate_output, on_export_clicked, on_play_toggled, on_keep_clicked,
                       on_camera_selected, on_add_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_film_dialog_init(DebyeFilmDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->captions = g_ptr_array_new();
  debye_film_dialog_set_codecs(self, ~0U);
}
