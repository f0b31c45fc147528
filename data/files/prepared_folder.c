/* SPDX-License-Identifier: MIT */
/* Implementation of prepared_folder.h. A folder is held by a lock on a file in it, which the system ends with the process. */
#include "prepared_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "error.h"

#define MOST_KEPT 64
#define LOCK_FILE "held"

typedef struct {
  char *path;
  gint64 changed;
} Folder;

static void
folder_clear(gpointer data)
{
  g_free(((Folder *)data)->path);
}

static char *
get_parent(void)
{
  return g_build_filename(g_get_user_cache_dir(), "debye", "prepared", NULL);
}

char *
debye_prepared_folder_get_path(const char *name)
{
  g_autofree char *parent = get_parent();
  return g_build_filename(parent, name, NULL);
}

static int
compare_age(gconstpointer a, gconstpointer b)
{
  const Folder *first = a, *second = b;
  return (first->changed < second->changed) - (first->changed > second->changed);
}

/* The latest first. */
static GArray *
list_folders(void)
{
  g_autofree char *parent = get_parent();
  g_autoptr(GDir) all = g_dir_open(parent, 0, NULL);
  GArray *folders = g_array_new(FALSE, FALSE, sizeof(Folder));
  g_array_set_clear_func(folders, folder_clear);
  for (const char *name; all != NULL && (name = g_dir_read_name(all)) != NULL;) {
    GStatBuf status = {0};
    Folder folder = {.path = g_build_filename(parent, name, NULL)};
    if (g_stat(folder.path, &status) == 0)
      folder.changed = (gint64)status.st_mtime;
    g_array_append_val(folders, folder);
  }
  g_array_sort(folders, compare_age);
  return folders;
}

static int
lock(const char *path, int kind)
{
  g_autofree char *file = g_build_filename(path, LOCK_FILE, NULL);
  const int held = g_open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (held < 0 || flock(held, kind | LOCK_NB) == 0)
    return held;
  close(held);
  return -1;
}

static void
remove_folder(const char *path)
{
  const int own = lock(path, LOCK_EX);
  g_autoptr(GDir) folder = own >= 0 ? g_dir_open(path, 0, NULL) : NULL;
  for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
    g_autofree char *file = g_build_filename(path, name, NULL);
    g_unlink(file);
  }
  if (own < 0)
    return; /* held */
  g_rmdir(path);
  close(own);
}

/* All but the `n_kept` latest. */
static void
remove_older(guint n_kept)
{
  g_autoptr(GArray) folders = list_folders();
  for (guint k = n_kept; k < folders->len; k++)
    remove_folder(g_array_index(folders, Folder, k).path);
}

int
debye_prepared_folder_hold(const char *path, GError **error)
{
  const int held = g_mkdir_with_parents(path, 0700) == 0 ? lock(path, LOCK_SH) : -1;
  if (held < 0)
    debye_error_set(error, DEBYE_ERROR_WRITE, "%s: can't be created: %s", path, g_strerror(errno));
  else
    remove_older(MOST_KEPT);
  return held;
}

void
debye_prepared_folder_release(int held)
{
  if (held >= 0)
    close(held);
}

guint64
debye_prepared_folder_get_size(void)
{
  g_autoptr(GArray) folders = list_folders();
  guint64 sum = 0;
  for (guint k = 0; k < folders->len; k++) {
    const char *path = g_array_index(folders, Folder, k).path;
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
      g_autofree char *file = g_build_filename(path, name, NULL);
      GStatBuf status;
      sum += g_stat(file, &status) == 0 ? (guint64)status.st_size : 0;
    }
  }
  return sum;
}

void
debye_prepared_folder_clear(void)
{
  remove_older(0);
}
