/* SPDX-License-Identifier: MIT */
/* Encodes movies through gst-launch-1.0; called by debye-cli render and the window's movie job. */
#include "film_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "data/files/error.h"

#define LAUNCHER "gst-launch-1.0"
#define INSPECTOR "gst-inspect-1.0"
#define FILM_DESCRIPTOR 3 /* the film's, in the encoder's process */

/* Ways to encode, the best of an ending first. Quality is held constant, since molecules have sharp edges. */
static const struct {
  const char *ending, *encoder, *muxer;
  const char *pipeline; /* from raw pictures to the stream of bytes */
} ways[] = {
    {".webm", "vp8enc", "webmmux",
     "vp8enc end-usage=cq cq-level=6 min-quantizer=2 max-quantizer=24 target-bitrate=40000000 "
     "deadline=200000 "
     "cpu-used=4 threads=4 keyframe-max-dist=60 ! webmmux"},
    {".webm", "vp9enc", "webmmux",
     "vp9enc end-usage=cq cq-level=18 deadline=1 cpu-used=6 threads=4 ! webmmux"},
    {".mp4", "x264enc", "mp4mux",
     "x264enc pass=quant quantizer=18 key-int-max=60 ! video/x-h264,profile=high ! mp4mux"},
    {".mp4", "openh264enc", "mp4mux",
     "openh264enc bitrate=16000000 gop-size=60 ! video/x-h264,profile=high ! h264parse ! mp4mux"},
};

struct _DebyeFilmFile {
  GSubprocess *encoder;
  char *path, *temporary;
  int descriptor; /* of the temporary file */
  int pictures;   /* socket to the encoder */
  gsize n_bytes;  /* of a picture */
};

/* ".WEBM" is one, too. */
static gboolean
has_ending(const char *path, const char *ending)
{
  gsize length = strlen(path), n = strlen(ending);
  return length >= n && g_ascii_strcasecmp(path + length - n, ending) == 0;
}

gboolean
debye_film_file_is_film(const char *path)
{
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

static const char *
find_pipeline(const char *path, GError **error)
{
  g_autofree char *launcher = g_find_program_in_path(LAUNCHER);
  g_autofree char *inspector = g_find_program_in_path(INSPECTOR);
  g_autoptr(GString) wanted = g_string_new(NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
    if (!has_ending(path, ways[i].ending))
      continue;
    if (launcher != NULL && inspector != NULL && has_element(inspector, ways[i].encoder) &&
        has_element(inspector, ways[i].muxer))
      return ways[i].pipeline;
    g_string_append_printf(wanted, "%s%s with %s", wanted->len > 0 ? " or " : "", ways[i].encoder,
                           ways[i].muxer);
  }
  debye_error_set(error, DEBYE_ERROR_MISSING,
                  "%s: expected GStreamer's " LAUNCHER
                  " and %s, found %s: install GStreamer's tools and plugins "
                  "(good, and ugly for .mp4), or write numbered .png",
                  path, wanted->str, launcher == NULL ? "no " LAUNCHER : "none of these encoders");
  return NULL;
}

gboolean
debye_film_file_can_write(const char *ending)
{
  return find_pipeline(ending, NULL) != NULL;
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

/* BT.601, which is all that VP8 knows and the others name in their files; to BT.709 videoconvert rounds white to a
 * shade of ivory. The film goes out by a descriptor and not by a name, which a pipeline's syntax could misread. */
static char **
build_command(const char *pipeline, int width, int height, int rate, GError **error)
{
  g_autofree char *line = g_strdup_printf(
      LAUNCHER
      " -q fdsrc fd=0 ! rawvideoparse format=rgba width=%d height=%d framerate=%d/1 ! videoconvert ! "
      "video/x-raw,format=I420,colorimetry=bt601 ! %s ! fdsink fd=%d",
      width, height, rate, pipeline, FILM_DESCRIPTOR);
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
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the encoder can't be started: %s", self->path,
                    g_strerror(errno));
    return FALSE;
  }
  self->pictures = ends[0];
  g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_child_setup(launcher, leave_foreground, NULL, NULL);
  g_subprocess_launcher_take_stdin_fd(launcher, ends[1]);
  g_subprocess_launcher_take_fd(launcher, dup(self->descriptor), FILM_DESCRIPTOR);
  self->encoder = g_subprocess_launcher_spawnv(launcher, command, error);
  return self->encoder != NULL;
}

DebyeFilmFile *
debye_film_file_new(const char *path, int width, int height, int rate, GError **error)
{
  if (width % 2 != 0 || height % 2 != 0) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected an even width and height, found %d×%d", path,
                    width, height);
    return NULL;
  }
  const char *pipeline = find_pipeline(path, error);
  g_auto(GStrv) command = pipeline != NULL ? build_command(pipeline, width, height, rate, error) : NULL;
  if (command == NULL)
    return NULL;
  g_autoptr(DebyeFilmFile) self = g_new(DebyeFilmFile, 1);
  *self = (DebyeFilmFile){
      .path = g_strdup(path), .descriptor = -1, .pictures = -1, .n_bytes = 4 * (gsize)width * (gsize)height};
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
debye_film_file_add(DebyeFilmFile *self, GBytes *rgba, GError **error)
{
  gsize left;
  const guint8 *bytes = g_bytes_get_data(rgba, &left);
  g_return_val_if_fail(left == self->n_bytes, FALSE);
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
  debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the encoder failed: %s", self->path,
                  text != NULL && *text != '\0' ? g_strdelimit(g_strstrip(text), "\n", ' ')
                                                : "it gave no reason");
  return FALSE;
}

gboolean
debye_film_file_finish(DebyeFilmFile *film, GError **error)
{
  g_autoptr(DebyeFilmFile) self = film;
  if (!wait_for_encoder(self, error))
    return FALSE;
  if (fsync(self->descriptor) == 0 && g_rename(self->temporary, self->path) == 0) {
    g_clear_pointer(&self->temporary, g_free);
    return TRUE;
  }
  debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be written: %s", self->path, g_strerror(errno));
  return FALSE;
}

void
debye_film_file_abandon(DebyeFilmFile *self)
{
  if (self == NULL)
    return;
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
