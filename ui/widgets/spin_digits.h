/* SPDX-License-Identifier: MIT */
/* Spin buttons that show "1,540,000" as sentences have it, with a dot before decimals in every locale. */
#pragma once

#include <gtk/gtk.h>

/* Typed with or without the marks between thousands, and with blanks in their place. */
void debye_spin_digits_group(GtkSpinButton *button);
