/* SPDX-License-Identifier: MIT */
/* Implementation of bench_whole.h. */
#include "bench_whole.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_source_private.h"
#include "data/files/error.h"
#include "data/settings/request.h"

#define PROGRAM "/proc/self/exe"
#define PREFIX "debye-cli: "
#define USAGE 2            /* its exit status where the line is wrong */
#define LOOK_EVERY 50      /* ms, whether Ctrl-C came */
#define STOPS_WITHIN 2     /* s, before it is killed */
#define MAX_TEXT (1 << 16) /* bytes of its messages */

typedef struct {
  char **words;
  const char *told; /* for a shell, in its error */
  const volatile bool *cancel;
} Run;

void
debye_bench_whole_clear(DebyeBenchWhole *self)
{
  g_clear_pointer(&self->line, g_free);
  g_clear_pointer(&self->words, g_strfreev);
  g_clear_pointer(&self->files, g_strfreev);
  g_clear_pointer(&self->suffix, g_strfreev);
}

/* --- One process --- */

/* Between fork and exec: no job outlives the benchmark, however that ends. */
static void
end_with_parent(gpointer data)
{
  (void)data;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Without what MPI set for this process, or the job would join as the same rank. To be freed. */
static char **
list_environment(void)
{
  static const char *const of_mpi[] = {"OMPI_", "PMIX_", "PMI_", "PRTE_", "HYDRA_", "MPI_LOCAL"};
  char **environment = g_get_environ();
  g_auto(GStrv) names = g_listenv();
  for (gsize i = 0; names[i] != NULL; i++)
    for (gsize k = 0; k < G_N_ELEMENTS(of_mpi); k++)
      if (g_str_has_prefix(names[i], of_mpi[k]))
        environment = g_environ_unsetenv(environment, names[i]);
  return environment;
}

/* Appends what the job writes within so many ms. As read(); also -1 if it writes nothing. */
static ssize_t
listen_to(int messages, int milliseconds, GString *text)
{
  char buffer[4096];
  GPollFD waiting = {.fd = messages, .events = G_IO_IN};
  const ssize_t n = g_poll(&waiting, 1, milliseconds) > 0 ? read(messages, buffer, sizeof buffer) : -1;
  if (n > 0) {
    g_string_append_len(text, buffer, n);
    g_string_erase(text, 0, (gssize)(text->len > MAX_TEXT ? text->len - MAX_TEXT : 0));
  }
  return n;
}

/* Listens until it has ended, which closes its messages, unless a process of its own keeps them open. Returns waitpid's
 * status. */
static int
watch(GPid process, int messages, const volatile bool *cancel, GString *text)
{
  gint64 stopped_at = 0;
  int status = 0;
  for (;;) {
    const ssize_t n = listen_to(messages, LOOK_EVERY, text);
    if (n <= 0 && waitpid(process, &status, n == 0 ? 0 : WNOHANG) == process)
      break;
    if (cancel == NULL || !*cancel)
      continue;
    if (stopped_at == 0) {
      stopped_at = g_get_monotonic_time();
      kill(process, SIGTERM);
    } else if (g_get_monotonic_time() - stopped_at > STOPS_WITHIN * G_USEC_PER_SEC) {
      kill(process, SIGKILL);
    }
  }
  while (listen_to(messages, 0, text) > 0)
    ;
  return status;
}

/* The last line of its messages is its error; warnings come before. NULL: it said nothing. */
static const char *
find_error(GString *text)
{
  char *message = g_strchomp(text->str);
  const char *newline = strrchr(message, '\n');
  const char *last = newline != NULL ? newline + 1 : message;
  last += g_str_has_prefix(last, PREFIX) ? strlen(PREFIX) : 0;
  return *last != '\0' ? last : NULL;
}

static gboolean
check_end(const Run *run, int status, GString *text, GError **error)
{
  g_autoptr(GError) ended = NULL;
  if (run->cancel != NULL && *run->cancel)
    return debye_error_set(error, DEBYE_ERROR_STOPPED, "Stopped.");
  if (g_spawn_check_wait_status(status, &ended))
    return TRUE;
  const char *own = find_error(text);
  g_autofree char *valid = g_utf8_make_valid(own != NULL ? own : ended->message, -1);
  const gboolean is_usage = WIFEXITED(status) && WEXITSTATUS(status) == USAGE;
  return debye_error_set(error, is_usage ? DEBYE_ERROR_SETTING : DEBYE_ERROR_VALUE, "%s: %s", run->told,
                         valid);
}

static gboolean
run_once(gpointer data, GError **error)
{
  const Run *run = data;
  g_autoptr(GString) text = g_string_new(NULL);
  g_auto(GStrv) environment = list_environment();
  GPid process = 0;
  int messages = -1;
  if (!g_spawn_async_with_pipes(NULL, run->words, environment,
                                G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                                    G_SPAWN_FILE_AND_ARGV_ZERO,
                                end_with_parent, NULL, &process, NULL, NULL, &messages, error))
    return FALSE;
  const int status = watch(process, messages, run->cancel, text);
  close(messages);
  return check_end(run, status, text, error);
}

/* --- Its line --- */

/* "cuda:0,cpu" */
static char *
list_devices(const DebyeBenchCase *one)
{
  g_autoptr(GString) list = g_string_new(NULL);
  for (gsize i = 0; i < one->n_devices; i++)
    g_string_append_printf(list, "%s%s", i > 0 ? "," : "", one->devices[i]->info.id);
  return g_string_free(g_steal_pointer(&list), FALSE);
}

/* What is added stands before the job's own options, which may end with files behind two dashes. The first word is the file to
 * start, the second its name. `folder` NULL: without outputs. */
static char **
create_words(const DebyeBenchWhole *self, const DebyeBenchCase *one, const char *devices, const char *folder)
{
  const guint threads = (guint)one->sizes[DEBYE_BENCH_THREADS];
  g_autoptr(GStrvBuilder) words = g_strv_builder_new();
  g_strv_builder_add_many(words, PROGRAM, self->words[0], self->words[1], "--device", devices, NULL);
  if (threads > 0) {
    g_autofree char *number = g_strdup_printf("%u", threads);
    g_strv_builder_add_many(words, "--threads", number, NULL);
  }
  for (gsize i = 0; folder != NULL && self->suffix[i] != NULL; i++) {
    g_autofree char *output = g_strdup_printf("%s/result-%zu%s", folder, i + 1, self->suffix[i]);
    g_strv_builder_add_many(words, "--output", output, NULL);
  }
  g_strv_builder_addv(words, (const char **)(self->words + 2));
  return g_strv_builder_end(words);
}

static char *
tell_words(char **words)
{
  g_autoptr(GString) line = g_string_new(NULL);
  for (gsize i = 0; words[i] != NULL; i++) {
    g_string_append(line, i > 0 ? " " : "");
    debye_command_append_word(line, words[i]);
  }
  return g_string_free(g_steal_pointer(&line), FALSE);
}

gboolean
debye_bench_whole_run(const DebyeBenchWhole *self, const DebyeBenchCase *one, DebyeBenchResult *result,
                      GError **error)
{
  g_auto(DebyeBenchFolder) folder;
  DebyeBenchTime time;
  if (!debye_bench_folder_init(&folder, NULL, one->repeats.cancel, error))
    return FALSE;
  g_autofree char *devices = list_devices(one);
  g_auto(GStrv) words = create_words(self, one, devices, folder.path),
                plain = create_words(self, one, devices, NULL);
  g_autofree char *told = tell_words(plain + 1);
  Run run = {.words = words, .told = told, .cancel = one->repeats.cancel};
  if (!debye_bench_repeat(&one->repeats, run_once, &run, &time, error))
    return FALSE;
  *result = (DebyeBenchResult){
      .variant = g_strdup(self->words[1]),
      .device = g_strdelimit(g_steal_pointer(&devices), ",", '+'),
      .seconds = time.fastest,
      .fastest = time.fastest,
      .slowest = time.slowest,
      .median = time.median,
      .n_repeats = time.n,
      .whole = 1.0,
      .evaluations = 1.0,
      .rate = 1.0 / time.fastest,
      .error = NAN,
  };
  return TRUE;
}
