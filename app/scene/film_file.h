/* SPDX-License-Identifier: MIT */
/* A film, picture after picture, as WebM, MP4 or GIF. GStreamer encodes, in a process of its own: a crash of an
 * encoder, or its licence, stays out of the program, and it is only needed
 * where a film is asked for. A GIF needs nothing else. */
#pragma once

#include <gio/gio.h>

#include "data/settings/setting.h"

/* "turn-0007.png" for picture 7 of "turn.png", or of a movie; of a TIFF "turn-0007.tiff". */
char *debye_film_file_name_picture(const char *path, gsize number);

/* Whether this machine can write films of the ending, which is ".webm", ".mp4" or ".gif", with the codec (of debye_film_codecs;
 * NULL: auto). Asks other programs: not for the main thread. */
gboolean debye_film_file_can_write(const char *ending, const char *codec);

typedef struct _DebyeFilmFile DebyeFilmFile;

/* Whether the ending is that of a film. */
gboolean debye_film_file_is_film(const char *path);

/* So many pictures in so many seconds, exactly. */
typedef struct {
  gint64 pictures, seconds;
} DebyeFilmRate;
/* “25”, “12.5”, “30000/1001”, from 0.001 to 240 a second; 23.976, 29.97 and 59.94 are
 * those of television, 24000/1001 … FALSE: it is none. */
gboolean debye_film_rate_parse(const char *text, DebyeFilmRate *rate);
double debye_film_rate_get(const DebyeFilmRate *rate); /* pictures per second */

extern const DebyeChoice debye_film_codecs[];

typedef struct {
  int width, height;
  DebyeFilmRate rate;
  const char *codec; /* of debye_film_codecs; NULL: auto */
} DebyeFilmFormat;

/* Whether files of the path's extension can have the codec (NULL: auto) at the
 * rate, whatever is installed; DEBYE_ERROR_VALUE. */
gboolean debye_film_file_check(const char *path, const char *codec, const DebyeFilmRate *rate,
                               GError **error);

/* Starts the encoder. NULL with the reason: sides that are odd, GStreamer or the encoders of this ending are
 * not installed (then what to install), the ending has no such codec, the folder can't be written. */
DebyeFilmFile *debye_film_file_new(const char *path, const DebyeFilmFormat *format, GError **error);
/* RGBA rows from the top, as debye_capture() gives them. Waits while the encoder is behind. */
gboolean debye_film_file_add(DebyeFilmFile *self, GBytes *rgba, GError **error);
/* No picture has been added, so that it would be no film. */
gboolean debye_film_file_is_empty(const DebyeFilmFile *self);
/* Waits for the encoder and puts the film in its place. Frees in any case; on an error the old file stands. */
gboolean debye_film_file_finish(DebyeFilmFile *self, GError **error);
/* Ends the encoder; nothing remains. */
void debye_film_file_abandon(DebyeFilmFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFilmFile, debye_film_file_abandon)
