/* SPDX-License-Identifier: MIT */
/* Lays out labels, numbers and the caption around the frame; called by plot_layout.c. */
#include <string.h>

#include "plot_layout_private.h"
#include "plot_text.h"

#define MAX_CAPTION_LINES 4

/* A word that goes with the number before it. */
static gboolean
is_unit(const char *number, const char *word)
{
  static const char *const units[] = {"ps", "ns", "fs", "K", "e", "%", "kT/e", "kcal/mol", "mol/l", NULL};
  const gsize n_digits = strlen(number), n = strcspn(word, ".,;:)");
  if (n_digits == 0 || !g_ascii_isdigit(number[n_digits - 1]))
    return FALSE;
  if (g_str_has_prefix(word, "Å"))
    return TRUE;
  for (gsize i = 0; units[i] != NULL; i++)
    if (strlen(units[i]) == n && strncmp(units[i], word, n) == 0)
      return TRUE;
  return FALSE;
}

/* A number and its unit are one. */
static char **
split_words(const char *text)
{
  g_auto(GStrv) parts = g_strsplit_set(text, " \n\t", -1);
  GPtrArray *words = g_ptr_array_new();
  for (char **part = parts; *part != NULL; part++) {
    char *last = words->len > 0 ? words->pdata[words->len - 1] : NULL;
    if (last != NULL && is_unit(last, *part)) {
      words->pdata[words->len - 1] = g_strconcat(last, " ", *part, NULL);
      g_free(last);
    } else
      g_ptr_array_add(words, g_strdup(*part));
  }
  g_ptr_array_add(words, NULL);
  return (char **)g_ptr_array_free(words, FALSE);
}

static GPtrArray *
break_lines(const DebyePlotLayout *self, const char *text, double width)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
  g_auto(GStrv) words = split_words(text);
  g_autofree char *line = g_strdup("");
  for (char **word = words; *word != NULL; word++) {
    g_autofree char *longer = *line != '\0' ? g_strconcat(line, " ", *word, NULL) : g_strdup(*word);
    g_autofree char *markup = debye_plot_text_from_plain(longer);
    const gboolean fits = *line == '\0' || debye_plot_text_width(markup, self->style.caption_size) <= width;
    char *next = g_strdup(fits ? longer : *word);
    if (fits)
      g_free(line);
    else
      g_ptr_array_add(lines, line);
    line = next;
  }
  g_ptr_array_add(lines, g_steal_pointer(&line));
  return lines;
}

/* The caption in lines that fit: as many of its sentences as do, or the beginning of the first. NULL: none. */
char **
debye_plot_layout_break_caption(const DebyePlotLayout *self, double width)
{
  const char *caption = debye_plot_get_caption(self->plot);
  if (caption == NULL || *caption == '\0' || !self->style.with_caption)
    return NULL;
  g_autofree char *text = g_strdup(caption);
  g_autoptr(GPtrArray) lines = break_lines(self, text, width);
  for (char *end; lines->len > MAX_CAPTION_LINES && (end = g_strrstr(text, "; ")) != NULL;) {
    *end = '\0';
    g_ptr_array_unref(lines);
    lines = break_lines(self, text, width);
  }
  if (lines->len > MAX_CAPTION_LINES) {
    g_ptr_array_set_size(lines, MAX_CAPTION_LINES);
    char *last = lines->pdata[MAX_CAPTION_LINES - 1], *blank = strrchr(last, ' ');
    if (blank != NULL)
      *blank = '\0';
    lines->pdata[MAX_CAPTION_LINES - 1] = g_strconcat(last, " …", NULL);
    g_free(last);
  }
  g_ptr_array_add(lines, NULL);
  return (char **)g_ptr_array_free(g_steal_pointer(&lines), FALSE);
}

/* An axis' name in the middle of its axis, but not beyond the page: smaller where it is longer than that. */
static void
add_title(DebyePlotLayout *self, const char *markup, double middle, double page, double baseline,
          gboolean upwards)
{
  const double room = page - self->style.gap;
  double size = self->style.label_size, width = debye_plot_text_width(markup, size);
  if (room <= 0.0) /* a page of a few pixels */
    return;
  if (width > room) {
    size *= room / width;
    width = room;
  }
  const double along = CLAMP(middle, 0.5 * (page - room + width), 0.5 * (page + room - width));
  debye_plot_drawing_add_text(self->drawing, self->style.ink, markup, size, upwards ? baseline : along,
                              upwards ? along : baseline, 0.5, upwards);
}

/* Digits reach about this far above their baseline, as a part of the size. */
#define DIGIT_HEIGHT 0.72

static void
add_vertical_labels(DebyePlotLayout *self, DebyePlotAxis which, double x, double align)
{
  double size = self->style.tick_size;
  GArray *ticks = self->axes[which].ticks.ticks;
  for (guint i = 0; i < ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    double y = debye_plot_layout_get_place(self, which, tick->value);
    debye_plot_drawing_add_text(self->drawing, self->style.ink, tick->label, size, x,
                                y + 0.5 * DIGIT_HEIGHT * size, align, FALSE);
  }
}

