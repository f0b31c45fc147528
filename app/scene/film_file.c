/* SPDX-License-Identifier: MIT */
/* Encodes movies through gst-launch-1.0; called by debye-cli render and the window's movie job. */
#include "film_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "data/files/error.h"
#include "film_colors.h"
#include "gif_file.h"

#define LAUNCHER "gst-launch-1.0"
#define INSPECTOR "gst-inspect-1.0"
#define FILM_DESCRIPTOR 3 /* the film's, in the encoder's process */

const DebyeChoice debye_film_codecs[] = {
    {"auto", "Automatic", "by the file's extension: VP8 or VP9 in .webm, H.264 in .mp4"},
    {"h264", "H.264", "in .mp4: played nearly everywhere"},
    {"vp8", "VP8", "in .webm"},
    {"vp9", "VP9", "in .webm: smaller files, slower to write"},
    {"av1", "AV1", "in .webm or .mp4: the smallest files, the slowest to write"},
    {NULL, NULL, NULL},
};

/* A way to encode. */
typedef struct {
  const char *ending, *codec, *encoder, *muxer;
  DebyeFilmMatrix matrix;
  const char *pipeline; /* from raw pictures to the stream of bytes */
} Way;

/* GStreamer's range, matrix, transfer and primaries: those of sRGB but for the matrix. */
#define SRGB_BY_BT601 "2:4:7:1"
#define SRGB_BY_BT709 "2:3:7:1"

/* The best of an ending first. Quality is held constant, since molecules have sharp edges. VP8 knows BT.601 alone. VP9
 * has the matrix in its stream, which GStreamer writes only if all is as BT.709 has it: players that trust the stream
 * showed other colours. */
static const Way ways[] = {
    {".webm", "vp8", "vp8enc", "webmmux", DEBYE_FILM_BT601,
     "vp8enc end-usage=cq cq-level=6 min-quantizer=2 max-quantizer=24 target-bitrate=40000000 "
     "deadline=200000 cpu-used=4 threads=4 keyframe-max-dist=60 ! webmmux"},
    {".webm", "vp9", "vp9enc", "webmmux", DEBYE_FILM_BT709,
     "capssetter caps=video/x-raw,colorimetry=bt709 ! "
     "vp9enc end-usage=cq cq-level=10 deadline=1 cpu-used=6 threads=4 ! "
     "capssetter caps=video/x-vp9,colorimetry=" SRGB_BY_BT709 " ! webmmux"},
    {".webm", "av1", "svtav1enc", "webmmux", DEBYE_FILM_BT709, "svtav1enc ! av1parse ! webmmux"},
    {".webm", "av1", "av1enc", "webmmux", DEBYE_FILM_BT709, "av1enc cpu-used=6 ! av1parse ! webmmux"},
    {".mp4", "h264", "x264enc", "mp4mux", DEBYE_FILM_BT709,
     "x264enc pass=quant quantizer=18 key-int-max=60 ! video/x-h264,profile=high ! mp4mux"},
    {".mp4", "h264", "openh264enc", "mp4mux", DEBYE_FILM_BT709,
     "openh264enc bitrate=16000000 gop-size=60 ! video/x-h264,profile=high ! h264parse ! mp4mux"},
    {".mp4", "av1", "svtav1enc", "mp4mux", DEBYE_FILM_BT709, "svtav1enc ! av1parse ! mp4mux"},
    {".mp4", "av1", "av1enc", "mp4mux", DEBYE_FILM_BT709, "av1enc cpu-used=6 ! av1parse ! mp4mux"},
};

struct _DebyeFilmFile {
  DebyeGifFile *gif; /* NULL: an encoder makes the film */
  const Way *way;
  int width, height;
  GSubprocess *encoder;
  char *path, *temporary;
  int descriptor; /* of the temporary file */
  int pictures;   /* socket to the encoder */
  gsize n_pictures;
};

/* ".WEBM" is one, too. */
static gboolean
has_ending(const char *path, const char *ending)
{
  gsize length = strlen(path), n = strlen(ending);
  return length >= n && g_ascii_strcasecmp(path + length - n, ending) == 0;
}

