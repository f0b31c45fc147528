/* SPDX-License-Identifier: MIT */
/* Ctrl-C: the first ends the work in good order, the second ends the program at once. */
#pragma once

#include <stdbool.h>

/* Once, before any thread is started. Catches SIGINT and SIGTERM. */
void debye_interrupt_install(void);
bool debye_interrupt_came(void);
/* For work that is to stop: true after a signal. */
const volatile bool *debye_interrupt_flag(void);
