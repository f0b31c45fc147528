/* SPDX-License-Identifier: MIT */
/* Settings whose value names a file that is read, besides those that are nothing but a FILE of the command
 * line. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where in the value the file's name begins, which ends it; NULL: it names none. */
const char *debye_setting_find_file(const char *key, const char *value);

G_END_DECLS
