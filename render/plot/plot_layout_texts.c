/* SPDX-License-Identifier: MIT */
/* Lays out labels, numbers and the caption around the frame; called by plot_layout.c. */
#include <string.h>

#include "plot_layout_private.h"
#include "plot_text.h"

#define MAX_CAPTION_LINES 3

/* The caption in lines that fit; NULL: none. */
char **
debye_plot_layout_break_caption(const DebyePlotLayout *self, double width)
{
  const char *caption = debye_plot_get_caption(self->plot);
  if (caption == NULL || *caption == '\0')
    return NULL;
  g_auto(GStrv) words = g_strsplit_set(caption, " \n\t", -1);
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
  g_autoptr(GString) line = g_string_new(NULL);
  int n_lines = 0;
  for (char **word = words; *word != NULL && n_lines < MAX_CAPTION_LINES; word++) {
    g_autofree char *longer = line->len > 0 ? g_strconcat(line->str, " ", *word, NULL) : g_strdup(*word);
    g_autofree char *markup = debye_plot_text_from_plain(longer);
    if (line->len > 0 && debye_plot_text_width(markup, self->style.caption_size) > width) {
      g_strv_builder_add(lines, line->str);
      n_lines++;
      g_string_assign(line, *word);
    } else {
      g_string_assign(line, longer);
    }
  }
  if (n_lines < MAX_CAPTION_LINES)
    g_strv_builder_add(lines, line->str);
  return g_strv_builder_end(lines);
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

static void
add_horizontal_labels(DebyePlotLayout *self, double baseline)
{
  GArray *ticks = self->axes[DEBYE_PLOT_X].ticks.ticks;
  for (guint i = 0; i < ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    debye_plot_drawing_add_text(self->drawing, self->style.ink, tick->label, self->style.tick_size,
                                debye_plot_layout_get_place(self, DEBYE_PLOT_X, tick->value), baseline, 0.5,
                                FALSE);
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
  debye_plot_drawing_add_text(self->drawing, style->ink, debye_plot_get_label(self->plot, which),
                              style->label_size, baseline, frame->y + 0.5 * frame->height, 0.5, TRUE);
  debye_plot_drawing_add_text(self->drawing, style->ink, exponent, style->tick_size, exponent_x,
                              frame->y - 0.9 * style->gap, align, FALSE);
}

static void
add_left_texts(DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  double x = self->frame.x - style->gap - debye_plot_layout_get_outward_tick(self);
  add_vertical_labels(self, DEBYE_PLOT_Y, x, 1.0);
  add_vertical_title(self, DEBYE_PLOT_Y, style->gap + style->label_size, self->frame.x, 0.0);
}

static void
add_right_texts(DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  double right = self->frame.x + self->frame.width;
  double far = self->drawing->width - 1.5 * style->gap - 0.2 * style->label_size;
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
  debye_plot_drawing_add_text(self->drawing, style->ink, label, style->label_size, centre, baseline, 0.5,
                              FALSE);
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
  add_bottom_texts(self, caption);
}
