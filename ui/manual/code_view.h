/* SPDX-License-Identifier: MIT */
/* The widget and the buffers of classroom_code.c: GtkSourceView's, with colours and numbers of lines, if Debye was built
 * with it, else GTK's plain ones. */
#pragma once

#include <adwaita.h>

/* Shows code and is read alone at first; a line that is wrapped continues further to the right. */
GtkTextView *debye_code_view_new(void);
/* Follows the light or dark style. */
GtkTextBuffer *debye_code_buffer_new(void);
/* CUDA C, else C. */
void debye_code_buffer_set_cuda(GtkTextBuffer *buffer, gboolean is_cuda);