static gboolean
is_gif(const char *path)
{
  return has_ending(path, ".gif");
}

/* --- Rates --- */

/* What television has in place of 24, 30 and 60. */
static const struct {
  const char *text;
  gint64 pictures;
} television[] = {{"23.976", 24000}, {"23.98", 24000}, {"29.97", 30000}, {"59.94", 60000}};

gboolean
debye_film_rate_parse(const char *text, DebyeFilmRate *rate)
{
  char *end = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(television); i++)
    if (g_str_equal(text, television[i].text)) {
      *rate = (DebyeFilmRate){television[i].pictures, 1001};
      return TRUE;
    }
  const double number = g_ascii_strtod(text, &end);
  double seconds = 1000.0;
  const char *second = end + 1;
  const gboolean is_fraction = end != text && *end == '/';
  if (is_fraction)
    seconds = g_ascii_strtod(second, &end);
  const double pictures = is_fraction ? number : round(1000.0 * number);
  if (end == text || (is_fraction && end == second) || *end != '\0' || !(seconds >= 1.0 && seconds <= 1e6) ||
      !(pictures >= 0.001 * seconds && pictures <= 240.0 * seconds) || pictures != floor(pictures) ||
      seconds != floor(seconds))
    return FALSE;
  *rate = (DebyeFilmRate){(gint64)pictures, (gint64)seconds};
  return TRUE;
}

double
debye_film_rate_get(const DebyeFilmRate *rate)
{
  return (double)rate->pictures / (double)rate->seconds;
}

gboolean
debye_film_file_is_film(const char *path)
{
  if (is_gif(path))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++)
    if (has_ending(path, ways[i].ending))
      return TRUE;
  return FALSE;
}

char *
debye_film_file_name_picture(const char *path, gsize number)
{
  const char *folder_end = strrchr(path, G_DIR_SEPARATOR);
  const char *ending = strrchr(folder_end != NULL ? folder_end : path, '.');
  int stem = (int)(ending != NULL ? (gsize)(ending - path) : strlen(path));
  const gboolean is_tiff = has_ending(path, ".tiff") || has_ending(path, ".tif");
  return g_strdup_printf("%.*s-%04" G_GSIZE_FORMAT "%s", stem, path, number, is_tiff ? ending : ".png");
}

/* --- What is installed --- */

static gboolean
has_element(const char *inspector, const char *name)
{
  g_autoptr(GSubprocess) process =
      g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, inspector,
                       "--exists", name, NULL);
  return process != NULL && g_subprocess_wait_check(process, NULL, NULL);
}

static gboolean
is_automatic(const char *codec)
{
  return codec == NULL || g_str_equal(codec, "auto");
}

static gboolean
is_wanted(const Way *way, const char *path, const char *codec)
{
  return has_ending(path, way->ending) &&
         (is_automatic(codec) ? !g_str_equal(way->codec, "av1") : g_str_equal(codec, way->codec));
}

gboolean
debye_film_file_check(const char *path, const char *codec, const DebyeFilmRate *rate, GError **error)
{
  gboolean has_codec = is_gif(path) && is_automatic(codec);
  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++)
    has_codec |= is_wanted(&ways[i], path, codec);
  if (!has_codec)
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "%s: a file with this extension has no %s, expected h264 or av1 for .mp4, vp8, vp9 or "
                    "av1 for .webm, and auto for .gif",
                    path, codec);
  else if (is_gif(path) && debye_film_rate_get(rate) > DEBYE_GIF_MAX_RATE)
    debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "%s: GIF has at most %g frames per second, found %g. Choose a lower rate, or write .webm or .mp4.",
        path, DEBYE_GIF_MAX_RATE, debye_film_rate_get(rate));
  else
    return TRUE;
  return FALSE;
}

