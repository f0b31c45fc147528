/* SPDX-License-Identifier: MIT */
/* Reads and times captions of movies; called by film_page.c and debye-cli render. */
#include "film_captions.h"

#include <math.h>

#include "data/files/error.h"
#include "render/plot/plot_text.h"

#define FADE 0.25       /* seconds */
#define FADE_SHARE 0.25 /* of a short caption's time, each at its begin and end */

static void
caption_free(gpointer data)
{
  DebyeFilmCaption *caption = data;
  g_free(caption->text);
  g_free(caption->line);
  g_free(caption);
}

/* A time before `end`, or `usual` if there is none. */
static gboolean
parse_time(const char **place, char end, double usual, double *time)
{
  char *rest = NULL;
  const char *start = *place;
  *time = g_ascii_isdigit(*start) || *start == '.' ? g_ascii_strtod(start, &rest) : usual;
  const char *after = rest != NULL ? rest : start;
  while (*after == ' ')
    after++;
  *place = after + 1;
  return *after == end;
}

/* FALSE: it has another form. Its times may be in any order. */
static gboolean
parse_line(DebyeFilmCaption *caption, const char *line)
{
  const char *place = line;
  if (!parse_time(&place, '-', 0.0, &caption->from))
    return FALSE;
  while (*place == ' ')
    place++;
  if (!parse_time(&place, ':', INFINITY, &caption->to))
    return FALSE;
  g_autofree char *text = g_strstrip(g_strdup(place));
  caption->text = debye_plot_text_from_marked(text);
  caption->line = g_strdup(line);
  return *text != '\0';
}

GPtrArray *
debye_film_captions_parse(const char *const *lines, GError **error)
{
  g_autoptr(GPtrArray) captions = g_ptr_array_new_with_free_func(caption_free);
  for (; *lines != NULL; lines++) {
    DebyeFilmCaption *caption = g_new0(DebyeFilmCaption, 1);
    g_ptr_array_add(captions, caption);
    if (!parse_line(caption, *lines))
      debye_error_set(error, DEBYE_ERROR_VALUE,
                      "“%s” is not a caption. Give FROM-TO: TEXT, with times in seconds, as in “2-5.5: The "
                      "pocket opens”.",
                      *lines);
    else if (!(caption->to > caption->from))
      debye_error_set(error, DEBYE_ERROR_VALUE,
                      "“%s” ends before it begins. Give a later end, or an earlier beginning.", *lines);
    else
      continue;
    return NULL;
  }
  return g_steal_pointer(&captions);
}

/* Whether the middle of a picture's time, by which captions count, lies within its time. */
static gboolean
is_seen(const DebyeFilmCaption *caption, double seconds, double picture)
{
  const double middle = (ceil(caption->from / picture - 0.5) + 0.5) * picture;
  return middle < fmin(caption->to, seconds);
}

gboolean
debye_film_captions_check(GPtrArray *captions, double seconds, double picture, GError **error)
{
  for (guint i = 0; i < captions->len; i++) {
    const DebyeFilmCaption *caption = captions->pdata[i];
    if (caption->from >= seconds)
      debye_error_set(error, DEBYE_ERROR_VALUE,
                      "“%s” begins after the end of the movie, which lasts %.4g s. Give an earlier time, or "
                      "make the movie longer.",
                      caption->line, seconds);
    else if (!isinf(caption->to) && caption->to > seconds + picture)
      debye_error_set(error, DEBYE_ERROR_VALUE,
                      "“%s” ends after the end of the movie, which lasts %.4g s. Let it end earlier, or make "
                      "the movie longer.",
                      caption->line, seconds);
    else if (!is_seen(caption, seconds, picture))
      debye_error_set(
          error, DEBYE_ERROR_VALUE,
          "“%s” falls between two pictures, each of which lasts %.4g s. Let it begin earlier or end later.",
          caption->line, picture);
    else
      continue;
    return FALSE;
  }
  return TRUE;
}

double
debye_film_caption_get_opacity(const DebyeFilmCaption *caption, double seconds)
{
  if (seconds < caption->from || seconds >= caption->to)
    return 0.0;
  const double fade = fmin(FADE, FADE_SHARE * (caption->to - caption->from));
  return fmin(1.0, fmin((seconds - caption->from) / fade, (caption->to - seconds) / fade));
}
