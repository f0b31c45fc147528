/* SPDX-License-Identifier: MIT */
/* debye-cli: finds the command, parses its line, runs it, and turns what happened into an exit status. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli_progress.h"
#include "arguments.h"
#include "data/files/error.h"
#include "data/files/provenance.h"
#include "help.h"
#include "interrupt.h"
#include "app/installation/out_of_memory.h"
#include "app/scene/surface_depths.h"
#include "process_ranks.h"

/* One line. What is wrong in a selection comes with two more, the text and a caret under the place: these are
 * for a terminal. */
static void
print_error(const GError *error)
{
  gboolean has_caret = g_str_has_suffix(error->message, "^");
  gsize length = has_caret ? strcspn(error->message, "\n") : strlen(error->message);
  debye_cli_print_line(error->message, length);
  if (has_caret && error->message[length] != '\0' && isatty(STDERR_FILENO))
    fprintf(stderr, "%s\n", error->message + length + 1);
}

/* What is wrong with the line itself, whoever found it out. */
static gboolean
is_usage(const GError *error)
{
  return error->domain == DEBYE_USAGE_ERROR || g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
}

/* After Ctrl-C: what is left of the work, and what went wrong as it was written. A file or a device that says no
 * more than that it was stopped has nothing to add. */
static void
print_stopped(const GError *error)
{
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE))
    fputs("debye-cli: stopped\n", stderr);
  else
    print_error(error);
}

/* Of several processes the first one that failed speaks. */
static int
status_of_error(const GError *error)
{
  const gboolean speaks = debye_process_ranks_fail();
  if (debye_interrupt_came()) {
    if (speaks)
      print_stopped(error);
    return DEBYE_EXIT_INTERRUPTED;
  }
  if (speaks)
    print_error(error);
  return is_usage(error) ? DEBYE_EXIT_USAGE : DEBYE_EXIT_FAILED;
}

/* What was printed must have arrived: a full disk behind a redirection is a failure too. */
static int
close_output(int status)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  fprintf(stderr, "debye-cli: standard output: can't be written: %s\n", g_strerror(errno));
  return DEBYE_EXIT_FAILED;
}

/* "map, rdf, scattering". */
static char *
list_shared(void)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (const DebyeCommand *const *command = debye_command_list(); *command != NULL; command++)
    if ((*command)->can_share)
      g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", (*command)->name);
  return g_string_free(g_steal_pointer(&names), FALSE);
}

/* Under mpirun: the first process speaks, and what can't be shared is not done many times over. */
static gboolean
check_ranks(const DebyeCommand *command, DebyeArguments *arguments, GError **error)
{
  DebyeRanks ranks = debye_process_ranks_get();
  if (ranks.rank > 0)
    debye_request_set(debye_arguments_get_common(arguments), "quiet", "true", NULL);
  if (ranks.n_ranks == 1 || command->can_share)
    return TRUE;
  g_autofree char *shared = list_shared();
  return debye_usage_refuse(error, "%s: expected one process, found %u: those that several share are %s",
                            command->name, ranks.n_ranks, shared);
}

static void
say_stages(DebyeArguments *arguments)
{
  DebyeStages *stages = debye_arguments_get_stages(arguments);
  debye_stages_leave(stages);
  double whole = 0.0;
  for (guint i = 0; i < DEBYE_N_STAGES; i++)
    whole += stages->seconds[i];
  g_autofree char *text = debye_stages_describe(stages);
  debye_cli_say(arguments, "time: %s; %.3f s in all", text, whole);
}

static gboolean
run(const DebyeCommand *command, DebyeArguments *arguments, GError **error)
{
  return command->run_among != NULL ? command->run_among(debye_command_list(), arguments, error)
                                    : command->run(arguments, error);
}

static int
run_command(const DebyeCommand *command, const char *const *words, gboolean *has_failed)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeArguments) arguments = debye_arguments_parse(command, words, &error);
  if (arguments == NULL) {
    *has_failed = TRUE;
    return status_of_error(error);
  }
  if (debye_arguments_wants_help(arguments)) {
    debye_help_speak();
    g_autofree char *text = debye_help_command(command);
    fputs(text, stdout);
    return close_output(DEBYE_EXIT_DONE);
  }
  gboolean done = check_ranks(command, arguments, &error) && debye_arguments_check_files(arguments, &error) &&
                  run(command, arguments, &error);
  *has_failed = error != NULL;
  if (error != NULL)
    return status_of_error(error);
  debye_cli_print_held_warnings(arguments);
  if (debye_arguments_get_options(arguments).timing)
    say_stages(arguments);
  return close_output(done ? DEBYE_EXIT_DONE : DEBYE_EXIT_INTERRUPTED);
}

static int
run_without_command(const char *word)
{
  if (word == NULL || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    debye_help_speak();
    g_autofree char *text = debye_help_overview(debye_command_list());
    fputs(text, word == NULL ? stderr : stdout);
    return word == NULL ? DEBYE_EXIT_USAGE : close_output(DEBYE_EXIT_DONE);
  }
  if (strcmp(word, "--version") == 0) {
    printf("debye-cli %s\n", debye_provenance_get_version());
    return close_output(DEBYE_EXIT_DONE);
  }
  g_autofree char *valid = g_utf8_make_valid(word, -1);
  fprintf(stderr, "debye-cli: there is no command “%s” (see debye-cli --help)\n", valid);
  return DEBYE_EXIT_USAGE;
}

int
main(int argc, char **argv)
{
  /* No setlocale: numbers, errors and files are the same whatever the locale is. Help alone is in the user's
   * language. */
  g_set_prgname("debye-cli");
  debye_interrupt_install();
  debye_out_of_memory_install();
  debye_surface_depths_lend();
  debye_process_ranks_begin(&argc, &argv);
  gboolean has_failed = FALSE;
  const DebyeCommand *command = argc > 1 ? debye_command_find(debye_command_list(), argv[1]) : NULL;
  int status = command == NULL ? run_without_command(argc > 1 ? argv[1] : NULL)
                               : run_command(command, (const char *const *)argv + 2, &has_failed);
  debye_process_ranks_end(has_failed);
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  return status; /* leaks are looked for at the end */
#else
  /* Files are closed; drivers would take a tenth of a second to put their things away. */
  fflush(stdout);
  _exit(status);
#endif
}