static const Way *
find_way(const char *path, const char *codec, GError **error)
{
  g_autofree char *launcher = g_find_program_in_path(LAUNCHER);
  g_autofree char *inspector = g_find_program_in_path(INSPECTOR);
  g_autoptr(GString) wanted = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
    if (!is_wanted(&ways[i], path, codec))
      continue;
    if (launcher != NULL && inspector != NULL && has_element(inspector, ways[i].encoder) &&
        has_element(inspector, ways[i].muxer))
      return &ways[i];
    g_string_append_printf(wanted, "%s%s with %s", wanted->len > 0 ? " or " : "", ways[i].encoder,
                           ways[i].muxer);
  }
  debye_error_set(error, DEBYE_ERROR_MISSING,
                  "%s: expected GStreamer's " LAUNCHER
                  " and %s, found %s: install GStreamer's tools and plugins (good, and ugly for .mp4), or "
                  "write .gif or numbered .png",
                  path, wanted->str, launcher == NULL ? "no " LAUNCHER : "none of these encoders");
  return NULL;
}

gboolean
debye_film_file_can_write(const char *ending, const char *codec)
{
  return is_gif(ending) ? is_automatic(codec) : find_way(ending, codec, NULL) != NULL;
}

/* --- The encoder --- */

static gboolean
create_temporary(DebyeFilmFile *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(self->path);
  self->temporary = g_build_filename(folder, ".debye-film-XXXXXX", NULL);
  self->descriptor = g_mkstemp_full(self->temporary, O_RDWR | O_CLOEXEC, 0666);
  if (self->descriptor >= 0)
    return TRUE;
  debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be written: %s", self->path, g_strerror(errno));
  g_clear_pointer(&self->temporary, g_free);
  return FALSE;
}

/* The file says that transfer and primaries are sRGB's. The film goes out by a descriptor and not by a name, which a
 * pipeline's syntax could misread. */
static char **
build_command(const Way *way, const DebyeFilmFormat *format, GError **error)
{
  g_autofree char *line = g_strdup_printf(
      LAUNCHER " -q fdsrc fd=0 ! rawvideoparse format=i420 width=%d height=%d framerate=%" G_GINT64_FORMAT
               "/%" G_GINT64_FORMAT " colorimetry=%s ! %s ! fdsink fd=%d",
      format->width, format->height, format->rate.pictures, format->rate.seconds,
      way->matrix == DEBYE_FILM_BT601 ? SRGB_BY_BT601 : SRGB_BY_BT709, way->pipeline, FILM_DESCRIPTOR);
  char **words = NULL;
  return g_shell_parse_argv(line, NULL, &words, error) ? words : NULL;
}

/* A terminal sends Ctrl-C to all processes of the foreground: the encoder goes on until it has all pictures,
 * so that those that were drawn are a film. */
static void
leave_foreground(gpointer data)
{
  (void)data;
  setpgid(0, 0);
}

/* A socket rather than a pipe: an encoder that ends early is then an error of send(), not a signal that ends
 * the program. */
static gboolean
start(DebyeFilmFile *self, const char *const *command, GError **error)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the encoder can't be started: %s", self->path,
                           g_strerror(errno));
  self->pictures = ends[0];
  g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_child_setup(launcher, leave_foreground, NULL, NULL);
  g_subprocess_launcher_take_stdin_fd(launcher, ends[1]);
  g_subprocess_launcher_take_fd(launcher, dup(self->descriptor), FILM_DESCRIPTOR);
  self->encoder = g_subprocess_launcher_spawnv(launcher, command, error);
  return self->encoder != NULL;
}

static DebyeFilmFile *
new_gif(const char *path, const DebyeFilmFormat *format, GError **error)
{
  g_autoptr(DebyeFilmFile) self = g_new(DebyeFilmFile, 1);
  *self = (DebyeFilmFile){.descriptor = -1, .pictures = -1};
  self->gif =
      debye_gif_file_new(path, format->width, format->height, debye_film_rate_get(&format->rate), error);
  return self->gif != NULL ? g_steal_pointer(&self) : NULL;
}

