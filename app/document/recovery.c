/* SPDX-License-Identifier: MIT */
/* Folders of sessions to recover after a crash; used by window_autosave.c and application.c. */
#include "recovery.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

#define LOCK "lock"
/* Results of a recovered session stay where they are until its window has saved them elsewhere. */
#define DAYS_KEPT 7

struct _DebyeRecovery {
  char *folder;
  int lock;
  guint n_sessions;
};

static char *
get_root(void)
{
  return g_build_filename(g_get_user_state_dir(), "debye", "recovery", NULL);
}

/* A descriptor, to be closed; −1: another program has the lock, or there is none. */
static int
take_lock(const char *folder, int flags)
{
  g_autofree char *path = g_build_filename(folder, LOCK, NULL);
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

/* The folder and what is in it; links are not followed. */
static void
remove_tree(const char *path)
{
  GDir *entries = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
  for (const char *name; entries != NULL && (name = g_dir_read_name(entries)) != NULL;) {
    g_autofree char *entry = g_build_filename(path, name, NULL);
    remove_tree(entry);
  }
  g_clear_pointer(&entries, g_dir_close);
  g_remove(path);
}

DebyeRecovery *
debye_recovery_new(void)
{
  g_autofree char *root = get_root();
  g_autofree char *name = g_strdup_printf("%d-%" G_GINT64_FORMAT, (int)getpid(), g_get_real_time());
  g_autofree char *folder = g_build_filename(root, name, NULL);
  if (g_mkdir_with_parents(folder, 0700) != 0)
    return NULL;
  DebyeRecovery *self = g_new0(DebyeRecovery, 1);
  self->lock = take_lock(folder, O_CREAT);
  self->folder = g_steal_pointer(&folder);
  return self;
}

void
debye_recovery_free(DebyeRecovery *self)
{
  remove_tree(self->folder);
  if (self->lock >= 0)
    close(self->lock);
  g_free(self->folder);
  g_free(self);
}

char *
debye_recovery_name_session(DebyeRecovery *self)
{
  g_autofree char *name = g_strdup_printf("window-%u" DEBYE_SESSION_ENDING, ++self->n_sessions);
  return g_build_filename(self->folder, name, NULL);
}

void
debye_recovery_forget_session(const char *path)
{
  g_autofree char *results = g_strconcat(path, "-results", NULL);
  g_remove(path);
  remove_tree(results);
}

void
debye_recovery_forget_session_alone(const char *path)
{
  g_remove(path);
}

gboolean
debye_recovery_has_path(const char *path)
{
  g_autofree char *root = get_root();
  g_autofree char *prefix = g_strconcat(root, G_DIR_SEPARATOR_S, NULL);
  return g_str_has_prefix(path, prefix);
}

/* --- What others have left --- */

static gboolean
is_old(const char *folder)
{
  GStatBuf status;
  return g_stat(folder, &status) == 0 &&
         g_get_real_time() / G_USEC_PER_SEC - (gint64)status.st_mtime > (gint64)DAYS_KEPT * 24 * 3600;
}

static guint
list_sessions(const char *folder, GStrvBuilder *builder)
{
  g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
  guint n_sessions = 0;
  for (const char *name; entries != NULL && (name = g_dir_read_name(entries)) != NULL;) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (!debye_session_is_one(name) || !g_file_test(path, G_FILE_TEST_IS_REGULAR))
      continue;
    g_strv_builder_add(builder, path);
    n_sessions++;
  }
  return n_sessions;
}

static void
look_into(const char *folder, GStrvBuilder *builder)
{
  int lock = take_lock(folder, 0);
  if (lock < 0)
    return;
  if (list_sessions(folder, builder) == 0 && is_old(folder))
    remove_tree(folder);
  close(lock);
}

char **
debye_recovery_list_lost(DebyeRecovery *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  g_autofree char *root = get_root();
  g_autoptr(GDir) folders = g_dir_open(root, 0, NULL);
  for (const char *name; folders != NULL && (name = g_dir_read_name(folders)) != NULL;) {
    g_autofree char *folder = g_build_filename(root, name, NULL);
    if (g_strcmp0(folder, self->folder) != 0)
      look_into(folder, builder);
  }
  return g_strv_builder_end(builder);
}
