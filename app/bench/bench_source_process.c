/* SPDX-License-Identifier: MIT */
/* The private folder of a source of the class, and debye-kernel-runner in it; used by bench_source.c. */
#include "bench_source_private.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include <gio/gio.h>

#include "data/files/error.h"

#define LOOK_EVERY 2000 /* µs */

gboolean
debye_bench_folder_init(DebyeBenchFolder *folder, const char *runner, const volatile bool *cancel,
                        GError **error)
{
  *folder = (DebyeBenchFolder){.runner = runner, .cancel = cancel};
  folder->path = g_dir_make_tmp("debye-kernel-XXXXXX", error);
  return folder->path != NULL;
}

/* Files alone: the runner makes no folders, and the compiler none that it leaves. */
void
debye_bench_folder_clear(DebyeBenchFolder *folder)
{
  g_autoptr(GDir) list = folder->path != NULL ? g_dir_open(folder->path, 0, NULL) : NULL;
  const char *name;
  while (list != NULL && (name = g_dir_read_name(list)) != NULL) {
    g_autofree char *path = g_build_filename(folder->path, name, NULL);
    g_autoptr(GFile) file = g_file_new_for_path(path);
    g_file_delete(file, NULL, NULL);
  }
  if (folder->path != NULL) {
    g_autoptr(GFile) self = g_file_new_for_path(folder->path);
    g_file_delete(self, NULL, NULL);
  }
  g_clear_pointer(&folder->path, g_free);
}

gboolean
debye_bench_folder_write(const DebyeBenchFolder *folder, const char *name, gconstpointer data, gsize n,
                         GError **error)
{
  g_autofree char *path = g_build_filename(folder->path, name, NULL);
  return g_file_set_contents(path, data, (gssize)n, error);
}

/* The group as well, of which the runner makes itself the head. */
static void
end_process(GPid process)
{
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
}

static gboolean
is_cancelled(const DebyeBenchFolder *folder)
{
  return folder->cancel != NULL && *folder->cancel;
}

/* The compiler looks for its parts in PATH, CUDA for the devices that it may have and for its libraries; a kernel gets
 * nothing. */
static char **
list_environment(const DebyeBenchFolder *folder, const char *verb)
{
  static const char *const of_cuda[] = {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
                                        "CUDA_MPS_PIPE_DIRECTORY"}; /* where MPS was looked for */
  g_autofree char *temporary = g_strdup_printf("TMPDIR=%s", folder->path);
  g_autoptr(GStrvBuilder) list = g_strv_builder_new();
  if (g_str_equal(verb, "compile")) {
    g_strv_builder_add_many(list, "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", temporary, NULL);
  } else if (g_str_has_suffix(verb, "-cuda")) {
    g_strv_builder_add_many(list, "CUDA_CACHE_DISABLE=1", temporary, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(of_cuda); i++) {
      g_autofree char *entry = g_strdup_printf("%s=%s", of_cuda[i], g_getenv(of_cuda[i]));
      if (g_getenv(of_cuda[i]) != NULL)
        g_strv_builder_add(list, entry);
    }
  }
  return g_strv_builder_end(list);
}

gboolean
debye_bench_folder_run(const DebyeBenchFolder *folder, char **arguments, double seconds, gboolean *is_late,
                       int *status, GError **error)
{
  g_auto(GStrv) environment = list_environment(folder, arguments[1]);
  const gint64 start = g_get_monotonic_time();
  gboolean is_stopped = FALSE;
  GPid process = 0;
  *is_late = FALSE;
  if (!g_spawn_async(folder->path, arguments, environment,
                     G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, &process, error))
    return FALSE;
  int ended = 0;
  while ((ended = waitpid(process, status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    is_stopped |= is_cancelled(folder);
    *is_late |= (double)(g_get_monotonic_time() - start) > seconds * G_USEC_PER_SEC;
    if (is_stopped || *is_late)
      end_process(process);
    g_usleep(LOOK_EVERY);
  }
  kill(-process, SIGKILL); /* What it may have left. */
  if (is_stopped)
    debye_error_set(error, DEBYE_ERROR_STOPPED, "Stopped.");
  return !is_stopped;
}
