/* SPDX-License-Identifier: MIT */
/* Implementation of hand_out.h; called by a job of window_guide.c. */
#include "hand_out.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>
#include <pango/pangocairo.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "ui/manual/guide_drawing.h"

/* Points. */
#define PAGE_WIDTH 595.276
#define PAGE_HEIGHT 841.89
#define MARGIN 57.0
#define GAP 6.0
#define LINE_DISTANCE 24.0
#define DRAWING_WIDTH 300.0
#define N_LINES 3 /* to write an answer on */
#define FONT "Inter, Helvetica, Arial, Liberation Sans, Cantarell, Noto Sans, sans-serif"

typedef struct {
  cairo_t *cr;
  double y;
  GOutputStream *stream;
  GError **error;
} Paper;

static cairo_status_t
write_bytes(void *data, const unsigned char *bytes, unsigned int n)
{
  Paper *paper = data;
  GError **error = paper->error != NULL && *paper->error == NULL ? paper->error : NULL;
  return g_output_stream_write_all(paper->stream, bytes, n, NULL, NULL, error) ? CAIRO_STATUS_SUCCESS
                                                                               : CAIRO_STATUS_WRITE_ERROR;
}

/* Goes to the next page where less than `height` is left. */
static void
make_room(Paper *paper, double height)
{
  if (paper->y + height <= PAGE_HEIGHT - MARGIN)
    return;
  cairo_show_page(paper->cr);
  paper->y = MARGIN;
}

static PangoLayout *
lay_out(Paper *paper, const char *text, double size, gboolean is_heading)
{
  PangoLayout *layout = pango_cairo_create_layout(paper->cr);
  PangoFontDescription *font = pango_font_description_from_string(FONT);
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_font_description_set_weight(font, is_heading ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  pango_layout_set_width(layout, (int)((PAGE_WIDTH - 2.0 * MARGIN) * PANGO_SCALE));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_text(layout, text, -1);
  return layout;
}

static double
find_height(PangoLayout *layout)
{
  int height = 0;
  pango_layout_get_size(layout, NULL, &height);
  return (double)height / PANGO_SCALE;
}

/* Takes the layout. */
static void
draw(Paper *paper, PangoLayout *layout)
{
  cairo_move_to(paper->cr, MARGIN, paper->y);
  pango_cairo_show_layout(paper->cr, layout);
  paper->y += find_height(layout) + GAP;
  g_object_unref(layout);
}

static void
draw_lines(Paper *paper)
{
  cairo_save(paper->cr);
  cairo_set_source_rgb(paper->cr, 0.6, 0.6, 0.6);
  cairo_set_line_width(paper->cr, 0.5);
  for (int i = 0; i < N_LINES; i++) {
    paper->y += LINE_DISTANCE;
    cairo_move_to(paper->cr, MARGIN, paper->y);
    cairo_line_to(paper->cr, PAGE_WIDTH - MARGIN, paper->y);
  }
  cairo_stroke(paper->cr);
  cairo_restore(paper->cr);
  paper->y += GAP;
}

static void
draw_drawing(Paper *paper, const char *name)
{
  cairo_save(paper->cr);
  cairo_translate(paper->cr, MARGIN, paper->y);
  debye_guide_drawing_draw(name, paper->cr, DRAWING_WIDTH);
  cairo_restore(paper->cr);
  paper->y += DRAWING_WIDTH / DEBYE_GUIDE_DRAWING_ASPECT + GAP;
}

/* On one page, as long as a step isn't longer than that. */
static void
draw_step(Paper *paper, guint number, const DebyeSampleStep *step, gboolean has_answers)
{
  g_autofree char *minutes =
      step->minutes > 0 ? g_strdup_printf(_(" · %u min"), step->minutes) : g_strdup("");
  g_autofree char *title = g_strdup_printf("%u  %s%s", number, step->title, minutes);
  g_autofree char *answer =
      step->answer != NULL && has_answers ? g_strdup_printf(_("Answer: %s"), step->answer) : NULL;
  PangoLayout *heading = lay_out(paper, title, 13.0, TRUE),
              *text = lay_out(paper, step->text != NULL ? step->text : "", 11.0, FALSE),
              *told = answer != NULL ? lay_out(paper, answer, 11.0, FALSE) : NULL;
  const double below = told != NULL           ? find_height(told) + GAP
                       : step->answer != NULL ? N_LINES * LINE_DISTANCE + GAP
                                              : 0.0;
  const gboolean is_drawn = debye_guide_drawing_exists(step->drawing);
  make_room(paper, find_height(heading) + find_height(text) + 4.0 * GAP + below +
                       (is_drawn ? DRAWING_WIDTH / DEBYE_GUIDE_DRAWING_ASPECT + GAP : 0.0));
  paper->y += 2.0 * GAP;
  draw(paper, heading);
  draw(paper, text);
  if (is_drawn)
    draw_drawing(paper, step->drawing);
  if (told != NULL)
    draw(paper, told);
  else if (step->answer != NULL)
    draw_lines(paper);
}

static void
draw_all(Paper *paper, const DebyeSample *sample, gboolean has_answers)
{
  draw(paper, lay_out(paper, sample->title, 20.0, TRUE));
  if (sample->description != NULL)
    draw(paper, lay_out(paper, sample->description, 11.0, FALSE));
  for (guint i = 0; i < sample->steps->len; i++)
    draw_step(paper, i + 1, &g_array_index(sample->steps, DebyeSampleStep, i), has_answers);
}

gboolean
debye_hand_out_save(const DebyeSample *sample, gboolean has_answers, const char *path, GError **error)
{
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  g_autoptr(GError) problem = NULL;
  if (file == NULL)
    return FALSE;
  Paper paper = {.y = MARGIN, .stream = debye_replace_file_get_stream(file), .error = &problem};
  cairo_surface_t *surface =
      cairo_pdf_surface_create_for_stream(write_bytes, &paper, PAGE_WIDTH, PAGE_HEIGHT);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, sample->title);
  paper.cr = cairo_create(surface);
  draw_all(&paper, sample, has_answers);
  cairo_status_t status = cairo_status(paper.cr);
  cairo_destroy(paper.cr);
  cairo_surface_finish(surface);
  status = status != CAIRO_STATUS_SUCCESS ? status : cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (problem != NULL)
    g_propagate_error(error, g_steal_pointer(&problem));
  else if (status != CAIRO_STATUS_SUCCESS)
    debye_error_set(error, DEBYE_ERROR_WRITE, "the hand-out can't be written: %s",
                    cairo_status_to_string(status));
  return status == CAIRO_STATUS_SUCCESS && debye_replace_file_commit(g_steal_pointer(&file), error);
}
