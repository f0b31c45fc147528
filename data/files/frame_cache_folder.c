/* SPDX-License-Identifier: MIT */
/* Implementation of frame_cache_folder.h: size of the user's cache of frame indexes; used by the
 * preferences. */
#include "frame_cache_folder.h"

#include <glib/gstdio.h>

/* Other things of the program may lie in this folder. */
#define SUFFIX ".index"

typedef void (*Visit)(const char *path, gpointer data);

static void
visit_all(Visit visit, gpointer data)
{
  g_autofree char *folder = g_build_filename(g_get_user_cache_dir(), "debye", NULL);
  g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
  const char *name;
  while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (g_str_has_suffix(name, SUFFIX))
      visit(path, data);
  }
}

static void
add_size(const char *path, gpointer sum)
{
  GStatBuf status;
  if (g_stat(path, &status) == 0)
    *(guint64 *)sum += (guint64)status.st_size;
}

guint64
debye_frame_cache_folder_get_size(void)
{
  guint64 sum = 0;
  visit_all(add_size, &sum);
  return sum;
}

static void
remove_index(const char *path, gpointer data G_GNUC_UNUSED)
{
  g_unlink(path);
}

void
debye_frame_cache_folder_clear(void)
{
  visit_all(remove_index, NULL);
}
