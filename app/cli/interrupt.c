/* SPDX-License-Identifier: MIT */
/* Catches Ctrl-C for main_cli.c and long commands. The flag is the one variable of the program that isn't
 * owned by anything: a signal handler can reach no other. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile bool interrupted;

static void
on_signal(int number)
{
  (void)number;
  interrupted = true;
}

void
debye_interrupt_install(void)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  /* A file beyond the limit on sizes (ulimit -f) is an error of a write, as a full disk is. */
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGXFSZ, &ignore, NULL);
}

bool
debye_interrupt_came(void)
{
  return interrupted;
}

const volatile bool *
debye_interrupt_flag(void)
{
  return &interrupted;
}