/* Ticks that somebody chose may be closer than their numbers are wide: a number that would run into the one before is left out. */
static void
add_horizontal_labels(DebyePlotLayout *self, double baseline)
{
  GArray *ticks = self->axes[DEBYE_PLOT_X].ticks.ticks;
  double end = -G_MAXDOUBLE;
  for (guint i = 0; i < ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    const double half = 0.5 * debye_plot_text_width(tick->label, self->style.tick_size),
                 x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, tick->value);
    if (tick->label == NULL || x - half < end)
      continue;
    debye_plot_drawing_add_text(self->drawing, self->style.ink, tick->label, self->style.tick_size, x,
                                baseline, 0.5, FALSE);
    end = x + half + 0.25 * self->style.tick_size;
  }
}

/* The axis' name beside its labels, and the power of ten above its end. */
static void
add_vertical_title(DebyePlotLayout *self, DebyePlotAxis which, double baseline, double exponent_x,
                   double align)
{
  const DebyePlotRectangle *frame = &self->frame;
  const DebyePlotStyle *style = &self->style;
  g_autofree char *exponent = debye_plot_exponent_markup(self->axes[which].ticks.exponent);
  add_title(self, debye_plot_get_label(self->plot, which), frame->y + 0.5 * frame->height,
            self->drawing->height, baseline, TRUE);
  debye_plot_drawing_add_text(self->drawing, style->ink, exponent, style->tick_size, exponent_x,
                              frame->y - 0.9 * style->gap, align, FALSE);
}

static void
add_left_texts(DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  double x = self->frame.x - style->gap - debye_plot_layout_get_outward_tick(self);
  add_vertical_labels(self, DEBYE_PLOT_Y, x, 1.0);
  add_vertical_title(self, DEBYE_PLOT_Y, self->slack + style->gap + style->label_size, self->frame.x, 0.0);
}

static void
add_right_texts(DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  const double right = self->right_edge;
  double far = self->drawing->width - self->slack - 1.5 * style->gap - 0.2 * style->label_size;
  if (self->axes[DEBYE_PLOT_Y2].is_shown) {
    add_vertical_labels(self, DEBYE_PLOT_Y2, right + style->gap, 0.0);
    double taken = self->axes[DEBYE_PLOT_COLOR].is_shown
                       ? 2.5 * style->gap + DEBYE_PLOT_COLOR_BAR_WIDTH +
                             debye_plot_layout_get_room(self, DEBYE_PLOT_COLOR)
                       : 0.0;
    add_vertical_title(self, DEBYE_PLOT_Y2, far - taken, right, 1.0);
  }
  if (self->axes[DEBYE_PLOT_COLOR].is_shown) {
    double x = self->color_bar.x + self->color_bar.width;
    add_vertical_labels(self, DEBYE_PLOT_COLOR, x + style->major_tick + 0.6 * style->gap, 0.0);
    add_vertical_title(self, DEBYE_PLOT_COLOR, far, self->color_bar.x, 0.0);
  }
}

static void
add_bottom_texts(DebyePlotLayout *self, char **caption)
{
  const DebyePlotStyle *style = &self->style;
  const DebyePlotRectangle *frame = &self->frame;
  double right = frame->x + frame->width, centre = frame->x + 0.5 * frame->width;
  double baseline = frame->y + frame->height + style->gap + debye_plot_layout_get_outward_tick(self) +
                    0.9 * style->tick_size;
  const char *label = debye_plot_get_label(self->plot, DEBYE_PLOT_X);
  g_autofree char *exponent = debye_plot_exponent_markup(self->axes[DEBYE_PLOT_X].ticks.exponent);
  double exponent_width = debye_plot_text_width(exponent, style->tick_size);
  add_horizontal_labels(self, baseline);
  baseline += 0.4 * style->tick_size + 1.2 * style->label_size;
  double end = centre + 0.5 * debye_plot_text_width(label, style->label_size) + style->gap;
  if (exponent_width > 0.0 && end > right - exponent_width)
    centre -= end - (right - exponent_width);
  add_title(self, label, centre, self->drawing->width, baseline, FALSE);
  debye_plot_drawing_add_text(self->drawing, style->ink, exponent, style->tick_size, right, baseline, 1.0,
                              FALSE);
  for (gsize i = 0; caption != NULL && caption[i] != NULL; i++) {
    g_autofree char *markup = debye_plot_text_from_plain(caption[i]);
    gsize n_after = g_strv_length(caption + i) - 1;
    debye_plot_drawing_add_text(self->drawing, style->secondary, markup, style->caption_size,
                                1.5 * style->gap,
                                self->drawing->height - 1.2 * style->gap -
                                    (double)n_after * debye_plot_layout_line_height(style->caption_size),
                                0.0, FALSE);
  }
}

void
debye_plot_layout_add_texts(DebyePlotLayout *self, char **caption)
{
  add_left_texts(self);
  add_right_texts(self);
  if (!self->style.without_x_labels)
    add_bottom_texts(self, caption);
}