DebyeFilmFile *
debye_film_file_new(const char *path, const DebyeFilmFormat *format, GError **error)
{
  const int width = format->width, height = format->height;
  if (!debye_film_file_check(path, format->codec, &format->rate, error))
    return NULL;
  if (is_gif(path))
    return new_gif(path, format, error);
  if (width % 2 != 0 || height % 2 != 0) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected an even width and height, found %d×%d", path,
                    width, height);
    return NULL;
  }
  const Way *way = find_way(path, format->codec, error);
  g_auto(GStrv) command = way != NULL ? build_command(way, format, error) : NULL;
  if (command == NULL)
    return NULL;
  g_autoptr(DebyeFilmFile) self = g_new(DebyeFilmFile, 1);
  *self = (DebyeFilmFile){
      .way = way, .width = width, .height = height, .path = g_strdup(path), .descriptor = -1, .pictures = -1};
  if (!create_temporary(self, error) || !start(self, (const char *const *)command, error))
    return NULL;
  return g_steal_pointer(&self);
}

/* The encoder's own reason: the first line that says ERROR, else the first. */
static void
set_encoder_error(DebyeFilmFile *self, GError **error)
{
  g_autofree char *text = NULL;
  g_subprocess_communicate_utf8(self->encoder, NULL, NULL, NULL, &text, NULL);
  char *reason = text != NULL ? strstr(text, "ERROR") : NULL;
  if (reason == NULL)
    reason = text;
  if (reason != NULL)
    reason[strcspn(reason, "\n")] = '\0';
  debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the encoder ended: %s", self->path,
                  reason != NULL && *reason != '\0' ? reason : "it gave no reason");
}

gboolean
debye_film_file_is_empty(const DebyeFilmFile *self)
{
  return self->n_pictures == 0;
}

gboolean
debye_film_file_add(DebyeFilmFile *self, GBytes *rgba, GError **error)
{
  self->n_pictures++;
  if (self->gif != NULL)
    return debye_gif_file_add(self->gif, rgba, error);
  g_return_val_if_fail(g_bytes_get_size(rgba) == 4 * (gsize)self->width * (gsize)self->height, FALSE);
  g_autoptr(GBytes) colors = debye_film_colors_convert(rgba, self->width, self->height, self->way->matrix);
  gsize left;
  const guint8 *bytes = g_bytes_get_data(colors, &left);
  while (left > 0) {
    gssize sent = send(self->pictures, bytes, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0) {
      set_encoder_error(self, error);
      return FALSE;
    }
    bytes += sent;
    left -= (gsize)sent;
  }
  return TRUE;
}

/* --- The end --- */

static gboolean
wait_for_encoder(DebyeFilmFile *self, GError **error)
{
  close(self->pictures);
  self->pictures = -1;
  g_autofree char *text = NULL;
  if (g_subprocess_communicate_utf8(self->encoder, NULL, NULL, NULL, &text, NULL) &&
      g_subprocess_get_successful(self->encoder))
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the encoder failed: %s", self->path,
                         text != NULL && *text != '\0' ? g_strdelimit(g_strstrip(text), "\n", ' ')
                                                       : "it gave no reason");
}

gboolean
debye_film_file_finish(DebyeFilmFile *film, GError **error)
{
  g_autoptr(DebyeFilmFile) self = film;
  if (self->gif != NULL)
    return debye_gif_file_finish(g_steal_pointer(&self->gif), error);
  if (!wait_for_encoder(self, error))
    return FALSE;
  if (fsync(self->descriptor) == 0 && g_rename(self->temporary, self->path) == 0) {
    g_clear_pointer(&self->temporary, g_free);
    return TRUE;
  }
  return debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be written: %s", self->path, g_strerror(errno));
}

void
debye_film_file_abandon(DebyeFilmFile *self)
{
  if (self == NULL)
    return;
  g_clear_pointer(&self->gif, debye_gif_file_abandon);
  if (self->pictures >= 0)
    close(self->pictures);
  if (self->encoder != NULL) {
    g_subprocess_force_exit(self->encoder);
    g_subprocess_wait(self->encoder, NULL, NULL);
    g_object_unref(self->encoder);
  }
  if (self->descriptor >= 0)
    close(self->descriptor);
  if (self->temporary != NULL)
    g_unlink(self->temporary);
  g_free(self->temporary);
  g_free(self->path);
  g_free(self);
}
