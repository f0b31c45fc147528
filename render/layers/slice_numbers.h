/* SPDX-License-Identifier: MIT */
/* Numbers in the texts that set a slice: its normal, its plane, the step of its contours. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Exactly `n` finite numbers between commas, semicolons or blanks. Where semicolons part them, a comma is a decimal
 * sign. FALSE: the text is something else, and `values` are undefined. */
gboolean debye_slice_numbers_parse(const char *text, double *values, guint n);
/* As short as it may be; 0: empty. */
char *debye_slice_numbers_format(double value);

G_END_DECLS
