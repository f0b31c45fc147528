/* SPDX-License-Identifier: MIT */
/* Folders, files and frames that tests make for themselves. */
#include "temporary.h"

#include <glib/gstdio.h>

DebyeTemporaryFolder *
debye_temporary_folder_new(void)
{
  g_autoptr(GError) error = NULL;
  char *folder = g_dir_make_tmp("debye-test-XXXXXX", &error);
  g_assert_no_error(error);
  return folder;
}

static void
remove_folder(const char *folder)
{
  g_chmod(folder, 0700);
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name(dir));) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
      remove_folder(path);
    else
      g_unlink(path);
  }
  g_rmdir(folder);
}

void
debye_temporary_folder_free(DebyeTemporaryFolder *folder)
{
  remove_folder(folder);
  g_free(folder);
}

DebyeTemporaryFolder *
debye_temporary_use_cache_folder(void)
{
  DebyeTemporaryFolder *folder = debye_temporary_folder_new();
  g_setenv("XDG_CACHE_HOME", folder, TRUE);
  return folder;
}

char *
debye_temporary_write(const DebyeTemporaryFolder *folder, const char *name, gconstpointer bytes, gsize n)
{
  g_autoptr(GError) error = NULL;
  char *path = g_build_filename(folder, name, NULL);
  g_file_set_contents(path, bytes, (gssize)n, &error);
  g_assert_no_error(error);
  return path;
}

DebyeFrame *
debye_temporary_make_frame(gsize n_atoms, guint32 seed)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(seed);
  DebyeFrame *frame = debye_frame_new(n_atoms);
  double at[3] = {1.0, 2.0, 3.0};
  for (gsize i = 0; i < n_atoms; i++) {
    for (int k = 0; k < 3; k++)
      at[k] += g_rand_double_range(random, -1.5, 1.5) + (g_rand_int_range(random, 0, 20) == 0 ? 10.0 : 0.0);
    frame->x[i] = (float)at[0];
    frame->y[i] = (float)at[1];
    frame->z[i] = (float)at[2];
  }
  frame->has_cell = TRUE;
  frame->cell =
      (DebyeCell){debye_vec3(30.0, 0.0, 0.0), debye_vec3(5.0, 32.0, 0.0), debye_vec3(-3.0, 4.0, 28.0)};
  frame->time = 0.5 * seed;
  frame->step = 10 * (gint64)seed;
  return frame;
}

void
debye_temporary_write_trajectory(const DebyeFormat *format, const char *path, gsize n_atoms, gsize n_frames)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  g_assert_no_error(error);
  gpointer writer = format->writer_new(G_OUTPUT_STREAM(stream), NULL, n_atoms, n_frames, &error);
  g_assert_no_error(error);
  for (gsize k = 0; k < n_frames; k++) {
    g_autoptr(DebyeFrame) frame = debye_temporary_make_frame(n_atoms, (guint32)k);
    format->write_frame(writer, frame, &error);
    g_assert_no_error(error);
  }
  format->writer_finish(writer, &error);
  g_assert_no_error(error);
  g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, &error);
  g_assert_no_error(error);
}
